/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ready.h: ready-made parts of answers whose name was not known at load: the SOA of negative
 * answers, referrals, rrsets of wildcards.
 *
 * Each is made for a *base*, a name that every question it may answer ends in (the apex, the cut,
 * the wildcard's parent), so that all its compression pointers are known but for where the base
 * stands in the question and where the part itself begins:
 *
 *   bytes   [C0 ..][type class ttl rdlength]["mail" C0 ..] ...
 *            ^-- fix: base + 0               ^-- fix: base + 0, or start + n
 *
 * Taking one is a copy and a store for each pointer.  Where there is none (a root zone, glue with
 * several addresses, which has to be shuffled, or too many bytes), the encoder does it.
 *
 * Life: ready_make at the end of loading; freed with the zone.
 * Thread rule: made by [loader], read-only [any].
 */
#ifndef ZONE_READY_H
#define ZONE_READY_H

#include <stddef.h>
#include <stdint.h>
#include "base/attrs.h"

struct zone;

/* Set in ready_fix.to: counted from where the part begins, not from the base. */
#define READY_FROM_START 0x8000u

struct ready_fix {
    uint16_t at; /* of the pointer, in the bytes */
    uint16_t to; /* what it points to */
};

struct ready {
    uint16_t len;       /* bytes */
    uint16_t counts[3]; /* RRs in answer, authority, additional */
    uint16_t fix_count;
    struct ready_fix fixes[]; /* then the bytes */
};

static inline const uint8_t *ready_bytes(const struct ready *r)
{
    return (const uint8_t *)(r->fixes + r->fix_count);
}

/* Make all of a zone's, set its and its rrsets' pointers; the memory they are in (mem_free), or
 * NULL if there are none. */
void *ready_make(struct zone *z) must_check;

#endif
