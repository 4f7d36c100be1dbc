/* SPDX-License-Identifier: GPL-3.0-or-later */
/* edns.c: what options of the configuration make of EDNS: NSID, cookies and their keys, extended
 * errors, class CH, rate limits. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ctl/proto.h"
#include "e2e/run.h"
#include "lib/daemon.h"
#include "lib/dns.h"

enum { NSID = 3, COOKIE = 10, KEEPALIVE = 11, ERROR = 15, CLIENT_COOKIE = 8 };

static const struct daemon_zone zones[] = {
    {"e2e.example", "@ SOA ns1 hm 1 2 3 4 300\n@ NS ns1\nns1 A 192.0.2.1\n"
                    "www A 192.0.2.10\n*.wild A 192.0.2.11\n"
                    "half TXT \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"\n"},
    {0}};

static void start(struct test_daemon *d, const char *options)
{
    const struct daemon_conf conf = {.options = options, .zones = zones};
    daemon_start(d, &conf);
}

static struct dns_question question(const struct test_daemon *d, const char *name,
                                    ldns_rr_type type)
{
    return (struct dns_question){
        .port = d->port, .name = name, .type = type, .edns = true, .udp_size = 1232};
}

struct option {
    unsigned code;
    const void *bytes;
    size_t len;
};

/* A query whose OPT, which comes last, has one option. */
static size_t query_with(const struct dns_question *q, const struct option *o, uint8_t out[DNS_MAX])
{
    size_t len = dns_query(q, out);
    uint8_t head[4] = {0, (uint8_t)o->code, 0, (uint8_t)o->len};
    memcpy(out + len, head, 4);
    memcpy(out + len + 4, o->bytes, o->len);
    out[len - 1] = (uint8_t)(4 + o->len);
    return len + 4 + o->len;
}

/* Data of an option in a reply; false = not there. */
static bool find_option(const uint8_t *reply, size_t len, unsigned code, struct option *out)
{
    ldns_pkt *p = NULL;
    ck_assert_int_eq(ldns_wire2pkt(&p, reply, len), LDNS_STATUS_OK);
    ck_assert(ldns_pkt_edns(p));
    const ldns_rdf *data = ldns_pkt_edns_data(p);
    size_t size = data ? ldns_rdf_size(data) : 0;
    ldns_pkt_free(p);
    const uint8_t *at = reply + len - size, *end = reply + len; /* OPT is the last record */
    while (at < end) {
        size_t n = (size_t)at[2] << 8 | at[3];
        *out = (struct option){(unsigned)at[0] << 8 | at[1], at + 4, n};
        if (out->code == code)
            return true;
        at += 4 + n;
    }
    return false;
}

static size_t ask_with(const struct dns_question *q, const struct option *o, uint8_t reply[DNS_MAX])
{
    uint8_t query[DNS_MAX];
    return dns_exchange(q, query, query_with(q, o, query), reply);
}

START_TEST(nsid_and_names_of_the_server)
{
    struct test_daemon d;
    uint8_t reply[DNS_MAX];
    struct option o;
    start(&d, "nsid_ascii => \"ams-3\"");
    struct dns_question q = question(&d, "www.e2e.example", LDNS_RR_TYPE_A);
    size_t len = ask_with(&q, &(struct option){NSID, "", 0}, reply);
    ck_assert(find_option(reply, len, NSID, &o));
    ck_assert_uint_eq(o.len, 5);
    ck_assert_mem_eq(o.bytes, "ams-3", 5);
    len = ask_with(&q, &(struct option){65001, "x", 1}, reply); /* not asked for */
    ck_assert(!find_option(reply, len, NSID, &o));
    q = (struct dns_question){
        .port = d.port, .name = "id.server", .type = LDNS_RR_TYPE_TXT, .class = LDNS_RR_CLASS_CH};
    ldns_pkt *p = dns_ask(&q);
    char *text = dns_section_text(ldns_pkt_answer(p));
    ck_assert_str_eq(text, "id.server.\t0\tCH\tTXT\t\"ams-3\"\n");
    free(text);
    ldns_pkt_free(p);
    daemon_stop(&d);
}
END_TEST

