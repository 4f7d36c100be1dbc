/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "monitor/sched.h"

#include <stdio.h>

#include "base/hashmap.h"
#include "base/mem.h"

static void on_timer(struct ev_loop *loop, ev_timer *w, int revents);

static void count(struct sched *s, enum counter which, uint64_t n)
{
    if (s->counters)
        counter_add(s->counters, which, n);
}

void sched_note_stall(struct sched *s, int64_t ns)
{
    if (ns > SCHED_STALL_MS * INT64_C(1000000))
        s->stalled_ns += ns;
}

void sched_init(struct sched *s, struct ev_loop *loop, uint32_t max_in_flight)
{
    s->loop = loop;
    s->max_in_flight = max_in_flight ? max_in_flight : SCHED_IN_FLIGHT;
}

/* ---- queue --------------------------------------------------------------------------------- */

static void queue_push(struct th_target *t)
{
    t->rank = flap_pace(t->slot->flap);
    struct sched_queue *q = &t->sched->queues[t->rank];
    t->phase = TARGET_QUEUED;
    t->queue_next = NULL;
    t->queue_prev = q->last;
    *(q->last ? &q->last->queue_next : &q->first) = t;
    q->last = t;
}

static void queue_remove(struct th_target *t)
{
    struct sched_queue *q = &t->sched->queues[t->rank];
    *(t->queue_prev ? &t->queue_prev->queue_next : &q->first) = t->queue_next;
    *(t->queue_next ? &t->queue_next->queue_prev : &q->last) = t->queue_prev;
    t->phase = TARGET_WAITING;
}

/* Whoever is next, or NULL: confirmations first, the dead last; now and then the other way round.
 */
static struct th_target *queue_first(const struct sched *s)
{
    bool turned = s->started_count % SCHED_FAIR == SCHED_FAIR - 1;
    for (unsigned i = 0; i < SCHED_RANKS; i++) {
        struct th_target *t = s->queues[turned ? SCHED_RANKS - 1 - i : i].first;
        if (t)
            return t;
    }
    return NULL;
}

static bool can_start(const struct sched *s)
{
    return queue_first(s) && s->in_flight < s->max_in_flight;
}

/* ---- time ---------------------------------------------------------------------------------- */

/* libev counts from the start of its turn, so a timer may fire early; on_timer looks again. */
static void timer_set(struct th_target *t, struct mono now, struct mono due)
{
    t->due = due;
    double after = (double)(due.ns - now.ns) / 1e9;
    ev_timer_stop(t->sched->loop, &t->timer);
    ev_timer_set(&t->timer, after > 0 ? after : 0, 0.);
    ev_timer_start(t->sched->loop, &t->timer);
}

/* The first point after `now` of the grid of `interval_ns` through `anchor_ns`. */
static int64_t grid_next(int64_t anchor_ns, int64_t interval_ns, int64_t now_ns)
{
    int64_t since = (now_ns - anchor_ns) % interval_ns;
    if (since < 0)
        since += interval_ns;
    return now_ns - since + interval_ns;
}

static int64_t interval_ns(const struct th_target *t, enum flap_pace pace)
{
    uint32_t ms = flap_interval_ms(&t->service->flap, pace);
    return (ms ? ms : 1) * INT64_C(1000000);
}

/* How much later than its grid point a round begins: below `jitter` intervals, the same for the
 * same round of the same target. Up to one half, rounds keep their order. */
static int64_t jitter_ns(const struct th_target *t, int64_t point_ns, int64_t interval)
{
    if (t->service->jitter <= 0)
        return 0;
    uint64_t h = hash_bytes(t->slot->key, &point_ns, sizeof point_ns);
    return (int64_t)((double)interval * t->service->jitter * ((double)(h >> 11) * 0x1p-53));
}

struct mono target_next_due(const struct th_target *t, struct mono now)
{
    enum flap_pace pace = flap_pace(t->slot->flap);
    int64_t interval = interval_ns(t, pace);
    if (pace == FLAP_PACE_FAST)
        return (struct mono){grid_next(t->planned.ns, interval, now.ns)};
    int64_t phase = (int64_t)(t->slot->key >> 1) % interval;
    int64_t next = grid_next(phase, interval, now.ns), last = next - interval;
    int64_t delayed = last + jitter_ns(t, last, interval);
    return (struct mono){delayed > now.ns ? delayed : next + jitter_ns(t, next, interval)};
}

