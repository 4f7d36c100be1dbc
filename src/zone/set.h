/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * set.h: all zones of one generation.  Finds the zone that a name belongs to: the longest apex
 * that is a suffix of the name, by one probe per label depth at which any apex exists.
 *
 * Life: zone_load_dir builds a set -> part of the snapshot -> zone_set_unref [loader, after a grace
 * period] frees it with the last reference.
 * Thread rule: immutable; zone_set_find [worker], [any]; ref and unref [main], [loader].
 */
#ifndef ZONE_SET_H
#define ZONE_SET_H

#include <stdatomic.h>
#include "base/attrs.h"
#include "base/diag.h"
#include "zone/zone.h"

struct zone_set {
    uint64_t seed;           /* of all name hashes */
    unsigned max_depth;      /* labels of the deepest loaded name: queries hash no deeper */
    uint64_t apex_depths[2]; /* bit d: some apex has d labels */
    struct zone **zones;
    size_t count;
    size_t node_count, rr_count;
    uint64_t *index; /* open addressing by apex hash; upper half of it, and zone number + 1 */
    size_t index_cap;
    _Atomic unsigned refs;
};

/* NULL = not ours: REFUSED. */
const struct zone *zone_set_find(const struct zone_set *s, const struct qname *q);
struct zone_set *zone_set_ref(struct zone_set *s);
void zone_set_unref(struct zone_set *s);
/* For the loader: add zones (references move here), then close. A zone that is there already is
 * refused. */
struct zone_set *zone_set_new(uint64_t seed, size_t zone_cap);
int zone_set_add(struct zone_set *s, struct zone *z, struct diag *d) must_check;

#endif
