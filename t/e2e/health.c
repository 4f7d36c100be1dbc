/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * health.c: DNS answers follow the health of real HTTP and TCP services, as libunbound sees it.
 *
 *   http  127.0.0.11 .12 .13  fd00::11 ::12 ::13      tcp  127.0.0.11 .12 .13
 *
 * Every name has the TTL 300/10: halved twice it would be 75.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "e2e/run.h"
#include "lib/daemon.h"
#include "lib/fakesvc.h"
#include "lib/resolver.h"

enum { MEMBERS = 3, UP_THRESH = 3 };

struct rig {
    struct fakesvc *v4[MEMBERS], *v6[MEMBERS], *tcp[MEMBERS];
    struct test_daemon d;
    char sections[4096];
};

#define V4_ALL "127.0.0.11 127.0.0.12 127.0.0.13"
#define V6_ALL "fd00::11 fd00::12 fd00::13"
#define FULL   300
#define HALF   150

static const char zone[] = "$TTL 300\n"
                           "@ SOA ns1 root 1 1h 1h 1w 10\n"
                           "@ NS ns1\n"
                           "@ NS ns2\n"
                           "ns1 A 127.0.0.1\n"
                           "ns2 A 127.0.0.1\n"
                           "$TTL 300\n"
                           "web 300/10 DYNA multifo!web\n"
                           "array 300/10 DYNA multifo!array\n"
                           "hash 300/10 DYNA multifo!hash\n"
                           "all 300/10 DYNA multifo!all\n"
                           "two 300/10 DYNA multifo!two\n"
                           "both 300/10 DYNA multifo!both\n"
                           "all-up 300/10 DYNA upward!all\n"
                           "both-up 300/10 DYNA upward!both\n";

static const struct daemon_zone zones[] = {{"e2e.example", zone}, {0}};

#define THREE "a => 127.0.0.11 b => 127.0.0.12 c => 127.0.0.13"

/* Twice the port: of http, of tcp. */
static const char sections[] =
    "service_types => {\n"
    "  http => { plugin => http_status port => %u interval => 0.1 timeout => 0.1\n"
    "            down_thresh => 1 up_thresh => 3 ok_thresh => 1 }\n"
    "  tcp => { plugin => tcp_connect port => %u interval => 100ms timeout => 100ms\n"
    "           down_thresh => 1 up_thresh => 3 ok_thresh => 1 }\n"
    "}\n"
    "plugins => {\n"
    "  multifo => {\n"
    "    service_types => http\n"
    "    web => { " THREE " }\n"
    "    array => [ 127.0.0.11, 127.0.0.12, 127.0.0.13 ]\n"
    "    hash => { 1 => 127.0.0.11, 2 => 127.0.0.12, 3 => 127.0.0.13 }\n"
    "    all => { ignore_health => true " THREE " }\n"
    "    two => { service_types => [ http tcp ] " THREE " }\n"
    "    both => { addrs_v4 => { " THREE " }, addrs_v6 => [ %s ] }\n"
    "  }\n"
    "  upward => { all => \"multifo!all\" both => \"multifo!both\" }\n"
    "}\n";

static void start_services(struct fakesvc *v[MEMBERS], const char *prefix)
{
    for (int i = 0; i < MEMBERS; i++) {
        char addr[32];
        (void)snprintf(addr, sizeof addr, "%s%d", prefix, 11 + i); /* fits */
        v[i] = fakesvc_start(addr, i ? fakesvc_port(v[0]) : 0);
    }
}

/* Of a family that this machine has no addresses for, the daemon watches none. */
static struct fakesvc *start_v6(uint16_t port, int i)
{
    char addr[32];
    (void)snprintf(addr, sizeof addr, "fd00::%d", 11 + i); /* fits */
    return fakesvc_start(addr, port);
}

static void rig_open(struct rig *r)
{
    *r = (struct rig){0};
    start_services(r->v4, "127.0.0.");
    start_services(r->tcp, "127.0.0.");
    uint16_t port = fakesvc_port(r->v4[0]);
    for (int i = 0; i < MEMBERS && netns_is_own(); i++)
        r->v6[i] = start_v6(port, i);
    (void)snprintf(r->sections, sizeof r->sections, sections, port, fakesvc_port(r->tcp[0]),
                   netns_is_own() ? "fd00::11 fd00::12 fd00::13" : "::1"); /* fits */
    const struct daemon_conf conf = {
        .program = THRESHD_TEST, .sections = r->sections, .zones = zones};
    daemon_start(&r->d, &conf);
}

