/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * DNS cookies: the examples of RFC 9018 appendix A, a cookie that gdnsd 3.8.1 gave, and the rules
 * of validity.
 */
#include <arpa/inet.h>
#include <sodium.h>
#include <string.h>

#include "answer/cookie.h"
#include "base/netaddr.h"
#include "unit/run.h"

#define SECRET_A     "e5e973e5a6b2a43f48e7dc849e37bfcf"
#define SECRET_OLD   "dd3bdf9344b678b185a6f5cb60fca715"
#define SECRET_NEW   "445536bcd2513298075a5d379663c962"
#define CLIENT_A     "198.51.100.100"
#define CLIENT_B     "203.0.113.203"
#define CLIENT_C     "2001:db8:220:1:59de:d0f4:8769:82b8"
#define COOKIE_A     "2464c4abcf10c957010000005cf79f111f8130c3eee29480"
#define COOKIE_A_NEW "2464c4abcf10c957010000005cf7a871d4a564a1442aca77"
#define MADE_A       1559731985u

static size_t from_hex(const char *hex, uint8_t *out, size_t cap)
{
    size_t len = 0;
    ck_assert_int_eq(sodium_hex2bin(out, cap, hex, strlen(hex), NULL, &len, NULL), 0);
    return len;
}

static struct cookie_keys *keys_of(const char *first, const char *second)
{
    struct cookie_secret s[2];
    size_t count = second ? 2 : 1;
    from_hex(first, s[0].bytes, sizeof s[0].bytes);
    if (second)
        from_hex(second, s[1].bytes, sizeof s[1].bytes);
    return cookie_keys_new(&(struct cookie_config){.secrets = s, .secret_count = count});
}

struct ask {
    struct edns opt;
    struct th_addr client;
    struct cookie_ask ask;
};

static const struct cookie_ask *ask_for(struct ask *a, const char *cookie, const char *client,
                                        uint64_t now_s)
{
    a->opt.seen = EDNS_SEEN_COOKIE;
    a->opt.cookie_len = (uint8_t)from_hex(cookie, a->opt.cookie, sizeof a->opt.cookie);
    ck_assert_int_eq(netaddr_parse_addr(client, &a->client), 0);
    a->ask = (struct cookie_ask){&a->opt, &a->client, now_s};
    return &a->ask;
}

