/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/challenge.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct challenges {
    _Atomic unsigned refs;
    size_t count;
    struct challenge items[]; /* in order of compare() */
};

/* By length first: an order is all that is needed. */
static int compare_name(const struct challenge *a, const uint8_t *name, size_t len)
{
    return a->name_len != len ? (a->name_len < len ? -1 : 1) : memcmp(a->name, name, len);
}

static int compare(const void *a, const void *b)
{
    const struct challenge *other = b;
    return compare_name(a, other->name, other->name_len);
}

struct challenges *challenges_new(const struct challenge *items, size_t count)
{
    if (!count)
        return NULL;
    struct challenges *c = mem_alloc(sizeof *c + count * sizeof *items);
    c->refs = 1;
    c->count = count;
    memcpy(c->items, items, count * sizeof *items);
    qsort(c->items, count, sizeof *items, compare);
    return c;
}

struct challenges *challenges_ref(struct challenges *c)
{
    if (c)
        atomic_fetch_add(&c->refs, 1);
    return c;
}

void challenges_unref(struct challenges *c)
{
    if (c && atomic_fetch_sub(&c->refs, 1) == 1)
        mem_free(c);
}

const struct challenge *challenges_find(const struct challenges *c, const uint8_t *name,
                                        size_t *count)
{
    size_t len = dname_len(name), low = 0, high = c ? c->count : 0;
    while (low < high) { /* the first that is not less */
        size_t middle = low + (high - low) / 2;
        if (compare_name(&c->items[middle], name, len) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    size_t first = low;
    while (c && low < c->count && compare_name(&c->items[low], name, len) == 0)
        low++;
    *count = low - first;
    return *count ? &c->items[first] : NULL;
}

const uint8_t *challenge_name(const uint8_t *owner)
{
    static const char label[] = "_acme-challenge";
    const size_t len = sizeof label - 1;
    return *owner == len && memcmp(owner + 1, label, len) == 0 ? owner + 1 + len : NULL;
}