START_TEST(chaos_off)
{
    struct test_daemon d;
    start(&d, "chaos => false");
    struct dns_question q = {.port = d.port,
                             .name = "version.bind",
                             .type = LDNS_RR_TYPE_TXT,
                             .class = LDNS_RR_CLASS_CH};
    ldns_pkt *p = dns_ask(&q);
    ck_assert_int_eq(ldns_pkt_get_rcode(p), LDNS_RCODE_REFUSED);
    ldns_pkt_free(p);
    daemon_stop(&d);
}
END_TEST

static const struct ede_row {
    const char *options, *name;
    unsigned code;   /* 0: none */
    const char *has; /* text, NULL: none */
} ede_rows[] = {
    {NULL, "elsewhere.example", 20, NULL},
    {"ede => true", "elsewhere.example", 20, "no zone"},
    {"ede => true", "www.e2e.example", 0, NULL},
    {"compat => gdnsd3", "elsewhere.example", 0, NULL},
};

START_TEST(extended_errors)
{
    const struct ede_row *r = &ede_rows[_i];
    struct test_daemon d;
    uint8_t reply[DNS_MAX];
    struct option o = {0};
    start(&d, r->options);
    struct dns_question q = question(&d, r->name, LDNS_RR_TYPE_A);
    size_t len = ask_with(&q, &(struct option){65001, "x", 1}, reply);
    ck_assert_int_eq(find_option(reply, len, ERROR, &o), r->code != 0);
    if (r->code) {
        const uint8_t *data = o.bytes;
        ck_assert_uint_eq((unsigned)data[0] << 8 | data[1], r->code);
        ck_assert_int_eq(o.len > 2, r->has != NULL);
        if (r->has)
            ck_assert_ptr_nonnull(memmem(data + 2, o.len - 2, r->has, strlen(r->has)));
    }
    daemon_stop(&d);
}
END_TEST

/* ---- cookies ------------------------------------------------------------------------------- */

/* Ask with a cookie, keep the server's; returns the flags byte with TC. */
static uint8_t ask_cookie(const struct dns_question *q, uint8_t *cookie, size_t *cookie_len)
{
    uint8_t reply[DNS_MAX];
    struct option o;
    size_t len = ask_with(q, &(struct option){COOKIE, cookie, *cookie_len}, reply);
    ck_assert_uint_eq(reply[3] & 15, 0);
    ck_assert(find_option(reply, len, COOKIE, &o));
    ck_assert_mem_eq(o.bytes, cookie, CLIENT_COOKIE);
    memcpy(cookie, o.bytes, o.len);
    *cookie_len = o.len;
    return reply[2];
}

START_TEST(a_cookie_lifts_the_limit)
{
    struct test_daemon d;
    start(&d, "max_nocookie_response => 150");
    for (unsigned v6 = 0; v6 < 2; v6++) {
        uint8_t cookie[64] = "abcdefgh";
        size_t len = CLIENT_COOKIE;
        struct dns_question q = question(&d, "half.e2e.example", LDNS_RR_TYPE_TXT);
        q.v6 = v6;
        ck_assert(ask_cookie(&q, cookie, &len) & 2); /* TC, and a cookie */
        ck_assert_uint_eq(len, 24);
        ck_assert(!(ask_cookie(&q, cookie, &len) & 2));
        cookie[20] ^= 1;
        ck_assert(ask_cookie(&q, cookie, &len) & 2);
    }
    ck_assert_uint_eq(daemon_counter(&d, "stats", "edns_cookie_init"), 2);
    ck_assert_uint_eq(daemon_counter(&d, "stats", "edns_cookie_ok"), 2);
    ck_assert_uint_eq(daemon_counter(&d, "stats", "edns_cookie_bad"), 2);
    daemon_stop(&d);
}
END_TEST

