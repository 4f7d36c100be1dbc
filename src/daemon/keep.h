/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * keep.h: small files of our own that outlive the process.  Thread rule: [main].
 */
#ifndef DAEMON_KEEP_H
#define DAEMON_KEEP_H

#include <stddef.h>
#include <sys/types.h>
#include "base/attrs.h"

/* Replace a file: it is the old or the new one at any time, also after a crash. 0, or ERR_IO and
 * errno. */
int keep_file(const char *path, const void *bytes, size_t len, mode_t mode) must_check;

#endif
