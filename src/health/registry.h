/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * registry.h: all monitored items of the process: one slot per (service type, address), however
 * many resources and generations of configuration use it.
 *
 *   generation 7: watch 0 --\
 *                            slot "192.0.2.1/web"  word = UP ttl=... (atomic)
 *   generation 8: watch 5 --/                      refs = 2
 *
 * A slot is found by service name, service identity (what is probed) and address, so a change of
 * thresholds keeps the state and a change of the probed port does not.
 *
 * Thread rule: everything [monitor], but slot_word, slot_real and slot_drained, which are [any]
 * while the watch's generation is attached.
 */
#ifndef HEALTH_REGISTRY_H
#define HEALTH_REGISTRY_H

#include <stdatomic.h>
#include <stddef.h>
#include "base/attrs.h"
#include "health/admin.h"
#include "health/service.h"

struct plugs;

/* A watch of an attached generation that reads this slot. */
struct slot_user {
    struct plugs *plugs;
    uint32_t watch;
};

struct slot {
    /* written by the monitor alone */
    _Atomic uint64_t word;         /* struct th_word that answers see */
    _Atomic uint64_t real;         /* struct th_word that the probes found */
    _Atomic int64_t drained_ns;    /* monotonic; since when, while word has TH_DRAIN */
    const struct admin_rule *rule; /* of the monitor's list; NULL: the two words are the same */
    char *desc;
    uint64_t key;             /* hash of the identity below, the same in every process */
    const char *service_name; /* as desc, the slot's own copy */
    uint64_t service_identity;
    struct th_addr addr;
    struct flap flap;
    bool settled; /* not waited for: there was a result, or it is in maintenance */
    struct slot_user *users;
    uint32_t user_count, user_cap;
    void *target;      /* the monitor's: how it is probed; NULL for up and down */
    struct slot *next; /* in its bucket; free for the owner after registry_take */
};

static inline struct th_word slot_word(const struct slot *s)
{
    struct th_word w = {atomic_load_explicit(&s->word, memory_order_relaxed)};
    return w;
}

static inline void slot_set_word(struct slot *s, struct th_word w)
{
    atomic_store_explicit(&s->word, w.bits, memory_order_relaxed);
}

static inline struct th_word slot_real(const struct slot *s)
{
    struct th_word w = {atomic_load_explicit(&s->real, memory_order_relaxed)};
    return w;
}

static inline void slot_set_real(struct slot *s, struct th_word w)
{
    atomic_store_explicit(&s->real, w.bits, memory_order_relaxed);
}

static inline struct mono slot_drained(const struct slot *s)
{
    struct mono t = {atomic_load_explicit(&s->drained_ns, memory_order_relaxed)};
    return t;
}

static inline void slot_set_drained(struct slot *s, struct mono t)
{
    atomic_store_explicit(&s->drained_ns, t.ns, memory_order_relaxed);
}

struct registry;
struct registry *registry_new(void);
void registry_free(struct registry *r);
/* The slot of a watch, made (with its first word) if there is none; adds (p, index) as a user. */
struct slot *registry_attach(struct registry *r, const struct watch *w, struct plugs *p,
                             uint32_t index);
/* Drop one user; true = it was the last: the caller ends its target and calls registry_remove. */
bool registry_detach(struct registry *r, struct slot *s, const struct plugs *p, uint32_t index);
void registry_remove(struct registry *r, struct slot *s);
/* As registry_remove, but the slot becomes the caller's: somebody may still read it. */
struct slot *registry_take(struct registry *r, struct slot *s) must_check;
void slot_free(struct slot *s); /* [any], after registry_take */
size_t registry_count(const struct registry *r);
void registry_each(const struct registry *r, void (*fn)(void *arg, struct slot *s), void *arg);

#endif
