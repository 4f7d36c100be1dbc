/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DSO messages: one row per rule of RFC 8490, and the bytes of replies. */
#include <string.h>

#include "net/dso.h"
#include "unit/run.h"
#include "wire/query.h"

#define B(text)   text, sizeof(text) - 1
#define HEAD      "\x12\x34\x30\0\0\0\0\0\0\0\0\0"
#define KEEPALIVE "\0\1\0\x08\0\0\x3a\x98\0\0\x3a\x98"

static const struct {
    const char *bytes;
    size_t len;
    enum dso_verdict verdict;
} rows[] = {
    {B(HEAD KEEPALIVE), DSO_KEEPALIVE},
    {B(HEAD KEEPALIVE "\0\3\0\4\0\0\0\0"), DSO_KEEPALIVE},      /* 7.3: padding */
    {B(HEAD KEEPALIVE "\0\3\0\0"), DSO_KEEPALIVE},              /* of no byte */
    {B(HEAD KEEPALIVE "\xf8\0\0\1x\0\x40\0\0"), DSO_KEEPALIVE}, /* 5.4.5: unknown additional */
    {B("\x12\x34\x37\xff\0\0\0\0\0\0\0\0" KEEPALIVE), DSO_KEEPALIVE}, /* 5.4.1: other bits */
    /* 5.4.5: unknown requests */
    {B(HEAD "\0\x40\0\0"), DSO_TYPENI},
    {B(HEAD "\0\0\0\0"), DSO_TYPENI},
    {B(HEAD "\xff\xff\0\3abc" KEEPALIVE), DSO_TYPENI},
    /* 5.4: no records; said before anything else is looked at */
    {B("\x12\x34\x30\0\0\1\0\0\0\0\0\0" KEEPALIVE), DSO_FORMERR},
    {B("\x12\x34\x30\0\0\0\0\1\0\0\0\0" KEEPALIVE), DSO_FORMERR},
    {B("\x12\x34\x30\0\0\0\0\0\1\0\0\0" KEEPALIVE), DSO_FORMERR},
    {B("\x12\x34\x30\0\0\0\0\0\0\0\0\1" KEEPALIVE), DSO_FORMERR},
    {B("\0\0\x30\0\0\0\0\0\0\0\0\1"), DSO_FORMERR},
    /* 5.4.5, 7.1.2: no unidirectional message is for a server */
    {B("\0\0\x30\0\0\0\0\0\0\0\0\0" KEEPALIVE), DSO_FATAL},
    {B("\0\0\x30\0\0\0\0\0\0\0\0\0\0\x40\0\0"), DSO_FATAL},
    /* a primary TLV there must be, and not each may be one: 5.4.4, 7.2.1, 7.3 */
    {B(HEAD), DSO_FATAL},
    {B(HEAD "\0\2\0\4\0\0\0\0"), DSO_FATAL},
    {B(HEAD "\0\3\0\0"), DSO_FATAL},
    /* TLVs end where the message ends: 5.4.4 */
    {B(HEAD "\0"), DSO_FATAL},
    {B(HEAD "\0\1\0"), DSO_FATAL},
    {B(HEAD "\0\1\0\x08\0\0\0\0\0\0\0"), DSO_FATAL},
    {B(HEAD KEEPALIVE "\0"), DSO_FATAL},
    {B(HEAD KEEPALIVE "\0\3\0"), DSO_FATAL},
    {B(HEAD KEEPALIVE "\0\3\0\4\0\0\0"), DSO_FATAL},
    {B(HEAD KEEPALIVE "\0\3\xff\xff"), DSO_FATAL},
    {B(HEAD "\0\x40\0\1"), DSO_FATAL},
    /* 7.1: a Keepalive is two numbers of 32 bits */
    {B(HEAD "\0\1\0\0"), DSO_FATAL},
    {B(HEAD "\0\1\0\4\0\0\0\0"), DSO_FATAL},
    {B(HEAD "\0\1\0\x09\0\0\0\0\0\0\0\0\0"), DSO_FATAL},
};

START_TEST(each_rule)
{
    const uint8_t *msg = (const uint8_t *)rows[_i].bytes;
    ck_assert(dso_is_request(msg, rows[_i].len));
    ck_assert_int_eq(dso_parse(msg, rows[_i].len), (int)rows[_i].verdict);
}
END_TEST

