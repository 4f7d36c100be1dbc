/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * table.h: name -> node, by the full name's hash.  Open addressing in groups of 12, one cache line
 * each; the number of groups is any number, not a power of two:
 *
 *   group   | 12 tags, 1 byte each | overflow | 12 node numbers |      64 bytes
 *
 * A tag is 7 bits of the hash with the top bit set (0 = empty), so that a look-up touches one line
 * here, then the node, whose hash_hi is compared before its name.  What does not fit its group goes
 * to the next; `overflow` has a bit for (some of) the hash of each name that passed by, so that a
 * name that is absent rarely costs a second line.  A zone of at most TABLE_PACKED nodes has no
 * groups: its nodes are compared one after another.
 *
 * Thread rule: built by [loader], then read-only [any].
 */
#ifndef ZONE_TABLE_H
#define ZONE_TABLE_H

#include "base/mem.h"
#include "zone/zone.h"

#define TABLE_GROUP 12

/* Nodes side by side: up to here comparing all hashes is as fast as a group, and costs no group. */
#define TABLE_PACKED 6

/* Names per group of 12 on average: 6.4 bytes a name. Fuller groups overflow too often. */
#define TABLE_FILL 10

struct table_group {
    uint8_t tags[TABLE_GROUP];
    uint32_t overflow;
    uint32_t nodes[TABLE_GROUP];
};

struct zone_table {
    const struct node *nodes;
    uint32_t count, group_count;
    struct table_group *groups;
};

/* Bytes of arena that a table of `count` nodes takes. */
size_t table_bytes(size_t count);
/* hashes[i]: the whole hash of nodes[i]; read only here. */
struct zone_table *table_new(struct arena *a, const struct node *nodes, size_t count,
                             const uint64_t *hashes);
/* NULL = absent. */
const struct node *table_find(const struct zone_table *t, uint64_t hash, const uint8_t *name,
                              size_t len);
void table_prefetch(const struct zone_table *t, uint64_t hash);
/* Once that has arrived: prefetch the node that it probably leads to. */
void table_peek(const struct zone_table *t, uint64_t hash);

#endif
