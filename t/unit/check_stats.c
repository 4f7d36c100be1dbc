/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counters, and the JSON made of them and of states. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "stats/counters.h"
#include "stats/json.h"
#include "stats/render.h"
#include "unit/run.h"

/* ---- a reader of JSON of its own, after RFC 8259 (objects, strings, whole numbers) ---- */

static const char *json_value(const char *s);

static const char *json_blank(const char *s)
{
    return s + strspn(s, " \t\r\n");
}

static const char *json_string(const char *s)
{
    if (*s++ != '"')
        return NULL;
    while (*s != '"') {
        if ((unsigned char)*s < 0x20)
            return NULL;
        if (*s++ != '\\')
            continue;
        if (*s == 'u' && strspn(s + 1, "0123456789abcdefABCDEF") >= 4)
            s += 5;
        else if (*s && strchr("\"\\/bfnrt", *s))
            s++;
        else
            return NULL;
    }
    return s + 1;
}

static const char *json_pair(const char *s)
{
    s = json_string(json_blank(s));
    s = s ? json_blank(s) : NULL;
    s = s && *s == ':' ? json_value(s + 1) : NULL;
    return s ? json_blank(s) : NULL;
}

static const char *json_object(const char *s)
{
    s = json_blank(s);
    if (*s == '}')
        return s + 1;
    for (s = json_pair(s); s && *s == ','; s = json_pair(s + 1))
        ;
    return s && *s == '}' ? s + 1 : NULL;
}

static const char *json_value(const char *s)
{
    s = json_blank(s);
    if (*s == '{')
        return json_object(s + 1);
    if (*s == '"')
        return json_string(s);
    size_t n = strspn(s, "0123456789");
    return n && (n == 1 || *s != '0') ? s + n : NULL;
}

static bool json_is_valid(const char *s)
{
    s = json_value(s);
    return s && *json_blank(s) == '\0';
}

START_TEST(json_reader_reads)
{
    ck_assert(json_is_valid("{ \"a\\u00e9\": 0, \"b\": {}, \"c\": \"\\\\\" }\n"));
    ck_assert(!json_is_valid("{\"a\": 1,}"));
    ck_assert(!json_is_valid("{\"a\" 1}"));
    ck_assert(!json_is_valid("{\"a\n\": 1}"));
    ck_assert(!json_is_valid("{\"a\\x\": 1}"));
    ck_assert(!json_is_valid("{\"a\": 1}}"));
    ck_assert(!json_is_valid("{\"a\": \"b}"));
}
END_TEST

/* ---- names ---- */

static const struct {
    const char *text;
    size_t len;
    const char *json;
} names[] = {
    {"", 0, "\"\""},
    {"192.0.2.1/web", 13, "\"192.0.2.1/web\""},
    {"a\"b\\c", 5, "\"a\\\"b\\\\c\""},
    {"\0\n\x1f\x7f", 4, "\"\\u0000\\u000a\\u001f\\u007f\""},
    {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x8c\xbe", 9, "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x8c\xbe\""},
    {"\xe9", 1, "\"\\u00e9\""},
    {"\xc3", 1, "\"\\u00c3\""},                                  /* cut short */
    {"\xe2\x82", 2, "\"\\u00e2\\u0082\""},                       /* cut short */
    {"\xe2\x82x", 3, "\"\\u00e2\\u0082x\""},                     /* third byte is no tail */
    {"\xc0\xaf", 2, "\"\\u00c0\\u00af\""},                       /* overlong */
    {"\xe0\x9f\xbf", 3, "\"\\u00e0\\u009f\\u00bf\""},            /* overlong */
    {"\xed\xa0\x80", 3, "\"\\u00ed\\u00a0\\u0080\""},            /* surrogate */
    {"\xf4\x90\x80\x80", 4, "\"\\u00f4\\u0090\\u0080\\u0080\""}, /* beyond U+10FFFF */
    {"\xff\xc3\xa9", 3, "\"\\u00ff\xc3\xa9\""},
};

START_TEST(json_escapes)
{
    struct buf b = {0};
    json_add_text(&b, names[_i].text, names[_i].len);
    ck_assert_str_eq(b.data, names[_i].json);
    ck_assert_uint_eq(b.len, strlen(names[_i].json));
    buf_fini(&b);
}
END_TEST

/* ---- statistics ---- */

