/* SPDX-License-Identifier: GPL-3.0-or-later */
/* status_line: every response whole and cut at every byte, native and as gdnsd read it. */
#include <string.h>

#include "base/mem.h"
#include "base/prng.h"
#include "lib/status_line.h"
#include "unit/run.h"

enum { MORE = -1, BAD = -2 };

/* code, MORE or BAD: what a reader that skips 1xx but 101 comes to */
static const struct {
    const char *text;
    int native, gdnsd;
} table[] = {
    {"HTTP/1.1 200 OK\r\n", 200, 200},
    {"HTTP/1.0 200 OK\r\n", 200, 200},
    {"HTTP/1.1 404 Not Found\r\nX: y\r\n\r\n", 404, 404},
    {"HTTP/1.1 999 x\r\n", 999, 999},
    {"HTTP/1.1 200 \r\n", 200, 200},
    {"HTTP/1.1 200\r\n", 200, BAD}, /* gdnsd wants the space */
    {"HTTP/1.1 200 ", MORE, 200},   /* and no more than that */
    {"HTTP/1.1 200 OK\r", MORE, 200},
    {"HTTP/1.1 200", MORE, MORE},
    {"HTTP/1.1 200 O\x01K\r\n", BAD, 200},
    {"HTTP/1.1 200 O\rK\r\n", BAD, 200},
    {"HTTP/1.1 200 OK\n", BAD, 200}, /* a bare LF ends nothing */
    {"HTTP/1.1 200 Stra\xc3\x9f"
     "e\t!\r\n",
     200, 200},
    {"HTTP/1.9 200 OK\r\n", 200, BAD},
    {"HTTP/2.0 200 OK\r\n", BAD, BAD},
    {"HTTP/1.1  200 OK\r\n", BAD, BAD},
    {"HTTP/1.1 20 OK\r\n", BAD, BAD},
    {"HTTP/1.1 2000 OK\r\n", BAD, BAD},
    {"HTTP/1.1 099 OK\r\n", BAD, BAD},
    {"http/1.1 200 OK\r\n", BAD, BAD},
    {"\r\nHTTP/1.1 200 OK\r\n", BAD, BAD},
    {"SSH-2.0-OpenSSH_9.2\r\n", BAD, BAD},
    {"H\r\n", BAD, BAD},
    {"OK", BAD, BAD},
    {"", MORE, MORE},
    {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n", 200, 100},
    {"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nX: 1\r\n\r\nHTTP/1.1 503 No\r\n", 503, 103},
    {"HTTP/1.1 100 \r\n\r\nHTTP/1.1 102 P\r\nA: b\r\n\r\nHTTP/1.1 204 \r\n", 204, 100},
    {"HTTP/1.1 100 \r\nA: b\r\n", MORE, 100},
    {"HTTP/1.1 100 \r\n\r\nOK", BAD, 100},
    {"HTTP/1.1 101 Switching\r\n\r\n", 101, 101},
};

/* Feed in pieces of at most `piece` bytes. */
static int read_all(const char *text, size_t len, bool gdnsd, size_t piece)
{
    struct status_line s;
    status_line_init(&s, gdnsd);
    while (len) {
        size_t used, n = len < piece ? len : piece;
        switch (status_line_feed(&s, text, n, &used)) {
        case STATUS_MORE: ck_assert_uint_eq(used, n); break;
        case STATUS_BAD: return BAD;
        case STATUS_CODE:
            if (gdnsd || s.code >= 200 || s.code == 101)
                return s.code;
            status_line_skip(&s);
            break;
        }
        text += used;
        len -= used;
    }
    return MORE;
}

START_TEST(responses)
{
    size_t len = strlen(table[_i].text);
    for (size_t piece = 1; piece <= len + 1; piece++) {
        ck_assert_msg(read_all(table[_i].text, len, false, piece) == table[_i].native,
                      "native \"%s\": %d", table[_i].text,
                      read_all(table[_i].text, len, false, piece));
        ck_assert_msg(read_all(table[_i].text, len, true, piece) == table[_i].gdnsd,
                      "gdnsd \"%s\": %d", table[_i].text,
                      read_all(table[_i].text, len, true, piece));
    }
}
END_TEST

START_TEST(bounded)
{
    size_t size = STATUS_LINE_LIMIT + 100;
    char *text = mem_alloc(size);
    memset(text, 'x', size);
    memcpy(text, "HTTP/1.1 200 ", 13); /* a reason without end */
    ck_assert_int_eq(read_all(text, STATUS_LINE_LIMIT, false, 999), MORE);
    ck_assert_int_eq(read_all(text, size, false, 999), BAD);
    memcpy(text, "HTTP/1.1 100 \r\nA", 16); /* a header without end */
    ck_assert_int_eq(read_all(text, STATUS_LINE_LIMIT, false, 999), MORE);
    ck_assert_int_eq(read_all(text, size, false, 999), BAD);
    for (size_t i = 0; i + 17 < size; i += 17) /* interim responses without end */
        memcpy(text + i, "HTTP/1.1 100 \r\n\r\n", 17);
    ck_assert_int_eq(read_all(text, size, false, 999), BAD);
    mem_free(text);
}
END_TEST

START_TEST(head_is_printable)
{
    struct status_line s;
    size_t used;
    status_line_init(&s, false);
    ck_assert_int_eq(status_line_feed(&s, "HT\x1b[2J", 6, &used), STATUS_BAD);
    ck_assert_str_eq(s.head, "HT?");
}
END_TEST

/* Random bytes, mostly from what responses are made of: no verdict depends on how they are cut. */
START_TEST(cuts_do_not_matter)
{
    static const char alphabet[] = "HTTP/1.1 200 \r\n\r\nHTTP/1.1 100 \r\n:x\x01";
    struct prng r;
    prng_init_from(&r, 7);
    for (int i = 0; i < 20000; i++) {
        char text[64];
        size_t len = prng_below(&r, sizeof text), start = prng_below(&r, 20);
        for (size_t k = 0; k < len; k++)
            text[k] = prng_below(&r, 12) ? alphabet[(start + k) % (sizeof alphabet - 1)]
                                         : alphabet[prng_below(&r, sizeof alphabet - 1)];
        bool gdnsd = i % 2;
        ck_assert_int_eq(read_all(text, len, gdnsd, 1), read_all(text, len, gdnsd, 64));
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("status_line");
    TCase *t = tcase_create("status_line");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, responses, 0, (int)(sizeof table / sizeof *table));
    tcase_add_test(t, bounded);
    tcase_add_test(t, head_is_printable);
    tcase_add_test(t, cuts_do_not_matter);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
