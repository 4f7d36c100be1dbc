/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz.h: the one call of a fuzz target.  libFuzzer gives it bytes it made up, replay.c the files
 * of a corpus.
 *
 * A target for layer x:  t/fuzz/fuzz_x.c, t/fuzz/corpus/x/, and in t/fuzz/local.mk the lines that
 * vscf has there.
 *
 * Thread rule: one thread.
 */
#ifndef T_FUZZ_FUZZ_H
#define T_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0. Aborts if an invariant does not hold. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
