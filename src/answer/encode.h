/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * encode.h: writes RRs behind a question, with names compressed against the question and against
 * names written before (RFC 1035 section 4.1.4).
 *
 *   struct encoder e;
 *   encoder_init(&e, out, at, cap, &query.qname);
 *   encoder_set(&e, SECTION_AUTHORITY, set, owner, owner_len, ttl, prng);
 *   if (e.full) ... truncate
 *
 * The root's owner is the byte 0, never a pointer.  Errors are sticky: once `full`, calls do
 * nothing.  The encoder is the oracle of the ready-made blocks.
 * Thread rule: [worker]; one encoder per response.
 */
#ifndef ANSWER_ENCODE_H
#define ANSWER_ENCODE_H

#include <stdbool.h>
#include "base/prng.h"
#include "wire/dname.h"
#include "zone/zone.h"

enum section { SECTION_ANSWER, SECTION_AUTHORITY, SECTION_ADDITIONAL };

/* Names that later ones may point into: the question and up to 15 written names. More would make
 * each further name cost more than the bytes it saves. */
#define ENCODER_NAMES 16

struct encoder_name {
    const uint8_t *wire; /* lower case, uncompressed; borrowed */
    uint16_t offset;     /* of its first label in the message */
    uint8_t len;
    uint8_t shared; /* bytes at its end that are a pointer already in the message */
};

struct encoder {
    uint8_t *out;
    size_t len, cap;
    uint16_t counts[3]; /* RRs per section */
    bool full;          /* something did not fit */
    unsigned name_count;
    struct encoder_name names[ENCODER_NAMES];
};

void encoder_init(struct encoder *e, uint8_t *out, size_t len, size_t cap, const struct qname *q);
/* Copy a ready-made block of `rrs` RRs. */
void encoder_copy(struct encoder *e, enum section s, const uint8_t *block, size_t block_len,
                  unsigned rrs);
/* A set of addresses under the question's own name, which is not the root. */
void encoder_addrs(struct encoder *e, enum section s, const struct addrset *set, uint32_t ttl_s,
                   struct prng *r);
/* Copy a ready part made for a base that the question ends in, base_len bytes long. False = the
 * message is too long for its pointers; nothing was written. */
bool encoder_ready(struct encoder *e, const struct ready *r, size_t base_len) must_check;
/* All RRs of a set under `owner` (wire), in random order if they are addresses. */
void encoder_set(struct encoder *e, enum section s, const struct rrset *set, const uint8_t *owner,
                 uint32_t ttl_s, struct prng *r);
/* One RR with given rdata, for what is made up on the spot. */
void encoder_rr(struct encoder *e, enum section s, const uint8_t *owner, uint16_t type,
                uint32_t ttl_s, const uint8_t *rdata, size_t rdata_len);

#endif
