/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Response rate limiting: against a naive model with one exact account per key, then what counts
 * as one account, the bound of the table, and what the answer layer makes of it.
 */
#include <stdio.h>
#include <string.h>

#include "answer/rrl.h"
#include "base/err.h"
#include "base/netaddr.h"
#include "unit/run.h"

#define SECOND 1000000u

static struct rrl_config config_of(uint32_t per_second)
{
    struct rrl_config c = {
        .window_s = 15, .slip = 0, .v4_bits = 24, .v6_bits = 56, .accounts = 65536};
    for (int i = 0; i < RRL_CLASS_COUNT; i++)
        c.per_second[i] = per_second;
    return c;
}

static struct th_addr addr(const char *text)
{
    struct th_addr a;
    ck_assert_int_eq(netaddr_parse_addr(text, &a), 0);
    return a;
}

struct rig {
    struct rrl *r;
    struct prng prng;
};

static enum rrl_verdict ask(struct rig *g, const char *client, enum rrl_class class, uint64_t id,
                            uint64_t now_us)
{
    struct th_addr a = addr(client);
    struct rrl_response what = {&a, class, id};
    return rrl_check(g->r, &g->prng, &what, now_us);
}

static struct rig rig_open(const struct rrl_config *c)
{
    struct rig g = {.r = rrl_new(c)};
    prng_init_from(&g.prng, 5);
    return g;
}

/* As the header says it, in seconds: a response costs 1/rate, an account more than a second ahead
 * is over its limit, and never by more than the window. */
struct model {
    double paid_until;
};

static bool model_passes(struct model *m, double rate, double window, double now)
{
    if (m->paid_until < now)
        m->paid_until = now;
    m->paid_until += 1 / rate;
    if (m->paid_until > now + 1 + window)
        m->paid_until = now + 1 + window;
    return m->paid_until - now <= 1 + 1e-9;
}

START_TEST(agrees_with_the_model)
{
    static const uint32_t rates[] = {1, 2, 5, 10, 100, 1000}, windows[] = {15, 1};
    const uint32_t rate = rates[_i / 2], window_s = windows[_i % 2];
    struct rrl_config c = config_of(rate);
    c.window_s = window_s;
    struct rig g = rig_open(&c);
    struct model m[8] = {{0}};
    struct prng r;
    uint64_t now_us = 123 * (uint64_t)SECOND;
    unsigned passed = 0, held = 0;
    prng_init_from(&r, 9);
    for (int i = 0; i < 100000; i++) {
        unsigned who = prng_below(&r, 8);
        char client[32];
        (void)snprintf(client, sizeof client, "192.0.%u.%u", who, prng_below(&r, 256));
        bool want = model_passes(&m[who], rate, window_s, (double)now_us / SECOND);
        ck_assert_int_eq(ask(&g, client, RRL_ANSWER, 77, now_us), want ? RRL_PASS : RRL_DROP);
        passed += want;
        held += !want;
        /* steps of whole units around the rate, at times a long pause */
        uint32_t step = SECOND / rate / 8;
        now_us += prng_below(&r, 20000) == 0 ? 20ull * SECOND : prng_below(&r, step / 10 + 1) * 10;
    }
    ck_assert_uint_gt(passed, 50);
    ck_assert_uint_gt(held, 50);
    rrl_unref(g.r);
}
END_TEST

/* A flood is cut off until it ends, and for the window; then it has what it pays. */
START_TEST(flood_and_recovery)
{
    static const uint32_t windows[] = {1, 15, 3600};
    struct rrl_config c = config_of(10);
    c.window_s = windows[_i];
    struct rig g = rig_open(&c);
    uint64_t now_us = SECOND;
    for (int i = 0; i < 40000; i++, now_us += 1000) {
        enum rrl_verdict v = ask(&g, "192.0.2.1", RRL_ANSWER, 1, now_us);
        ck_assert_int_eq(v, i < 10 ? RRL_PASS : RRL_DROP);
    }
    now_us += (uint64_t)c.window_s * SECOND;
    ck_assert_int_eq(ask(&g, "192.0.2.1", RRL_ANSWER, 1, now_us - SECOND / 2), RRL_DROP);
    ck_assert_int_eq(ask(&g, "192.0.2.1", RRL_ANSWER, 1, now_us + SECOND), RRL_PASS);
    rrl_unref(g.r);
}
END_TEST

