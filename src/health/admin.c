/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "health/admin.h"

#include <fnmatch.h>
#include <stdatomic.h>
#include <string.h>

#include "base/mem.h"

struct entry {
    struct admin_rule rule;
    bool is_plain; /* no wildcard in it: one comparison instead of fnmatch's walk */
};

struct admin {
    _Atomic unsigned refs;
    struct arena arena;
    struct entry *entries;
    size_t count, cap;
};

struct admin *admin_new(void)
{
    struct admin *a = mem_new(struct admin);
    atomic_init(&a->refs, 1);
    arena_init(&a->arena, 0);
    return a;
}

void admin_add(struct admin *a, const struct admin_rule *rule)
{
    if (a->count == a->cap) {
        a->cap = a->cap ? a->cap * 2 : 8;
        a->entries = mem_grow(a->entries, a->cap, sizeof *a->entries);
    }
    struct entry *e = &a->entries[a->count++];
    *e = (struct entry){*rule, strpbrk(rule->glob, "*?[\\") == NULL};
    e->rule.glob = arena_strdup(&a->arena, rule->glob);
    e->rule.author = arena_strdup(&a->arena, rule->author);
    e->rule.reason = arena_strdup(&a->arena, rule->reason);
}

struct admin *admin_ref(struct admin *a)
{
    atomic_fetch_add(&a->refs, 1);
    return a;
}

void admin_unref(struct admin *a)
{
    if (!a || atomic_fetch_sub(&a->refs, 1) != 1)
        return;
    arena_fini(&a->arena);
    mem_free(a->entries);
    mem_free(a);
}

size_t admin_count(const struct admin *a)
{
    return a->count;
}

const struct admin_rule *admin_at(const struct admin *a, size_t i)
{
    return &a->entries[i].rule;
}

bool admin_matches(const char *glob, const char *desc)
{
    return fnmatch(glob, desc, 0) == 0;
}

static bool entry_matches(const struct entry *e, const char *desc)
{
    return e->is_plain ? strcmp(e->rule.glob, desc) == 0 : admin_matches(e->rule.glob, desc);
}

const struct admin_rule *admin_find(const struct admin *a, const char *desc)
{
    const struct admin_rule *of_file = NULL;
    for (size_t i = a->count; i-- > 0;) {
        const struct entry *e = &a->entries[i];
        if (e->rule.origin == ADMIN_FILE && of_file)
            continue;
        if (!entry_matches(e, desc))
            continue;
        if (e->rule.origin == ADMIN_COMMAND)
            return &e->rule;
        of_file = &e->rule;
    }
    return of_file;
}

/* Whoever forces a state knows it: nothing is pending, stale or drained any more. */
static struct th_word force(const struct admin_rule *rule, struct th_word real, uint64_t flags)
{
    return th_word_make(flags | TH_FORCED, rule->ttl_s, th_word_weight(real));
}

static struct th_word drain(const struct admin_rule *rule, struct th_word real, uint64_t flags)
{
    uint32_t ttl_s = th_word_ttl(real) < rule->ttl_s ? th_word_ttl(real) : rule->ttl_s;
    return th_word_make((real.bits & (TH_FLAGS_OR | TH_FLAGS_DRAIN)) | flags | TH_FORCED, ttl_s,
                        th_word_weight(real));
}

struct th_word admin_apply(const struct admin_rule *rule, struct th_word real)
{
    if (!rule)
        return real;
    switch (rule->state) {
    case ADMIN_UP: return force(rule, real, 0);
    case ADMIN_DOWN: return force(rule, real, TH_DOWN | TH_ANY_DOWN);
    case ADMIN_DRAIN: return drain(rule, real, TH_DRAIN);
    case ADMIN_MAINT: return drain(rule, real, TH_DRAIN | TH_MAINT);
    }
    return real;
}

bool admin_same(const struct admin_rule *a, const struct admin_rule *b)
{
    if (!a || !b)
        return a == b;
    return a->state == b->state && a->ttl_s == b->ttl_s;
}

const char *admin_state_name(enum admin_state s)
{
    static const char *const names[] = {"UP", "DOWN", "DRAIN", "MAINT"};
    return names[s];
}
