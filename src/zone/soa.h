/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * soa.h: the one record that governs others: the TTL of negative answers and the serial.
 *
 *   neg_ttl_s = min(TTL of the SOA, its minimum, max_ncache_ttl)        RFC 2308 section 3
 *
 * The record itself is served as written; under gdnsd's rules its minimum is clamped between
 * min_ttl and max_ncache_ttl and its TTL is never above that.
 *
 * Thread rule: [loader].
 */
#ifndef ZONE_SOA_H
#define ZONE_SOA_H

#include "zone/build.h"

struct soa {
    const uint8_t *mname;
    uint32_t serial, minimum_s;
};

struct soa soa_read(const struct build *b, uint32_t rec);
/* Apply the rules above to the apex's SOA; warnings go to b->d. */
void soa_settle(struct build *b, uint32_t rec);
uint32_t soa_neg_ttl(const struct build *b, uint32_t rec);

#endif
