/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * note.h: mail from the monitor to main: "run this", "log this".  Before a note is acted on, main
 * is given all results that were pushed before it, so ready() and done() never overtake them.
 *
 * Life: made and posted in one call; frees itself when delivered, even after monitor_free.
 * Thread rule: [monitor]; fn runs on main.
 */
#ifndef MONITOR_NOTE_H
#define MONITOR_NOTE_H

#include "base/log.h"
#include "monitor/results.h"

/* Call fn(arg) on main (fn may be NULL), then free the slots chained at `dead` (NULL = none):
 * results that main has not seen before still point at them. */
void note_call(struct results *r, struct mbox *main_mbox, void (*fn)(void *arg), void *arg,
               struct slot *dead);
/* Log on main: a blocked stderr must not stop the probes. */
void note_log(struct results *r, struct mbox *main_mbox, enum log_level level, const char *fmt, ...)
    printf_like(4, 5);

#endif
