/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * set.h: all zones of one generation.  Finds the zone that a name belongs to: the longest apex
 * that is a suffix of the name, by one probe per label depth at which any apex exists.
 *
 *   set A --> segment 0, segment 1, segment 2 ... segment 781      each: hash of apex -> zone
 *   set B -->      "      segment 1'     "    ...      "           one zone replaced
 *
 * Zones are spread over segments of about a hundred by the hash of their apex.  Sets share
 * segments, so that the copy of a set of 100,000 zones with one of them changed costs some hundred
 * references and one segment.
 *
 * Life: zone_set_new or zone_set_copy -> add, remove ... -> part of the snapshot, immutable ->
 * zone_set_unref [loader, after a grace period] frees it with the last reference.
 * Thread rule: changed by [loader] alone before it is published; zone_set_find [worker], [any]; ref
 * and unref [main], [loader].
 */
#ifndef ZONE_SET_H
#define ZONE_SET_H

#include <stdatomic.h>
#include "base/attrs.h"
#include "base/diag.h"
#include "zone/zone.h"

struct zone_segment;

struct zone_set {
    uint64_t seed;           /* of all name hashes */
    unsigned max_depth;      /* labels of the deepest loaded name: queries hash no deeper */
    uint64_t apex_depths[2]; /* bit d: some apex has d labels */
    struct zone_segment **segments;
    size_t segment_count;
    size_t count; /* of zones */
    size_t node_count, rr_count;
    /* Zones whose apex has d labels, and zones with a name of d labels. */
    uint32_t apex_counts[DNAME_LABELS_MAX + 1], depth_counts[DNAME_LABELS_MAX + 1];
    _Atomic unsigned refs; /* last: the rest is copied as it stands */
};

/* Where zone_set_next is; {0} = at the beginning. */
struct zone_walk {
    size_t segment, slot;
};

/* NULL = not ours: REFUSED. */
const struct zone *zone_set_find(const struct zone_set *s, const struct qname *q);
/* The zone with exactly this apex (wire, lower case), borrowed; NULL = there is none. [any] */
struct zone *zone_set_get(const struct zone_set *s, const uint8_t *apex);
/* The same in steps, for callers with many names: prefetch the slot of each, then the zone of each,
 * then get. hash: dname_hash(apex, s->seed). */
void zone_set_prefetch_slot(const struct zone_set *s, uint64_t hash);
void zone_set_prefetch_zone(const struct zone_set *s, uint64_t hash);
struct zone *zone_set_get_hashed(const struct zone_set *s, uint64_t hash, const uint8_t *apex,
                                 size_t len);
/* Every zone once, in no order; NULL = that was the last. [any] */
struct zone *zone_set_next(const struct zone_set *s, struct zone_walk *walk);
struct zone_set *zone_set_ref(struct zone_set *s);
void zone_set_unref(struct zone_set *s);

/* For the loader. zone_cap: expected zones, 0 = unknown. */
struct zone_set *zone_set_new(uint64_t seed, size_t zone_cap);
/* The same zones in a set that may be changed; `s` stays as it is. */
struct zone_set *zone_set_copy(const struct zone_set *s);
/* Add a zone (the reference moves here). One that is there already is refused. */
int zone_set_add(struct zone_set *s, struct zone *z, struct diag *d) must_check;
/* Drop a zone that zone_set_get would find. */
void zone_set_remove(struct zone_set *s, const uint8_t *apex);

#endif
