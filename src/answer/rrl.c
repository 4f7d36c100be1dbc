/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/rrl.h"

#include <stdatomic.h>
#include <string.h>

#include "base/attrs.h"
#include "base/mem.h"

enum { WAYS = 4, TIME_BITS = 44, UNIT_US = 10, UNITS_PER_SECOND = 1000000 / UNIT_US };

#define TIME_MASK ((UINT64_C(1) << TIME_BITS) - 1)

struct line {
    _Alignas(32) _Atomic uint64_t account[WAYS];
};

struct rrl {
    _Atomic unsigned refs;
    uint64_t seed;
    uint32_t cost[RRL_CLASS_COUNT]; /* units; 0 = free */
    uint64_t most_ahead;            /* of the clock, units: over the limit by the window */
    uint32_t slip;
    uint64_t v4_mask_be, v6_mask_be; /* of the first 8 bytes of an address */
    uint64_t line_mask;
    struct line *lines;
    size_t exempt_count;
    struct netprefix exempt[];
};

static uint64_t mask_of(unsigned bits)
{
    struct th_addr ones = {.family = 6};
    uint64_t be;
    memset(ones.bytes, 0xff, sizeof ones.bytes);
    netprefix_mask(&ones, bits);
    memcpy(&be, ones.bytes, sizeof be);
    return be;
}

struct rrl *rrl_new(const struct rrl_config *config)
{
    size_t lines = 1;
    while (lines * WAYS < config->accounts)
        lines *= 2;
    struct rrl *r = mem_alloc(sizeof *r + config->exempt_count * sizeof *r->exempt);
    *r = (struct rrl){.refs = 1,
                      .seed = prng_secret() | 1,
                      .most_ahead = (config->window_s + UINT64_C(1)) * UNITS_PER_SECOND,
                      .slip = config->slip,
                      .v4_mask_be = mask_of(config->v4_bits),
                      .v6_mask_be = mask_of(config->v6_bits),
                      .line_mask = lines - 1,
                      .lines = mem_aligned(CACHE_LINE, lines * sizeof(struct line)),
                      .exempt_count = config->exempt_count};
    for (int i = 0; i < RRL_CLASS_COUNT; i++)
        r->cost[i] = config->per_second[i] ? UNITS_PER_SECOND / config->per_second[i] : 0;
    if (config->exempt_count)
        memcpy(r->exempt, config->exempt, config->exempt_count * sizeof *r->exempt);
    return r;
}

struct rrl *rrl_ref(struct rrl *r)
{
    if (r)
        atomic_fetch_add(&r->refs, 1);
    return r;
}

void rrl_unref(struct rrl *r)
{
    if (!r || atomic_fetch_sub(&r->refs, 1) != 1)
        return;
    mem_free(r->lines);
    mem_free(r);
}

static uint64_t mix(uint64_t a, uint64_t b)
{
    unsigned __int128 p = (unsigned __int128)a * b;
    return (uint64_t)p ^ (uint64_t)(p >> 64);
}

static uint64_t key_of(const struct rrl *r, const struct rrl_response *response)
{
    uint64_t network = 0;
    bool v4 = response->client->family == 4;
    memcpy(&network, response->client->bytes, v4 ? 4 : 8);
    network &= v4 ? r->v4_mask_be : r->v6_mask_be;
    uint64_t what = response->identity ^ (uint64_t)response->class << 56 ^ (uint64_t)v4 << 63;
    return mix(mix(network ^ r->seed, UINT64_C(0x9e3779b97f4a7c15)) ^ what,
               r->seed ^ UINT64_C(0xd6e8feb86659fd93));
}

static bool is_exempt(const struct rrl *r, const struct th_addr *client)
{
    for (size_t i = 0; i < r->exempt_count; i++)
        if (netprefix_contains(&r->exempt[i], client))
            return true;
    return false;
}

/* The account of a tag, or the one to give up for it: of those of the line, paid least far. */
static unsigned find_way(const struct line *l, uint64_t tag, uint64_t *old)
{
    unsigned least = 0;
    uint64_t least_word = 0;
    for (unsigned i = 0; i < WAYS; i++) {
        uint64_t word = atomic_load_explicit(&l->account[i], memory_order_relaxed);
        if (word >> TIME_BITS == tag) {
            *old = word;
            return i;
        }
        if (i == 0 || (word & TIME_MASK) < (least_word & TIME_MASK)) {
            least = i;
            least_word = word;
        }
    }
    *old = 0;
    return least;
}

/* Charge the account; returns units by which it is ahead of the clock. */
static uint64_t charge(struct rrl *r, uint64_t key, uint32_t cost, uint64_t now)
{
    struct line *l = &r->lines[key & r->line_mask];
    uint64_t tag = (key >> TIME_BITS) | 1; /* 0 is an account that nobody has */
    uint64_t old;
    unsigned way = find_way(l, tag, &old);
    uint64_t paid = old & TIME_MASK;
    if (paid < now || paid > now + r->most_ahead + UNITS_PER_SECOND)
        paid = now; /* credit does not add up; the far future is another clock's */
    paid += cost;
    if (paid > now + r->most_ahead)
        paid = now + r->most_ahead;
    atomic_store_explicit(&l->account[way], tag << TIME_BITS | paid, memory_order_relaxed);
    return paid - now;
}

enum rrl_verdict rrl_check(struct rrl *r, struct prng *prng, const struct rrl_response *response,
                           uint64_t now_us)
{
    uint32_t cost = r->cost[response->class];
    if (!cost)
        return RRL_PASS;
    uint64_t ahead = charge(r, key_of(r, response), cost, (now_us / UNIT_US) & (TIME_MASK >> 1));
    if (ahead <= UNITS_PER_SECOND || is_exempt(r, response->client))
        return RRL_PASS;
    return r->slip && prng_below(prng, r->slip) == 0 ? RRL_SLIP : RRL_DROP;
}
