/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/prng.h"

#include <errno.h>
#include <sys/random.h>

#include "base/clock.h"

/* splitmix64 (Steele, Lea, Flood 2014): spreads one word over the state, never all zero */
static uint64_t split(uint64_t *x)
{
    uint64_t z = (*x += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint64_t prng_secret(void)
{
    uint64_t x = 0;
    while (getrandom(&x, sizeof x, 0) != (ssize_t)sizeof x) {
        if (errno != EINTR) { /* a kernel without getrandom: better than nothing */
            x = (uint64_t)mono_now().ns * 0x9e3779b97f4a7c15u ^ (uint64_t)wall_now().ns;
            break;
        }
    }
    return x;
}

void prng_init_from(struct prng *r, uint64_t seed)
{
    for (int i = 0; i < 4; i++)
        r->s[i] = split(&seed);
}

void prng_init(struct prng *r)
{
    prng_init_from(r, prng_secret());
}
