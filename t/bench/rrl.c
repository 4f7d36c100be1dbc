/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rrl: what a rate limit costs per response, in nanoseconds of one processor, clock reading
 * included: with all accounts in the cache, and with a million networks over the default table.
 * Beside it the cost of one SipHash of 24 bytes, which each cookie costs, measured in the same run.
 */
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "answer/rrl.h"
#include "base/clock.h"
#include "base/mem.h"

enum { CHECKS = 4000000, ACCOUNTS = 131072 };

static struct rrl *open_table(void)
{
    struct rrl_config c = {.window_s = 15, .slip = 2, .v4_bits = 24, .v6_bits = 56};
    c.accounts = ACCOUNTS;
    for (int i = 0; i < RRL_CLASS_COUNT; i++)
        c.per_second[i] = 100;
    return rrl_new(&c);
}

/* Nanoseconds of one check, the client's choice included. */
static double measure(uint32_t networks, unsigned *passed)
{
    struct rrl *r = open_table();
    struct prng prng;
    struct th_addr client = {.family = 4};
    prng_init_from(&prng, 1);
    struct mono begin = mono_now();
    for (int i = 0; i < CHECKS; i++) {
        uint32_t network = prng_below(&prng, networks) << 8;
        memcpy(client.bytes, &network, 4);
        const struct rrl_response what = {&client, RRL_ANSWER, network};
        uint64_t now_us = (uint64_t)mono_now_coarse().ns / 1000;
        *passed += rrl_check(r, &prng, &what, now_us) == RRL_PASS;
    }
    double ns = (double)(mono_now().ns - begin.ns) / CHECKS;
    rrl_unref(r);
    return ns;
}

static double measure_siphash(uint8_t out[8])
{
    uint8_t in[24] = {0}, key[16] = {1};
    struct mono begin = mono_now();
    for (int i = 0; i < CHECKS; i++) {
        memcpy(in, out, 8); /* each waits for the one before */
        crypto_shorthash_siphash24(out, in, sizeof in, key);
    }
    return (double)(mono_now().ns - begin.ns) / CHECKS;
}

int main(void)
{
    unsigned passed = 0;
    uint8_t hash[8] = {0};
    double few = measure(64, &passed), many = measure(1000000, &passed);
    double siphash = measure_siphash(hash);
    printf("rate limit: %.1f ns with 64 networks, %.1f ns with 1,000,000; SipHash: %.1f ns (ratios "
           "%.2f, %.2f); passed %u, hash %02x\n",
           few, many, siphash, few / siphash, many / siphash, passed, hash[0]);
    return 0;
}