static const struct {
    const char *client;
    enum rrl_class class;
    uint64_t id;
    bool same; /* account as (192.0.2.1, ANSWER, 1) */
} others[] = {
    {"192.0.2.1", RRL_ANSWER, 1, true},    {"192.0.2.254", RRL_ANSWER, 1, true},
    {"192.0.3.1", RRL_ANSWER, 1, false},   {"192.0.2.1", RRL_ANSWER, 2, false},
    {"192.0.2.1", RRL_NODATA, 1, false},   {"192.0.2.1", RRL_NXDOMAIN, 1, false},
    {"192.0.2.1", RRL_REFERRAL, 1, false}, {"192.0.2.1", RRL_ERROR, 1, false},
    {"c000:201::", RRL_ANSWER, 1, false}, /* the same bytes in the other family */
};

START_TEST(accounts)
{
    struct rrl_config c = config_of(10);
    struct rig g = rig_open(&c);
    for (int i = 0; i < 100; i++)
        (void)ask(&g, "192.0.2.1", RRL_ANSWER, 1, SECOND); /* until it is far over */
    enum rrl_verdict v = ask(&g, others[_i].client, others[_i].class, others[_i].id, SECOND);
    ck_assert_int_eq(v, others[_i].same ? RRL_DROP : RRL_PASS);
    rrl_unref(g.r);
}
END_TEST

START_TEST(v6_networks)
{
    struct rrl_config c = config_of(10);
    struct rig g = rig_open(&c);
    for (int i = 0; i < 100; i++)
        (void)ask(&g, "2001:db8:0:100::1", RRL_ANSWER, 1, SECOND);
    ck_assert_int_eq(ask(&g, "2001:db8:0:1ff:ffff::", RRL_ANSWER, 1, SECOND), RRL_DROP);
    ck_assert_int_eq(ask(&g, "2001:db8:0:200::1", RRL_ANSWER, 1, SECOND), RRL_PASS);
    rrl_unref(g.r);
}
END_TEST

START_TEST(exempt_networks_and_free_classes)
{
    struct netprefix nets[2];
    struct rrl_config c = config_of(1);
    ck_assert_int_eq(netprefix_parse("198.51.100.0/25", &nets[0]), 0);
    ck_assert_int_eq(netprefix_parse("2001:db8::/32", &nets[1]), 0);
    c.exempt = nets;
    c.exempt_count = 2;
    c.per_second[RRL_NODATA] = 0;
    struct rig g = rig_open(&c);
    for (int i = 0; i < 100; i++) {
        ck_assert_int_eq(ask(&g, "198.51.100.127", RRL_ANSWER, 1, SECOND), RRL_PASS);
        ck_assert_int_eq(ask(&g, "2001:db8:ffff::1", RRL_ANSWER, 1, SECOND), RRL_PASS);
        ck_assert_int_eq(ask(&g, "192.0.2.1", RRL_NODATA, 1, SECOND), RRL_PASS);
    }
    ck_assert_int_eq(ask(&g, "192.0.2.1", RRL_ANSWER, 1, SECOND), RRL_PASS);
    ck_assert_int_eq(ask(&g, "192.0.2.1", RRL_ANSWER, 1, SECOND), RRL_DROP);
    rrl_unref(g.r);
}
END_TEST

static const struct {
    uint32_t slip;
    unsigned least, most; /* of 10,000 limited responses */
} slips[] = {{0, 0, 0}, {1, 10000, 10000}, {2, 4700, 5300}, {10, 850, 1150}};

