/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * addrset.h: a set of addresses, stored as the bytes of its answer, ready to be drawn in random
 * order by one copy.
 *
 * An RR of the set is   C0 0C | type | class IN | TTL | rdlength | address    (16 or 28 bytes).
 * A *permutation* is all RRs in some order, and stands twice in a row:
 *
 *      a c b d a c b d | d a c b d a c b | ...          ADDRSET_PERMS of them
 *          ^-------^ a draw of (permutation 0, start 2)
 *
 * A draw is one memcpy of count RRs from a random permutation and a random start: the first place
 * is exactly uniform, the order one of PERMS x count.  Sets of one are stored once; sets of two
 * need one permutation (its two starts are all orders).
 *
 * Used by zone (A and AAAA rrsets) and by plug (prepared answers).  The owner pointer C00C is the
 * question's name; an encoder that needs another owner takes the addresses from perm 0.
 *
 * Thread rule: built by one thread, then read-only [any].
 */
#ifndef WIRE_ADDRSET_H
#define WIRE_ADDRSET_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "base/prng.h"

/* More permutations make orders more various and memory larger: 8 x 2 x 8 addresses = 2 KiB. */
#define ADDRSET_PERMS 8
#define ADDRSET_RR4   16 /* bytes of one A RR in a block */
#define ADDRSET_RR6   28
#define ADDRSET_HEAD  12 /* bytes before the address in an RR */

struct addrset {
    uint16_t count;   /* addresses; 0 = empty set */
    uint8_t rr_bytes; /* ADDRSET_RR4 or ADDRSET_RR6 */
    uint8_t perms;    /* stored permutations, 1 or ADDRSET_PERMS */
    const uint8_t *rrs;
};

/* Bytes that addrset_build writes for `count` addresses of `family` (4 or 6). */
size_t addrset_bytes(unsigned count, unsigned family);
/* Write the permutations into `room` (addrset_bytes long) and set *s. `addrs`: count addresses of 4
 * or 16 bytes each, one after another. `r` draws the permutations. */
void addrset_build(struct addrset *s, uint8_t *room, const uint8_t *addrs, unsigned count,
                   unsigned family, uint32_t ttl_s, struct prng *r);

/* Bytes of one answer. */
static inline size_t addrset_answer_bytes(const struct addrset *s)
{
    return (size_t)s->count * s->rr_bytes;
}

/* Where a random answer of the set begins; addrset_answer_bytes long. count >= 1. */
static inline const uint8_t *addrset_draw(const struct addrset *s, struct prng *r)
{
    if (s->count == 1)
        return s->rrs;
    uint32_t at = prng_below(r, (uint32_t)s->perms * s->count);
    uint32_t perm = at / s->count, start = at - perm * s->count;
    return s->rrs + ((size_t)perm * 2 * s->count + start) * s->rr_bytes;
}

/* The i-th address of the set in storage order. */
static inline const uint8_t *addrset_at(const struct addrset *s, unsigned i)
{
    return s->rrs + (size_t)i * s->rr_bytes + ADDRSET_HEAD;
}

#endif
