/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/encode.h"

#include <endian.h>
#include <string.h>

#include "wire/query.h"
#include "wire/rdata.h"

/* A pointer has 14 bits (RFC 1035 section 4.1.4). */
#define POINTER_MAX 0x3fff

void encoder_init(struct encoder *e, uint8_t *out, size_t len, size_t cap, const struct qname *q)
{
    e->out = out;
    e->len = len;
    e->cap = cap;
    e->full = false; /* len may be above cap: a long question, and nothing to write behind it */
    memset(e->counts, 0, sizeof e->counts);
    e->name_count = 1;
    e->names[0] = (struct encoder_name){q->wire, QUERY_OFFSET, q->len, 0};
}

/* Room for n bytes, or NULL. */
static uint8_t *take(struct encoder *e, size_t n)
{
    if (e->full || e->len + n > e->cap) {
        e->full = true;
        return NULL;
    }
    uint8_t *p = e->out + e->len;
    e->len += n;
    return p;
}

static void put(struct encoder *e, const void *bytes, size_t n)
{
    uint8_t *p = take(e, n);
    if (p && n)
        memcpy(p, bytes, n);
}

static void put16(struct encoder *e, unsigned v)
{
    uint16_t be = htobe16((uint16_t)v);
    put(e, &be, 2);
}

/* Where `tail` (tail_len bytes, root included) stands in the message as part of t; 0 = nowhere. */
static unsigned find_in(const struct encoder_name *t, const uint8_t *tail, size_t tail_len)
{
    if (tail_len > t->len)
        return 0;
    size_t at = t->len - tail_len;
    if (at + 1 >= (size_t)t->len - t->shared || memcmp(t->wire + at, tail, tail_len) != 0)
        return 0;
    for (size_t i = 0; i <= at; i += 1u + t->wire[i]) /* equal bytes, but is it a label's start? */
        if (i == at)
            return t->offset + (unsigned)at;
    return 0;
}

static unsigned find_tail(const struct encoder *e, const uint8_t *tail, size_t tail_len)
{
    for (unsigned i = 0; i < e->name_count; i++) {
        unsigned at = find_in(&e->names[i], tail, tail_len);
        if (at && at <= POINTER_MAX)
            return at;
    }
    return 0;
}

static void put_name(struct encoder *e, const uint8_t *name)
{
    size_t len = dname_len(name), at = 0, start = e->len;
    unsigned pointer = 0;
    while (name[at] && !(pointer = find_tail(e, name + at, len - at)))
        at += 1u + name[at];
    put(e, name, pointer ? at : len);
    if (pointer)
        put16(e, 0xc000 | pointer);
    if (at && e->name_count < ENCODER_NAMES && !e->full)
        e->names[e->name_count++] = (struct encoder_name){name, (uint16_t)start, (uint8_t)len,
                                                          (uint8_t)(pointer ? len - at : 0)};
}

static void put_head(struct encoder *e, const uint8_t *owner, unsigned type, uint32_t ttl_s)
{
    uint32_t ttl_be = htobe32(ttl_s);
    put_name(e, owner);
    put16(e, type);
    put16(e, RRCLASS_IN);
    put(e, &ttl_be, 4);
}

static void put_rdata(struct encoder *e, unsigned type, const uint8_t *rdata, size_t len)
{
    const struct rdata_type *t = rdata_type_find((uint16_t)type);
    uint8_t *length = take(e, 2);
    size_t start = e->len;
    if (!t || !rdata_can_compress(t)) {
        put(e, rdata, len);
    } else {
        struct rdata_walk walk = rdata_walk_on(t, rdata, len);
        struct rdata_field f;
        while (rdata_walk_next(&walk, &f)) {
            if (f.kind == RDATA_NAME_COMPRESSED)
                put_name(e, f.bytes);
            else
                put(e, f.bytes, f.len);
        }
    }
    uint16_t written_be = htobe16((uint16_t)(e->len - start));
    if (length)
        memcpy(length, &written_be, 2);
}

void encoder_rr(struct encoder *e, enum section s, const uint8_t *owner, uint16_t type,
                uint32_t ttl_s, const uint8_t *rdata, size_t rdata_len)
{
    put_head(e, owner, type, ttl_s);
    put_rdata(e, type, rdata, rdata_len);
    e->counts[s]++;
}

void encoder_copy(struct encoder *e, enum section s, const uint8_t *block, size_t block_len,
                  unsigned rrs)
{
    put(e, block, block_len);
    e->counts[s] = (uint16_t)(e->counts[s] + rrs);
}

bool encoder_ready(struct encoder *e, const struct ready *r, size_t base_len)
{
    size_t start = e->len, base = QUERY_OFFSET + (size_t)e->names[0].len - base_len;
    if (start + r->len > POINTER_MAX)
        return false;
    uint8_t *to = take(e, r->len);
    if (!to)
        return true; /* full, as anything of that length would be */
    memcpy(to, ready_bytes(r), r->len);
    for (unsigned i = 0; i < r->fix_count; i++) {
        const struct ready_fix *f = &r->fixes[i];
        size_t at = f->to & READY_FROM_START ? start + (f->to & ~READY_FROM_START) : base + f->to;
        uint16_t be = htobe16((uint16_t)(0xc000 | at));
        memcpy(to + f->at, &be, 2);
    }
    for (int s = 0; s < 3; s++)
        e->counts[s] = (uint16_t)(e->counts[s] + r->counts[s]);
    return true;
}

void encoder_addrs(struct encoder *e, enum section s, const struct addrset *set, uint32_t ttl_s,
                   struct prng *r)
{
    uint8_t *to = take(e, addrset_answer_bytes(set));
    if (to)
        addrset_write(set, ttl_s, r, to);
    e->counts[s] = (uint16_t)(e->counts[s] + set->count);
}

/* Under another owner than the question's name. */
static void put_addrs(struct encoder *e, enum section s, const struct addrset *set,
                      const uint8_t *owner, uint32_t ttl_s, struct prng *r)
{
    uint16_t order[ADDRSET_MAX], type = set->addr_bytes == 4 ? RRTYPE_A : RRTYPE_AAAA;
    addrset_order(set->count, r, order);
    for (unsigned i = 0; i < set->count; i++)
        encoder_rr(e, s, owner, type, ttl_s, addrset_at(set, order[i]), set->addr_bytes);
}

void encoder_set(struct encoder *e, enum section s, const struct rrset *set, const uint8_t *owner,
                 uint32_t ttl_s, struct prng *r)
{
    if (rrtype_is_address(set->type)) {
        put_addrs(e, s, &set->addrs, owner, ttl_s, r);
        return;
    }
    const uint8_t *p = set->rrs.plain, *end = p + set->rrs.plain_len;
    while (p < end) {
        const uint8_t *fixed = p + (*p ? 2 : 1); /* C00C, or the root's 0 */
        size_t rdlen = (size_t)fixed[8] << 8 | fixed[9];
        encoder_rr(e, s, owner, set->type, ttl_s, fixed + 10, rdlen);
        p = fixed + 10 + rdlen;
    }
}
