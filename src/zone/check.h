/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * check.h: is a finished build a zone that can be served?  Each fault is told with the place of the
 * record and, where two records conflict, the place of the other.  Nothing depends on the order of
 * lines.  Occluded records (RFC 2136 section 7.18: below a cut and no glue) are taken out.
 *
 * Thread rule: [loader].
 */
#ifndef ZONE_CHECK_H
#define ZONE_CHECK_H

#include "zone/build.h"

/* `path`: of the zone's file, for faults that no line has. Faults go to b->d. */
void check_zone(struct build *b, const char *path);

#endif