static void wait_for_next(struct th_target *t, struct mono now)
{
    t->phase = TARGET_WAITING;
    timer_set(t, now, target_next_due(t, now));
}

/* ---- one attempt --------------------------------------------------------------------------- */

static void note_notrun(struct th_target *t, bool notrun)
{
    if (notrun && !t->notrun)
        t->sched->notrun_count++;
    if (!notrun && t->notrun)
        t->sched->notrun_count--;
    t->notrun = notrun;
}

static void count_verdict(struct sched *s, enum th_verdict v)
{
    if (v == TH_PROBE_TIMEOUT)
        count(s, COUNTER_MONITOR_TIMEOUT, 1);
    if (v == TH_PROBE_NOTRUN)
        count(s, COUNTER_MONITOR_NOTRUN, 1);
}

static void finish(struct th_target *t, struct attempt a)
{
    count_verdict(t->sched, a.verdict);
    a.at = mono_now();
    a.latency_us = (uint32_t)((a.at.ns - t->started.ns) / 1000);
    t->sched->in_flight--;
    note_notrun(t, a.verdict == TH_PROBE_NOTRUN);
    t->phase = TARGET_WAITING;
    t->sched->on_attempt(t->sched->arg, t, &a);
    wait_for_next(t, a.at); /* as the new state says */
}

void target_done(struct th_target *t, enum th_verdict v, enum th_cause cause, const char *text)
{
    if (t->phase == TARGET_RUNNING)
        finish(t, (struct attempt){.verdict = v, .cause = cause, .text = text});
}

/* How long our own loop was held up (stopped, swapped out, too much to do) during the attempt or at
 * its deadline: the answer may have been there in time, unread, or come of a request that we were
 * late with. */
static int64_t held_up_ms(const struct th_target *t, struct mono now)
{
    int64_t late_ms = mono_diff_ms(now, t->due);
    int64_t stalled_ms = (t->sched->stalled_ns - t->stalled_before_ns) / 1000000;
    return late_ms > stalled_ms ? late_ms : stalled_ms;
}

/* Too long to blame the target. */
static bool was_held_up(const struct th_target *t, int64_t ms)
{
    return ms > SCHED_STALL_MS && ms > t->limit_ms / 4;
}

static void time_out(struct th_target *t, struct mono now)
{
    char text[64];
    t->service->plugin->monitor->probe_cancel(t->plugin_target);
    int64_t held_ms = held_up_ms(t, now);
    if (was_held_up(t, held_ms)) {
        snprintf(text, sizeof text, "our own loop was held up for %d ms", (int)held_ms);
        finish(t,
               (struct attempt){.verdict = TH_PROBE_NOTRUN, .cause = TH_CAUSE_LOCAL, .text = text});
        return;
    }
    bool connecting = t->limit_ms != t->service->timeout_ms;
    snprintf(text, sizeof text, "no %s within %u ms", connecting ? "connection" : "verdict",
             (unsigned)t->limit_ms);
    finish(t,
           (struct attempt){.verdict = TH_PROBE_TIMEOUT, .cause = TH_CAUSE_TIMEOUT, .text = text});
}

static void on_timer(struct ev_loop *loop, ev_timer *w, int revents)
{
    struct th_target *t = container_of(w, struct th_target, timer);
    struct mono now = mono_now();
    (void)loop;
    (void)revents;
    if (now.ns < t->due.ns)
        timer_set(t, now, t->due);
    else if (t->phase == TARGET_RUNNING)
        time_out(t, now);
    else
        queue_push(t);
}

static bool plugin_open(struct th_target *t)
{
    const struct th_monitor *plugin = t->service->plugin->monitor;
    if (t->plugin_target)
        return true;
    int e = plugin->target_open(t->sched->host, t->service->instance, t, &t->slot->addr,
                                &t->plugin_target);
    if (e != 0)
        t->plugin_target = NULL;
    return t->plugin_target != NULL;
}

static void plugin_close(struct th_target *t)
{
    if (t->plugin_target)
        t->service->plugin->monitor->target_close(t->plugin_target);
    t->plugin_target = NULL;
}

