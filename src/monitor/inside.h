/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * inside.h: the monitor's own state, for the files of this folder.
 *
 *   generation.c   who wants what: attach, detach, ready
 *   sched.c        when it is probed        io.c   how a plugin reaches its sockets
 *   attempt.c      what an attempt's end changes: slot, result
 *   rules.c        what an administrator's rules make of it: word, marks
 *   turn.c         what is done once per loop turn: start queued probes, prepare answers, wake main
 *
 * Thread rule: [monitor], but for what monitor.c does before start and after the thread ended.
 */
#ifndef MONITOR_INSIDE_H
#define MONITOR_INSIDE_H

#include <stdatomic.h>
#include "monitor/monitor.h"
#include "monitor/results.h"
#include "monitor/sched.h"

/* One attached generation of plugins. */
struct generation {
    struct generation *next; /* older */
    struct monitor *monitor;
    struct plugs *plugs;
    uint32_t pending;     /* items without a result that is waited for */
    uint32_t unattempted; /* items whose first round is not over */
    bool overdue;         /* wait_ms have passed */
    bool ready;           /* announced; from then on its answers follow health */
    uint32_t wait_ms;
    ev_timer wait;
    void (*on_ready)(void *arg);
    void *arg;
};

struct monitor {
    struct monitor_options options;
    struct th_host host;
    struct ev_loop *loop;
    struct mbox mbox;
    pthread_t thread;
    bool started, stopped; /* [main] */
    bool stopping;
    struct registry *registry;
    struct admin *rules; /* in force */
    struct sched sched;
    struct results *results;
    struct generation *generations; /* newest first */
    struct slot *dead;              /* of generations detached by stop; freed by monitor_free */
    bool dirty;                     /* an answer has to be prepared again */
    struct counters *counters;
    ev_prepare turn;
    ev_check check;
    struct mono woke, slept; /* the loop's last sleep ended, began */
    ev_idle busy;            /* active while a turn left work */
    ev_timer tick;
    _Atomic int64_t heartbeat_ns;
    /* attempts that could not be made: one log line when it begins, one when it is over */
    bool late_episode; /* likewise for attempts that began late */
    bool notrun_episode;
    uint64_t notrun_attempts;
    char notrun_text[200];
};

void generation_attach(struct monitor *m, struct plugs *p, uint32_t wait_ms,
                       void (*on_ready)(void *arg), void *arg);
/* Returns the slots nobody wants any more, chained by next. */
struct slot *generation_detach(struct monitor *m, struct plugs *p);
/* An item came to be known, or its first round ended: count it off where it is waited for. */
void generation_count(struct monitor *m, const struct slot *s, bool known, bool attempted);
/* Prepare and announce every generation that has waited long enough. */
void generation_announce(struct monitor *m);

void attempt_ended(void *monitor, struct th_target *t, const struct attempt *a);
/* Store what the probes found, and what comes of it. */
void attempt_publish(struct monitor *m, struct slot *s, const struct flap_conf *c);

/* Obey another list (one reference moves in): all words anew. */
void rules_set(struct monitor *m, struct admin *rules);
/* A slot that was just made: find its rule. */
void rules_attach(struct monitor *m, struct slot *s);
/* The word that answers see, from what is real and the slot's rule; if it changed, mark what
 * depends on it. */
void rules_publish(struct monitor *m, struct slot *s);

void turn_start(struct monitor *m);
void turn_stop(struct monitor *m);

#endif