/* As Debian's gdnsd 3.8.1 writes it, with the values 1000, 1001, ... put in. */
static const char stats_expected[] =
    "{\n\t\"uptime\": 17,\n\t\"stats\": {\n\t\t\"noerror\": 1000,\n\t\t\"refused\": 1001,\n"
    "\t\t\"nxdomain\": 1002,\n\t\t\"notimp\": 1003,\n\t\t\"badvers\": 1004,\n"
    "\t\t\"formerr\": 1005,\n\t\t\"dropped\": 1006,\n\t\t\"v6\": 1007,\n\t\t\"edns\": 1008,\n"
    "\t\t\"edns_clientsub\": 1009,\n\t\t\"edns_do\": 1010,\n\t\t\"edns_cookie_formerr\": 1011,\n"
    "\t\t\"edns_cookie_ok\": 1012,\n\t\t\"edns_cookie_init\": 1013,\n"
    "\t\t\"edns_cookie_bad\": 1014\n\t},\n\t\"udp\": {\n\t\t\"reqs\": 1015,\n"
    "\t\t\"recvfail\": 1016,\n\t\t\"sendfail\": 1017,\n\t\t\"tc\": 1018,\n"
    "\t\t\"edns_big\": 1019,\n\t\t\"edns_tc\": 1020\n\t},\n\t\"tcp\": {\n\t\t\"reqs\": 1021,\n"
    "\t\t\"recvfail\": 1022,\n\t\t\"sendfail\": 1023,\n\t\t\"conns\": 1024,\n"
    "\t\t\"close_c\": 1025,\n\t\t\"close_s_ok\": 1026,\n\t\t\"close_s_err\": 1027,\n"
    "\t\t\"close_s_kill\": 1028,\n\t\t\"proxy\": 1029,\n\t\t\"proxy_fail\": 1030,\n"
    "\t\t\"dso_estab\": 1031,\n\t\t\"dso_protoerr\": 1032,\n\t\t\"dso_typeni\": 1033,\n"
    "\t\t\"acceptfail\": 1034\n\t}\n}\n";

START_TEST(stats_are_laid_out_as_gdnsd_does)
{
    uint64_t sum[COUNTER_COUNT];
    struct buf b = {0};
    for (size_t i = 0; i < COUNTER_COUNT; i++)
        sum[i] = 1000 + i;
    render_stats(sum, 17, true, &b);
    ck_assert_str_eq(b.data, stats_expected);
    ck_assert(json_is_valid(b.data));
    buf_fini(&b);
    /* ours come behind */
    render_stats(sum, 17, false, &b);
    size_t same = strlen(stats_expected) - strlen("\n}\n");
    ck_assert(strncmp(b.data, stats_expected, same) == 0);
    ck_assert_str_eq(b.data + same, ",\n\t\"rrl\": {\n\t\t\"dropped\": 1035,\n"
                                    "\t\t\"slipped\": 1036\n\t},\n\t\"monitor\": {\n"
                                    "\t\t\"probes\": 1037,\n\t\t\"timeout\": 1038,\n"
                                    "\t\t\"notrun\": 1039,\n\t\t\"late\": 1040,\n"
                                    "\t\t\"skipped\": 1041\n\t}\n}\n");
    ck_assert(json_is_valid(b.data));
    buf_fini(&b);
}
END_TEST

START_TEST(stats_show_the_largest_numbers)
{
    uint64_t sum[COUNTER_COUNT] = {[COUNTER_TCP_ACCEPTFAIL] = UINT64_MAX};
    struct buf b = {0};
    render_stats(sum, UINT64_MAX, true, &b);
    ck_assert_ptr_nonnull(strstr(b.data, "\"uptime\": 18446744073709551615,"));
    ck_assert_ptr_nonnull(strstr(b.data, "\"acceptfail\": 18446744073709551615\n"));
    buf_fini(&b);
}
END_TEST

START_TEST(counters_add_up)
{
    struct counters *a = mem_aligned(CACHE_LINE, sizeof *a),
                    *b = mem_aligned(CACHE_LINE, sizeof *b);
    uint64_t sum[COUNTER_COUNT] = {0};
    counter_add(a, COUNTER_NOERROR, 3);
    counter_add(b, COUNTER_NOERROR, 4);
    counter_add(b, COUNTER_TCP_CONNS, 1);
    counters_sum(a, sum);
    counters_sum(b, sum);
    ck_assert_uint_eq(sum[COUNTER_NOERROR], 7);
    ck_assert_uint_eq(sum[COUNTER_TCP_CONNS], 1);
    ck_assert_uint_eq(sum[COUNTER_REFUSED], 0);
    mem_free(a);
    mem_free(b);
}
END_TEST

/* ---- states ---- */

struct walk {
    const struct render_state *items;
    size_t count, next;
};

