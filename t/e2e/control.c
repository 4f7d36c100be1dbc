/* SPDX-License-Identifier: GPL-3.0-or-later */
/* control.c: threshctl and signals against a running daemon; reloads, good and bad. */
#include <check.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "ctl/proto.h"
#include "e2e/run.h"
#include "lib/daemon.h"
#include "lib/dns.h"
#include "lib/fakesvc.h"
#include "lib/json.h"

#define array_len(a) (sizeof(a) / sizeof *(a))
enum { NO_DAEMON = 1, USAGE = 2, HARD = 42 };

#define APEX                                                                                       \
    "@ 300 SOA ns1 root 1 1h 1h 1w 10\n@ 300 NS ns1\n@ 300 NS ns2\n"                               \
    "ns1 300 A 127.0.0.1\nns2 300 A 127.0.0.1\n" /* 5 lines */
#define ZONE "zones/e2e.example"
#define OLD  APEX "www 300 A 192.0.2.1\n"
#define NEW  APEX "www 300 A 192.0.2.2\n"

static const struct daemon_zone zones[] = {{"e2e.example", OLD}, {0}};
static const struct daemon_conf conf = {.zones = zones};

static int ctl(const struct test_daemon *d, const char *action, char **out, char **err)
{
    return daemon_ctl(d, (const char *const[]){action, NULL}, out, err);
}

static void check_www(const struct test_daemon *d, const char *addr)
{
    const struct dns_question q = {
        .port = d->port, .name = "www.e2e.example", .type = LDNS_RR_TYPE_A};
    ldns_pkt *p = dns_ask(&q);
    char *text = dns_section_text(ldns_pkt_answer(p));
    ck_assert_msg(strstr(text, addr) != NULL, "wanted %s, got %s", addr, text);
    free(text);
    ldns_pkt_free(p);
}

/* ---- what it shows ------------------------------------------------------------------------- */

START_TEST(status_tells_version_and_pid)
{
    struct test_daemon d;
    char *err, wanted[64];
    daemon_start(&d, &conf);
    ck_assert_int_eq(ctl(&d, "status", NULL, &err), 0);
    (void)snprintf(wanted, sizeof wanted, "running at PID %d\n", (int)d.program.pid); /* fits */
    ck_assert_msg(strstr(err, wanted) && strstr(err, "version 0."), "%s", err);
    free(err);
    daemon_stop(&d);
    daemon_start(&d, &(struct daemon_conf){.options = "compat => gdnsd3", .zones = zones});
    ck_assert_int_eq(ctl(&d, "status", NULL, &err), 0);
    ck_assert_msg(strstr(err, "version 3.8."), "%s", err);
    free(err);
    daemon_stop(&d);
}
END_TEST

START_TEST(stats_count_what_was_asked)
{
    enum { QUERIES = 25 };
    struct test_daemon d;
    char *json;
    daemon_start(&d, &conf);
    for (int i = 0; i < QUERIES; i++)
        check_www(&d, "192.0.2.1");
    ck_assert_int_eq(ctl(&d, "stats", &json, NULL), 0);
    ck_assert_msg(json_is_valid(json), "%s", json);
    ck_assert_msg(strstr(json, "\"noerror\": 25,") && strstr(json, "\"nxdomain\": 0,"), "%s", json);
    ck_assert_msg(strstr(json, "\"uptime\": ") != NULL, "%s", json);
    free(json);
    daemon_stop(&d);
}
END_TEST

static void await_state(const struct test_daemon *d, const char *state)
{
    char *json, wanted[128];
    int left_ms = PATIENCE_MS;
    (void)snprintf(wanted, sizeof wanted, /* fits */
                   "\"127.0.0.11/s\": {\"state\": \"%s\", \"real_state\": \"%s\"}", state, state);
    for (;;) {
        ck_assert(daemon_control(d, PROTO_STATES, &json));
        ck_assert_msg(json_is_valid(json), "%s", json);
        bool found = strstr(json, wanted) != NULL;
        free(json);
        if (found)
            return;
        patience(&left_ms, wanted);
    }
}

