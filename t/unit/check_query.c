/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query_parse: one row per rule of RFC 1035 4.1, RFC 6891 6.1, RFC 9619; then hostile bytes. */
#include <string.h>

#include "base/mem.h"
#include "base/prng.h"
#include "unit/run.h"
#include "wire/query.h"
#include "wire/rrtype.h"

#define SEED 7u

static const struct query_rules rules = {SEED, 127, 0};

/* Bytes of a literal that holds zeros. */
#define B(text) text, sizeof(text) - 1
#define Q1      "\x12\x34\0\0\0\1\0\0\0\0\0\0"
#define Q1_AR1  "\x12\x34\0\0\0\1\0\0\0\0\0\1"
#define WWW     "\3www\7example\0"
#define A_IN    "\0\1\0\1"
#define OPT     "\0\0\x29\4\xd0\0\0\0\0\0\0"

static const struct {
    const char *bytes;
    size_t len;
    enum query_verdict verdict;
    unsigned rcode, question_len;
    bool edns;
} rows[] = {
    {B(Q1 WWW A_IN), QUERY_LOOKUP, 0, 17, false},
    {B(Q1 "\0" A_IN), QUERY_LOOKUP, 0, 5, false},
    {B(Q1 WWW A_IN "trailing"), QUERY_LOOKUP, 0, 17, false},
    {B(Q1_AR1 WWW A_IN OPT), QUERY_LOOKUP, 0, 17, true},
    {B(Q1 WWW "\0\xff\0\1"), QUERY_LOOKUP, 0, 17, false},
    {B(Q1 WWW "\0\1\0\xff"), QUERY_LOOKUP, 0, 17, false},
    /* not for us to answer */
    {B("\x12\x34\0\0\0\1\0\0\0\0\0"), QUERY_DROP, 0, 0, false},
    {B("\x12\x34\x80\0\0\1\0\0\0\0\0\0" WWW A_IN), QUERY_DROP, 0, 0, false},
    {B(""), QUERY_DROP, 0, 0, false},
    /* counts */
    {B("\x12\x34\0\0\0\0\0\0\0\0\0\0"), QUERY_RCODE, RCODE_FORMERR, 0, false},
    {B("\x12\x34\0\0\0\2\0\0\0\0\0\0" WWW A_IN WWW A_IN), QUERY_RCODE, RCODE_FORMERR, 17, false},
    {B("\x12\x34\0\0\0\1\0\0\0\xe3\0\0" WWW A_IN), QUERY_RCODE, RCODE_FORMERR, 17, false},
    {B("\x12\x34\0\0\0\1\0\0\0\0\xff\xff" WWW A_IN), QUERY_RCODE, RCODE_FORMERR, 17, false},
    {B("\x12\x34\0\0\xff\xff\0\0\0\0\0\0" WWW A_IN), QUERY_RCODE, RCODE_FORMERR, 17, false},
    /* question */
    {B(Q1 WWW "\0\1\0"), QUERY_RCODE, RCODE_FORMERR, 0, false},
    {B(Q1 "\3www\7exam"), QUERY_RCODE, RCODE_FORMERR, 0, false},
    {B(Q1 "\xc0\x0c" A_IN), QUERY_RCODE, RCODE_FORMERR, 0, false},
    {B(Q1 "\3www\xc0\x0c" A_IN), QUERY_RCODE, RCODE_FORMERR, 0, false},
    {B(Q1 "\x40www" A_IN), QUERY_RCODE, RCODE_FORMERR, 0, false},
    {B(Q1 "\x80www" A_IN), QUERY_RCODE, RCODE_FORMERR, 0, false},
    /* types, classes, opcodes */
    {B(Q1 WWW "\0\xfc\0\1"), QUERY_RCODE, RCODE_NOTIMP, 17, false}, /* AXFR */
    {B(Q1 WWW "\0\x80\0\1"), QUERY_RCODE, RCODE_NOTIMP, 17, false},
    {B(Q1 WWW "\0\x10\0\3"), QUERY_CHAOS, 0, 17, false},
    {B(Q1 WWW "\0\xfc\0\3"), QUERY_RCODE, RCODE_NOTIMP, 17, false},
    {B(Q1 WWW "\0\1\0\4"), QUERY_RCODE, RCODE_REFUSED, 17, false},
    {B("\x12\x34\x08\0\0\1\0\0\0\0\0\0" WWW A_IN), QUERY_RCODE, RCODE_NOTIMP, 17, false},
    {B("\x12\x34\x20\0\0\1\0\0\0\0\0\0" WWW A_IN), QUERY_RCODE, RCODE_NOTIMP, 17, false},
    {B("\x12\x34\x78\0\0\0\0\0\0\0\0\0"), QUERY_RCODE, RCODE_NOTIMP, 0, false},
    {B("\x12\x34\x30\0\0\1\0\0\0\0\0\0" WWW A_IN), QUERY_RCODE, RCODE_FORMERR, 0, false},
    {B("\x12\x34\x30\0\0\0\0\0\0\0\0\0"), QUERY_RCODE, RCODE_FORMERR, 0, false}, /* DSO */
    /* OPT */
    {B("\x12\x34\0\0\0\1\0\0\0\0\0\2" WWW A_IN OPT OPT), QUERY_RCODE, RCODE_FORMERR, 17, true},
    {B(Q1_AR1 WWW A_IN "\1x\0\0\x29\4\xd0\0\0\0\0\0\0"), QUERY_RCODE, RCODE_FORMERR, 17, false},
    {B("\x12\x34\0\0\0\1\0\1\0\0\0\0" WWW A_IN OPT), QUERY_RCODE, RCODE_FORMERR, 17, false},
    {B(Q1_AR1 WWW A_IN "\0\0\x29\4\xd0\0\1\0\0\0\0"), QUERY_RCODE, RCODE_BADVERS, 17, true},
    {B(Q1_AR1 WWW A_IN "\0\0\x29\4\xd0\0\0\0\0\0\4\0\1\0\0"), QUERY_LOOKUP, 0, 17, true},
    {B(Q1_AR1 WWW A_IN "\0\0\x29\4\xd0\0\0\0\0\0\3\0\1\0"), QUERY_RCODE, RCODE_FORMERR, 17, true},
    {B(Q1_AR1 WWW A_IN "\0\0\x29\4\xd0\0\0\0\0\0\4\0\1\0\1"), QUERY_RCODE, RCODE_FORMERR, 17, true},
    {B(Q1_AR1 WWW A_IN "\0\0\x29\4\xd0\0\0\0\0\0\1"), QUERY_RCODE, RCODE_FORMERR, 17, false},
    {B(Q1_AR1 WWW A_IN "\0\0\x29\4\xd0\0\0"), QUERY_RCODE, RCODE_FORMERR, 17, false},
    /* a question for a cookie alone (RFC 7873 section 5.4) */
    {B("\x12\x34\0\0\0\0\0\0\0\0\0\1\0\0\x29\4\xd0\0\0\0\0\0\x0c\0\x0a\0\x08"
       "abcdefgh"),
     QUERY_RCODE, RCODE_NOERROR, 0, true},
    {B("\x12\x34\0\0\0\0\0\0\0\0\0\1" OPT), QUERY_RCODE, RCODE_FORMERR, 0, true},
    /* options of another version are not judged (RFC 6891 section 6.1.3) */
    {B(Q1_AR1 WWW A_IN "\0\0\x29\4\xd0\0\1\0\0\0\3\0\1\0"), QUERY_RCODE, RCODE_BADVERS, 17, true},
    /* nor does the opcode matter then */
    {B("\x12\x34\x28\0\0\1\0\0\0\0\0\1" WWW A_IN "\0\0\x29\4\xd0\0\1\0\0\0\0"), QUERY_RCODE,
     RCODE_BADVERS, 17, true},
    /* other records are walked over, OPT is found behind them */
    {B("\x12\x34\0\0\0\1\0\0\0\0\0\2" WWW A_IN "\xc0\x0c\0\1\0\1\0\0\0\0\0\4\1\2\3\4" OPT),
     QUERY_LOOKUP, 0, 17, true},
    {B(Q1_AR1 WWW A_IN "\xc0\x1d\0\1\0\1\0\0\0\0\0\4\1\2\3\4"), QUERY_RCODE, RCODE_FORMERR, 17,
     false}, /* a pointer to itself */
    {B(Q1_AR1 WWW A_IN "\xc0\x0c\0\1\0\1\0\0\0\0\0\5\1\2\3\4"), QUERY_RCODE, RCODE_FORMERR, 17,
     false},
};