static void rig_close(struct rig *r)
{
    daemon_stop(&r->d);
    for (int i = 0; i < MEMBERS; i++) {
        fakesvc_stop(r->v4[i]);
        fakesvc_stop(r->v6[i]);
        fakesvc_stop(r->tcp[i]);
    }
}

static void break_service(struct fakesvc *f)
{
    fakesvc_set(f, FAKESVC_REFUSE, 0);
}

static void mend_service(struct fakesvc *f)
{
    fakesvc_set(f, FAKESVC_OK, 0);
}

static void await_v4(const struct rig *r, const char *label, const char *addrs, uint32_t ttl_s)
{
    char name[64];
    (void)snprintf(name, sizeof name, "%s.e2e.example", label); /* fits */
    resolver_await(r->d.port, name, RR_A, addrs, ttl_s);
}

static void await_v6(const struct rig *r, const char *label, const char *addrs, uint32_t ttl_s)
{
    char name[64];
    (void)snprintf(name, sizeof name, "%s.e2e.example", label); /* fits */
    resolver_await(r->d.port, name, RR_AAAA, addrs, ttl_s);
}

/* ---- one family ---------------------------------------------------------------------------- */

START_TEST(members_leave_and_return)
{
    struct rig r;
    rig_open(&r);
    await_v4(&r, "web", V4_ALL, FULL);
    break_service(r.v4[1]);
    await_v4(&r, "web", "127.0.0.11 127.0.0.13", HALF);
    break_service(r.v4[2]);
    await_v4(&r, "web", V4_ALL, HALF); /* 1 of 3 is below 0.5: all */
    break_service(r.v4[0]);
    daemon_await_log(&r.d, "127.0.0.11/http: UP -> DOWN");
    await_v4(&r, "web", V4_ALL, HALF);
    unsigned before = fakesvc_requests(r.v4[1]);
    mend_service(r.v4[0]);
    mend_service(r.v4[1]);
    await_v4(&r, "web", "127.0.0.11 127.0.0.12", HALF);
    ck_assert_uint_ge(fakesvc_requests(r.v4[1]) - before, UP_THRESH);
    mend_service(r.v4[2]);
    await_v4(&r, "web", V4_ALL, FULL);
    rig_close(&r);
}
END_TEST

START_TEST(every_kind_of_failure_counts)
{
    static const enum fakesvc_mode modes[] = {FAKESVC_SILENT, FAKESVC_EOF, FAKESVC_RESET,
                                              FAKESVC_GARBAGE};
    struct rig r;
    rig_open(&r);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        fakesvc_set(r.v4[0], modes[i], 0);
        await_v4(&r, "web", "127.0.0.12 127.0.0.13", HALF);
        mend_service(r.v4[0]);
        await_v4(&r, "web", V4_ALL, FULL);
    }
    fakesvc_set(r.v4[0], FAKESVC_STATUS, 503);
    await_v4(&r, "web", "127.0.0.12 127.0.0.13", HALF);
    rig_close(&r);
}
END_TEST

START_TEST(an_array_is_the_hash_1_2_3)
{
    struct rig r;
    rig_open(&r);
    await_v4(&r, "array", V4_ALL, FULL);
    await_v4(&r, "hash", V4_ALL, FULL);
    break_service(r.v4[0]);
    await_v4(&r, "array", "127.0.0.12 127.0.0.13", HALF);
    await_v4(&r, "hash", "127.0.0.12 127.0.0.13", HALF);
    break_service(r.v4[1]);
    await_v4(&r, "array", V4_ALL, HALF);
    await_v4(&r, "hash", V4_ALL, HALF);
    rig_close(&r);
}
END_TEST

/* ---- upward -------------------------------------------------------------------------------- */

