/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * monitor_rig.h: what a test of the monitor stands on: main's loop and mailbox, a plugs that only
 * counts, and a record of every result.
 *
 *   struct rig r;  rig_start(&r, NULL);
 *   struct plugs *p = rig_plugs(&service, addrs, n);
 *   rig_attach(&r, p, 0);                        returns when ready
 *   rig_wait(&r, condition, arg);                turns main's loop until it holds, 20 s at most
 *   rig_detach(&r, p);  rig_stop(&r);
 */
#ifndef T_UNIT_MONITOR_RIG_H
#define T_UNIT_MONITOR_RIG_H

#include <ev.h>
#include "base/mbox.h"
#include "monitor/monitor.h"

/* The test's plugs: watches, and how often the monitor asked for what. */
struct plugs {
    struct watch *watches;
    size_t count;
    _Atomic unsigned marks, prepares, prepared_all;
    _Atomic uint32_t last_mark;
    plugs_drain_fn *on_drain;
    void *on_drain_arg;
};

struct rig {
    struct ev_loop *loop;
    struct mbox mbox;
    struct monitor *monitor;
    int ready_count, done_count;
    size_t result_count, notrun_count, transition_count;
    uint32_t least_latency_us;
    struct monitor_result last;            /* the newest */
    struct monitor_result last_transition; /* first ones included */
};

/* options may be NULL; main_mbox, on_result and arg are the rig's. */
void rig_start(struct rig *r, const struct monitor_options *options);
void rig_stop(struct rig *r);
/* n watches of 127.0.0.<first + i> (or of addrs[i] when addrs is given) under `service`. */
struct plugs *rig_plugs(const struct service *service, unsigned first, size_t n);
struct plugs *rig_plugs_of(const struct service *service, const struct th_addr *addrs, size_t n);
void rig_plugs_free(struct plugs *p);
void rig_attach(struct rig *r, struct plugs *p, uint32_t wait_ms);
void rig_detach(struct rig *r, struct plugs *p);
/* Turn main's loop until cond(arg); the test fails after 20 s. */
void rig_wait(struct rig *r, bool (*cond)(void *arg), void *arg);
/* One more result of any kind than now. */
void rig_next_result(struct rig *r);
/* Turn until the word of watch i of p has all of `flags` (true) or none of them. */
void rig_wait_word(struct rig *r, const struct plugs *p, size_t i, uint64_t flags, bool set);
struct th_word rig_word(const struct plugs *p, size_t i);

#endif
