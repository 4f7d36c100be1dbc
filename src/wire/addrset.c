/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wire/addrset.h"

#include <endian.h>
#include <string.h>

/* One 64-bit random number gives this many choices: 16! is below 2^45, which leaves the last of
 * them a bias below 2^-19. */
#define CHOICES_PER_DRAW 16

/* Random choices, several from one random number: its digits in a changing base. */
struct choices {
    struct prng *prng;
    uint64_t left;
    unsigned count;
};

/* Uniform in 0..n-1. */
static inline unsigned choose(struct choices *c, unsigned n)
{
    if (c->count++ % CHOICES_PER_DRAW == 0)
        c->left = prng_next(c->prng);
    unsigned __int128 x = (unsigned __int128)c->left * n;
    c->left = (uint64_t)x;
    return (unsigned)(x >> 64);
}

/* The bytes before the address, as two numbers: they stay in registers, where an array written byte
 * by byte would stall each read of it. */
struct head {
    uint64_t first_be; /* C00C, type, class, upper half of the TTL */
    uint32_t last_be;  /* lower half, rdlength */
};

/* Place address i behind those that are there: it takes a random place, whose address moves to the
 * end. Inlined for both sizes, so that the copies are single stores. */
static inline __attribute__((always_inline)) void write_all(const struct addrset *s, struct head h,
                                                            struct prng *r, uint8_t *out,
                                                            size_t addr_bytes)
{
    const size_t rr_bytes = ADDRSET_HEAD + addr_bytes;
    struct choices c = {.prng = r};
    for (unsigned i = 0; i < s->count; i++) {
        uint8_t *rr = out + i * rr_bytes;
        memcpy(rr, &h.first_be, 8);
        memcpy(rr + 8, &h.last_be, 4);
        uint8_t *chosen = out + (i ? choose(&c, i + 1) : 0) * rr_bytes;
        memmove(rr + ADDRSET_HEAD, chosen + ADDRSET_HEAD, addr_bytes); /* may be its own */
        memcpy(chosen + ADDRSET_HEAD, s->addrs + i * addr_bytes, addr_bytes);
    }
}

void addrset_write(const struct addrset *s, uint32_t ttl_s, struct prng *r, uint8_t *out)
{
    uint64_t type = s->addr_bytes == 4 ? 1 : 28;
    struct head h = {htobe64(0xc00cull << 48 | type << 32 | 1u << 16 | ttl_s >> 16),
                     htobe32(ttl_s << 16 | s->addr_bytes)};
    if (s->addr_bytes == 4)
        write_all(s, h, r, out, 4);
    else
        write_all(s, h, r, out, 16);
}

void addrset_order(unsigned count, struct prng *r, uint16_t *order)
{
    struct choices c = {.prng = r};
    for (unsigned i = 0; i < count; i++) {
        unsigned place = choose(&c, i + 1);
        order[i] = place < i ? order[place] : 0;
        order[place] = (uint16_t)i;
    }
}
