/* SPDX-License-Identifier: GPL-3.0-or-later */
/* edns_parse: a row per rule of RFC 5001, 7828, 7830, 7871, 7873; then hostile bytes. */
#include <string.h>

#include "base/mem.h"
#include "base/prng.h"
#include "unit/run.h"
#include "wire/edns.h"

#define B(text) text, sizeof(text) - 1
#define COOKIE8 "abcdefgh"
#define TCP     EDNS_RULE_TCP
#define GDNSD   EDNS_RULE_GDNSD

static const struct {
    const char *bytes;
    size_t len;
    unsigned rules;
    enum edns_verdict verdict;
    unsigned seen;
} rows[] = {
    {B(""), 0, EDNS_OK, 0},
    /* form (RFC 6891 section 6.1.2) */
    {B("\0"), 0, EDNS_BAD, 0},
    {B("\0\3\0"), 0, EDNS_BAD, 0},
    {B("\0\3\0\1"), 0, EDNS_BAD, 0},
    {B("\xff\xff\0\2ab"), 0, EDNS_OK, 0}, /* unknown */
    {B("\xff\xff\0\3ab"), 0, EDNS_BAD, 0},
    {B("\0\x0f\0\2\0\1"), 0, EDNS_OK, 0}, /* an extended error from a client means nothing */
    /* NSID: data is passed over (RFC 5001 section 2.2), but by gdnsd */
    {B("\0\3\0\0"), 0, EDNS_OK, EDNS_SEEN_NSID},
    {B("\0\3\0\1x"), 0, EDNS_OK, EDNS_SEEN_NSID},
    {B("\0\3\0\0"), EDNS_RULE_GDNSD, EDNS_OK, EDNS_SEEN_NSID},
    {B("\0\3\0\1x"), EDNS_RULE_GDNSD, EDNS_BAD, 0},
    {B("\xff\0\0\0\0\3\0\0"), 0, EDNS_OK, EDNS_SEEN_NSID},
    /* client subnet (RFC 7871 section 6, 7.1.1) */
    {B("\0\x08\0\7\0\1\x18\0\xc0\0\2"), 0, EDNS_OK, EDNS_SEEN_ECS},
    {B("\0\x08\0\7\0\1\x14\0\xc0\0\x20"), 0, EDNS_OK, EDNS_SEEN_ECS},
    {B("\0\x08\0\7\0\1\x14\0\xc0\0\x21"), 0, EDNS_BAD, 0},   /* /20 with a bit behind it */
    {B("\0\x08\0\7\0\1\x20\0\xc0\0\2"), 0, EDNS_BAD, 0},     /* /32 in 3 bytes */
    {B("\0\x08\0\x08\0\1\x18\0\xc0\0\2\0"), 0, EDNS_BAD, 0}, /* /24 in 4 bytes */
    {B("\0\x08\0\x08\0\1\x20\0\xc0\0\2\1"), 0, EDNS_OK, EDNS_SEEN_ECS},
    {B("\0\x08\0\x09\0\1\x21\0\xc0\0\2\1\0"), 0, EDNS_BAD, 0}, /* /33 */
    {B("\0\x08\0\7\0\1\x18\1\xc0\0\2"), 0, EDNS_BAD, 0},       /* a scope */
    {B("\0\x08\0\4\0\1\0\0"), 0, EDNS_OK, EDNS_SEEN_ECS},      /* /0 */
    {B("\0\x08\0\4\0\2\0\0"), 0, EDNS_OK, EDNS_SEEN_ECS},
    {B("\0\x08\0\4\0\0\0\0"), 0, EDNS_OK, EDNS_SEEN_ECS},
    {B("\0\x08\0\4\0\0\0\0"), GDNSD, EDNS_BAD, 0},
    {B("\0\x08\0\5\0\0\x08\0\x0a"), 0, EDNS_BAD, 0}, /* family 0 with an address */
    {B("\0\x08\0\4\0\3\0\0"), 0, EDNS_BAD, 0},
    {B("\0\x08\0\3\0\1\0"), 0, EDNS_BAD, 0},
    {B("\0\x08\0\x0b\0\2\x38\0\x20\1\x0d\xb8\0\0\1"), 0, EDNS_OK, EDNS_SEEN_ECS},
    {B("\0\x08\0\x14\0\2\x80\0 0123456789abcde"), 0, EDNS_OK, EDNS_SEEN_ECS},
    {B("\0\x08\0\x15\0\2\x81\0 0123456789abcdef"), 0, EDNS_BAD, 0},
    {B("\0\x08\0\3\0\1\0"), EDNS_RULE_NO_ECS, EDNS_OK, 0},           /* off: not even looked at */
    {B("\0\x08\0\4\0\1\0\0\0\x08\0\1x"), 0, EDNS_OK, EDNS_SEEN_ECS}, /* the first counts */
    /* cookie (RFC 7873 section 4, 5.2.2) */
    {B("\0\x0a\0\x08" COOKIE8), 0, EDNS_OK, EDNS_SEEN_COOKIE},
    {B("\0\x0a\0\x10" COOKIE8 COOKIE8), 0, EDNS_OK, EDNS_SEEN_COOKIE},
    {B("\0\x0a\0\x28" COOKIE8 COOKIE8 COOKIE8 COOKIE8 COOKIE8), 0, EDNS_OK, EDNS_SEEN_COOKIE},
    {B("\0\x0a\0\x29" COOKIE8 COOKIE8 COOKIE8 COOKIE8 COOKIE8 "x"), 0, EDNS_BAD_COOKIE, 0},
    {B("\0\x0a\0\7abcdefg"), 0, EDNS_BAD_COOKIE, 0},
    {B("\0\x0a\0\x09" COOKIE8 "x"), 0, EDNS_BAD_COOKIE, 0},
    {B("\0\x0a\0\x0f" COOKIE8 "1234567"), 0, EDNS_BAD_COOKIE, 0},
    {B("\0\x0a\0\0"), 0, EDNS_BAD_COOKIE, 0},
    {B("\0\x0a\0\0"), EDNS_RULE_NO_COOKIES, EDNS_OK, 0},
    {B("\0\x0a\0\x08" COOKIE8 "\0\x0a\0\0"), 0, EDNS_OK, EDNS_SEEN_COOKIE},
    /* keepalive (RFC 7828 section 3.2.1) */
    {B("\0\x0b\0\0"), TCP, EDNS_OK, EDNS_SEEN_KEEPALIVE},
    {B("\0\x0b\0\2\0\1"), TCP, EDNS_BAD, 0},
    {B("\0\x0b\0\2\0\1"), TCP | GDNSD, EDNS_OK, EDNS_SEEN_KEEPALIVE},
    {B("\0\x0b\0\0"), 0, EDNS_OK, 0},
    {B("\0\x0b\0\2\0\1"), 0, EDNS_OK, 0},
    /* padding (RFC 7830 section 3): any bytes */
    {B("\0\x0c\0\0"), 0, EDNS_OK, EDNS_SEEN_PADDING},
    {B("\0\x0c\0\3\0x\0"), 0, EDNS_OK, EDNS_SEEN_PADDING},
    /* all together */
    {B("\0\3\0\0\0\x08\0\4\0\1\0\0\0\x0a\0\x08" COOKIE8 "\0\x0b\0\0\0\x0c\0\0"), TCP, EDNS_OK,
     0x1f},
};