static const struct {
    const char *secret, *verify_too, *client, *sent;
    uint64_t now_s;
    enum cookie_state state;
    const char *answer; /* NULL = any */
} examples[] = {
    /* appendix A.1: learning a server cookie */
    {SECRET_A, NULL, CLIENT_A, "2464c4abcf10c957", MADE_A, COOKIE_INIT, COOKIE_A},
    /* A.2: 40 minutes later a fresh one */
    {SECRET_A, NULL, CLIENT_A, COOKIE_A, 1559734385, COOKIE_OK, COOKIE_A_NEW},
    /* a young one is given back */
    {SECRET_A, NULL, CLIENT_A, COOKIE_A, MADE_A + 1799, COOKIE_OK, COOKIE_A},
    /* A.3: another client, reserved bytes that are not zero */
    {SECRET_A, NULL, CLIENT_B, "fc93fc62807ddb8601abcdef5cf78f71a314227b6679ebf5", 1559727985 + 60,
     COOKIE_OK, NULL},
    {SECRET_A, NULL, CLIENT_B, "fc93fc62807ddb86", 1559734700, COOKIE_INIT,
     "fc93fc62807ddb86010000005cf7a9acf73a7810aca2381e"},
    /* A.4: the old secret still verifies */
    {SECRET_NEW, SECRET_OLD, CLIENT_C, "22681ab97d52c298010000005cf7c57926556bd0934c72f8",
     0x5cf7c609, COOKIE_OK, NULL},
    {SECRET_NEW, SECRET_OLD, CLIENT_C, "22681ab97d52c298", 0x5cf7c609, COOKIE_INIT,
     "22681ab97d52c298010000005cf7c609a6bb79d16625507a"},
    {SECRET_NEW, NULL, CLIENT_C, "22681ab97d52c298010000005cf7c57926556bd0934c72f8", 0x5cf7c609,
     COOKIE_BAD, NULL},
    /* section 4.3: an hour back, five minutes ahead */
    {SECRET_A, NULL, CLIENT_A, COOKIE_A, MADE_A + 3600, COOKIE_OK, NULL},
    {SECRET_A, NULL, CLIENT_A, COOKIE_A, MADE_A + 3601, COOKIE_BAD, NULL},
    {SECRET_A, NULL, CLIENT_A, COOKIE_A, MADE_A - 300, COOKIE_OK, NULL},
    {SECRET_A, NULL, CLIENT_A, COOKIE_A, MADE_A - 301, COOKIE_BAD, NULL},
    /* replayed from elsewhere, or changed */
    {SECRET_A, NULL, CLIENT_B, COOKIE_A, MADE_A, COOKIE_BAD, NULL},
    {SECRET_A, NULL, CLIENT_A, "2464c4abcf10c957010000005cf79f111f8130c3eee29481", MADE_A,
     COOKIE_BAD, NULL},
    {SECRET_A, NULL, CLIENT_A, "2464c4abcf10c957020000005cf79f111f8130c3eee29480", MADE_A,
     COOKIE_BAD, NULL},
    {SECRET_A, NULL, CLIENT_A, "2464c4abcf10c957010000005cf79f111f8130c3eee2948000", MADE_A,
     COOKIE_BAD, NULL},
    {SECRET_A, NULL, CLIENT_A, "2464c4abcf10c9570102030405060708", MADE_A, COOKIE_BAD, NULL},
};

START_TEST(rfc9018)
{
    struct ask a;
    struct cookie_hours hours = {0};
    struct cookie_keys *k = keys_of(examples[_i].secret, examples[_i].verify_too);
    const struct cookie_ask *ask =
        ask_for(&a, examples[_i].sent, examples[_i].client, examples[_i].now_s);
    enum cookie_state state = cookie_check(k, &hours, ask);
    ck_assert_int_eq(state, (int)examples[_i].state);
    uint8_t made[COOKIE_ANSWER_MAX], want[COOKIE_ANSWER_MAX];
    cookie_answer(k, &hours, ask, state, made);
    ck_assert_uint_eq(cookie_answer_len(k), COOKIE_ANSWER_MAX);
    ck_assert_mem_eq(made, a.opt.cookie, EDNS_CLIENT_COOKIE);
    if (examples[_i].answer) {
        ck_assert_uint_eq(from_hex(examples[_i].answer, want, sizeof want), COOKIE_ANSWER_MAX);
        ck_assert_mem_eq(made, want, COOKIE_ANSWER_MAX);
    }
    cookie_keys_unref(k);
}
END_TEST

/* The key file of the gdnsd that gave the cookie: bytes 1, 2, 3 ... */
static struct cookie_keys *gdnsd_keys(bool gdnsd)
{
    uint8_t primary[COOKIE_PRIMARY_BYTES];
    for (unsigned i = 0; i < sizeof primary; i++)
        primary[i] = (uint8_t)(i + 1);
    return cookie_keys_new(&(struct cookie_config){.primary = primary, .gdnsd = gdnsd});
}

#define GDNSD_COOKIE "01020304050607088bd27b126ba0ae9c"
#define GDNSD_TIME   1796081548u /* in the hour 498911 */

START_TEST(gdnsd_made_it)
{
    struct ask a;
    struct cookie_hours hours = {0};
    struct cookie_keys *k = gdnsd_keys(true);
    const struct cookie_ask *ask = ask_for(&a, "0102030405060708", "127.0.0.1", GDNSD_TIME);
    uint8_t made[COOKIE_ANSWER_MAX], want[COOKIE_ANSWER_MAX];
    ck_assert_uint_eq(cookie_answer_len(k), 16);
    cookie_answer(k, &hours, ask, cookie_check(k, &hours, ask), made);
    from_hex(GDNSD_COOKIE, want, sizeof want);
    ck_assert_mem_eq(made, want, 16);
    cookie_keys_unref(k);
}
END_TEST

