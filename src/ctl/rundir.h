/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rundir.h: what one running daemon owns in run_dir, so that there is one of it.
 *
 *   run_dir/               0700, made if missing; its parent must exist
 *   run_dir/control.lock   0600, flock EX while the daemon lives
 *   run_dir/control.sock   0600, replaced by whoever holds the lock; stays after the end
 *
 * Thread rule: [main].
 */
#ifndef CTL_RUNDIR_H
#define CTL_RUNDIR_H

#include "base/attrs.h"
#include "base/diag.h"

/* Make run_dir where missing and check that nobody else may write in it. 0 or ERR_REFUSED. */
int rundir_make(const char *run_dir, struct diag *d) must_check;
/* 0 and *fd, which holds the lock until it is closed; ERR_EXISTS: somebody runs; ERR_REFUSED. */
int rundir_lock(const char *run_dir, struct diag *d, int *fd) must_check;
/* A listening, non-blocking socket; only for the holder of the lock. 0 or ERR_REFUSED. */
int rundir_listen(const char *run_dir, struct diag *d, int *fd) must_check;

#endif
