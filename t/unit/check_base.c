/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The base layer: arenas, buffers, diagnostics, addresses, hash maps, random choice. */
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/err.h"
#include "base/hashmap.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/netaddr.h"
#include "base/prng.h"
#include "unit/run.h"

START_TEST(arena_aligns_and_zeroes)
{
    struct arena a;
    arena_init(&a, 0);
    for (size_t i = 0; i < 10000; i++) {
        size_t size = i % 97, align = (size_t)1 << (i % 7);
        uint8_t *p = arena_alloc(&a, size, align);
        ck_assert_uint_eq((uintptr_t)p & (align - 1), 0);
        for (size_t k = 0; k < size; k++)
            ck_assert_uint_eq(p[k], 0);
        memset(p, 0xff, size);
    }
    ck_assert_ptr_nonnull(arena_alloc(&a, (size_t)3 << 20, 8)); /* larger than any chunk */
    arena_fini(&a);
}
END_TEST

/* A hundred warnings do not hide why the file is refused. */
START_TEST(diag_keeps_errors)
{
    struct diag d = {0};
    for (int i = 0; i < 2 * DIAG_KEEP; i++)
        diag_warn(&d, DIAG_NOWHERE, "w%d", i);
    diag_error(&d, DIAG_NOWHERE, "first");
    diag_error(&d, DIAG_NOWHERE, "second");
    ck_assert_uint_eq(d.count, DIAG_KEEP);
    ck_assert_str_eq(d.entries[DIAG_KEEP - 2].text, "first");
    ck_assert_str_eq(d.entries[DIAG_KEEP - 1].text, "second");
    ck_assert_str_eq(d.entries[DIAG_KEEP - 3].text, "w97");
    for (int i = 0; i < 2 * DIAG_KEEP; i++)
        diag_error(&d, DIAG_NOWHERE, "e%d", i);
    ck_assert_str_eq(d.entries[0].text, "first");
    ck_assert_uint_eq(d.error_count, 2 * DIAG_KEEP + 2);
    diag_fini(&d);
}
END_TEST

START_TEST(buf_grows)
{
    struct buf b = {0};
    for (int i = 0; i < 1000; i++)
        buf_printf(&b, "%d,", i);
    ck_assert_uint_eq(b.len, 10 * 2 + 90 * 3 + 900 * 4);
    ck_assert_uint_eq(strlen(b.data), b.len);
    char *text = buf_take(&b);
    ck_assert_ptr_null(b.data);
    mem_free(text);
}
END_TEST

START_TEST(diag_says_where)
{
    struct diag d = {0}, other = {0};
    ck_assert_int_lt(diag_error(&d, (struct diag_loc){"a.conf", 3, 7}, "bad %s", "x"), 0);
    ck_assert_str_eq(d.entries[0].text, "a.conf:3:7: bad x");
    diag_warn(&other, DIAG_NOWHERE, "w");
    for (int i = 0; i < 2 * DIAG_KEEP; i++)
        diag_error(&other, (struct diag_loc){"b", 1, 0}, "e");
    ck_assert_uint_eq(other.error_count, 2 * DIAG_KEEP);
    diag_move(&d, &other);
    ck_assert_uint_eq(d.error_count, 2 * DIAG_KEEP + 1);
    ck_assert_uint_eq(d.count, DIAG_KEEP);
    diag_fini(&d);
}
END_TEST

static const struct {
    const char *text;
    int e;
    const char *printed;
} specs[] = {
    {"192.0.2.1", 0, "192.0.2.1:53"},
    {"192.0.2.1:5300", 0, "192.0.2.1:5300"},
    {"192.0.2.1:", 0, "192.0.2.1:53"},
    {"::1", 0, "[::1]:53"},
    {"[::1]", 0, "[::1]:53"},
    {"[2001:DB8::1]:99", 0, "[2001:db8::1]:99"},
    {":53", ERR_SYNTAX, NULL},
    {"", ERR_SYNTAX, NULL},
    {"[::1", ERR_SYNTAX, NULL},
    {"[::1]x", ERR_SYNTAX, NULL},
    {"[192.0.2.1]:53", ERR_SYNTAX, NULL},
    {"192.0.2.1:0", ERR_RANGE, NULL},
    {"192.0.2.1:65536", ERR_RANGE, NULL},
    {"192.0.2.1:53x", ERR_SYNTAX, NULL},
    {"1", ERR_SYNTAX, NULL},
    {"0x7f000001", ERR_SYNTAX, NULL},
    {"192.0.2.256", ERR_SYNTAX, NULL},
    {"1111111111111111111111111111111111111111111111111111111111111111.1.1.1", ERR_SYNTAX, NULL},
};

START_TEST(netaddr_reads_specs)
{
    struct netaddr a;
    char text[NETADDR_TEXT];
    ck_assert_int_eq(netaddr_parse_spec(specs[_i].text, 53, &a), specs[_i].e);
    if (specs[_i].e == 0)
        ck_assert_str_eq(netaddr_print(&a, text), specs[_i].printed);
}
END_TEST

