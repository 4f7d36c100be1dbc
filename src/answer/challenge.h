/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * challenge.h: ACME DNS-01 challenges (RFC 8555 section 8.4) that were put in at run time, beside
 * the zones: TXT records of _acme-challenge.NAME for a while.
 *
 *   challenges_new(items, count) -> part of a snapshot, reference-counted -> challenges_unref
 *
 * Thread rule: immutable, [any].
 */
#ifndef ANSWER_CHALLENGE_H
#define ANSWER_CHALLENGE_H

#include <stddef.h>
#include <stdint.h>
#include "wire/dname.h"

/* Base64url of a SHA-256 (RFC 8555 section 8.4). */
#define CHALLENGE_PAYLOAD 43u

struct challenge {
    uint8_t name[DNAME_MAX]; /* wire form, lower case, without the label _acme-challenge */
    uint8_t name_len;
    char payload[CHALLENGE_PAYLOAD];
};

struct challenges;

/* Copies the items. NULL if there are none. */
struct challenges *challenges_new(const struct challenge *items, size_t count);
struct challenges *challenges_ref(struct challenges *c); /* NULL is allowed, here and below */
void challenges_unref(struct challenges *c);

/* The challenges of a name: *count of them from the result on; NULL = none. */
const struct challenge *challenges_find(const struct challenges *c, const uint8_t *name,
                                        size_t *count);
/* The name behind a first label _acme-challenge; NULL = `owner` has none. */
const uint8_t *challenge_name(const uint8_t *owner);

#endif