static bool walk_next(void *arg, struct render_state *out)
{
    struct walk *w = arg;
    if (w->next == w->count)
        return false;
    *out = w->items[w->next++];
    return true;
}

#define WORD(flags)                                                                                \
    {                                                                                              \
        (flags) | 10                                                                               \
    }

START_TEST(states_none)
{
    struct buf b = {0};
    struct walk w = {0};
    render_states(walk_next, &w, &b);
    ck_assert_str_eq(b.data, "{\n\n}\n");
    ck_assert(json_is_valid(b.data));
    buf_fini(&b);
}
END_TEST

START_TEST(states_of_every_kind)
{
    const uint64_t down = TH_DOWN | TH_ANY_DOWN;
    const struct render_state items[] = {
        {"metafo/m/d1", WORD(0), WORD(0), true},
        {"metafo/m/d2", WORD(down | TH_FORCED), WORD(0), true},
        {"192.0.2.1/web", WORD(0), WORD(0), false},
        {"192.0.2.2/web", WORD(down), WORD(down), false},
        {"192.0.2.3/web", WORD(down | TH_FORCED), WORD(0), false},
        {"192.0.2.4/web", WORD(TH_FORCED), WORD(down), false},
        {"192.0.2.5/web", WORD(TH_DRAIN | TH_FORCED), WORD(down), false},
        {"192.0.2.6/web", WORD(TH_DRAIN | TH_MAINT | TH_FORCED | down), WORD(0), false},
        {"192.0.2.7/web", WORD(TH_DRAIN), WORD(TH_DRAIN), false},
        {"a\"\n\xff", WORD(TH_ANY_DOWN | TH_PENDING), WORD(TH_STALE), false},
    };
    struct buf b = {0};
    struct walk w = {items, array_len(items), 0};
    render_states(walk_next, &w, &b);
    ck_assert_str_eq(b.data,
                     "{\n"
                     "\t\"metafo/m/d1\": {\"state\": \"NA\", \"real_state\": \"NA\"},\n"
                     "\t\"metafo/m/d2\": {\"state\": \"DOWN!\", \"real_state\": \"NA\"},\n"
                     "\t\"192.0.2.1/web\": {\"state\": \"UP\", \"real_state\": \"UP\"},\n"
                     "\t\"192.0.2.2/web\": {\"state\": \"DOWN\", \"real_state\": \"DOWN\"},\n"
                     "\t\"192.0.2.3/web\": {\"state\": \"DOWN!\", \"real_state\": \"UP\"},\n"
                     "\t\"192.0.2.4/web\": {\"state\": \"UP!\", \"real_state\": \"DOWN\"},\n"
                     "\t\"192.0.2.5/web\": {\"state\": \"DRAIN!\", \"real_state\": \"DOWN\"},\n"
                     "\t\"192.0.2.6/web\": {\"state\": \"MAINT!\", \"real_state\": \"UP\"},\n"
                     "\t\"192.0.2.7/web\": {\"state\": \"DRAIN\", \"real_state\": \"DRAIN\"},\n"
                     "\t\"a\\\"\\u000a\\u00ff\": {\"state\": \"UP\", \"real_state\": \"UP\"}\n"
                     "}\n");
    ck_assert(json_is_valid(b.data));
    buf_fini(&b);
}
END_TEST

START_TEST(states_of_many)
{
    enum { N = 500 };
    struct render_state items[N];
    char descs[N][16];
    for (size_t i = 0; i < N; i++) {
        /* a byte of every value but NUL goes through */
        (void)snprintf(descs[i], sizeof descs[i], "%c/%zu", (int)(i % 255 + 1), i); /* fits */
        items[i] = (struct render_state){.desc = descs[i]};
    }
    struct buf b = {0};
    struct walk w = {items, N, 0};
    render_states(walk_next, &w, &b);
    size_t lines = 0;
    for (const char *s = b.data; (s = strchr(s, '\n')); s++)
        lines++;
    ck_assert_uint_eq(lines, N + 2);
    ck_assert(json_is_valid(b.data));
    buf_fini(&b);
}
END_TEST

static Suite *stats_suite(void)
{
    Suite *s = suite_create("stats");
    TCase *t = tcase_create("stats");
    tcase_add_test(t, json_reader_reads);
    tcase_add_loop_test(t, json_escapes, 0, (int)array_len(names));
    tcase_add_test(t, stats_are_laid_out_as_gdnsd_does);
    tcase_add_test(t, stats_show_the_largest_numbers);
    tcase_add_test(t, counters_add_up);
    tcase_add_test(t, states_none);
    tcase_add_test(t, states_of_every_kind);
    tcase_add_test(t, states_of_many);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(stats_suite)