/* upward's A: 127.0.0.1 for UP or 127.0.0.2 for DOWN, beside the addresses. */
START_TEST(ignore_health_keeps_all_and_reports)
{
    struct rig r;
    rig_open(&r);
    await_v4(&r, "all", V4_ALL, FULL);
    await_v4(&r, "all-up", "127.0.0.1 " V4_ALL, FULL);
    break_service(r.v4[0]);
    await_v4(&r, "all", V4_ALL, HALF);
    await_v4(&r, "all-up", "127.0.0.1 " V4_ALL, HALF);
    break_service(r.v4[2]);
    await_v4(&r, "all-up", V4_ALL " 127.0.0.2", HALF);
    await_v4(&r, "all", V4_ALL, HALF);
    mend_service(r.v4[0]);
    await_v4(&r, "all-up", "127.0.0.1 " V4_ALL, HALF);
    rig_close(&r);
}
END_TEST

START_TEST(families_are_independent)
{
    struct rig r;
    ck_assert_msg(netns_is_own(), "needs a network namespace of its own (unshare -rn)");
    rig_open(&r);
    await_v4(&r, "both", V4_ALL, FULL);
    await_v6(&r, "both", V6_ALL, FULL);
    break_service(r.v6[1]); /* both TTLs halve, once */
    await_v6(&r, "both", "fd00::11 fd00::13", HALF);
    await_v4(&r, "both", V4_ALL, HALF);
    await_v4(&r, "both-up", "127.0.0.1 " V4_ALL, HALF);
    break_service(r.v4[0]);
    await_v4(&r, "both", "127.0.0.12 127.0.0.13", HALF);
    break_service(r.v4[1]); /* IPv4 below, IPv6 above the threshold */
    await_v4(&r, "both", V4_ALL, HALF);
    await_v6(&r, "both", "fd00::11 fd00::13", HALF);
    await_v4(&r, "both-up", V4_ALL " 127.0.0.2", HALF);
    mend_service(r.v4[0]);
    mend_service(r.v4[1]);
    mend_service(r.v6[1]);
    await_v4(&r, "both-up", "127.0.0.1 " V4_ALL, FULL);
    await_v6(&r, "both", V6_ALL, FULL);
    rig_close(&r);
}
END_TEST

/* ---- service types ------------------------------------------------------------------------- */

START_TEST(the_worst_of_two_service_types_decides)
{
    struct rig r;
    rig_open(&r);
    await_v4(&r, "two", V4_ALL, FULL);
    break_service(r.tcp[0]);
    await_v4(&r, "two", "127.0.0.12 127.0.0.13", HALF);
    await_v4(&r, "web", V4_ALL, FULL); /* http is well */
    mend_service(r.tcp[0]);
    await_v4(&r, "two", V4_ALL, FULL);
    break_service(r.v4[2]);
    await_v4(&r, "two", "127.0.0.11 127.0.0.12", HALF);
    break_service(r.tcp[2]); /* both of one address: still one address */
    daemon_await_log(&r.d, "127.0.0.13/tcp: UP -> DOWN");
    await_v4(&r, "two", "127.0.0.11 127.0.0.12", HALF);
    rig_close(&r);
}
END_TEST

/* http is asked for by six resources, tcp by one: the same number of probes. */
START_TEST(resources_share_one_probe)
{
    enum { ENOUGH = 10, SLACK = 3 };
    struct rig r;
    int left_ms = PATIENCE_MS;
    rig_open(&r);
    while (fakesvc_connections(r.tcp[0]) < ENOUGH)
        patience(&left_ms, "probes");
    ck_assert_uint_le(fakesvc_connections(r.v4[0]), fakesvc_connections(r.tcp[0]) + SLACK);
    rig_close(&r);
}
END_TEST

/* ---- policies ------------------------------------------------------------------------------ */

static const struct daemon_zone one_zone[] = {
    {"e2e.example", "@ 300 SOA ns1 root 1 1h 1h 1w 10\n@ 300 NS ns1\nns1 300 A 127.0.0.1\n"
                    "one 300/2 DYNA multifo!one\n"},
    {0}};

