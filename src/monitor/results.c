/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "monitor/results.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/mem.h"

struct spilled {
    struct spilled *next;
    struct monitor_result result;
};

struct results {
    /* written by the monitor */
    cache_aligned _Atomic uint32_t head; /* next place to write; places are counted up for ever */
    bool unannounced;                    /* pushed since the last wake */
    _Atomic uint64_t lost;
    /* written by main */
    cache_aligned _Atomic uint32_t tail; /* next place to read */
    bool closed;
    /* both */
    cache_aligned atomic_bool woken; /* the mail is in main's box */
    _Atomic uint32_t refs;
    _Atomic bool spilling; /* the list is not empty; set by the monitor, cleared by main */
    pthread_mutex_t lock;  /* of the list */
    struct spilled *spill_first, **spill_last;
    /* constant */
    struct mail mail;
    struct mbox *main_mbox;
    void (*on_result)(void *arg, const struct monitor_result *r);
    void *arg;
    struct monitor_result ring[RESULTS_CAP];
};

static void deliver(struct mail *mail)
{
    struct results *r = container_of(mail, struct results, mail);
    atomic_store(&r->woken, false); /* before looking: a push after the look wakes again */
    results_drain(r);
    results_unref(r);
}

struct results *results_new(struct mbox *main_mbox,
                            void (*on_result)(void *arg, const struct monitor_result *r), void *arg)
{
    struct results *r = mem_aligned(CACHE_LINE, sizeof *r);
    r->mail.deliver = deliver;
    r->main_mbox = main_mbox;
    r->on_result = on_result;
    r->arg = arg;
    r->spill_last = &r->spill_first;
    pthread_mutex_init(&r->lock, NULL);
    atomic_init(&r->refs, 1);
    return r;
}

struct results *results_ref(struct results *r)
{
    atomic_fetch_add_explicit(&r->refs, 1, memory_order_relaxed);
    return r;
}

static struct spilled *spill_take(struct results *r)
{
    pthread_mutex_lock(&r->lock);
    struct spilled *list = r->spill_first;
    r->spill_first = NULL;
    r->spill_last = &r->spill_first;
    atomic_store(&r->spilling, false);
    pthread_mutex_unlock(&r->lock);
    return list;
}

void results_unref(struct results *r)
{
    if (atomic_fetch_sub_explicit(&r->refs, 1, memory_order_acq_rel) != 1)
        return;
    for (struct spilled *s = spill_take(r), *next; s; s = next) {
        next = s->next;
        mem_free(s);
    }
    pthread_mutex_destroy(&r->lock);
    mem_free(r);
}

bool result_is_transition(const struct monitor_result *r)
{
    return r->first || ((r->before.bits ^ r->after.bits) & ~(uint64_t)TH_TTL_MAX) != 0;
}

static void spill_push(struct results *r, const struct monitor_result *result)
{
    struct spilled *s = mem_new(struct spilled);
    s->result = *result;
    pthread_mutex_lock(&r->lock);
    *r->spill_last = s;
    r->spill_last = &s->next;
    atomic_store(&r->spilling, true);
    pthread_mutex_unlock(&r->lock);
}

void results_push(struct results *r, const struct monitor_result *result)
{
    uint32_t head = atomic_load_explicit(&r->head, memory_order_relaxed);
    uint32_t tail = atomic_load_explicit(&r->tail, memory_order_acquire);
    r->unannounced = true;
    if (!atomic_load(&r->spilling) && head - tail < RESULTS_CAP) {
        r->ring[head % RESULTS_CAP] = *result;
        atomic_store_explicit(&r->head, head + 1, memory_order_release);
    } else if (result_is_transition(result)) {
        spill_push(r, result);
    } else {
        atomic_fetch_add_explicit(&r->lost, 1, memory_order_relaxed);
    }
}

void results_wake(struct results *r)
{
    if (!r->unannounced)
        return;
    r->unannounced = false;
    if (atomic_exchange(&r->woken, true))
        return;
    results_ref(r);
    mbox_post(r->main_mbox, &r->mail);
}

static void drain_ring(struct results *r)
{
    uint32_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
    uint32_t head = atomic_load_explicit(&r->head, memory_order_acquire);
    for (; tail != head; tail++) {
        r->on_result(r->arg, &r->ring[tail % RESULTS_CAP]);
        atomic_store_explicit(&r->tail, tail + 1, memory_order_release);
    }
}

void results_drain(struct results *r)
{
    if (r->closed)
        return;
    drain_ring(r);
    if (!atomic_load(&r->spilling))
        return;
    drain_ring(r); /* complete: while spilling, the monitor does not touch the ring */
    for (struct spilled *s = spill_take(r), *next; s; s = next) {
        next = s->next;
        r->on_result(r->arg, &s->result);
        mem_free(s);
    }
}

void results_close(struct results *r)
{
    r->closed = true;
}

uint64_t results_lost(const struct results *r)
{
    return atomic_load_explicit(&r->lost, memory_order_relaxed);
}