START_TEST(each_rule)
{
    struct query q;
    ck_assert_int_eq(query_parse(&q, (const uint8_t *)rows[_i].bytes, rows[_i].len, &rules, 0),
                     (int)rows[_i].verdict);
    if (rows[_i].verdict == QUERY_RCODE)
        ck_assert_uint_eq(q.rcode, rows[_i].rcode);
    ck_assert_uint_eq(q.question_len, rows[_i].question_len);
    ck_assert_int_eq(q.edns, rows[_i].edns);
}
END_TEST

START_TEST(name_is_lowered_and_hashed)
{
    struct query q;
    static const char bytes[] = Q1 "\3WwW\7ExAmPlE\0" A_IN;
    const uint8_t *want = (const uint8_t *)WWW;
    ck_assert_int_eq(query_parse(&q, (const uint8_t *)bytes, sizeof bytes - 1, &rules, 0),
                     QUERY_LOOKUP);
    ck_assert_uint_eq(q.qname.len, 13);
    ck_assert_uint_eq(q.qname.labels, 2);
    ck_assert_mem_eq(q.qname.wire, want, 13);
    ck_assert(q.qname.hash[2] == dname_hash(want, SEED));
    ck_assert(q.qname.hash[1] == dname_hash(want + 4, SEED));
    ck_assert_ptr_eq(qname_suffix(&q.qname, 1), q.qname.wire + 4);
    ck_assert_ptr_eq(qname_suffix(&q.qname, 0), q.qname.wire + 12);
}
END_TEST

