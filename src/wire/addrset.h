/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * addrset.h: a set of addresses that is answered in random order.
 *
 *   stored    a b c d                        bare addresses, 4 or 16 bytes each
 *   written   C0 0C | type | IN | TTL | rdlength | c     16 or 28 bytes, in an order of its own
 *             C0 0C | type | IN | TTL | rdlength | a     for every answer
 *             ...
 *
 * Every order is equally likely: an inside-out shuffle (Fisher-Yates) while the RRs are written,
 * with one random number for up to 16 addresses.  Stored bare, a set of 8 is half a cache line;
 * answers kept ready in several orders were tried first and lost more to cache misses than copying
 * them saved (docs/performance.md).
 *
 * Used by zone (A and AAAA rrsets) and by plug (prepared answers).  The owner pointer C00C is the
 * question's name; an encoder that needs another owner takes the addresses one by one.
 *
 * Thread rule: built by one thread, then read-only [any].
 */
#ifndef WIRE_ADDRSET_H
#define WIRE_ADDRSET_H

#include <stddef.h>
#include <stdint.h>
#include "base/prng.h"

#define ADDRSET_HEAD 12 /* bytes before the address in an RR */
/* Addresses in a set at most: a message of 64 KiB holds no more. */
#define ADDRSET_MAX 4096

struct addrset {
    uint16_t count;     /* addresses; 0 = empty set */
    uint8_t addr_bytes; /* 4 or 16 */
    const uint8_t *addrs;
};

static inline struct addrset addrset_on(const uint8_t *addrs, unsigned count, unsigned family)
{
    return (struct addrset){(uint16_t)count, family == 4 ? 4 : 16, addrs};
}

/* Bytes of one answer. */
static inline size_t addrset_answer_bytes(const struct addrset *s)
{
    return (size_t)s->count * (ADDRSET_HEAD + (size_t)s->addr_bytes);
}

/* The i-th address of the set in storage order. */
static inline const uint8_t *addrset_at(const struct addrset *s, unsigned i)
{
    return s->addrs + (size_t)i * s->addr_bytes;
}

/* Write all RRs, in random order; `out` has addrset_answer_bytes. */
void addrset_write(const struct addrset *s, uint32_t ttl_s, struct prng *r, uint8_t *out);
/* order[0..count-1] = 0..count-1 in random order. */
void addrset_order(unsigned count, struct prng *r, uint16_t *order);

#endif
