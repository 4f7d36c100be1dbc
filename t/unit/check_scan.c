/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scanner: text -> tokens, one row per rule; then every cut of a text, for its bounds. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "zone/scan.h"
#include "unit/run.h"

/* Tokens as text: words as they are, quoted in '', line ends as |, faults as !. */
static const struct {
    const char *text, *tokens;
} rows[] = {
    {"", ""},
    {"a b", "a b"},
    {"a\tb\n", "a b |"},
    {"a\r\nb\r\n", "a | b |"},
    {"a ; b\nc", "a | c"},
    {"a;b\nc", "a | c"},
    {"a \"b ; c\" d", "a 'b ; c' d"},
    {"\"\"", "''"},
    {"\"a\nb\" c\nd", "'a\nb' c | d"},
    {"a ( b\nc ; x )\nd ) e\nf", "a b c d e | f"},
    {"(a)b", "a b"},
    {"a\\;b", "a\\;b"},
    {"a\\\"b", "a\\\"b"},
    {"a\\ b", "a\\ b"},
    {"\"a\\\"b\" c", "'a\\\"b' c"},
    {"a \"b", "a !"},
    {"\"a\nb\nc\nd e", "! b | c | d e"},
    {"a ( b\nc", "a b c !"},
    {"a ( ( b\nc", "a ! c"},
    {"a )\nb", "a ! b"},
    {"a \f\nb", "a ! b"},
    {"a\\\nb", "! b"},
    {"a\\", "!"},
    {"a\n\n\nb", "a | | | b"},
};

static char *tokens_of(const char *text, size_t len)
{
    struct buf b = {0};
    struct scan s = scan_on(text, len);
    struct token t;
    for (scan_next(&s, &t); t.kind != TOKEN_EOF; scan_next(&s, &t)) {
        ck_assert(t.at >= text && t.at + t.len <= text + len);
        buf_adds(&b, b.len ? " " : "");
        switch (t.kind) {
        case TOKEN_WORD: buf_add(&b, t.at, t.len); break;
        case TOKEN_QUOTED: buf_printf(&b, "'%.*s'", (int)t.len, t.at); break;
        case TOKEN_EOL: buf_adds(&b, "|"); break;
        case TOKEN_BAD: buf_adds(&b, "!"); break;
        case TOKEN_EOF: break;
        }
    }
    return buf_take(&b);
}

START_TEST(tokens_are_found)
{
    char *tokens = tokens_of(rows[_i].text, strlen(rows[_i].text));
    ck_assert_str_eq(tokens, rows[_i].tokens);
    mem_free(tokens);
}
END_TEST

/* Each prefix in a block of exactly its size: a read beyond the end is seen by ASan. */
START_TEST(every_cut_is_within_bounds)
{
    const char *text = "$TTL 1h\n@ IN SOA a b ( 1 2 3\n 4 5 ) ; c\n\\000w TXT \"x\\\"y\" z\\\r\n";
    for (size_t len = 0; len <= strlen(text); len++) {
        char *copy = malloc(len + (len == 0));
        ck_assert_ptr_nonnull(copy);
        memcpy(copy, text, len);
        mem_free(tokens_of(copy, len));
        free(copy);
    }
}
END_TEST

START_TEST(places_are_told)
{
    struct scan s = scan_on("a b\n  (c\n d) \"e\nf\" g", 20);
    struct token t;
    const unsigned places[][2] = {{1, 1}, {1, 3}, {1, 4}, {2, 4}, {3, 2}, {3, 6}, {4, 4}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        scan_next(&s, &t);
        ck_assert_uint_eq(t.line, places[i][0]);
        ck_assert_uint_eq(t.col, places[i][1]);
    }
}
END_TEST

static Suite *scan_suite(void)
{
    Suite *s = suite_create("scan");
    TCase *t = tcase_create("scan");
    tcase_add_loop_test(t, tokens_are_found, 0, (int)(sizeof rows / sizeof *rows));
    tcase_add_test(t, every_cut_is_within_bounds);
    tcase_add_test(t, places_are_told);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(scan_suite)
