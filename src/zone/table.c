/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zone/table.h"

#include <string.h>

/* Names that table_new looks ahead: enough to hide a cache miss behind the work of the others. */
#define PREFETCH_AHEAD 16

_Static_assert(sizeof(struct table_group) == 64, "a group is one cache line");

static size_t groups_for(size_t count)
{
    return count <= TABLE_PACKED ? 0 : (count + TABLE_FILL - 1) / TABLE_FILL;
}

size_t table_bytes(size_t count)
{
    size_t groups = groups_for(count);
    return sizeof(struct zone_table) + (groups ? groups * sizeof(struct table_group) + 64 : 0);
}

static uint32_t home_of(const struct zone_table *t, uint64_t hash)
{
    return (uint32_t)(((hash & UINT32_MAX) * t->group_count) >> 32);
}

static uint32_t next_of(const struct zone_table *t, uint32_t group)
{
    return group + 1 == t->group_count ? 0 : group + 1;
}

static uint8_t tag_of(uint64_t hash)
{
    return (uint8_t)(hash | 0x80);
}

/* The bit of a hash in `overflow`: none of the bits that chose group and tag. */
static uint32_t overflow_bit(uint64_t hash)
{
    return 1u << (hash >> 59);
}

static void put(struct zone_table *t, uint64_t hash, uint32_t node)
{
    for (uint32_t g = home_of(t, hash);; g = next_of(t, g)) {
        struct table_group *group = &t->groups[g];
        for (unsigned i = 0; i < TABLE_GROUP; i++) {
            if (group->tags[i])
                continue;
            group->tags[i] = tag_of(hash);
            group->nodes[i] = node;
            return;
        }
        group->overflow |= overflow_bit(hash);
    }
}

struct zone_table *table_new(struct arena *a, const struct node *nodes, size_t count,
                             const uint64_t *hashes)
{
    struct zone_table *t = arena_new(a, struct zone_table);
    t->nodes = nodes;
    t->count = (uint32_t)count;
    t->group_count = (uint32_t)groups_for(count);
    if (!t->group_count)
        return t;
    t->groups = arena_alloc(a, t->group_count * sizeof *t->groups, 64);
    for (size_t i = 0; i < count; i++) {
        if (i + PREFETCH_AHEAD < count)
            __builtin_prefetch(&t->groups[home_of(t, hashes[i + PREFETCH_AHEAD])], 1);
        put(t, hashes[i], (uint32_t)i);
    }
    return t;
}

static bool node_is(const struct node *n, uint64_t hash, const uint8_t *name, size_t len)
{
    return n->hash_hi == hash >> 32 && n->name_len == len && memcmp(n->name, name, len) == 0;
}

/* High bit of each byte of `word` that may equal the tag: all that do, rarely one that does not. */
static uint64_t match(uint64_t word, uint8_t tag)
{
    uint64_t x = word ^ (0x0101010101010101u * tag);
    return (x - 0x0101010101010101u) & ~x & 0x8080808080808080u;
}

static const struct node *group_find(const struct zone_table *t, const struct table_group *group,
                                     uint64_t hash, const uint8_t *name, size_t len)
{
    uint64_t low;
    uint32_t high;
    memcpy(&low, group->tags, 8);
    memcpy(&high, group->tags + 8, 4);
    for (uint64_t m = match(low, tag_of(hash)); m; m &= m - 1) {
        const struct node *n = &t->nodes[group->nodes[__builtin_ctzll(m) / 8]];
        if (node_is(n, hash, name, len))
            return n;
    }
    for (uint64_t m = match(high, tag_of(hash)) & UINT32_MAX; m; m &= m - 1) {
        const struct node *n = &t->nodes[group->nodes[8 + __builtin_ctzll(m) / 8]];
        if (node_is(n, hash, name, len))
            return n;
    }
    return NULL;
}

static const struct node *packed_find(const struct zone_table *t, uint64_t hash,
                                      const uint8_t *name, size_t len)
{
    for (uint32_t i = 0; i < t->count; i++)
        if (node_is(&t->nodes[i], hash, name, len))
            return &t->nodes[i];
    return NULL;
}

const struct node *table_find(const struct zone_table *t, uint64_t hash, const uint8_t *name,
                              size_t len)
{
    if (!t->group_count)
        return packed_find(t, hash, name, len);
    for (uint32_t g = home_of(t, hash), tries = 0; tries < t->group_count;
         g = next_of(t, g), tries++) {
        const struct node *n = group_find(t, &t->groups[g], hash, name, len);
        if (n || !(t->groups[g].overflow & overflow_bit(hash)))
            return n;
    }
    return NULL;
}

void table_prefetch(const struct zone_table *t, uint64_t hash)
{
    if (t->group_count)
        __builtin_prefetch(&t->groups[home_of(t, hash)]);
    else
        __builtin_prefetch(t->nodes);
}

void table_peek(const struct zone_table *t, uint64_t hash)
{
    if (!t->group_count)
        return;
    const struct table_group *group = &t->groups[home_of(t, hash)];
    uint64_t low, found;
    memcpy(&low, group->tags, 8);
    found = match(low, tag_of(hash));
    if (found) /* nearly always the one; names further along pay the miss */
        __builtin_prefetch(&t->nodes[group->nodes[__builtin_ctzll(found) / 8]]);
}
