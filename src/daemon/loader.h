/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * loader.h: one background thread that does what may take long: read zones, wait for grace
 * periods, free what was retired.
 *
 *   struct job { struct loader_job job; ... };
 *   loader_submit(l, &j->job)      run(job) on the loader, then done(job) on main
 *
 * Jobs run one after another.  Life: loader_start -> submit ... -> loader_stop (finishes what was
 * submitted; done() of the last ones runs in main's mailbox).
 * Thread rule: [main]; run() [loader], done() [main].
 */
#ifndef DAEMON_LOADER_H
#define DAEMON_LOADER_H

#include "base/attrs.h"
#include "base/mbox.h"

struct loader_job {
    void (*run)(struct loader_job *);
    void (*done)(struct loader_job *); /* may be NULL; frees the job */
    struct loader_job *next;
    struct mail mail;
};

struct loader;

/* NULL if no thread can be had. */
struct loader *loader_start(struct mbox *main_mbox) must_check;
void loader_submit(struct loader *l, struct loader_job *j);
void loader_stop(struct loader *l);

#endif
