/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit/monitor_rig.h"

#include <check.h>
#include <string.h>

#include "base/mem.h"
#include "base/netaddr.h"

#define RIG_LIMIT_MS 20000

/* ---- plugs as the monitor calls it --------------------------------------------------------- */

size_t plugs_watch_count(const struct plugs *p)
{
    return p->count;
}

struct watch *plugs_watch_at(struct plugs *p, size_t i)
{
    return &p->watches[i];
}

void plugs_mark(struct plugs *p, uint32_t index)
{
    p->marks++;
    p->last_mark = index;
}

bool plugs_prepare(struct plugs *p, struct mono until)
{
    (void)until;
    p->prepares++;
    return false;
}

void plugs_on_drain(struct plugs *p, plugs_drain_fn *fn, void *arg)
{
    p->on_drain = fn;
    p->on_drain_arg = arg;
}

void plugs_prepare_all(struct plugs *p)
{
    p->prepared_all++;
}

/* ---- main ---------------------------------------------------------------------------------- */

static void on_result(void *arg, const struct monitor_result *result)
{
    struct rig *r = arg;
    uint64_t changed = (result->before.bits ^ result->after.bits) & ~(uint64_t)TH_TTL_MAX;
    ck_assert_ptr_nonnull(strchr(result->slot->desc, '/')); /* the slot is readable */
    r->result_count++;
    r->notrun_count += result->verdict == TH_PROBE_NOTRUN;
    r->last = *result;
    if (result->latency_us < r->least_latency_us)
        r->least_latency_us = result->latency_us;
    if (result->first || changed) {
        r->transition_count++;
        r->last_transition = *result;
    }
}

void rig_start(struct rig *r, const struct monitor_options *options)
{
    struct monitor_options o = {0};
    if (options)
        o = *options;
    memset(r, 0, sizeof *r);
    r->least_latency_us = UINT32_MAX;
    r->loop = ev_loop_new(EVFLAG_AUTO);
    mbox_init(&r->mbox, r->loop);
    o.main_mbox = &r->mbox;
    o.on_result = on_result;
    o.arg = r;
    r->monitor = monitor_new(&o);
    ck_assert_int_eq(monitor_start(r->monitor), 0);
}

void rig_stop(struct rig *r)
{
    monitor_stop(r->monitor);
    monitor_free(r->monitor);
    mbox_fini(&r->mbox);
    ev_loop_destroy(r->loop);
}

static void on_guard(struct ev_loop *loop, ev_timer *w, int revents)
{
    (void)loop, (void)w, (void)revents;
}

void rig_wait(struct rig *r, bool (*cond)(void *arg), void *arg)
{
    struct mono start = mono_now();
    ev_timer guard; /* conditions that no mail announces are looked at every 2 ms */
    ev_timer_init(&guard, on_guard, 0.002, 0.002);
    ev_timer_start(r->loop, &guard);
    while (!cond(arg)) {
        ev_run(r->loop, EVRUN_ONCE);
        ck_assert_msg(mono_diff_ms(mono_now(), start) < RIG_LIMIT_MS, "waited too long");
    }
    ev_timer_stop(r->loop, &guard);
}

/* ---- generations --------------------------------------------------------------------------- */

struct plugs *rig_plugs_of(const struct service *service, const struct th_addr *addrs, size_t n)
{
    struct plugs *p = mem_new(struct plugs);
    char text[NETADDR_TEXT];
    p->watches = mem_array(n, sizeof *p->watches);
    p->count = n;
    for (size_t i = 0; i < n; i++) {
        netaddr_print_addr(&addrs[i], text);
        p->watches[i] = (struct watch){
            .service = service, .addr = addrs[i], .desc = mem_printf("%s/%s", text, service->name)};
    }
    return p;
}

struct plugs *rig_plugs(const struct service *service, unsigned first, size_t n)
{
    struct th_addr *addrs = mem_array(n, sizeof *addrs);
    for (size_t i = 0; i < n; i++) {
        unsigned host = first + (unsigned)i;
        addrs[i] =
            (struct th_addr){4, {127, (uint8_t)(host >> 16), (uint8_t)(host >> 8), (uint8_t)host}};
    }
    struct plugs *p = rig_plugs_of(service, addrs, n);
    mem_free(addrs);
    return p;
}

void rig_plugs_free(struct plugs *p)
{
    for (size_t i = 0; i < p->count; i++)
        mem_free((char *)(uintptr_t)p->watches[i].desc);
    mem_free(p->watches);
    mem_free(p);
}

static void count_up(void *arg)
{
    ++*(int *)arg;
}

struct count_at_least {
    const int *count;
    int wanted;
};

static bool reached(void *arg)
{
    const struct count_at_least *c = arg;
    return *c->count >= c->wanted;
}

void rig_attach(struct rig *r, struct plugs *p, uint32_t wait_ms)
{
    struct count_at_least c = {&r->ready_count, r->ready_count + 1};
    monitor_attach(r->monitor, p, wait_ms, count_up, &r->ready_count);
    rig_wait(r, reached, &c);
    ck_assert_uint_eq(p->prepared_all, 1);
}

void rig_detach(struct rig *r, struct plugs *p)
{
    struct count_at_least c = {&r->done_count, r->done_count + 1};
    monitor_detach(r->monitor, p, count_up, &r->done_count);
    rig_wait(r, reached, &c);
}

struct more_results {
    const struct rig *rig;
    size_t wanted;
};

static bool has_more(void *arg)
{
    const struct more_results *m = arg;
    return m->rig->result_count >= m->wanted;
}

void rig_next_result(struct rig *r)
{
    struct more_results m = {r, r->result_count + 1};
    rig_wait(r, has_more, &m);
}

struct word_wanted {
    const struct plugs *plugs;
    size_t i;
    uint64_t flags, value;
};

static bool word_is(void *arg)
{
    const struct word_wanted *w = arg;
    return (rig_word(w->plugs, w->i).bits & w->flags) == w->value;
}

void rig_wait_word(struct rig *r, const struct plugs *p, size_t i, uint64_t flags, bool set)
{
    struct word_wanted w = {p, i, flags, set ? flags : 0};
    rig_wait(r, word_is, &w);
    monitor_drain_results(r->monitor);
}

struct th_word rig_word(const struct plugs *p, size_t i)
{
    return slot_word(p->watches[i].slot);
}