START_TEST(slip)
{
    struct rrl_config c = config_of(1);
    c.slip = slips[_i].slip;
    struct rig g = rig_open(&c);
    unsigned slipped = 0;
    ck_assert_int_eq(ask(&g, "192.0.2.1", RRL_ANSWER, 1, SECOND), RRL_PASS);
    for (int i = 0; i < 10000; i++) {
        enum rrl_verdict v = ask(&g, "192.0.2.1", RRL_ANSWER, 1, SECOND);
        ck_assert_int_ne(v, RRL_PASS);
        slipped += v == RRL_SLIP;
    }
    ck_assert_uint_ge(slipped, slips[_i].least);
    ck_assert_uint_le(slipped, slips[_i].most);
    rrl_unref(g.r);
}
END_TEST

/* A flood from a million networks: the table stays as it is, and one that keeps flooding among them
 * is still held. */
START_TEST(the_table_is_bounded)
{
    struct rrl_config c = config_of(5);
    c.accounts = 4096;
    struct rig g = rig_open(&c);
    struct prng r;
    unsigned passed = 0;
    prng_init_from(&r, 4);
    for (uint32_t i = 0; i < 1000000; i++) {
        struct th_addr a = {.family = 4};
        uint32_t any = (uint32_t)prng_next(&r);
        memcpy(a.bytes, &any, 4);
        struct rrl_response what = {&a, RRL_ANSWER, any};
        uint64_t now_us = SECOND + i;
        (void)rrl_check(g.r, &g.prng, &what, now_us);
        if (i % 16 == 0)
            passed += ask(&g, "192.0.2.1", RRL_ANSWER, 1, now_us) == RRL_PASS;
    }
    ck_assert_uint_lt(passed, 100); /* of 62,500 within a second */
    rrl_unref(g.r);
}
END_TEST

static const struct {
    const char *text;
    int error; /* 0 = good */
    const char *inside, *outside;
} nets[] = {
    {"192.0.2.0/24", 0, "192.0.2.255", "192.0.3.0"},
    {"192.0.2.128/25", 0, "192.0.2.129", "192.0.2.127"},
    {"192.0.2.7", 0, "192.0.2.7", "192.0.2.6"},
    {"0.0.0.0/0", 0, "203.0.113.9", "::"},
    {"::/0", 0, "2001:db8::", "0.0.0.0"},
    {"2001:db8::/33", 0, "2001:db8:7fff::", "2001:db8:8000::"},
    {"::1/128", 0, "::1", "::2"},
    {"192.0.2.1/24", ERR_RANGE, NULL, NULL},
    {"192.0.2.0/33", ERR_RANGE, NULL, NULL},
    {"::/129", ERR_RANGE, NULL, NULL},
    {"192.0.2.0/", ERR_SYNTAX, NULL, NULL},
    {"192.0.2.0/2x", ERR_SYNTAX, NULL, NULL},
    {"192.0.2.0/0024", ERR_SYNTAX, NULL, NULL},
    {"192.0.2/24", ERR_SYNTAX, NULL, NULL},
    {"", ERR_SYNTAX, NULL, NULL},
};

START_TEST(prefixes)
{
    struct netprefix p;
    ck_assert_int_eq(netprefix_parse(nets[_i].text, &p), nets[_i].error);
    if (nets[_i].error)
        return;
    struct th_addr in = addr(nets[_i].inside), out = addr(nets[_i].outside);
    ck_assert(netprefix_contains(&p, &in));
    ck_assert(!netprefix_contains(&p, &out));
}
END_TEST

static Suite *rrl_suite(void)
{
    Suite *s = suite_create("rrl");
    TCase *t = tcase_create("rrl");
    tcase_add_loop_test(t, agrees_with_the_model, 0, 12);
    tcase_add_loop_test(t, flood_and_recovery, 0, 3);
    tcase_add_loop_test(t, accounts, 0, (int)array_len(others));
    tcase_add_test(t, v6_networks);
    tcase_add_test(t, exempt_networks_and_free_classes);
    tcase_add_loop_test(t, slip, 0, (int)array_len(slips));
    tcase_add_test(t, the_table_is_bounded);
    tcase_add_loop_test(t, prefixes, 0, (int)array_len(nets));
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(rrl_suite)