#define SECRET_1 "000102030405060708090a0b0c0d0e0f\n"
#define SECRET_2 "101112131415161718191a1b1c1d1e1f\n"

/* Is the cookie accepted now? */
static bool is_good(const struct test_daemon *d, const uint8_t *cookie)
{
    struct dns_question q = question(d, "half.e2e.example", LDNS_RR_TYPE_TXT);
    uint8_t sent[64];
    size_t len = 24;
    memcpy(sent, cookie, len);
    return !(ask_cookie(&q, sent, &len) & 2);
}

static void await_bad(const struct test_daemon *d, const uint8_t *cookie)
{
    int left_ms = PATIENCE_MS;
    while (is_good(d, cookie))
        patience(&left_ms, "the end of a secret");
}

START_TEST(secrets_change_without_a_restart)
{
    struct test_daemon d;
    char options[2 * SCRATCH_PATH], dir[SCRATCH_PATH];
    uint8_t old[64] = "abcdefgh", new[64] = "abcdefgh";
    size_t len = CLIENT_COOKIE, new_len = CLIENT_COOKIE;
    scratch_dir(dir);
    scratch_write(dir, "secrets", SECRET_1);
    (void)snprintf(options, sizeof options, /* fits */
                   "cookie_secret_file => \"%s/secrets\"\nmax_nocookie_response => 150", dir);
    start(&d, options);
    struct dns_question q = question(&d, "half.e2e.example", LDNS_RR_TYPE_TXT);
    (void)ask_cookie(&q, old, &len); /* truncated */
    ck_assert(is_good(&d, old));
    /* a file that cannot be used changes nothing */
    scratch_write(dir, "secrets", "00\n");
    daemon_await_log(&d, "cookies: the old keys stay");
    ck_assert(is_good(&d, old));
    /* both verify, the new one makes */
    scratch_write(dir, "secrets", "active: " SECRET_2 "# a comment\n\nstaging: " SECRET_1);
    daemon_await_log(&d, "cookies: new keys");
    ck_assert(is_good(&d, old));
    (void)ask_cookie(&q, new, &new_len);
    ck_assert(is_good(&d, new));
    scratch_write(dir, "secrets", SECRET_2);
    await_bad(&d, old);
    ck_assert(is_good(&d, new));
    daemon_stop(&d);
}
END_TEST

/* A key of our own outlives the process. */
START_TEST(a_key_is_kept)
{
    struct test_daemon d;
    uint8_t cookie[64] = "abcdefgh";
    size_t len = CLIENT_COOKIE;
    start(&d, "max_nocookie_response => 150");
    struct dns_question q = question(&d, "half.e2e.example", LDNS_RR_TYPE_TXT);
    (void)ask_cookie(&q, cookie, &len);
    (void)daemon_kill(&d, 15);
    daemon_launch(&d);
    ck_assert(daemon_await(&d));
    ck_assert(is_good(&d, cookie));
    daemon_stop(&d);
}
END_TEST

/* ---- rate limits --------------------------------------------------------------------------- */

enum { FLOOD = 200, PER_SECOND = 5 };

static const struct flood {
    const char *pattern; /* of names; %u is a number */
    const char *cookie;  /* NULL: none; "": a valid one */
    bool is_limited;
} floods[] = {
    {"nope%u.e2e.example", NULL, true},    /* one zone */
    {"x%u.wild.e2e.example", NULL, true},  /* one wildcard */
    {"x%u.elsewhere.example", NULL, true}, /* REFUSED */
    {"nope%u.e2e.example", "", false},
};

