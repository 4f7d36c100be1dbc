/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PROXY headers, versions 1 and 2: one row per rule of the specification; every split; bounds. */
#include <string.h>

#include "base/netaddr.h"
#include "net/proxy.h"
#include "unit/run.h"

#define B(text) text, sizeof(text) - 1
#define SIG     "\r\n\r\n\0\r\nQUIT\n"
#define V4      "\xc0\0\2\1\xc6\x33\x64\1\xc7\x38\0\x35"
#define DST6    "\x20\1\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\2\xc7\x38\0\x35"
#define V6      "\x20\1\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\1" DST6
#define MAPPED  "\0\0\0\0\0\0\0\0\0\0\xff\xff\xc0\0\2\1" DST6

static const struct {
    const char *bytes;
    size_t len;
    enum proxy_verdict verdict;
    const char *source; /* of PROXY_CLIENT */
} rows[] = {
    /* version 1 */
    {B("PROXY TCP4 192.0.2.1 198.51.100.1 51000 53\r\n"), PROXY_CLIENT, "192.0.2.1"},
    {B("PROXY TCP4 0.0.0.0 255.255.255.255 0 65535\r\n"), PROXY_CLIENT, "0.0.0.0"},
    {B("PROXY TCP6 2001:db8::1 ::1 51000 53\r\n"), PROXY_CLIENT, "2001:db8::1"},
    {B("PROXY TCP6 ::ffff:192.0.2.1 ::ffff:192.0.2.2 51000 53\r\n"), PROXY_CLIENT, "192.0.2.1"},
    {B("PROXY TCP6 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff "
       "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 65535 65535\r\n"),
     PROXY_CLIENT, "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"},
    {B("PROXY UNKNOWN\r\n"), PROXY_UNKNOWN, NULL},
    {B("PROXY UNKNOWN whatever comes here\r\n"), PROXY_UNKNOWN, NULL},
    {B("PROXY UNKNOWNS\r\n"), PROXY_BAD, NULL},
    {B("PROXY \r\n"), PROXY_BAD, NULL},
    {B("PROXY\r\n"), PROXY_BAD, NULL},
    {B("PROXY TCP5 192.0.2.1 198.51.100.1 51000 53\r\n"), PROXY_BAD, NULL},
    {B("PROXY tcp4 192.0.2.1 198.51.100.1 51000 53\r\n"), PROXY_BAD, NULL},
    {B("proxy TCP4 192.0.2.1 198.51.100.1 51000 53\r\n"), PROXY_BAD, NULL},
    {B("PROXY UDP4 192.0.2.1 198.51.100.1 51000 53\r\n"), PROXY_BAD, NULL},
    {B("PROXY TCP4 2001:db8::1 ::1 51000 53\r\n"), PROXY_BAD, NULL},
    {B("PROXY TCP6 192.0.2.1 198.51.100.1 51000 53\r\n"), PROXY_BAD, NULL},
    {B("PROXY TCP4 192.0.2.1 ::1 51000 53\r\n"), PROXY_BAD, NULL},
    {B("PROXY TCP4 192.0.2.256 198.51.100.1 51000 53\r\n"), PROXY_BAD, NULL},
    {B("PROXY TCP4 192.0.2.1 198.51.100.1 51000\r\n"), PROXY_BAD, NULL},
    {B("PROXY TCP4 192.0.2.1 198.51.100.1 51000 53 \r\n"), PROXY_BAD, NULL},
    {B("PROXY TCP4 192.0.2.1 198.51.100.1 51000 53 1\r\n"), PROXY_BAD, NULL},
    {B("PROXY TCP4  192.0.2.1 198.51.100.1 51000 53\r\n"), PROXY_BAD, NULL},
    {B("PROXY TCP4 192.0.2.1 198.51.100.1 65536 53\r\n"), PROXY_BAD, NULL},
    {B("PROXY TCP4 192.0.2.1 198.51.100.1 051 53\r\n"), PROXY_BAD, NULL},
    {B("PROXY TCP4 192.0.2.1 198.51.100.1 -1 53\r\n"), PROXY_BAD, NULL},
    {B("PROXY TCP4 192.0.2.1 198.51.100.1 99999999999 53\r\n"), PROXY_BAD, NULL},
    {B("PROXY TCP4 192.0.2.1 198.51.100.1 51000 53\n"), PROXY_BAD, NULL},
    {B("PROXY TCP4 192.0.2.1\0 198.51.100.1 51000 53\r\n"), PROXY_BAD, NULL},
    {B("GET / HTTP/1.0\r\n"), PROXY_BAD, NULL},
    {B("\0\x1d\x12\x34"), PROXY_BAD, NULL}, /* DNS without a header in front */
    {B(""), PROXY_MORE, NULL},
    /* version 2 */
    {B(SIG "\x21\x11\0\x0c" V4), PROXY_CLIENT, "192.0.2.1"},
    {B(SIG "\x21\x21\0\x24" V6), PROXY_CLIENT, "2001:db8::1"},
    {B(SIG "\x21\x21\0\x24" MAPPED), PROXY_CLIENT, "192.0.2.1"},
    {B(SIG "\x21\x11\0\x10" V4 "\4\0\1x"), PROXY_CLIENT, "192.0.2.1"}, /* a TLV */
    {B(SIG "\x21\x11\0\x0d" V4 "x"), PROXY_CLIENT, "192.0.2.1"},       /* a broken one */
    {B(SIG "\x20\0\0\0"), PROXY_LOCAL, NULL},
    {B(SIG "\x20\x11\0\x0c" V4), PROXY_LOCAL, NULL},
    {B(SIG "\x20\xff\0\4abcd"), PROXY_LOCAL, NULL},
    {B(SIG "\x21\0\0\0"), PROXY_UNKNOWN, NULL},
    {B(SIG "\x21\0\0\4abcd"), PROXY_UNKNOWN, NULL},
    {B(SIG "\x21\x11\0\x0b"
           "abcdefghijk"),
     PROXY_BAD, NULL}, /* too short for its family */
    {B(SIG "\x21\x21\0\x0c" V4), PROXY_BAD, NULL},
    {B(SIG "\x21\x12\0\x0c" V4), PROXY_BAD, NULL}, /* UDP */
    {B(SIG "\x21\x31\0\0"), PROXY_BAD, NULL},      /* UNIX */
    {B(SIG "\x21\x01\0\0"), PROXY_BAD, NULL},
    {B(SIG "\x22\x11\0\x0c" V4), PROXY_BAD, NULL}, /* an unknown command */
    {B(SIG "\x11\x11\0\x0c" V4), PROXY_BAD, NULL}, /* version 1 there */
    {B(SIG "\x31\x11\0\x0c" V4), PROXY_BAD, NULL},
    {B(SIG "\x21\x11\x0f\xf1"), PROXY_BAD, NULL}, /* longer than we take */
    {B("\r\n\r\n\0\r\nQUIT\r"), PROXY_BAD, NULL},
};

