/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zone/set.h"

#include "base/err.h"
#include "base/mem.h"

struct zone_set *zone_set_new(uint64_t seed, size_t zone_cap)
{
    struct zone_set *s = mem_new(struct zone_set);
    s->seed = seed;
    s->refs = 1;
    s->zones = mem_array(zone_cap + 1, sizeof(struct zone *));
    s->index_cap = zone_cap * 2 + 1;
    s->index = mem_array(s->index_cap, sizeof *s->index);
    return s;
}

static size_t home_of(const struct zone_set *s, uint64_t hash)
{
    return (size_t)(((hash & UINT32_MAX) * s->index_cap) >> 32);
}

/* The slot of the apex, or the empty one where it would go. */
static size_t find_slot(const struct zone_set *s, uint64_t hash, const uint8_t *apex, size_t len)
{
    size_t i = home_of(s, hash);
    for (; s->index[i]; i = i + 1 == s->index_cap ? 0 : i + 1) {
        if (s->index[i] >> 32 != hash >> 32)
            continue;
        const struct zone *z = s->zones[(uint32_t)s->index[i] - 1];
        if (z->apex_len == len && memcmp(z->apex, apex, len) == 0)
            return i;
    }
    return i;
}

static void take_depths(struct zone_set *s, const struct zone *z)
{
    s->apex_depths[z->apex_labels >> 6] |= (uint64_t)1 << (z->apex_labels & 63);
    for (unsigned d = DNAME_LABELS_MAX; d > s->max_depth; d--)
        if (z->depths[d >> 6] >> (d & 63) & 1)
            s->max_depth = d;
}

int zone_set_add(struct zone_set *s, struct zone *z, struct diag *d)
{
    char text[DNAME_TEXT_MAX];
    uint64_t hash = dname_hash(z->apex, s->seed);
    size_t i = find_slot(s, hash, z->apex, z->apex_len);
    if (s->index[i]) {
        const struct zone *other = s->zones[(uint32_t)s->index[i] - 1];
        int e = diag_error(d, (struct diag_loc){z->file, 0, 0},
                           "zone \"%s\" is a duplicate of that in %s; keep one of the files",
                           dname_print(z->apex, text), other->file);
        zone_unref(z);
        return e;
    }
    s->zones[s->count++] = z;
    s->index[i] = (hash >> 32 << 32) | s->count;
    s->node_count += z->node_count;
    s->rr_count += z->rr_count;
    take_depths(s, z);
    return 0;
}

const struct zone *zone_set_find(const struct zone_set *s, const struct qname *q)
{
    unsigned depth = q->labels < q->hashed ? q->labels : q->hashed;
    for (unsigned d = depth + 1; d-- > 0;) {
        if (!(s->apex_depths[d >> 6] >> (d & 63) & 1))
            continue;
        const uint8_t *apex = qname_suffix(q, d);
        size_t i = find_slot(s, q->hash[d], apex, (size_t)(q->wire + q->len - apex));
        if (s->index[i])
            return s->zones[(uint32_t)s->index[i] - 1];
    }
    return NULL;
}

struct zone_set *zone_set_ref(struct zone_set *s)
{
    atomic_fetch_add(&s->refs, 1);
    return s;
}

void zone_set_unref(struct zone_set *s)
{
    if (!s || atomic_fetch_sub(&s->refs, 1) != 1)
        return;
    for (size_t i = 0; i < s->count; i++)
        zone_unref(s->zones[i]);
    mem_free(s->zones);
    mem_free(s->index);
    mem_free(s);
}