START_TEST(netaddr_lax_reads_what_the_system_reads)
{
    struct th_addr a, b;
    ck_assert_int_eq(netaddr_parse_addr_lax("0x7f000001", &a), 0);
    ck_assert_int_eq(netaddr_parse_addr("127.0.0.1", &b), 0);
    ck_assert(th_addr_equal(&a, &b));
    ck_assert_int_ne(netaddr_parse_addr_lax("example.org", &a), 0);
}
END_TEST

START_TEST(hashmap_finds_what_was_put)
{
    enum { N = 20000 };
    struct hashmap m = {0};
    char(*keys)[16] = mem_array(N, sizeof *keys);
    for (uint32_t i = 0; i < N; i++) {
        int n = snprintf(keys[i], sizeof keys[i], "k%u", i);
        ck_assert_int_eq(hashmap_put(&m, keys[i], (size_t)n, i, NULL), 0);
    }
    for (uint32_t i = 0; i < N; i++) {
        uint32_t got = 0;
        ck_assert_int_eq(hashmap_find(&m, keys[i], strlen(keys[i]), &got), 0);
        ck_assert_uint_eq(got, i);
        ck_assert_int_eq(hashmap_put(&m, keys[i], strlen(keys[i]), 7, &got), ERR_EXISTS);
        ck_assert_uint_eq(got, i);
    }
    uint32_t got;
    ck_assert_int_eq(hashmap_find(&m, "absent", 6, &got), ERR_NOTFOUND);
    hashmap_fini(&m);
    mem_free(keys);
}
END_TEST

START_TEST(prng_below_is_uniform)
{
    /* chi-square over 12 cells, 120,000 draws of a fixed sequence: 11 degrees, p = 0.001 at 31.3 */
    struct prng r;
    unsigned seen[12] = {0};
    prng_init_from(&r, 42);
    for (int i = 0; i < 120000; i++)
        seen[prng_below(&r, 12)]++;
    double chi = 0;
    for (int i = 0; i < 12; i++)
        chi += (seen[i] - 10000.0) * (seen[i] - 10000.0) / 10000.0;
    ck_assert_double_lt(chi, 31.3);
}
END_TEST

/* Nobody reads: every line returns; the lost ones are counted in the next that goes out. */
START_TEST(log_never_waits)
{
    int fds[2], saved = dup(STDERR_FILENO);
    static char text[1 << 20];
    size_t len = 0;
    ck_assert_int_eq(pipe(fds), 0);
    ck_assert_int_eq(dup2(fds[1], STDERR_FILENO), STDERR_FILENO);
    for (int i = 0; i < 20000; i++)
        log_info("test: nobody reads line %d", i);
    memset(text, 'x', 9000);
    log_info("%s", text); /* longer than a pipe takes at once */
    ck_assert_int_eq(fcntl(fds[0], F_SETFL, O_NONBLOCK), 0);
    while (read(fds[0], text, sizeof text) > 0)
        ;
    log_info("test: somebody reads");
    ssize_t n = read(fds[0], text, sizeof text - 1);
    dup2(saved, STDERR_FILENO);
    ck_assert_int_gt(n, 0);
    text[n] = '\0';
    ck_assert_ptr_nonnull(strstr(text, "warning: log: nobody read it: lines_lost="));
    ck_assert_ptr_nonnull(strstr(text, "info: test: somebody reads\n"));
    for (char *line = text, *end; *line; line = end + 1) { /* whole lines only */
        end = strchr(line, '\n');
        ck_assert_ptr_nonnull(end);
        len += (size_t)(end - line);
    }
    ck_assert_uint_gt(len, 0);
    close(fds[0]);
    close(fds[1]);
    close(saved);
}
END_TEST

/* Without the limit glibc would keep the second piece after the first was freed. */
START_TEST(large_pieces_go_back)
{
#ifndef __SANITIZE_ADDRESS__ /* which has a malloc of its own */
    const size_t large = 16 << 20;
    mem_return_large();
    mem_free(mem_alloc(large));
    size_t before = mallinfo2().hblkhd;
    void *p = mem_alloc(large);
    ck_assert_uint_ge(mallinfo2().hblkhd, before + large);
    mem_free(p);
    ck_assert_uint_eq(mallinfo2().hblkhd, before);
#endif
}
END_TEST

static Suite *base_suite(void)
{
    Suite *s = suite_create("base");
    TCase *t = tcase_create("base");
    tcase_add_test(t, arena_aligns_and_zeroes);
    tcase_add_test(t, buf_grows);
    tcase_add_test(t, diag_says_where);
    tcase_add_test(t, diag_keeps_errors);
    tcase_add_loop_test(t, netaddr_reads_specs, 0, (int)(sizeof specs / sizeof *specs));
    tcase_add_test(t, netaddr_lax_reads_what_the_system_reads);
    tcase_add_test(t, hashmap_finds_what_was_put);
    tcase_add_test(t, prng_below_is_uniform);
    tcase_add_test(t, log_never_waits);
    tcase_add_test(t, large_pieces_go_back);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(base_suite)
