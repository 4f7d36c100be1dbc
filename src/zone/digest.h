/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * digest.h: a zone's records -> 64 bits, by which two servers, or two loads, are compared.
 *
 *   the same records, in any order, with any layout of the file        the same digest
 *   a changed name, type, TTL or rdata (names without case)            another
 *
 * Not seeded, so that it means the same on every machine; not for secrets.  A dynamic record counts
 * as its text, plugin!resource, and its TTLs, not as what it answers now.
 *
 * Thread rule: [loader].
 */
#ifndef ZONE_DIGEST_H
#define ZONE_DIGEST_H

#include "zone/build.h"

/* Of a finished and checked build. */
uint64_t digest_zone(const struct build *b);

#endif
