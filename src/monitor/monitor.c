/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "monitor/monitor.h"

#include <errno.h>
#include <signal.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/rcu.h"
#include "monitor/inside.h"
#include "monitor/note.h"

enum order_kind { ORDER_ATTACH, ORDER_DETACH, ORDER_RULES, ORDER_STOP };

/* Mail from main. */
struct order {
    struct mail mail;
    enum order_kind kind;
    struct monitor *monitor;
    struct plugs *plugs;
    struct admin *rules;
    uint32_t wait_ms;
    void (*fn)(void *arg); /* ready() or done() */
    void *arg;
};

static void obey_attach(struct monitor *m, const struct order *o)
{
    if (!m->stopping)
        generation_attach(m, o->plugs, o->wait_ms, o->fn, o->arg);
}

static void obey_detach(struct monitor *m, const struct order *o)
{
    struct slot *dead = generation_detach(m, o->plugs);
    note_call(m->results, m->options.main_mbox, o->fn, o->arg, dead);
}

static void obey(struct mail *mail)
{
    struct order *o = container_of(mail, struct order, mail);
    struct monitor *m = o->monitor;
    switch (o->kind) {
    case ORDER_ATTACH: obey_attach(m, o); break;
    case ORDER_DETACH: obey_detach(m, o); break;
    case ORDER_RULES: rules_set(m, o->rules); break;
    case ORDER_STOP:
        m->stopping = true;
        ev_break(m->loop, EVBREAK_ALL);
        break;
    }
    mem_free(o);
}

static void send_order(struct monitor *m, struct order order)
{
    struct order *o = mem_new(struct order);
    *o = order;
    o->mail.deliver = obey;
    o->monitor = m;
    if (m->stopped)
        obey(&o->mail); /* nobody else is left to do it */
    else
        mbox_post(&m->mbox, &o->mail);
}

struct monitor *monitor_new(const struct monitor_options *options)
{
    struct monitor *m = mem_new(struct monitor);
    m->options = *options;
    m->host.abi_major = TH_ABI_MAJOR;
    m->host.abi_minor = TH_ABI_MINOR;
    m->host.size = sizeof m->host;
    if (options->host)
        m->host = *options->host;
    monitor_host_fill(&m->host);
    m->loop = ev_loop_new(EVFLAG_AUTO | EVFLAG_NOENV);
    mbox_init(&m->mbox, m->loop);
    m->registry = registry_new();
    m->rules = admin_new();
    m->results = results_new(options->main_mbox, options->on_result, options->arg);
    sched_init(&m->sched, m->loop, options->max_in_flight);
    m->counters = mem_aligned(CACHE_LINE, sizeof *m->counters);
    m->sched.counters = m->counters;
    m->sched.host = &m->host;
    m->sched.on_attempt = attempt_ended;
    m->sched.arg = m;
    turn_start(m);
    return m;
}

/* What was under way is dropped; the slots are kept, as workers may still read their words. */
static void detach_all(struct monitor *m)
{
    while (m->generations) {
        struct slot *dead = generation_detach(m, m->generations->plugs);
        for (struct slot *s = dead, *next; s; s = next) {
            next = s->next;
            s->next = m->dead;
            m->dead = s;
        }
    }
}

static void *run(void *arg)
{
    struct monitor *m = arg;
    (void)pthread_setname_np(pthread_self(), "monitor"); /* for top(1); nothing depends on it */
    rcu_thread_begin();
    rcu_loop(m->loop);
    ev_run(m->loop, 0);
    detach_all(m);
    mbox_fini(&m->mbox);
    rcu_thread_end();
    return NULL;
}

int monitor_start(struct monitor *m)
{
    sigset_t all, before;
    if (m->started)
        return 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int e = pthread_create(&m->thread, NULL, run, m);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (e != 0) {
        errno = e;
        return ERR_IO;
    }
    m->started = true;
    return 0;
}

void monitor_attach(struct monitor *m, struct plugs *p, uint32_t wait_ms, void (*ready)(void *arg),
                    void *arg)
{
    send_order(m,
               (struct order){
                   .kind = ORDER_ATTACH, .plugs = p, .wait_ms = wait_ms, .fn = ready, .arg = arg});
}

void monitor_detach(struct monitor *m, struct plugs *p, void (*done)(void *arg), void *arg)
{
    send_order(m, (struct order){.kind = ORDER_DETACH, .plugs = p, .fn = done, .arg = arg});
}

void monitor_set_rules(struct monitor *m, struct admin *rules)
{
    send_order(m, (struct order){.kind = ORDER_RULES, .rules = admin_ref(rules)});
}

void monitor_stop(struct monitor *m)
{
    if (m->stopped)
        return;
    if (m->started) {
        send_order(m, (struct order){.kind = ORDER_STOP});
        pthread_join(m->thread, NULL);
    } else {
        m->stopping = true;
        mbox_fini(&m->mbox);
    }
    m->stopped = true;
    turn_stop(m);
    results_drain(m->results);
    results_close(m->results);
}

void monitor_free(struct monitor *m)
{
    if (!m)
        return;
    monitor_stop(m);
    for (struct slot *s = m->dead, *next; s; s = next) {
        next = s->next;
        slot_free(s);
    }
    registry_free(m->registry);
    admin_unref(m->rules);
    results_unref(m->results);
    ev_loop_destroy(m->loop);
    mem_free(m->counters);
    mem_free(m);
}

int64_t monitor_heartbeat_ns(const struct monitor *m)
{
    return atomic_load_explicit(&m->heartbeat_ns, memory_order_relaxed);
}

const struct counters *monitor_counters(const struct monitor *m)
{
    return m->counters;
}

void monitor_drain_results(struct monitor *m)
{
    results_drain(m->results);
}

uint64_t monitor_lost_results(const struct monitor *m)
{
    return results_lost(m->results);
}
