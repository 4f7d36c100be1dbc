/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zone/zone.h"

#include "base/mem.h"
#include "zone/table.h"

static bool depth_in_use(const struct zone *z, unsigned depth)
{
    return z->depths[depth >> 6] >> (depth & 63) & 1;
}

static const struct node *find_suffix(const struct zone *z, const struct qname *q, unsigned depth)
{
    const uint8_t *name = qname_suffix(q, depth);
    return table_find(z->table, q->hash[depth], name, (size_t)(q->wire + q->len - name));
}

struct zone_match zone_find(const struct zone *z, const struct qname *q)
{
    unsigned depth = q->labels < q->hashed ? q->labels : q->hashed;
    for (; depth > z->apex_labels; depth--) {
        if (!depth_in_use(z, depth))
            continue;
        const struct node *n = find_suffix(z, q, depth);
        if (n)
            return (struct zone_match){n, depth == q->labels};
    }
    return (struct zone_match){z->apex_node, q->labels == z->apex_labels};
}

const struct rrset *node_find_set(const struct node *n, uint16_t type)
{
    const struct rrset *s = n->sets;
    for (unsigned i = 0; i < n->set_count; i++, s++)
        if (s->type >= type)
            return s->type == type ? s : NULL;
    return NULL;
}

const struct node *zone_find_name(const struct zone *z, const uint8_t *name, uint64_t seed)
{
    return table_find(z->table, dname_hash(name, seed), name, dname_len(name));
}

const struct node *zone_find_glue(const struct zone *z, const uint8_t *name, uint64_t seed)
{
    uint64_t hash = dname_hash(name, seed);
    size_t len = dname_len(name);
    const struct node *n = table_find(z->table, hash, name, len);
    if (n)
        return n->cut ? n : NULL;
    return z->glue ? table_find(z->glue, hash, name, len) : NULL;
}

static uint64_t longest_hash(const struct qname *q)
{
    return q->hash[q->labels < q->hashed ? q->labels : q->hashed];
}

void zone_prefetch(const struct zone *z, const struct qname *q)
{
    table_prefetch(z->table, longest_hash(q));
}

void zone_peek(const struct zone *z, const struct qname *q)
{
    table_peek(z->table, longest_hash(q));
}

struct zone *zone_ref(struct zone *z)
{
    atomic_fetch_add(&z->refs, 1);
    return z;
}

void zone_unref(struct zone *z)
{
    if (!z || atomic_fetch_sub(&z->refs, 1) != 1)
        return;
    mem_free(z->ready_memory);
    struct arena a = *z->arena; /* which lies in itself */
    arena_fini(&a);
}