START_TEST(states_follow_health)
{
    struct test_daemon d;
    char text[512], *json;
    struct fakesvc *f = fakesvc_start("127.0.0.11", 0);
    (void)snprintf(text, sizeof text, /* fits */
                   "service_types => { s => { plugin => tcp_connect port => %u interval => 0.1\n"
                   "  timeout => 0.1 down_thresh => 2 up_thresh => 2 } }\n"
                   "plugins => { multifo => { service_types => s a => 127.0.0.11 } }",
                   fakesvc_port(f));
    daemon_start(&d, &(struct daemon_conf){.sections = text, .zones = zones});
    await_state(&d, "UP");
    fakesvc_set(f, FAKESVC_REFUSE, 0);
    await_state(&d, "DOWN");
    fakesvc_set(f, FAKESVC_OK, 0);
    await_state(&d, "UP");
    ck_assert_int_eq(ctl(&d, "states", &json, NULL), 0);
    ck_assert_msg(json_is_valid(json) && strstr(json, "127.0.0.11/s"), "%s", json);
    free(json);
    daemon_stop(&d);
    fakesvc_stop(f);
}
END_TEST

START_TEST(states_may_be_empty)
{
    struct test_daemon d;
    char *json;
    daemon_start(&d, &conf);
    ck_assert_int_eq(ctl(&d, "states", &json, NULL), 0);
    ck_assert_msg(json_is_valid(json), "%s", json);
    free(json);
    daemon_stop(&d);
}
END_TEST

/* ---- reload -------------------------------------------------------------------------------- */

static const struct bad_zone {
    const char *text, *why;
} bad_zones[] = {
    {"", "SOA"},
    {"@ 300 NS ns1\nns1 300 A 127.0.0.1\n", "SOA"},
    {APEX "www 300 CNAME b\nwww 300 A 192.0.2.9\n", "CNAME"},
    {APEX "a.example. 300 TXT x\n", ":6:"},
    {APEX "www 300 A 192.0.2.900\n", ":6:"},
    {APEX "www 300 DYNA multifo!none\n", ":6:"},
    {APEX "www 300 DYNA none!none\n", "none"},
    {APEX "www 300 TXT \"open\n", ":6:"},
};

static void check_bad_reload(const struct test_daemon *d, const struct bad_zone *b)
{
    char *err;
    scratch_write(d->dir, ZONE, b->text);
    ck_assert_int_eq(ctl(d, "reload-zones", NULL, &err), HARD);
    const char *line = strstr(err, ZONE);
    ck_assert_msg(line && strstr(line, b->why), "wanted \"%s\": %s", b->why, err);
    free(err);
    check_www(d, "192.0.2.1");
}

START_TEST(a_bad_reload_changes_nothing_and_says_why)
{
    struct test_daemon d;
    daemon_start(&d, &conf);
    for (size_t i = 0; i < array_len(bad_zones); i++) {
        check_bad_reload(&d, &bad_zones[i]);
        scratch_write(d.dir, ZONE, NEW); /* repaired */
        ck_assert_int_eq(ctl(&d, "Reload-Zones", NULL, NULL), 0);
        check_www(&d, "192.0.2.2");
        scratch_write(d.dir, ZONE, OLD);
        ck_assert_int_eq(ctl(&d, "reload-zones", NULL, NULL), 0);
        check_www(&d, "192.0.2.1");
    }
    daemon_stop(&d);
}
END_TEST

static unsigned ask_rcode(const struct test_daemon *d, const char *name)
{
    const struct dns_question q = {.port = d->port, .name = name, .type = LDNS_RR_TYPE_SOA};
    ldns_pkt *p = dns_ask(&q);
    unsigned rcode = ldns_pkt_get_rcode(p);
    ldns_pkt_free(p);
    return rcode;
}

START_TEST(zones_come_and_go)
{
    struct test_daemon d;
    daemon_start(&d, &conf);
    ck_assert_uint_eq(ask_rcode(&d, "new.example"), LDNS_RCODE_REFUSED);
    scratch_write(d.dir, "zones/new.example", APEX);
    ck_assert_int_eq(ctl(&d, "reload-zones", NULL, NULL), 0);
    ck_assert_uint_eq(ask_rcode(&d, "new.example"), LDNS_RCODE_NOERROR);
    scratch_remove(d.dir, "zones/new.example");
    ck_assert_int_eq(ctl(&d, "reload-zones", NULL, NULL), HARD);
    ck_assert_uint_eq(ask_rcode(&d, "new.example"), LDNS_RCODE_NOERROR);
    const char *const force[] = {"reload-zones", "--force", NULL};
    ck_assert_int_eq(daemon_ctl(&d, force, NULL, NULL), 0);
    ck_assert_uint_eq(ask_rcode(&d, "new.example"), LDNS_RCODE_REFUSED);
    ck_assert_uint_eq(ask_rcode(&d, "e2e.example"), LDNS_RCODE_NOERROR);
    daemon_stop(&d);
}
END_TEST

