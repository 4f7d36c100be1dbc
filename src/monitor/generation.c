/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/mem.h"
#include "monitor/inside.h"
#include "monitor/note.h"

static void on_overdue(struct ev_loop *loop, ev_timer *w, int revents)
{
    (void)loop;
    (void)revents;
    container_of(w, struct generation, wait)->overdue = true;
}

static struct generation *generation_new(struct monitor *m, struct plugs *p, uint32_t wait_ms)
{
    struct generation *g = mem_new(struct generation);
    g->monitor = m;
    g->plugs = p;
    g->wait_ms = wait_ms;
    ev_timer_init(&g->wait, on_overdue, wait_ms / 1e3, 0.);
    if (wait_ms) {
        ev_now_update(m->loop); /* the timer counts from here, not from the turn's start */
        ev_timer_start(m->loop, &g->wait);
    }
    g->next = m->generations;
    m->generations = g;
    return g;
}

/* Other thresholds keep the state and clear the counters. */
static void move_target(struct monitor *m, struct slot *s, const struct service *service,
                        const struct plugs *home)
{
    struct th_target *t = s->target;
    bool same = flap_conf_equal(&t->service->flap, &service->flap);
    target_move(t, service, home);
    if (same)
        return;
    s->flap = flap_clear(s->flap);
    attempt_publish(m, s, &service->flap);
}

static void attach_watch(struct generation *g, struct watch *w, uint32_t index)
{
    struct monitor *m = g->monitor;
    struct slot *s = registry_attach(m->registry, w, g->plugs, index);
    w->slot = s;
    if (s->user_count == 1)
        rules_attach(m, s);
    if (w->service->kind != SERVICE_PROBED)
        return;
    if (s->target)
        move_target(m, s, w->service, g->plugs);
    else
        s->target = target_new(&m->sched, s, w->service, g->plugs);
    struct th_target *t = s->target;
    g->pending += !s->settled;
    g->unattempted += !t->attempted;
}

/* An alarm: whoever drained them may not know that they were the last ones. */
static void on_drain(void *monitor, const struct plugs_drain *d)
{
    struct monitor *m = monitor;
    if (d->is_drained)
        note_log(m->results, m->options.main_mbox, LOG_LEVEL_WARNING,
                 "monitor: %s: all members are drained, answered all the same: addresses=%u",
                 d->resource, d->answered);
    else
        note_log(m->results, m->options.main_mbox, LOG_LEVEL_INFO,
                 "monitor: %s: a member is not drained any more: addresses=%u", d->resource,
                 d->answered);
}

void generation_attach(struct monitor *m, struct plugs *p, uint32_t wait_ms,
                       void (*on_ready)(void *arg), void *arg)
{
    struct generation *g = generation_new(m, p, wait_ms);
    g->on_ready = on_ready;
    g->arg = arg;
    plugs_on_drain(p, on_drain, m);
    size_t count = plugs_watch_count(p);
    for (size_t i = 0; i < count; i++)
        attach_watch(g, plugs_watch_at(p, i), (uint32_t)i);
}

static struct generation *find(const struct monitor *m, const struct plugs *p)
{
    struct generation *g = m->generations;
    while (g && g->plugs != p)
        g = g->next;
    return g;
}

void generation_count(struct monitor *m, const struct slot *s, bool known, bool attempted)
{
    for (uint32_t i = 0; i < s->user_count; i++) {
        struct generation *g = find(m, s->users[i].plugs);
        g->pending -= known;
        g->unattempted -= attempted;
    }
}

static bool waited_enough(const struct generation *g)
{
    return g->pending == 0 || g->overdue || (g->wait_ms == 0 && g->unattempted == 0);
}

void generation_announce(struct monitor *m)
{
    for (struct generation *g = m->generations; g; g = g->next) {
        if (g->ready || !waited_enough(g))
            continue;
        g->ready = true;
        ev_timer_stop(m->loop, &g->wait);
        plugs_prepare_all(g->plugs);
        note_call(m->results, m->options.main_mbox, g->on_ready, g->arg, NULL);
    }
}

/* Returns the slot if nobody else wants it. */
static struct slot *detach_watch(struct generation *g, struct slot *s, uint32_t index)
{
    struct monitor *m = g->monitor;
    struct th_target *t = s->target;
    if (registry_detach(m->registry, s, g->plugs, index)) {
        if (t)
            target_free(t);
        s->target = NULL;
        return registry_take(m->registry, s);
    }
    if (t && t->home == g->plugs) {
        const struct slot_user *u = &s->users[s->user_count - 1];
        move_target(m, s, plugs_watch_at(u->plugs, u->watch)->service, u->plugs);
    }
    return NULL;
}

static void unlink_generation(struct monitor *m, struct generation *g)
{
    struct generation **at = &m->generations;
    while (*at != g)
        at = &(*at)->next;
    *at = g->next;
    ev_timer_stop(m->loop, &g->wait);
    mem_free(g);
}

struct slot *generation_detach(struct monitor *m, struct plugs *p)
{
    struct generation *g = find(m, p);
    struct slot *dead = NULL;
    if (!g)
        return NULL;
    size_t count = plugs_watch_count(p);
    for (size_t i = 0; i < count; i++) {
        struct slot *s = detach_watch(g, plugs_watch_at(p, i)->slot, (uint32_t)i);
        if (!s)
            continue;
        s->next = dead;
        dead = s;
    }
    unlink_generation(m, g);
    return dead;
}
