/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * prng.h: fast random numbers for choosing and shuffling (xoshiro256**, Blackman and Vigna 2018).
 * Not for secrets.  Thread rule: a generator belongs to one thread.
 */
#ifndef BASE_PRNG_H
#define BASE_PRNG_H

#include <stdint.h>

struct prng {
    uint64_t s[4];
};

/* Seed from the kernel's random source. */
void prng_init(struct prng *r);
/* A repeatable sequence, for tests. */
void prng_init_from(struct prng *r, uint64_t seed);
/* 64 bits of the kernel's random source. */
uint64_t prng_secret(void);

static inline uint64_t prng_rotl_(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

static inline uint64_t prng_next(struct prng *r)
{
    uint64_t *s = r->s, result = prng_rotl_(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = prng_rotl_(s[3], 45);
    return result;
}

/* Uniform in 0..n-1, n >= 1; the bias of the multiplication is below 2^-32. */
static inline uint32_t prng_below(struct prng *r, uint32_t n)
{
    return (uint32_t)(((unsigned __int128)prng_next(r) * n) >> 64);
}

#endif