/* What waiting in the queue has cost: rounds that passed meanwhile are not made up for. */
static void note_late(struct th_target *t)
{
    int64_t rounds = (t->started.ns - t->planned.ns) / interval_ns(t, flap_pace(t->slot->flap));
    if (rounds > 0)
        count(t->sched, COUNTER_MONITOR_SKIPPED, (uint64_t)rounds);
    if (rounds < SCHED_LATE_INTERVALS)
        return;
    count(t->sched, COUNTER_MONITOR_LATE, 1);
    t->sched->late_count++;
    t->sched->late_at = t->started;
}

/* Maintenance: the target is left alone, and what is known of it stays. */
static void skip(struct th_target *t)
{
    struct attempt a = {.at = mono_now(), .skipped = true, .initial = !t->attempted};
    t->attempted = true;
    note_notrun(t, false);
    wait_for_next(t, a.at);
    t->sched->on_attempt(t->sched->arg, t, &a);
}

static uint32_t connect_limit_ms(const struct service *s)
{
    return s->connect_timeout_ms ? s->connect_timeout_ms : s->timeout_ms;
}

static void set_deadline(struct th_target *t, uint32_t limit_ms, struct mono now)
{
    t->limit_ms = limit_ms;
    timer_set(t, now, mono_add_ms(t->started, limit_ms));
}

void target_connected(struct th_target *t)
{
    if (t->phase == TARGET_RUNNING && t->limit_ms != t->service->timeout_ms)
        set_deadline(t, t->service->timeout_ms, mono_now());
}

static void start(struct th_target *t)
{
    if (th_word_has(slot_word(t->slot), TH_MAINT)) {
        skip(t);
        return;
    }
    t->phase = TARGET_RUNNING;
    t->sched->in_flight++;
    t->sched->started_count++;
    t->started = mono_now();
    t->stalled_before_ns = t->sched->stalled_ns;
    t->planned = t->due.ns ? t->due : t->started;
    count(t->sched, COUNTER_MONITOR_PROBES, 1);
    note_late(t);
    set_deadline(t, connect_limit_ms(t->service), t->started);
    if (plugin_open(t))
        t->service->plugin->monitor->probe_start(t->plugin_target);
    else
        target_done(t, TH_PROBE_NOTRUN, TH_CAUSE_LOCAL, "the plugin cannot open the target");
}

bool sched_run_queue(struct sched *s, struct mono until)
{
    for (unsigned n = 1; can_start(s); n++) {
        struct th_target *t = queue_first(s);
        queue_remove(t);
        start(t);
        if (n % 8 == 0 && mono_now().ns >= until.ns)
            return can_start(s);
    }
    return false;
}

/* ---- targets ------------------------------------------------------------------------------- */

struct th_target *target_new(struct sched *s, struct slot *slot, const struct service *service,
                             const struct plugs *home)
{
    struct th_target *t = mem_new(struct th_target);
    t->sched = s;
    t->slot = slot;
    t->service = service;
    t->home = home;
    ev_init(&t->timer, on_timer);
    queue_push(t);
    return t;
}

/* Back to WAITING without a timer. */
static void interrupt(struct th_target *t)
{
    switch (t->phase) {
    case TARGET_WAITING: break;
    case TARGET_QUEUED: queue_remove(t); break;
    case TARGET_RUNNING:
        t->phase = TARGET_WAITING;
        t->due = (struct mono){0}; /* was the deadline; the next attempt is not late */
        t->sched->in_flight--;
        if (t->plugin_target)
            t->service->plugin->monitor->probe_cancel(t->plugin_target);
        break;
    }
    ev_timer_stop(t->sched->loop, &t->timer);
}

void target_move(struct th_target *t, const struct service *service, const struct plugs *home)
{
    bool idle = t->phase == TARGET_WAITING;
    interrupt(t);
    plugin_close(t);
    t->service = service;
    t->home = home;
    if (idle)
        wait_for_next(t, mono_now());
    else
        queue_push(t);
}

void target_free(struct th_target *t)
{
    interrupt(t);
    plugin_close(t);
    note_notrun(t, false);
    mem_free(t);
}
