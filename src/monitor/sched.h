/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched.h: when each target is probed.  A target's attempts lie on a fixed grid of monotonic time,
 * shifted by a hash of the target, so that targets spread evenly over their interval, attempts do
 * not drift, and a reload makes no burst:
 *
 *   time      0         interval     2 x interval
 *   target a  |--a---------|--a---------|--a----      phase = hash mod interval
 *   target b  |--------b---|--------b---|-------
 *
 * The interval is the one of the target's pace (health/flap): while it stays DOWN down_interval on
 * a grid of its own; between a first contrary result and the verdict fast_interval, counted from
 * when the attempt before was due.  `jitter` delays each point by a share of the interval, by a
 * hash of target and round, so that nothing adds up.
 *
 *              due                    a place is free          verdict or deadline
 *   WAITING ---------> QUEUED ---------------------> RUNNING ----------------------> WAITING
 *                  (its clock stands)           (its deadline)
 *
 * Of the queued ones those with the fast pace go first, those that stay DOWN last; one start in
 * SCHED_FAIR is given the other way round, so that nobody waits for ever.
 *
 * The first attempt of a new target is queued at once.  The deadline is connect_timeout_ms after
 * the start and, from target_connected on, timeout_ms after it.  An attempt that passes it is taken
 * back from the plugin and counts as TIMEOUT; it never lives longer.
 *
 * Life: sched_init -> target_new ... target_free -> (no target left) sched_fini.
 * Thread rule: [monitor].
 */
#ifndef MONITOR_SCHED_H
#define MONITOR_SCHED_H

#include <ev.h>
#include <stdbool.h>
#include "base/clock.h"
#include "health/registry.h"
#include "stats/counters.h"

/* Attempts under way at once where the caller does not say: a process with the usual limit of 1,024
 * descriptors keeps some for its other work. Fewer and silent targets delay the others. */
#define SCHED_IN_FLIGHT 900u

/* An attempt that begins this many intervals after it was due began late. */
#define SCHED_LATE_INTERVALS 3

/* One start in this many serves the last rank first. Fewer would let the dead hold up
 * confirmations; more would notice a return late when there is more to do than can be done. */
#define SCHED_FAIR 16u

/* Our loop was held up if it worked or overslept for longer than this; scheduling of a busy machine
 * alone stays below. */
#define SCHED_STALL_MS 10

#define SCHED_RANKS 3u /* queues, by enum flap_pace */

/* How one attempt ended. */
struct attempt {
    struct mono at;
    enum th_verdict verdict;
    enum th_cause cause;
    uint32_t latency_us;
    bool skipped;     /* it was its turn and it is in maintenance: no attempt was made */
    bool initial;     /* skipped: it was its first turn */
    const char *text; /* for people; valid during the call */
};

enum target_phase { TARGET_WAITING, TARGET_QUEUED, TARGET_RUNNING };

/* A probed item: the monitor's side of the plugin API's opaque target. */
struct th_target {
    struct sched *sched;
    struct slot *slot;
    const struct service *service; /* of the newest generation that wants it */
    const struct plugs *home;      /* that generation */
    void *plugin_target;           /* NULL while the plugin could not open it */
    enum target_phase phase;
    bool attempted;            /* its first round is over */
    bool notrun;               /* the last one could not be made */
    struct mono started, due;  /* due: next attempt when waiting, deadline when running */
    struct mono planned;       /* when the attempt begun last was due */
    uint32_t limit_ms;         /* running: from started to due */
    int64_t stalled_before_ns; /* sched.stalled_ns at its start */
    enum flap_pace rank;       /* while queued: in which queue */
    ev_timer timer;
    struct th_target *queue_next, *queue_prev;
};

struct sched_queue {
    struct th_target *first, *last;
};

struct sched {
    struct ev_loop *loop;
    const struct th_host *host;
    uint32_t in_flight, max_in_flight;
    uint32_t notrun_count; /* targets whose last attempt could not be made */
    uint64_t late_count;   /* attempts that began late */
    struct mono late_at;   /* the last of them */
    uint64_t started_count;
    int64_t stalled_ns;        /* all that our loop was held up */
    struct counters *counters; /* may be NULL */
    struct sched_queue queues[SCHED_RANKS];
    void (*on_attempt)(void *arg, struct th_target *t, const struct attempt *a);
    void *arg;
};

void sched_init(struct sched *s, struct ev_loop *loop, uint32_t max_in_flight);
/* The loop was held up for this long, or worked; less than SCHED_STALL_MS is passed over. */
void sched_note_stall(struct sched *s, int64_t ns);
/* Start queued attempts until none is left, no place is free or `until` passed. True in the last
 * case. */
bool sched_run_queue(struct sched *s, struct mono until);

/* Probe `slot` as `service` says; its first attempt is queued. */
struct th_target *target_new(struct sched *s, struct slot *slot, const struct service *service,
                             const struct plugs *home);
/* From now on as another generation's `service` says. An attempt under way is made again. */
void target_move(struct th_target *t, const struct service *service, const struct plugs *home);
void target_free(struct th_target *t);
/* The attempt under way has its connection: timeout limits the rest. */
void target_connected(struct th_target *t);
/* The plugin's verdict on the attempt under way; ignored when there is none. */
void target_done(struct th_target *t, enum th_verdict v, enum th_cause cause, const char *text);
/* When the target's next attempt is due, by its state, after `now`. */
struct mono target_next_due(const struct th_target *t, struct mono now);

#endif
