/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * freeze.h: a checked build -> the immutable struct zone, all of it in one arena that is sized
 * beforehand:
 *
 *   zone, arena | nodes: of the zone, then out-of-zone glue | tables | rrsets | names and blocks
 *
 * Thread rule: [loader].
 */
#ifndef ZONE_FREEZE_H
#define ZONE_FREEZE_H

#include "zone/build.h"
#include "zone/crew.h"
#include "zone/zone.h"

/* Cannot fail: check_zone has refused what does not fit. One reference. crew: of a large zone,
 * whose digest a spare thread makes meanwhile; NULL = it is not worth a thread. */
struct zone *freeze_zone(struct build *b, struct crew *crew);

#endif