/* Replies to a burst from one socket, in the order sent; behind it a name of its own account. */
static unsigned burst(const struct test_daemon *d, const struct flood *f)
{
    uint8_t query[DNS_MAX], reply[DNS_MAX], cookie[64] = "abcdefgh";
    struct dns_question q = question(d, "www.e2e.example", LDNS_RR_TYPE_A);
    size_t cookie_len = CLIENT_COOKIE;
    unsigned replies = 0;
    char name[64];
    if (f->cookie)
        (void)ask_cookie(&q, cookie, &cookie_len);
    int fd = dns_connect(&q);
    for (unsigned i = 0; i < FLOOD; i++) {
        (void)snprintf(name, sizeof name, f->pattern, i); /* fits */
        q.name = name;
        size_t len = f->cookie ? query_with(&q, &(struct option){COOKIE, cookie, cookie_len}, query)
                               : dns_query(&q, query);
        ck_assert_int_eq(send(fd, query, len, 0), (ssize_t)len);
    }
    q.name = "ns1.e2e.example";
    size_t len = dns_query(&q, query);
    ck_assert_int_eq(send(fd, query, len, 0), (ssize_t)len);
    for (;;) {
        ck_assert_uint_gt(dns_receive_udp(fd, reply), 20);
        if (memcmp(reply + 12, "\3ns1", 4) == 0)
            break;
        replies++;
    }
    close(fd);
    return replies;
}

START_TEST(floods_are_limited)
{
    struct test_daemon d;
    start(&d, "rate_limit => { responses_per_second => 5, slip => 0 }\nudp_threads => 1");
    unsigned replies = burst(&d, &floods[_i]);
    if (floods[_i].is_limited) {
        ck_assert_uint_ge(replies, PER_SECOND);
        ck_assert_uint_lt(replies, FLOOD / 2);
        ck_assert_uint_eq(daemon_counter(&d, "rrl", "dropped"), FLOOD - replies);
    } else {
        ck_assert_uint_eq(replies, FLOOD);
        ck_assert_uint_eq(daemon_counter(&d, "rrl", "dropped"), 0);
    }
    /* over TCP nobody is limited */
    struct dns_question q = question(&d, "nope.e2e.example", LDNS_RR_TYPE_A);
    q.tcp = true;
    for (int i = 0; i < 50; i++) {
        ldns_pkt *p = dns_ask(&q);
        ck_assert_int_eq(ldns_pkt_get_rcode(p), LDNS_RCODE_NXDOMAIN);
        ldns_pkt_free(p);
    }
    daemon_stop(&d);
}
END_TEST

/* slip => 1: every limited response is a truncated one, without records. */
START_TEST(limited_responses_slip)
{
    struct test_daemon d;
    unsigned truncated = 0;
    start(&d, "rate_limit => { responses_per_second => 1, slip => 1 }");
    struct dns_question q = question(&d, "www.e2e.example", LDNS_RR_TYPE_A);
    for (int i = 0; i < 30; i++) {
        ldns_pkt *p = dns_ask(&q);
        ck_assert_uint_eq(ldns_pkt_ancount(p), ldns_pkt_tc(p) ? 0 : 1);
        truncated += ldns_pkt_tc(p);
        ldns_pkt_free(p);
    }
    ck_assert_uint_ge(truncated, 20);
    ck_assert_uint_eq(daemon_counter(&d, "rrl", "slipped"), truncated);
    daemon_stop(&d);
}
END_TEST

static Suite *edns_suite(void)
{
    Suite *s = suite_create("edns");
    TCase *c = e2e_case(s, "edns");
    tcase_add_test(c, nsid_and_names_of_the_server);
    tcase_add_test(c, chaos_off);
    tcase_add_loop_test(c, extended_errors, 0, sizeof ede_rows / sizeof *ede_rows);
    c = e2e_case(s, "cookies");
    tcase_add_test(c, a_cookie_lifts_the_limit);
    tcase_add_test(c, secrets_change_without_a_restart);
    tcase_add_test(c, a_key_is_kept);
    c = e2e_case(s, "rate limits");
    tcase_add_loop_test(c, floods_are_limited, 0, sizeof floods / sizeof *floods);
    tcase_add_test(c, limited_responses_slip);
    return s;
}

E2E_MAIN(edns_suite)