/* Whoever asked after the file was written sees it, however many ask at once. */
START_TEST(reloads_at_the_same_time_all_end)
{
    enum { REQUESTS = 12 };
    struct test_daemon d;
    struct program p[REQUESTS];
    daemon_start(&d, &conf);
    const char *argv[] = {THRESHCTL, "-c", d.dir, "reload-zones", NULL};
    scratch_write(d.dir, ZONE, NEW);
    for (int i = 0; i < REQUESTS; i++)
        program_start(&p[i], d.dir, argv);
    for (int i = 0; i < REQUESTS; i++)
        ck_assert_int_eq(program_wait(&p[i]), 0);
    check_www(&d, "192.0.2.2");
    daemon_stop(&d);
}
END_TEST

/* Asks without end, never twice: every query must have its answer. */
struct asker {
    struct test_daemon *d;
    atomic_bool stop;
    unsigned asked, lost, wrong;
    pthread_t thread;
};

static void *ask_on(void *arg)
{
    struct asker *a = arg;
    const struct dns_question q = {
        .port = a->d->port, .name = "www.e2e.example", .type = LDNS_RR_TYPE_A};
    uint8_t query[DNS_MAX], reply[DNS_MAX];
    size_t len = dns_query(&q, query);
    int fd = dns_connect(&q);
    while (!atomic_load(&a->stop) && !a->lost) {
        query[0] = (uint8_t)(a->asked >> 8);
        query[1] = (uint8_t)a->asked++;
        ssize_t n = -1;
        if (send(fd, query, len, 0) == (ssize_t)len)
            n = recv(fd, reply, sizeof reply, 0);
        a->lost += n < 0;
        a->wrong += n != (ssize_t)len + 16 || memcmp(query, reply, 2) != 0 || reply[3] & 15 ||
                    (reply[n - 1] != 1 && reply[n - 1] != 2);
    }
    close(fd);
    return NULL;
}

START_TEST(no_query_is_lost_during_reloads)
{
    enum { RELOADS = 50, AT_LEAST = 100 };
    struct test_daemon d;
    daemon_start(&d, &conf);
    struct asker a = {.d = &d};
    ck_assert_int_eq(pthread_create(&a.thread, NULL, ask_on, &a), 0);
    for (int i = 0; i < RELOADS; i++) {
        scratch_write(d.dir, ZONE, i % 2 ? OLD : NEW);
        ck_assert(daemon_control(&d, PROTO_RELOAD_ZONES, NULL));
        check_www(&d, i % 2 ? "192.0.2.1" : "192.0.2.2");
    }
    atomic_store(&a.stop, true);
    pthread_join(a.thread, NULL);
    ck_assert_uint_ge(a.asked, AT_LEAST);
    ck_assert_uint_eq(a.lost, 0);
    ck_assert_uint_eq(a.wrong, 0);
    daemon_stop(&d);
}
END_TEST

START_TEST(sighup_reloads)
{
    struct test_daemon d;
    daemon_start(&d, &conf);
    scratch_write(d.dir, ZONE, NEW);
    ck_assert_int_eq(kill(d.program.pid, SIGHUP), 0);
    daemon_await_log(&d, "zones: reloaded");
    check_www(&d, "192.0.2.2");
    scratch_write(d.dir, ZONE, "broken");
    ck_assert_int_eq(kill(d.program.pid, SIGHUP), 0);
    daemon_await_log(&d, "reload refused");
    check_www(&d, "192.0.2.2");
    daemon_stop(&d);
}
END_TEST

/* ---- the end ------------------------------------------------------------------------------- */

START_TEST(a_signal_ends_it_by_that_signal)
{
    static const int numbers[] = {SIGTERM, SIGINT};
    for (size_t i = 0; i < array_len(numbers); i++) {
        struct test_daemon d;
        daemon_start(&d, &conf);
        ck_assert_int_eq(daemon_kill(&d, numbers[i]), -numbers[i]);
        char *log = daemon_log(&d);
        ck_assert_msg(strstr(log, "daemon: stopped\n") != NULL, "%s", log);
        free(log);
    }
}
END_TEST

START_TEST(stop_waits_for_the_end)
{
    struct test_daemon d;
    daemon_start(&d, &conf);
    ck_assert_int_eq(ctl(&d, "stop", NULL, NULL), 0);
    ck_assert_int_eq(program_wait(&d.program), 0);
    ck_assert_int_eq(ctl(&d, "status", NULL, NULL), NO_DAEMON);
    ck_assert_int_eq(ctl(&d, "stop", NULL, NULL), NO_DAEMON);
    ck_assert_int_eq(ctl(&d, "start", NULL, NULL), USAGE);
}
END_TEST