START_TEST(a_derived_ttl_follows_the_counters)
{
    struct test_daemon d;
    char text[512];
    struct fakesvc *f = fakesvc_start("127.0.0.11", 0);
    (void)snprintf(text, sizeof text, /* fits */
                   "service_types => { s => { plugin => tcp_connect port => %u interval => 0.1\n"
                   "  timeout => 0.1 down_thresh => 30 up_thresh => 100 } }\n"
                   "plugins => { multifo => { service_types => s one => 127.0.0.11 } }",
                   fakesvc_port(f));
    const struct daemon_conf conf = {
        .options = "ttl_policy => derived min_ttl => 1", .sections = text, .zones = one_zone};
    daemon_start(&d, &conf);
    resolver_await(d.port, "one.e2e.example", RR_A, "127.0.0.11", 3); /* 0.1 x 30 */
    break_service(f);
    resolver_await(d.port, "one.e2e.example", RR_A, "127.0.0.11", 2);  /* 10 failures later */
    resolver_await(d.port, "one.e2e.example", RR_A, "127.0.0.11", 10); /* DOWN: 0.1 x 100 */
    daemon_stop(&d);
    fakesvc_stop(f);
}
END_TEST

static void check_gdnsd_log(const struct test_daemon *d)
{
    char *log = daemon_log(d);
    ck_assert_msg(strstr(log, "info: state of '127.0.0.11/s' initialized to UP/20\n") != NULL, "%s",
                  log);
    ck_assert_msg(strstr(log, "info: state of '127.0.0.12/s' initialized to DOWN/40\n") != NULL,
                  "%s", log);
    free(log);
}

/* gdnsd 3.8: thresholds 20/10/10, a derived TTL, its words in the log. */
START_TEST(compat_has_the_defaults_of_gdnsd)
{
    struct test_daemon d;
    char text[512];
    struct fakesvc *f = fakesvc_start("127.0.0.11", 0);
    (void)snprintf(text, sizeof text, /* fits */
                   "service_types => { s => { plugin => http_status port => %u interval => 2 } }\n"
                   "plugins => { multifo => { service_types => s\n"
                   "  one => [ 127.0.0.11, 127.0.0.12 ] } }",
                   fakesvc_port(f));
    const struct daemon_conf conf = {
        .options = "compat => gdnsd3", .sections = text, .zones = one_zone};
    daemon_start(&d, &conf);
    check_gdnsd_log(&d);
    resolver_await(d.port, "one.e2e.example", RR_A, "127.0.0.11", 20);
    daemon_stop(&d);
    fakesvc_stop(f);
}
END_TEST

START_TEST(a_start_waits_for_first_results_at_most_startup_wait)
{
    struct test_daemon d;
    char text[512];
    struct fakesvc *f = fakesvc_start("127.0.0.11", 0);
    fakesvc_set(f, FAKESVC_SILENT, 0);
    (void)snprintf(text, sizeof text, /* fits */
                   "service_types => { s => { plugin => http_status port => %u interval => 300\n"
                   "  timeout => 300 } }\n"
                   "plugins => { multifo => { service_types => s one => 127.0.0.11 } }",
                   fakesvc_port(f));
    const struct daemon_conf conf = {
        .options = "startup_wait => 100ms", .sections = text, .zones = one_zone};
    daemon_start(&d, &conf); /* would take longer than our patience */
    resolver_await(d.port, "one.e2e.example", RR_A, "127.0.0.11", FULL);
    daemon_stop(&d);
    fakesvc_stop(f);
}
END_TEST

/* One address under one service type with these keys; the first states are as configured. */
static struct fakesvc *start_one(struct test_daemon *d, const char *plugin, const char *keys)
{
    char text[512];
    struct fakesvc *f = fakesvc_start("127.0.0.11", 0);
    (void)snprintf(text, sizeof text, /* fits */
                   "service_types => { s => { plugin => %s port => %u %s } }\n"
                   "plugins => { multifo => { service_types => s one => [ 127.0.0.11 ] } }",
                   plugin, fakesvc_port(f), keys);
    const struct daemon_conf conf = {.sections = text, .zones = one_zone};
    daemon_start(d, &conf);
    return f;
}

/* The interval is longer than our patience: the second look comes of fast_interval. */
START_TEST(a_first_state_is_confirmed_soon)
{
    struct test_daemon d;
    struct fakesvc *f =
        start_one(&d, "tcp_connect", "interval => 3600 fast_interval => 100ms timeout => 5");
    int left_ms = PATIENCE_MS;
    daemon_await_log(&d, "127.0.0.11/s: PENDING -> UP: passed=2 of=2");
    while (fakesvc_connections(f) < 2) /* the kernel accepts before the service does */
        patience(&left_ms, "two connections");
    unsigned long probes = daemon_counter(&d, "monitor", "probes");
    ck_assert(probes == 2 || probes == 3); /* 3: its place in the hour has just come */
    ck_assert_uint_eq(daemon_counter(&d, "monitor", "notrun"), 0);
    daemon_stop(&d);
    fakesvc_stop(f);
}
END_TEST