START_TEST(each_rule)
{
    struct edns e;
    uint8_t copy[256]; /* a mistake over the end shows with sanitizers */
    uint8_t *exact = mem_alloc(rows[_i].len + 1);
    memcpy(copy, rows[_i].bytes, rows[_i].len);
    memcpy(exact, copy, rows[_i].len);
    ck_assert_int_eq(edns_parse(&e, exact, rows[_i].len, rows[_i].rules), (int)rows[_i].verdict);
    if (rows[_i].verdict == EDNS_OK)
        ck_assert_uint_eq(e.seen, rows[_i].seen);
    mem_free(exact);
}
END_TEST

START_TEST(values_are_copied)
{
    static const char bytes[] = "\0\x08\0\7\0\1\x18\0\xc0\0\2\0\x0a\0\x10" COOKIE8 "12345678";
    struct edns e;
    ck_assert_int_eq(edns_parse(&e, (const uint8_t *)bytes, sizeof bytes - 1, 0), EDNS_OK);
    ck_assert_uint_eq(e.ecs.family, 1);
    ck_assert_uint_eq(e.ecs.source, 24);
    ck_assert_uint_eq(e.ecs.addr_len, 3);
    ck_assert_mem_eq(e.ecs.addr, "\xc0\0\2", 3);
    ck_assert_uint_eq(e.cookie_len, 16);
    ck_assert_mem_eq(e.cookie, COOKIE8 "12345678", 16);
}
END_TEST

/* Whatever comes: a verdict, and lengths that hold. */
START_TEST(hostile_bytes)
{
    struct prng r;
    prng_init_from(&r, 11);
    for (int i = 0; i < 200000; i++) {
        size_t len = prng_below(&r, 64);
        uint8_t *p = mem_alloc(len + 1);
        for (size_t n = 0; n < len; n++)
            p[n] = (uint8_t)(prng_below(&r, 3) ? prng_below(&r, 16) : prng_below(&r, 256));
        struct edns e;
        if (edns_parse(&e, p, len, prng_below(&r, 16)) == EDNS_OK && (e.seen & EDNS_SEEN_ECS))
            ck_assert_uint_le(e.ecs.addr_len, 16);
        mem_free(p);
    }
}
END_TEST

static Suite *edns_suite(void)
{
    Suite *s = suite_create("edns");
    TCase *t = tcase_create("edns");
    tcase_add_loop_test(t, each_rule, 0, (int)array_len(rows));
    tcase_add_test(t, values_are_copied);
    tcase_add_test(t, hostile_bytes);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(edns_suite)
