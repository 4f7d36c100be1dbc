/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * counters.h: what is counted, one table.  Each worker owns one struct counters on cache lines of
 * its own and adds without locking; main sums them when somebody asks.
 *
 * Exactly one of the seven rcode-like counters (NOERROR .. DROPPED) is added per request; `reqs`
 * in the statistics is their sum.
 *
 * Thread rule: counter_add [owner]; counters_sum [main].
 */
#ifndef STATS_COUNTERS_H
#define STATS_COUNTERS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include "base/attrs.h"

/* X(enum name, group in the JSON, key in the JSON); gdnsd's groups, keys and order;
 * ours come last */
#define COUNTERS(X)                                                                                \
    X(NOERROR, STATS, "noerror")                                                                   \
    X(REFUSED, STATS, "refused")                                                                   \
    X(NXDOMAIN, STATS, "nxdomain")                                                                 \
    X(NOTIMP, STATS, "notimp")                                                                     \
    X(BADVERS, STATS, "badvers")                                                                   \
    X(FORMERR, STATS, "formerr")                                                                   \
    X(DROPPED, STATS, "dropped")                                                                   \
    X(V6, STATS, "v6")                                                                             \
    X(EDNS, STATS, "edns")                                                                         \
    X(EDNS_CLIENTSUB, STATS, "edns_clientsub")                                                     \
    X(EDNS_DO, STATS, "edns_do")                                                                   \
    X(EDNS_COOKIE_FORMERR, STATS, "edns_cookie_formerr")                                           \
    X(EDNS_COOKIE_OK, STATS, "edns_cookie_ok")                                                     \
    X(EDNS_COOKIE_INIT, STATS, "edns_cookie_init")                                                 \
    X(EDNS_COOKIE_BAD, STATS, "edns_cookie_bad")                                                   \
    X(UDP_REQS, UDP, "reqs")                                                                       \
    X(UDP_RECVFAIL, UDP, "recvfail")                                                               \
    X(UDP_SENDFAIL, UDP, "sendfail")                                                               \
    X(UDP_TC, UDP, "tc")                                                                           \
    X(UDP_EDNS_BIG, UDP, "edns_big")                                                               \
    X(UDP_EDNS_TC, UDP, "edns_tc")                                                                 \
    X(TCP_REQS, TCP, "reqs")                                                                       \
    X(TCP_RECVFAIL, TCP, "recvfail")                                                               \
    X(TCP_SENDFAIL, TCP, "sendfail")                                                               \
    X(TCP_CONNS, TCP, "conns")                                                                     \
    X(TCP_CLOSE_C, TCP, "close_c")                                                                 \
    X(TCP_CLOSE_S_OK, TCP, "close_s_ok")                                                           \
    X(TCP_CLOSE_S_ERR, TCP, "close_s_err")                                                         \
    X(TCP_CLOSE_S_KILL, TCP, "close_s_kill")                                                       \
    X(TCP_PROXY, TCP, "proxy")                                                                     \
    X(TCP_PROXY_FAIL, TCP, "proxy_fail")                                                           \
    X(TCP_DSO_ESTAB, TCP, "dso_estab")                                                             \
    X(TCP_DSO_PROTOERR, TCP, "dso_protoerr")                                                       \
    X(TCP_DSO_TYPENI, TCP, "dso_typeni")                                                           \
    X(TCP_ACCEPTFAIL, TCP, "acceptfail")                                                           \
    X(RRL_DROPPED, RRL, "dropped")                                                                 \
    X(RRL_SLIPPED, RRL, "slipped")                                                                 \
    X(MONITOR_PROBES, MONITOR, "probes")                                                           \
    X(MONITOR_TIMEOUT, MONITOR, "timeout")                                                         \
    X(MONITOR_NOTRUN, MONITOR, "notrun")                                                           \
    X(MONITOR_LATE, MONITOR, "late")                                                               \
    X(MONITOR_SKIPPED, MONITOR, "skipped")

enum counter {
#define COUNTER_ENUM(name, group, key) COUNTER_##name,
    COUNTERS(COUNTER_ENUM)
#undef COUNTER_ENUM
        COUNTER_COUNT
};

struct counters {
    cache_aligned _Atomic uint64_t v[COUNTER_COUNT];
};

/* The owner alone writes, so a plain load and store are enough; atomic so that main may read. */
static inline void counter_add(struct counters *c, enum counter which, uint64_t n)
{
    uint64_t old = atomic_load_explicit(&c->v[which], memory_order_relaxed);
    atomic_store_explicit(&c->v[which], old + n, memory_order_relaxed);
}

static inline uint64_t counter_get(const struct counters *c, enum counter which)
{
    return atomic_load_explicit(&c->v[which], memory_order_relaxed);
}

/* sum[COUNTER_COUNT] += every counter of c. */
void counters_sum(const struct counters *c, uint64_t sum[COUNTER_COUNT]);

#endif