static const struct {
    int64_t hours_later;
    enum cookie_state state;
} gdnsd_life[] = {
    {-2, COOKIE_BAD}, {-1, COOKIE_OK}, {0, COOKIE_OK}, {1, COOKIE_OK}, {2, COOKIE_BAD}};

/* Either server verifies what the other made, through the hours. */
START_TEST(gdnsd_life_of_a_cookie)
{
    for (int gdnsd = 0; gdnsd < 2; gdnsd++) {
        struct ask a;
        struct cookie_hours hours = {0};
        struct cookie_keys *k = gdnsd_keys(gdnsd);
        uint64_t now_s = (uint64_t)((int64_t)GDNSD_TIME + 3600 * gdnsd_life[_i].hours_later);
        ck_assert_int_eq(cookie_check(k, &hours, ask_for(&a, GDNSD_COOKIE, "127.0.0.1", now_s)),
                         (int)gdnsd_life[_i].state);
        ck_assert_int_eq(cookie_check(k, &hours, ask_for(&a, GDNSD_COOKIE, "127.0.0.2", now_s)),
                         COOKIE_BAD);
        cookie_keys_unref(k);
    }
}
END_TEST

/* The same primary key: what a native server makes, a gdnsd-like one of ours verifies, and back. */
START_TEST(mixed_fleet)
{
    for (int gdnsd = 0; gdnsd < 2; gdnsd++) {
        struct ask a;
        struct cookie_hours hours = {0}, other_hours = {0};
        struct cookie_keys *makes = gdnsd_keys(gdnsd), *verifies = gdnsd_keys(!gdnsd);
        const struct cookie_ask *ask = ask_for(&a, "0102030405060708", "2001:db8::1", GDNSD_TIME);
        uint8_t made[COOKIE_ANSWER_MAX];
        cookie_answer(makes, &hours, ask, COOKIE_INIT, made);
        a.opt.cookie_len = (uint8_t)cookie_answer_len(makes);
        memcpy(a.opt.cookie, made, a.opt.cookie_len);
        ck_assert_int_eq(cookie_check(verifies, &other_hours, ask), COOKIE_OK);
        cookie_keys_unref(makes);
        cookie_keys_unref(verifies);
    }
}
END_TEST

/* A worker's derived keys follow a change of the keys, even if they stand at the same address. */
START_TEST(hours_follow_the_keys)
{
    struct ask a;
    struct cookie_hours hours = {0};
    const struct cookie_ask *ask = ask_for(&a, GDNSD_COOKIE, "127.0.0.1", GDNSD_TIME);
    uint8_t other[COOKIE_PRIMARY_BYTES] = {9};
    struct cookie_keys *k = gdnsd_keys(true);
    ck_assert_int_eq(cookie_check(k, &hours, ask), COOKIE_OK);
    cookie_keys_unref(k);
    k = cookie_keys_new(&(struct cookie_config){.primary = other, .gdnsd = true});
    ck_assert_int_eq(cookie_check(k, &hours, ask), COOKIE_BAD);
    cookie_keys_unref(k);
}
END_TEST

static Suite *cookie_suite(void)
{
    Suite *s = suite_create("cookie");
    TCase *t = tcase_create("cookie");
    tcase_add_loop_test(t, rfc9018, 0, (int)array_len(examples));
    tcase_add_test(t, gdnsd_made_it);
    tcase_add_loop_test(t, gdnsd_life_of_a_cookie, 0, (int)array_len(gdnsd_life));
    tcase_add_test(t, mixed_fleet);
    tcase_add_test(t, hours_follow_the_keys);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(cookie_suite)
