/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "monitor/sched.h"

#include <stdio.h>

#include "base/mem.h"

static void on_timer(struct ev_loop *loop, ev_timer *w, int revents);

void sched_init(struct sched *s, struct ev_loop *loop, uint32_t max_in_flight)
{
    s->loop = loop;
    s->max_in_flight = max_in_flight ? max_in_flight : SCHED_IN_FLIGHT;
}

/* ---- queue --------------------------------------------------------------------------------- */

static void queue_push(struct th_target *t)
{
    struct sched *s = t->sched;
    t->phase = TARGET_QUEUED;
    t->queue_next = NULL;
    t->queue_prev = s->last;
    *(s->last ? &s->last->queue_next : &s->first) = t;
    s->last = t;
}

static void queue_remove(struct th_target *t)
{
    struct sched *s = t->sched;
    *(t->queue_prev ? &t->queue_prev->queue_next : &s->first) = t->queue_next;
    *(t->queue_next ? &t->queue_next->queue_prev : &s->last) = t->queue_prev;
    t->phase = TARGET_WAITING;
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

struct mono target_next_due(const struct th_target *t, struct mono now)
{
    int64_t interval = (int64_t)t->service->interval_ms * 1000000;
    if (interval < 1000000)
        interval = 1000000;
    int64_t phase = (int64_t)(t->slot->key >> 1) % interval;
    int64_t since = (now.ns - phase) % interval;
    if (since < 0)
        since += interval;
    return (struct mono){now.ns - since + interval};
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

static void finish(struct th_target *t, struct attempt a)
{
    a.at = mono_now();
    a.latency_us = (uint32_t)((a.at.ns - t->started.ns) / 1000);
    a.initial = !t->attempted;
    t->attempted = true;
    t->sched->in_flight--;
    note_notrun(t, a.verdict == TH_PROBE_NOTRUN);
    wait_for_next(t, a.at);
    t->sched->on_attempt(t->sched->arg, t, &a);
}

void target_done(struct th_target *t, enum th_verdict v, enum th_cause cause, const char *text)
{
    if (t->phase == TARGET_RUNNING)
        finish(t, (struct attempt){.verdict = v, .cause = cause, .text = text});
}

/* We come this much after a deadline only when our own loop was held up (stopped, swapped out, too
 * much to do): the answer may have been there in time, unread. */
static bool was_late(const struct th_target *t, struct mono now)
{
    int64_t late_ms = mono_diff_ms(now, t->due);
    return late_ms > 10 && late_ms > t->service->timeout_ms / 4;
}

static void time_out(struct th_target *t, struct mono now)
{
    char text[64];
    t->service->plugin->monitor->probe_cancel(t->plugin_target);
    if (was_late(t, now)) {
        snprintf(text, sizeof text, "our own loop was held up for %d ms",
                 (int)mono_diff_ms(now, t->due));
        finish(t,
               (struct attempt){.verdict = TH_PROBE_NOTRUN, .cause = TH_CAUSE_LOCAL, .text = text});
        return;
    }
    snprintf(text, sizeof text, "no verdict within %u ms", (unsigned)t->service->timeout_ms);
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

/* t->due is still when it should have begun; 0 = it is the first. */
static void note_late(struct th_target *t)
{
    int64_t late_ms = mono_diff_ms(t->started, t->due);
    if (t->due.ns == 0 || late_ms <= (int64_t)SCHED_LATE_INTERVALS * t->service->interval_ms)
        return;
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

static void start(struct th_target *t)
{
    if (th_word_has(slot_word(t->slot), TH_MAINT)) {
        skip(t);
        return;
    }
    t->phase = TARGET_RUNNING;
    t->sched->in_flight++;
    t->started = mono_now();
    note_late(t);
    timer_set(t, t->started, mono_add_ms(t->started, t->service->timeout_ms));
    if (plugin_open(t))
        t->service->plugin->monitor->probe_start(t->plugin_target);
    else
        target_done(t, TH_PROBE_NOTRUN, TH_CAUSE_LOCAL, "the plugin cannot open the target");
}

bool sched_run_queue(struct sched *s, struct mono until)
{
    for (unsigned n = 1; s->first && s->in_flight < s->max_in_flight; n++) {
        struct th_target *t = s->first;
        queue_remove(t);
        start(t);
        if (n % 8 == 0 && mono_now().ns >= until.ns)
            return s->first && s->in_flight < s->max_in_flight;
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