/* 255 bytes are a name, 256 are not; 63 bytes are a label. */
START_TEST(longest_names)
{
    for (int extra = 0; extra < 2; extra++) {
        uint8_t m[DNS_HEADER + 300] = {0};
        struct query q;
        size_t at = DNS_HEADER;
        m[5] = 1;
        for (int i = 0; i < 4; i++) {
            unsigned n = i < 3 ? 63 : 61u + (unsigned)extra;
            m[at] = (uint8_t)n;
            memset(m + at + 1, 'a', n);
            at += n + 1;
        }
        m[at + 2] = 1;
        m[at + 4] = 1;
        enum query_verdict v = query_parse(&q, m, at + 5, &rules, 0);
        ck_assert_int_eq(v, extra ? QUERY_RCODE : QUERY_LOOKUP);
    }
}
END_TEST

/* Every truncation and many mutations of good messages, in a buffer of exactly their size, so that
 * a sanitizer build sees any read beyond it. */
START_TEST(hostile_bytes)
{
    struct prng r;
    prng_init_from(&r, 1);
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        for (unsigned round = 0; round < 400; round++) {
            size_t len = rows[row].len ? prng_below(&r, (uint32_t)rows[row].len + 1) : 0;
            uint8_t *m = mem_alloc(len);
            struct query q;
            memcpy(m, rows[row].bytes, len);
            for (unsigned k = 0; k < round % 4 && len; k++)
                m[prng_below(&r, (uint32_t)len)] = (uint8_t)prng_next(&r);
            enum query_verdict v = query_parse(&q, m, len, &rules, 0);
            ck_assert(v == QUERY_DROP || (size_t)q.question_len + DNS_HEADER <= len);
            mem_free(m);
        }
    }
}
END_TEST

static Suite *query_suite(void)
{
    Suite *s = suite_create("query");
    TCase *t = tcase_create("query");
    tcase_add_loop_test(t, each_rule, 0, (int)(sizeof rows / sizeof *rows));
    tcase_add_test(t, name_is_lowered_and_hashed);
    tcase_add_test(t, longest_names);
    tcase_add_test(t, hostile_bytes);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(query_suite)
