/* SPDX-License-Identifier: GPL-3.0-or-later */
/* turn.c: what the monitor does once per loop turn, after the turn's events and before it sleeps.
 */
#include "monitor/inside.h"
#include "monitor/note.h"

/* Bounds of one turn's work beside its events, so that answers to probes are read in time. What is
 * left goes on in the next turn, which does not sleep. */
#define START_MS   2
#define PREPARE_MS 1
/* The loop turns at least this often, so that a heartbeat older than a few of these is a fault. */
#define TICK_S 0.1

static void prepare_answers(struct monitor *m)
{
    struct mono until = mono_add_ms(mono_now(), PREPARE_MS);
    bool left = false;
    for (struct generation *g = m->generations; g; g = g->next)
        if (g->ready && plugs_prepare(g->plugs, until))
            left = true;
    m->dirty = left;
}

static void log_notrun(struct monitor *m)
{
    bool now = m->sched.notrun_count > 0;
    if (now == m->notrun_episode)
        return;
    m->notrun_episode = now;
    if (now) {
        note_log(m->results, m->options.main_mbox, LOG_LEVEL_WARNING,
                 "monitor: probes cannot be made, states are kept: first=%s", m->notrun_text);
    } else {
        note_log(m->results, m->options.main_mbox, LOG_LEVEL_INFO,
                 "monitor: all probes are made again: attempts_lost=%llu",
                 (unsigned long long)m->notrun_attempts);
        m->notrun_attempts = 0;
    }
}

/* No attempt late for this long: all is well again. */
#define LATE_OVER_MS 10000

static void log_late(struct monitor *m, struct mono now)
{
    struct sched *s = &m->sched;
    if (s->late_count && !m->late_episode) {
        m->late_episode = true;
        note_log(m->results, m->options.main_mbox, LOG_LEVEL_WARNING,
                 "monitor: probes begin late, states are older than they should be: under_way=%u "
                 "at_most=%u: fewer targets, longer intervals or more open files (ulimit -n) help",
                 (unsigned)s->in_flight, (unsigned)s->max_in_flight);
    } else if (m->late_episode && mono_diff_ms(now, s->late_at) > LATE_OVER_MS) {
        note_log(m->results, m->options.main_mbox, LOG_LEVEL_INFO,
                 "monitor: probes begin in time again: late=%llu",
                 (unsigned long long)s->late_count);
        m->late_episode = false;
        s->late_count = 0;
    }
}

static void on_turn(struct ev_loop *loop, ev_prepare *w, int revents)
{
    struct monitor *m = container_of(w, struct monitor, turn);
    struct mono now = mono_now();
    (void)revents;
    atomic_store_explicit(&m->heartbeat_ns, now.ns, memory_order_relaxed);
    bool more = sched_run_queue(&m->sched, mono_add_ms(now, START_MS));
    generation_announce(m);
    if (m->dirty)
        prepare_answers(m);
    log_notrun(m);
    log_late(m, now);
    results_wake(m->results);
    if (more || m->dirty)
        ev_idle_start(loop, &m->busy);
    else
        ev_idle_stop(loop, &m->busy);
    m->slept = mono_now();
    if (m->woke.ns)
        sched_note_stall(&m->sched, m->slept.ns - m->woke.ns);
}

/* Before every event of the turn: what it finds may be our own doing. */
static void on_check(struct ev_loop *loop, ev_check *w, int revents)
{
    struct monitor *m = container_of(w, struct monitor, check);
    (void)loop;
    (void)revents;
    m->woke = mono_now();
    sched_note_stall(&m->sched, m->woke.ns - m->slept.ns - (int64_t)(TICK_S * 1e9));
}

static void on_busy(struct ev_loop *loop, ev_idle *w, int revents)
{
    (void)loop, (void)w, (void)revents; /* being active is all it does: the loop does not sleep */
}

static void on_tick(struct ev_loop *loop, ev_timer *w, int revents)
{
    (void)loop, (void)w, (void)revents; /* the turn itself is the heartbeat */
}

void turn_start(struct monitor *m)
{
    ev_prepare_init(&m->turn, on_turn);
    ev_prepare_start(m->loop, &m->turn);
    ev_check_init(&m->check, on_check);
    ev_set_priority(&m->check, EV_MAXPRI);
    ev_check_start(m->loop, &m->check);
    m->slept = mono_now();
    ev_idle_init(&m->busy, on_busy);
    ev_timer_init(&m->tick, on_tick, TICK_S, TICK_S);
    ev_timer_start(m->loop, &m->tick);
}

void turn_stop(struct monitor *m)
{
    ev_prepare_stop(m->loop, &m->turn);
    ev_check_stop(m->loop, &m->check);
    ev_idle_stop(m->loop, &m->busy);
    ev_timer_stop(m->loop, &m->tick);
}
