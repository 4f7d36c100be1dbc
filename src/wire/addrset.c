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

/* Place address i behind those that are there: it takes a random place, whose address moves to the
 * end. Inlined for both sizes, so that the copies are single stores. */
static inline __attribute__((always_inline)) void write_all(const struct addrset *s,
                                                            const uint8_t head[ADDRSET_HEAD],
                                                            struct prng *r, uint8_t *out,
                                                            size_t addr_bytes)
{
    const size_t rr_bytes = ADDRSET_HEAD + addr_bytes;
    struct choices c = {.prng = r};
    for (unsigned i = 0; i < s->count; i++) {
        uint8_t *rr = out + i * rr_bytes;
        memcpy(rr, head, ADDRSET_HEAD);
        uint8_t *chosen = out + (i ? choose(&c, i + 1) : 0) * rr_bytes;
        memmove(rr + ADDRSET_HEAD, chosen + ADDRSET_HEAD, addr_bytes); /* may be its own */
        memcpy(chosen + ADDRSET_HEAD, s->addrs + i * addr_bytes, addr_bytes);
    }
}

void addrset_write(const struct addrset *s, uint32_t ttl_s, struct prng *r, uint8_t *out)
{
    uint8_t head[ADDRSET_HEAD] = {0xc0, 12, 0, s->addr_bytes == 4 ? 1 : 28, 0, 1};
    uint32_t ttl_be = htobe32(ttl_s);
    memcpy(head + 6, &ttl_be, 4);
    head[11] = s->addr_bytes;
    if (s->addr_bytes == 4)
        write_all(s, head, r, out, 4);
    else
        write_all(s, head, r, out, 16);
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
