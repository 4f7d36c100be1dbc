/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rrl.h: response rate limiting: a server that is asked under forged addresses shall not flood
 * their owners.
 *
 * Each (network of the client, kind of answer, what was answered) has an account.  A response costs
 * 1/rate seconds; an account that is more than a second ahead of the clock is over its limit, and
 * its responses are dropped, or (each `slip`-th) sent truncated, so that a client that is no
 * forgery comes back by TCP.  Refused responses cost the same, until the account is over its limit
 * by `window`: a flood stays cut off until it ends, and for that long.  Identities are coarse where
 * an attacker could choose: all names that do not exist in a zone are one, and so are all names
 * that a wildcard makes.
 *
 *   account   tag (20 bits) | paid until (44 bits, 10 us)     4 of them to half a cache line
 *
 * The table never grows: a new account takes the place of the one of its line that is furthest
 * behind.  Accounts of two networks whose tags and lines are equal are shared (1 in a million).
 *
 * Life: rrl_new -> part of a snapshot, reference-counted -> rrl_unref.
 * Thread rule: rrl_check [worker], any number at once, without a lock; a lost race costs one
 * response.
 */
#ifndef ANSWER_RRL_H
#define ANSWER_RRL_H

#include <stddef.h>
#include <stdint.h>
#include "base/netprefix.h"
#include "base/prng.h"

enum rrl_class {
    RRL_ANSWER,   /* records of the type asked for, or an alias */
    RRL_NODATA,   /* the name exists */
    RRL_NXDOMAIN, /* identity: the zone */
    RRL_REFERRAL,
    RRL_ERROR, /* everything else: REFUSED, FORMERR, ...; one account per network */
    RRL_CLASS_COUNT,
};

struct rrl_config {
    uint32_t per_second[RRL_CLASS_COUNT]; /* 0 = no limit; at most RRL_RATE_MAX */
    uint32_t window_s;                    /* 1..3600 */
    uint32_t slip;                        /* each slip-th is sent truncated; 0 = none, 1 = all */
    uint8_t v4_bits, v6_bits;             /* of a client's network; v6 at most 64 */
    uint32_t accounts;                    /* 8 bytes each; rounded up to a power of two */
    const struct netprefix *exempt;       /* copied */
    size_t exempt_count;
};

#define RRL_RATE_MAX 100000u /* one response in 10 us, the unit of accounts */

enum rrl_verdict { RRL_PASS, RRL_DROP, RRL_SLIP };

struct rrl;

struct rrl *rrl_new(const struct rrl_config *config);
struct rrl *rrl_ref(struct rrl *r); /* NULL is allowed, here and below */
void rrl_unref(struct rrl *r);

struct rrl_response {
    const struct th_addr *client;
    enum rrl_class class;
    uint64_t identity; /* of what was answered, within the class */
};

/* A response is about to be sent; now_us: a monotonic clock, milliseconds are exact enough. */
enum rrl_verdict rrl_check(struct rrl *r, struct prng *prng, const struct rrl_response *response,
                           uint64_t now_us);

#endif
