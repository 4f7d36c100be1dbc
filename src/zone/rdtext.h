/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rdtext.h: the words of a record -> rdata, by the type's row in wire/rdata; and the small things
 * that zone files are written with: names, durations, numbers, strings.
 *
 * All take the current token (p->t), tell what is wrong with it, and return ERR_REFUSED then.
 *
 * Thread rule: one thread at a time [loader].
 */
#ifndef ZONE_RDTEXT_H
#define ZONE_RDTEXT_H

#include "zone/parse.h"

/* A name: relative ones get the origin; "@" is the origin, "@Z" the apex, "@F" the origin at the
 * file's start. Returns its length. */
int rdtext_name(struct parse *p, uint8_t out[DNAME_MAX]) must_check;
/* "3600", "1h", "1w2d3h4m5s"; at most 2^31-1 (RFC 2181 section 8) where `is_ttl`. */
int rdtext_duration(struct parse *p, const char *text, size_t len, bool is_ttl,
                    uint32_t *s) must_check;
/* Read all rdata up to the record's end: p->t is the token behind the type. */
int rdtext_parse(struct parse *p, struct record *r) must_check;

#endif
