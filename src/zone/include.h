/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * include.h: $INCLUDE file [origin].
 *
 *   $INCLUDE hosts/web            relative to the folder of the file that says so
 *   $INCLUDE hosts/web www        with "www" as origin
 *
 * The included file begins with this one's $TTL and with the zone's apex as owner; its origin,
 * owner and TTLs end with it (RFC 1035 section 5.1).  Its faults are told with the whole way:
 *
 *   zones/example.org:3 -> zones/hosts/web:7:2: ...
 *
 * Thread rule: one thread at a time [loader].
 */
#ifndef ZONE_INCLUDE_H
#define ZONE_INCLUDE_H

#include "zone/parse.h"

/* p->t is the token behind $INCLUDE; leaves it behind the directive. */
int include_read(struct parse *p) must_check;

#endif
