/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * crew.h: the threads that one load may use.  Those that read no file of their own (there are fewer
 * files than threads, or no more of them) are spare: the readers of large files take them.
 *
 *   crew_init(8) -> 3 files: crew_take by each of their readers -> 5 spare
 *                   a large file: crew_start, until none is spare -> work, crew_give -> crew_join
 *
 * Thread rule: a struct crew [any] once it is initialised; a struct crew_band belongs to one
 * thread.
 */
#ifndef ZONE_CREW_H
#define ZONE_CREW_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define CREW_MAX 64u /* a typing error must not start a million threads */

struct crew {
    _Atomic unsigned spare;
};

/* Threads that were started for one purpose. */
struct crew_band {
    pthread_t threads[CREW_MAX];
    unsigned count;
};

/* threads: in all, at most CREW_MAX are used; 0 counts as 1. */
void crew_init(struct crew *c, unsigned threads);
/* Take one that is spare: it is busy until it is given back. */
bool crew_take(struct crew *c);
void crew_give(struct crew *c);

/* Start one more thread, if one is spare and the system has one; `run` gives it back at its end. */
bool crew_start(struct crew *c, struct crew_band *band, void *(*run)(void *), void *arg);
/* Wait for all that were started. */
void crew_join(struct crew_band *band);

#endif
