/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rdata_ldns.h: the text forms of rare types by ldns: WKS, X25, ISDN, NSAP, GPOS, HIP, TALINK
 * and what else it knows and wire/rdata has no row for.  The only part of thresh that calls ldns.
 *
 * Thread rule: one thread at a time per struct parse [loader].
 */
#ifndef ZONE_RDATA_LDNS_H
#define ZONE_RDATA_LDNS_H

#include "wire/cursor.h"
#include "zone/parse.h"

/* Does ldns have a text form for it? */
bool rdata_ldns_knows(uint16_t type);
/* Read all rdata up to the record's end. */
int rdata_ldns_parse(struct parse *p, uint16_t type, struct writer *w) must_check;
/* Are these bytes rdata of the type, as far as ldns can tell? */
bool rdata_ldns_is_valid(uint16_t type, const uint8_t *rdata, size_t len);

#endif
