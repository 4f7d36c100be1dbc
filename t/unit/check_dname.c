/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names: text to wire and back, escapes and their faults, limits, suffix hashes. */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/prng.h"
#include "wire/dname.h"
#include "unit/run.h"

static const uint8_t origin[] = "\7example";

static const struct {
    const char *text;
    int e;            /* 0 = read */
    const char *back; /* as printed */
} names[] = {
    {"www", 0, "www.example."},
    {"WWW.Example.", 0, "www.example."},
    {".", 0, "."},
    {"a.b.", 0, "a.b."},
    {"a\\.b.", 0, "a\\.b."},
    {"\\097\\098.", 0, "ab."},
    {"\\000.", 0, "\\000."},
    {"\\255x.", 0, "\\255x."},
    {"\\@.", 0, "\\@."},
    {"*.x.", 0, "*.x."},
    {"a\\ b.", 0, "a\\032b."},
    {"", ERR_SYNTAX, NULL},
    {"a..b", ERR_SYNTAX, NULL},
    {".a", ERR_SYNTAX, NULL},
    {"a\\", ERR_SYNTAX, NULL},
    {"\\03", ERR_SYNTAX, NULL},
    {"\\256.", ERR_SYNTAX, NULL},
    {"\\25x.", ERR_SYNTAX, NULL},
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.", ERR_SPACE, NULL}, /* 64 */
};

START_TEST(names_are_read)
{
    uint8_t wire[DNAME_MAX];
    char text[DNAME_TEXT_MAX];
    int n = dname_parse(names[_i].text, strlen(names[_i].text), origin, wire);
    if (names[_i].e) {
        ck_assert_int_eq(n, names[_i].e);
        return;
    }
    ck_assert_int_eq(n, (int)dname_len(wire));
    ck_assert_str_eq(dname_print(wire, text), names[_i].back);
    uint8_t again[DNAME_MAX];
    ck_assert_int_eq(dname_parse(text, strlen(text), NULL, again), n);
    ck_assert(dname_equal(wire, again));
}
END_TEST

START_TEST(longest_name_is_255_bytes)
{
    char text[600] = "";
    uint8_t wire[DNAME_MAX];
    for (int i = 0; i < 127; i++)
        strcat(text, "a.");
    ck_assert_int_eq(dname_parse(text, strlen(text), NULL, wire), 255);
    ck_assert_uint_eq(dname_labels(wire), DNAME_LABELS_MAX);
    strcat(text, "a.");
    ck_assert_int_eq(dname_parse(text, strlen(text), NULL, wire), ERR_SPACE);
    text[2 * 124] = '\0'; /* 124 labels, and "example": one byte too many */
    text[2 * 124 - 1] = '\0';
    ck_assert_int_eq(dname_parse(text, strlen(text), origin, wire), ERR_SPACE);
    ck_assert_int_eq(dname_parse(text + 2, strlen(text) - 2, origin, wire), 255);
}
END_TEST

START_TEST(is_in_counts_labels)
{
    const uint8_t *www = (const uint8_t *)"\3www\7example", *zone = origin;
    const uint8_t *alike = (const uint8_t *)"\4\7exa\7example", *root = (const uint8_t *)"";
    const uint8_t *other = (const uint8_t *)"\12xx\7example"; /* one label of ten bytes */
    ck_assert(dname_is_in(www, zone));
    ck_assert(dname_is_in(zone, zone));
    ck_assert(dname_is_in(www, root));
    ck_assert(dname_is_in(alike, zone));
    ck_assert(!dname_is_in(zone, www));
    ck_assert(!dname_is_in(other, zone));
}
END_TEST

START_TEST(suffix_hashes_are_those_of_the_suffixes)
{
    struct prng r;
    prng_init_from(&r, 1);
    for (int round = 0; round < 2000; round++) {
        uint8_t wire[DNAME_MAX + 1];
        size_t at = 0;
        for (unsigned labels = prng_below(&r, 8); labels > 0; labels--) {
            unsigned len = 1 + prng_below(&r, 30);
            wire[at++] = (uint8_t)len;
            for (unsigned i = 0; i < len; i++)
                wire[at++] = (uint8_t)('a' + prng_below(&r, 26));
        }
        wire[at] = 0;
        struct qname q;
        qname_set(&q, wire, 99, DNAME_LABELS_MAX);
        ck_assert_uint_eq(q.len, at + 1);
        for (unsigned d = 0; d <= q.labels; d++) {
            ck_assert_uint_eq(dname_labels(qname_suffix(&q, d)), d);
            ck_assert(q.hash[d] == dname_hash(qname_suffix(&q, d), 99));
        }
    }
}
END_TEST

/* A hash that ignored some byte, or length bytes, would meet itself here. */
START_TEST(hashes_differ)
{
    uint64_t seen[1024];
    for (unsigned i = 0; i < 1024; i++) {
        char text[64];
        uint8_t wire[DNAME_MAX];
        snprintf(text, sizeof text, "host-with-a-longer-name-%04u.zone.", i);
        ck_assert_int_gt(dname_parse(text, strlen(text), NULL, wire), 0);
        seen[i] = dname_hash(wire, 5);
        for (unsigned k = 0; k < i; k++)
            ck_assert(seen[k] != seen[i]);
    }
    ck_assert(dname_hash((const uint8_t *)"\1a\1b", 5) != dname_hash((const uint8_t *)"\1b\1a", 5));
    ck_assert(dname_hash(origin, 5) != dname_hash(origin, 7));
}
END_TEST

static Suite *dname_suite(void)
{
    Suite *s = suite_create("dname");
    TCase *t = tcase_create("dname");
    tcase_add_loop_test(t, names_are_read, 0, (int)array_len(names));
    tcase_add_test(t, longest_name_is_255_bytes);
    tcase_add_test(t, is_in_counts_labels);
    tcase_add_test(t, suffix_hashes_are_those_of_the_suffixes);
    tcase_add_test(t, hashes_differ);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(dname_suite)