START_TEST(other_messages_are_none)
{
    static const struct {
        const char *bytes;
        size_t len;
    } others[] = {
        {B("")},
        {B("\x12\x34\x30\0\0\0\0\0\0\0\0")},             /* a runt */
        {B("\x12\x34\xb0\0\0\0\0\0\0\0\0\0" KEEPALIVE)}, /* a response */
        {B("\x12\x34\0\0\0\0\0\0\0\0\0\0" KEEPALIVE)},   /* QUERY */
        {B("\x12\x34\x28\0\0\0\0\0\0\0\0\0" KEEPALIVE)}, /* UPDATE */
        {B("\x12\x34\x38\0\0\0\0\0\0\0\0\0" KEEPALIVE)},
        {B("\x12\x34\x70\0\0\0\0\0\0\0\0\0" KEEPALIVE)},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ck_assert(!dso_is_request((const uint8_t *)others[i].bytes, others[i].len));
}
END_TEST

static const uint8_t request[] = HEAD KEEPALIVE;

START_TEST(replies)
{
    static const struct {
        enum dso_verdict verdict;
        const char *bytes;
        size_t len;
    } want[] = {
        {DSO_KEEPALIVE, B("\x12\x34\xb0\0\0\0\0\0\0\0\0\0\0\1\0\x08\xff\xff\xff\xff\0\0\x90\x88")},
        {DSO_TYPENI, B("\x12\x34\xb0\x0b\0\0\0\0\0\0\0\0")},
        {DSO_FORMERR, B("\x12\x34\xb0\x01\0\0\0\0\0\0\0\0")},
        {DSO_NOTIMP, B("\x12\x34\xb0\x04\0\0\0\0\0\0\0\0")},
    };
    const struct dso_terms terms = {.inactivity_ms = 37000};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        uint8_t out[DSO_REPLY_MAX];
        ck_assert_uint_eq(dso_reply(want[i].verdict, request, &terms, out), want[i].len);
        ck_assert_mem_eq(out, want[i].bytes, want[i].len);
    }
}
END_TEST

/* A session that is established is padded; an error stays a header. */
START_TEST(padded_replies)
{
    static const char keepalive[] =
        "\x12\x34\xb0\0\0\0\0\0\0\0\0\0\0\1\0\x08\xff\xff\xff\xff\0\0\0\0\0\3\1\xb8";
    const struct dso_terms terms = {.inactivity_ms = 0, .pad = true};
    uint8_t out[DSO_REPLY_MAX];
    memset(out, 0xff, sizeof out);
    ck_assert_uint_eq(dso_reply(DSO_KEEPALIVE, request, &terms, out), DSO_REPLY_MAX);
    ck_assert_mem_eq(out, keepalive, sizeof keepalive - 1);
    for (size_t i = sizeof keepalive - 1; i < DSO_REPLY_MAX; i++)
        ck_assert_uint_eq(out[i], 0);
    ck_assert_uint_eq(dso_reply(DSO_TYPENI, request, &terms, out), DNS_HEADER);
}
END_TEST

START_TEST(notices)
{
    static const char want[] = "\0\0\x30\0\0\0\0\0\0\0\0\0\0\1\0\x08\xff\xff\xff\xff\0\0\0\0";
    struct dso_terms terms = {.inactivity_ms = 0};
    uint8_t out[DSO_REPLY_MAX];
    ck_assert_uint_eq(dso_notice(&terms, out), sizeof want - 1);
    ck_assert_mem_eq(out, want, sizeof want - 1);
    terms.pad = true;
    ck_assert_uint_eq(dso_notice(&terms, out), DSO_REPLY_MAX);
}
END_TEST

static Suite *dso_suite(void)
{
    Suite *s = suite_create("dso");
    TCase *t = tcase_create("dso");
    tcase_add_loop_test(t, each_rule, 0, (int)(sizeof rows / sizeof *rows));
    tcase_add_test(t, other_messages_are_none);
    tcase_add_test(t, replies);
    tcase_add_test(t, padded_replies);
    tcase_add_test(t, notices);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(dso_suite)
