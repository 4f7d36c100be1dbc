/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * thresh/types.h: the two values that every layer and every plugin speaks of: an IP address and
 * the state word.  Needs libc only; compiles alone as C11 and as C++17.
 *
 *   state word, 64 bits
 *    63      56 55                    35 34                28 27                     0
 *   +----------+------------------------+--------------------+------------------------+
 *   |  weight  |        reserved        |       flags        |      TTL, seconds      |
 *   +----------+------------------------+--------------------+------------------------+
 *
 * A word says what is known of one monitored item, or of a resource made of many.  Choosing
 * addresses reads DOWN; the TTL rule reads ANY_DOWN of everything that was tried.  ANY_DOWN is
 * never cleared by a passed threshold or by a fail-over.
 *
 * Thread rule: plain values; a word shared between threads is loaded and stored as one relaxed
 * 64-bit atomic.
 */
#ifndef THRESH_TYPES_H
#define THRESH_TYPES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An IPv4 or IPv6 address without port. */
struct th_addr {
    uint8_t family;    /* 4 or 6; 0 = none */
    uint8_t bytes[16]; /* network order; IPv4 uses the first 4, the rest is zero */
};

static inline unsigned th_addr_len(const struct th_addr *a)
{
    return a->family == 4 ? 4u : 16u;
}

static inline bool th_addr_equal(const struct th_addr *a, const struct th_addr *b)
{
    return a->family == b->family && memcmp(a->bytes, b->bytes, th_addr_len(a)) == 0;
}

/* 28 bits of TTL: the largest says "nothing limits it". */
#define TH_TTL_MAX 268435455u

#define TH_DOWN     (1ull << 28) /* not to be answered while there is a choice */
#define TH_ANY_DOWN (1ull << 29) /* something that was tried is DOWN: halves the TTL */
#define TH_FORCED   (1ull << 30) /* set by an administrator, not by a probe */
#define TH_DRAIN    (1ull << 31) /* takes no new clients, yet is not DOWN */
#define TH_MAINT    (1ull << 32) /* as DRAIN, and is not probed */
#define TH_PENDING  (1ull << 33) /* no result yet */
#define TH_STALE    (1ull << 34) /* the result is older than it should be */

#define TH_WEIGHT_SHIFT 56
#define TH_WEIGHT_MAX   255u

/* Flags that OR over everything combined; DRAIN and MAINT differ, see below. */
#define TH_FLAGS_OR    (TH_DOWN | TH_ANY_DOWN | TH_FORCED | TH_PENDING | TH_STALE)
#define TH_FLAGS_DRAIN (TH_DRAIN | TH_MAINT)

struct th_word {
    uint64_t bits;
};

static inline struct th_word th_word_make(uint64_t flags, uint32_t ttl_s, unsigned weight)
{
    struct th_word w;
    w.bits = flags | (ttl_s > TH_TTL_MAX ? TH_TTL_MAX : ttl_s) |
             ((uint64_t)(weight > TH_WEIGHT_MAX ? TH_WEIGHT_MAX : weight) << TH_WEIGHT_SHIFT);
    return w;
}

/* The neutral element of both combinations below, DRAIN over members aside: UP, TTL MAX. */
static inline struct th_word th_word_up(void)
{
    return th_word_make(0, TH_TTL_MAX, TH_WEIGHT_MAX);
}

static inline struct th_word th_word_down(uint32_t ttl_s)
{
    return th_word_make(TH_DOWN | TH_ANY_DOWN, ttl_s, TH_WEIGHT_MAX);
}

static inline uint32_t th_word_ttl(struct th_word w)
{
    return (uint32_t)(w.bits & TH_TTL_MAX);
}

static inline unsigned th_word_weight(struct th_word w)
{
    return (unsigned)(w.bits >> TH_WEIGHT_SHIFT);
}

static inline bool th_word_has(struct th_word w, uint64_t flag)
{
    return (w.bits & flag) != 0;
}

static inline uint32_t th_word_lesser_ttl_(struct th_word a, struct th_word b)
{
    uint32_t ta = th_word_ttl(a), tb = th_word_ttl(b);
    return ta < tb ? ta : tb;
}

/* Combine the states of one address under two service types: the worst of both. */
static inline struct th_word th_word_and_type(struct th_word a, struct th_word b)
{
    unsigned wa = th_word_weight(a), wb = th_word_weight(b);
    return th_word_make((a.bits | b.bits) & (TH_FLAGS_OR | TH_FLAGS_DRAIN),
                        th_word_lesser_ttl_(a, b), wa < wb ? wa : wb);
}

/* Combine two members of a set: drained only if both are; weight is a member's own affair. */
static inline struct th_word th_word_and_member(struct th_word a, struct th_word b)
{
    return th_word_make(((a.bits | b.bits) & TH_FLAGS_OR) | (a.bits & b.bits & TH_FLAGS_DRAIN),
                        th_word_lesser_ttl_(a, b), TH_WEIGHT_MAX);
}

#ifdef __cplusplus
}
#endif
#endif