/* Thousands of failures are allowed, of this cause none. */
START_TEST(a_hard_failure_is_down_at_once)
{
    struct test_daemon d;
    struct fakesvc *f = start_one(&d, "http_status",
                                  "interval => 100ms timeout => 100ms down_thresh => 60000\n"
                                  "up_thresh => 1 hard_fail => [ refused, status ]");
    fakesvc_set(f, FAKESVC_EOF, 0);
    unsigned before = fakesvc_connections(f);
    int left_ms = PATIENCE_MS;
    while (fakesvc_connections(f) < before + 5)
        patience(&left_ms, "probes");
    char *log = daemon_log(&d);
    ck_assert_ptr_null(strstr(log, "-> DOWN"));
    free(log);
    fakesvc_set(f, FAKESVC_STATUS, 503);
    daemon_await_log(&d, "127.0.0.11/s: UP -> DOWN");
    resolver_await(d.port, "one.e2e.example", RR_A, "127.0.0.11", HALF);
    mend_service(f);
    daemon_await_log(&d, "127.0.0.11/s: DOWN -> UP: passed=1 of=1");
    resolver_await(d.port, "one.e2e.example", RR_A, "127.0.0.11", FULL);
    daemon_stop(&d);
    fakesvc_stop(f);
}
END_TEST

START_TEST(a_window_of_results_decides)
{
    struct test_daemon d;
    struct fakesvc *f = start_one(
        &d, "tcp_connect", "interval => 100ms timeout => 100ms fall_mode => \"window 3/20\"");
    break_service(f);
    daemon_await_log(&d, "127.0.0.11/s: UP -> DOWN: failed=3 of=20");
    daemon_stop(&d);
    fakesvc_stop(f);
}
END_TEST

/* Its second time DOWN in a minute: it needs twice as long, and the log says so. */
START_TEST(who_falls_often_comes_back_later)
{
    struct test_daemon d;
    struct fakesvc *f =
        start_one(&d, "tcp_connect",
                  "interval => 100ms timeout => 100ms down_thresh => 1 up_thresh => 3\n"
                  "damp => { falls => 2 window => 1h }");
    break_service(f);
    daemon_await_log(&d, "127.0.0.11/s: UP -> DOWN: failed=1 of=1");
    mend_service(f);
    daemon_await_log(&d, "127.0.0.11/s: DOWN -> UP: passed=3 of=3");
    break_service(f);
    daemon_await_log(&d, "returns_after=6");
    mend_service(f);
    daemon_await_log(&d, "127.0.0.11/s: DOWN -> UP: passed=6 of=6");
    daemon_stop(&d);
    fakesvc_stop(f);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *s = suite_create("health");
    TCase *c = e2e_case(s, "multifo");
    tcase_add_test(c, members_leave_and_return);
    tcase_add_test(c, every_kind_of_failure_counts);
    tcase_add_test(c, an_array_is_the_hash_1_2_3);
    tcase_add_test(c, ignore_health_keeps_all_and_reports);
    tcase_add_test(c, families_are_independent);
    tcase_add_test(c, the_worst_of_two_service_types_decides);
    tcase_add_test(c, resources_share_one_probe);
    c = e2e_case(s, "states");
    tcase_add_test(c, a_first_state_is_confirmed_soon);
    tcase_add_test(c, a_hard_failure_is_down_at_once);
    tcase_add_test(c, a_window_of_results_decides);
    tcase_add_test(c, who_falls_often_comes_back_later);
    c = e2e_case(s, "policies");
    tcase_add_test(c, a_derived_ttl_follows_the_counters);
    tcase_add_test(c, compat_has_the_defaults_of_gdnsd);
    tcase_add_test(c, a_start_waits_for_first_results_at_most_startup_wait);
    return s;
}

E2E_MAIN(make_suite)
