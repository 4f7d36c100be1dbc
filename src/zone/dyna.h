/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dyna.h: dynamic records.
 *
 *   www 300/30 DYNA multifo!web        TTL 30 to 300, addresses by resource "web" of multifo
 *   old 300    DYNC weighted!w         the same; stands alone at its name, as gdnsd wants it
 *
 * Bound to a handle when they are read; in a struct build the rdata of such a record is
 * handle and least TTL, 4 bytes each in network order, then the text of plugin!resource.
 *
 * Thread rule: one thread at a time [loader].
 */
#ifndef ZONE_DYNA_H
#define ZONE_DYNA_H

#include "zone/parse.h"
#include "zone/zone.h"

/* p->t is the token behind DYNA or DYNC. */
int dyna_parse(struct parse *p, struct record *r) must_check;
struct zone_dyn dyna_read(const struct build *b, uint32_t rec);

#endif