/* Reloads under way are given up without a trace. */
START_TEST(a_stop_during_reloads_is_clean)
{
    enum { REQUESTS = 4 };
    struct test_daemon d;
    struct program p[REQUESTS];
    daemon_start(&d, &conf);
    const char *argv[] = {THRESHCTL, "-c", d.dir, "reload-zones", NULL};
    for (int i = 0; i < REQUESTS; i++)
        program_start(&p[i], d.dir, argv);
    daemon_stop(&d);
    for (int i = 0; i < REQUESTS; i++)
        (void)program_wait(&p[i]); /* done or not: both are true */
}
END_TEST

/* Before it serves: the first probe never ends. */
START_TEST(a_signal_ends_a_start)
{
    struct test_daemon d;
    char text[512];
    struct fakesvc *f = fakesvc_start("127.0.0.11", 0);
    fakesvc_set(f, FAKESVC_SILENT, 0);
    (void)snprintf(text, sizeof text, /* fits */
                   "service_types => { s => { plugin => http_status port => %u interval => 300\n"
                   "  timeout => 300 } }\n"
                   "plugins => { multifo => { service_types => s a => 127.0.0.11 } }",
                   fakesvc_port(f));
    daemon_setup(&d, &(struct daemon_conf){
                         .options = "startup_wait => 0", .sections = text, .zones = zones});
    daemon_launch(&d);
    int left_ms = PATIENCE_MS;
    while (fakesvc_requests(f) == 0)
        patience(&left_ms, "the first probe");
    ck_assert(daemon_control(&d, PROTO_INFO, NULL)); /* it hears already */
    ck_assert_int_eq(daemon_kill(&d, SIGTERM), -SIGTERM);
    fakesvc_stop(f);
}
END_TEST

/* ---- many ---------------------------------------------------------------------------------- */

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static char *many_resources(unsigned count, unsigned addrs)
{
    char *text;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    ck_assert_ptr_nonnull(f);
    fputs("plugins => { multifo => {\n", f);
    for (unsigned i = 0; i < count; i++) {
        fprintf(f, "r%u => [", i);
        for (unsigned k = 0; k < addrs; k++)
            fprintf(f, " 10.%u.%u.%u", k, i / 250, i % 250);
        fputs(" ]\n", f);
    }
    fputs("} }\n", f);
    ck_assert_int_eq(fclose(f), 0);
    return text;
}

START_TEST(ten_thousand_resources_start)
{
    enum { RESOURCES = 10000, ADDRS = 8 };
    static const struct daemon_zone many_zones[] = {
        {"e2e.example", APEX "first 300 DYNA multifo!r0\nlast 300 DYNA multifo!r9999\n"}, {0}};
    struct test_daemon d;
    char *text = many_resources(RESOURCES, ADDRS);
    int64_t before_ms = now_ms();
    daemon_start(&d, &(struct daemon_conf){.sections = text, .zones = many_zones});
    printf("%d resources of %d addresses: started in %d ms\n", RESOURCES, ADDRS,
           (int)(now_ms() - before_ms));
    free(text);
    struct dns_question q = {.port = d.port, .name = "last.e2e.example", .type = LDNS_RR_TYPE_A};
    ldns_pkt *p = dns_ask(&q);
    ck_assert_uint_eq(ldns_pkt_ancount(p), ADDRS);
    ldns_pkt_free(p);
    daemon_stop(&d);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *s = suite_create("control");
    TCase *c = e2e_case(s, "show");
    tcase_add_test(c, status_tells_version_and_pid);
    tcase_add_test(c, stats_count_what_was_asked);
    tcase_add_test(c, states_follow_health);
    tcase_add_test(c, states_may_be_empty);
    c = e2e_case(s, "reload");
    tcase_add_test(c, a_bad_reload_changes_nothing_and_says_why);
    tcase_add_test(c, zones_come_and_go);
    tcase_add_test(c, reloads_at_the_same_time_all_end);
    tcase_add_test(c, no_query_is_lost_during_reloads);
    tcase_add_test(c, sighup_reloads);
    c = e2e_case(s, "end");
    tcase_add_test(c, a_signal_ends_it_by_that_signal);
    tcase_add_test(c, stop_waits_for_the_end);
    tcase_add_test(c, a_stop_during_reloads_is_clean);
    tcase_add_test(c, a_signal_ends_a_start);
    c = e2e_case(s, "many");
    tcase_add_test(c, ten_thousand_resources_start);
    return s;
}

E2E_MAIN(make_suite)