static const uint8_t *bytes_of(int i)
{
    return (const uint8_t *)rows[i].bytes;
}

static bool is_whole(enum proxy_verdict v)
{
    return v != PROXY_MORE && v != PROXY_BAD;
}

START_TEST(each_rule)
{
    struct proxy_header h;
    char text[NETADDR_TEXT];
    ck_assert_int_eq(proxy_parse(bytes_of(_i), rows[_i].len, &h), (int)rows[_i].verdict);
    if (is_whole(rows[_i].verdict))
        ck_assert_uint_eq(h.len, rows[_i].len);
    if (rows[_i].source)
        ck_assert_str_eq(netaddr_print_addr(&h.source, text), rows[_i].source);
}
END_TEST

/* In pieces: more is asked for until the last byte; what comes behind is not looked at. */
START_TEST(each_split)
{
    struct proxy_header h;
    uint8_t with_more[256];
    if (!is_whole(rows[_i].verdict))
        return;
    for (size_t n = 0; n < rows[_i].len; n++)
        ck_assert_int_eq(proxy_parse(bytes_of(_i), n, &h), PROXY_MORE);
    memset(with_more, '\n', sizeof with_more);
    memcpy(with_more, bytes_of(_i), rows[_i].len);
    ck_assert_int_eq(proxy_parse(with_more, sizeof with_more, &h), (int)rows[_i].verdict);
    ck_assert_uint_eq(h.len, rows[_i].len);
}
END_TEST

/* 107 bytes are the longest line, PROXY_HEADER_MAX the longest header of version 2. */
START_TEST(bounds)
{
    static uint8_t m[PROXY_HEADER_MAX + 1];
    struct proxy_header h;
    memset(m, 'x', sizeof m);
    memcpy(m, "PROXY UNKNOWN ", 14);
    ck_assert_int_eq(proxy_parse(m, 106, &h), PROXY_MORE);
    ck_assert_int_eq(proxy_parse(m, 107, &h), PROXY_BAD);
    memcpy(m + 105, "\r\n", 2);
    ck_assert_int_eq(proxy_parse(m, sizeof m, &h), PROXY_UNKNOWN);
    memcpy(m + 105, "x\r\n", 3);
    ck_assert_int_eq(proxy_parse(m, sizeof m, &h), PROXY_BAD);
    memcpy(m, SIG "\x21\x11\x0f\xf0", 16);
    ck_assert_int_eq(proxy_parse(m, PROXY_HEADER_MAX - 1, &h), PROXY_MORE);
    ck_assert_int_eq(proxy_parse(m, sizeof m, &h), PROXY_CLIENT);
    ck_assert_uint_eq(h.len, PROXY_HEADER_MAX);
}
END_TEST

static Suite *proxy_suite(void)
{
    Suite *s = suite_create("proxy");
    TCase *t = tcase_create("proxy");
    tcase_add_loop_test(t, each_rule, 0, (int)(sizeof rows / sizeof *rows));
    tcase_add_loop_test(t, each_split, 0, (int)(sizeof rows / sizeof *rows));
    tcase_add_test(t, bounds);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(proxy_suite)
