/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wire/addrset.h"

#include <endian.h>

static unsigned perms_for(unsigned count)
{
    return count > 2 ? ADDRSET_PERMS : 1;
}

size_t addrset_bytes(unsigned count, unsigned family)
{
    size_t rr = family == 4 ? ADDRSET_RR4 : ADDRSET_RR6;
    return count <= 1 ? count * rr : perms_for(count) * 2 * count * rr;
}

static void write_rr(uint8_t *rr, const uint8_t *addr, unsigned family, uint32_t ttl_s)
{
    static const uint8_t head[2][6] = {{0xc0, 12, 0, 1, 0, 1}, {0xc0, 12, 0, 28, 0, 1}};
    unsigned addr_bytes = family == 4 ? 4 : 16;
    uint32_t ttl_be = htobe32(ttl_s);
    memcpy(rr, head[family == 6], 6);
    memcpy(rr + 6, &ttl_be, 4);
    rr[10] = 0;
    rr[11] = (uint8_t)addr_bytes;
    memcpy(rr + ADDRSET_HEAD, addr, addr_bytes);
}

/* Shuffle the count RRs at `perm` in place (Fisher-Yates). */
static void shuffle(uint8_t *perm, unsigned count, size_t rr, struct prng *r)
{
    uint8_t tmp[ADDRSET_RR6];
    for (unsigned i = count - 1; i > 0; i--) {
        unsigned k = prng_below(r, i + 1);
        memcpy(tmp, perm + i * rr, rr);
        memmove(perm + i * rr, perm + k * rr, rr);
        memcpy(perm + k * rr, tmp, rr);
    }
}

void addrset_build(struct addrset *s, uint8_t *room, const uint8_t *addrs, unsigned count,
                   unsigned family, uint32_t ttl_s, struct prng *r)
{
    unsigned addr_bytes = family == 4 ? 4 : 16, perms = perms_for(count);
    size_t rr = family == 4 ? ADDRSET_RR4 : ADDRSET_RR6;
    for (unsigned i = 0; i < count; i++)
        write_rr(room + i * rr, addrs + (size_t)i * addr_bytes, family, ttl_s);
    if (count > 1)
        memcpy(room + count * rr, room, count * rr);
    for (unsigned p = 1; p < perms; p++) {
        uint8_t *perm = room + (size_t)p * 2 * count * rr;
        memcpy(perm, room, count * rr);
        shuffle(perm, count, rr, r);
        memcpy(perm + count * rr, perm, count * rr);
    }
    *s = (struct addrset){(uint16_t)count, (uint8_t)rr, (uint8_t)perms, room};
}
