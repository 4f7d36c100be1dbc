/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reload.c: zones by name, guards, the list of zones, zones_watch; what a reload must not touch. */
#include <check.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ctl/proto.h"
#include "e2e/run.h"
#include "lib/daemon.h"
#include "lib/dns.h"
#include "lib/fakesvc.h"
#include "lib/json.h"

enum { HARD = 42 };

#define SOA(serial)       "@ 300 SOA ns1 root " serial " 1h 1h 1w 10\n@ 300 NS ns1\n@ 300 NS ns2\n"
#define REST              "ns1 300 A 127.0.0.1\nns2 300 A 127.0.0.1\n"
#define WWW(serial, addr) SOA(serial) REST "www 300 A " addr "\n"
#define MANY              "a 300 A 192.0.2.1\nb 300 A 192.0.2.1\nc 300 A 192.0.2.1\n"

static const struct daemon_zone zones[] = {
    {"a.example", WWW("1", "192.0.2.1")}, {"b.example", WWW("1", "192.0.2.1") MANY}, {0}};
static const struct daemon_conf conf = {.zones = zones};
static const struct daemon_conf watching = {.options = "zones_watch => true", .zones = zones};

/* `threshctl reload-zones ARGS...`, NULL at the end; said: what it wrote to stderr. */
static int reload(const struct test_daemon *d, char **said, ...)
{
    const char *words[DAEMON_WORDS + 1] = {"reload-zones"};
    va_list ap;
    va_start(ap, said);
    for (int i = 1; (words[i] = va_arg(ap, const char *)); i++)
        ck_assert_int_lt(i, DAEMON_WORDS);
    va_end(ap);
    return daemon_ctl(d, words, NULL, said);
}

/* The answer to an A question as text, "" if there is none. From the heap. */
static char *answer(const struct test_daemon *d, const char *name)
{
    const struct dns_question q = {.port = d->port, .name = name, .type = LDNS_RR_TYPE_A};
    ldns_pkt *p = dns_ask(&q);
    char *text = dns_section_text(ldns_pkt_answer(p));
    ldns_pkt_free(p);
    return text;
}

static bool has(const struct test_daemon *d, const char *name, const char *addr)
{
    char *text = answer(d, name);
    bool yes = strstr(text, addr) != NULL;
    free(text);
    return yes;
}

static void await(const struct test_daemon *d, const char *name, const char *addr)
{
    int left_ms = PATIENCE_MS;
    while (!has(d, name, addr))
        patience(&left_ms, addr);
}

static void expect_said(char *said, const char *part)
{
    ck_assert_msg(strstr(said, part) != NULL, "wanted %s, got %s", part, said);
    free(said);
}

/* ---- by name ------------------------------------------------------------------------------- */

START_TEST(a_named_zone_is_not_held_up)
{
    struct test_daemon d;
    char *said;
    daemon_start(&d, &conf);
    scratch_write(d.dir, "zones/a.example", "broken");
    scratch_write(d.dir, "zones/b.example", WWW("2", "192.0.2.2") MANY);
    ck_assert_int_eq(reload(&d, &said, NULL), HARD);
    expect_said(said, "zones/a.example:1:");
    ck_assert(has(&d, "www.b.example", "192.0.2.1"));
    ck_assert_int_eq(reload(&d, NULL, "b.example", NULL), 0);
    ck_assert(has(&d, "www.b.example", "192.0.2.2"));
    ck_assert_int_eq(reload(&d, &said, "b.example.", "a.example", NULL), HARD);
    expect_said(said, "zones/a.example:1:");
    ck_assert_int_eq(reload(&d, &said, "c.example", NULL), HARD);
    expect_said(said, "zone \"c.example\" has no file");
    scratch_write(d.dir, "zones/a.example", WWW("2", "192.0.2.2"));
    ck_assert_int_eq(reload(&d, NULL, "A.EXAMPLE", NULL), 0);
    ck_assert(has(&d, "www.a.example", "192.0.2.2"));
    daemon_stop(&d);
}
END_TEST

/* ---- guards -------------------------------------------------------------------------------- */

START_TEST(guards_refuse_and_force_overrides)
{
    struct test_daemon d;
    char *said;
    daemon_start(&d, &conf);
    scratch_write(d.dir, "zones/b.example", WWW("2", "192.0.2.2"));
    ck_assert_int_eq(reload(&d, &said, NULL), HARD);
    expect_said(said, "shrink from 9 to 6 records");
    ck_assert_int_eq(reload(&d, &said, "b.example", NULL), HARD);
    expect_said(said, "reload-zones --force");
    ck_assert(has(&d, "www.b.example", "192.0.2.1"));
    ck_assert_int_eq(reload(&d, &said, "--force", "b.example", NULL), 0);
    expect_said(said, "forced");
    ck_assert(has(&d, "www.b.example", "192.0.2.2"));
    scratch_remove(d.dir, "zones/b.example");
    ck_assert_int_eq(reload(&d, &said, NULL), HARD);
    expect_said(said, "would be dropped");
    ck_assert(has(&d, "www.b.example", "192.0.2.2"));
    ck_assert_int_eq(reload(&d, NULL, "--force", NULL), 0);
    ck_assert(!has(&d, "www.b.example", "192.0.2.2"));
    daemon_stop(&d);
}
END_TEST

START_TEST(a_serial_that_stays_is_told)
{
    struct test_daemon d;
    char *said;
    daemon_start(&d, &conf);
    scratch_write(d.dir, "zones/a.example", WWW("1", "192.0.2.2"));
    ck_assert_int_eq(reload(&d, &said, "a.example", NULL), 0);
    expect_said(said, "still has serial 1");
    ck_assert(has(&d, "www.a.example", "192.0.2.2"));
    daemon_stop(&d);
}
END_TEST

START_TEST(the_compatible_mode_has_no_guards)
{
    const struct daemon_conf compat = {.options = "compat => gdnsd3", .zones = zones};
    struct test_daemon d;
    daemon_start(&d, &compat);
    scratch_remove(d.dir, "zones/b.example");
    ck_assert_int_eq(reload(&d, NULL, NULL), 0);
    ck_assert(!has(&d, "www.b.example", "192.0.2.1"));
    ck_assert(has(&d, "www.a.example", "192.0.2.1"));
    daemon_stop(&d);
}
END_TEST

/* ---- the list ------------------------------------------------------------------------------ */

/* The line of a zone, from the heap. */
static char *zone_line(const struct test_daemon *d, const char *name)
{
    char *all, key[64];
    ck_assert(daemon_control(d, PROTO_ZONES, &all));
    ck_assert_msg(json_is_valid(all), "%s", all);
    (void)snprintf(key, sizeof key, "{\"name\": \"%s\"", name); /* fits */
    char *at = strstr(all, key);
    char *line = at ? strndup(at, strcspn(at, "\n")) : strdup("");
    free(all);
    return line;
}

static void hash_of(const struct test_daemon *d, const char *name, char out[17])
{
    char *line = zone_line(d, name), *at = strstr(line, "\"hash\": \"");
    ck_assert_msg(at != NULL, "%s", line);
    (void)snprintf(out, 17, "%s", at + 9); /* is cut: 16 digits */
    free(line);
}

START_TEST(zones_are_listed)
{
    struct test_daemon d, other;
    char a[17], b[17];
    const struct daemon_zone same[] = {
        {"a.example", "$TTL 300\n@ SOA ns1 root 1 3600 3600 604800 10\nwww A 192.0.2.1\n"
                      "@ NS ns2\n@ NS ns1\nns2 A 127.0.0.1\nns1 A 127.0.0.1\n"},
        {0}};
    daemon_start(&d, &conf);
    daemon_start(&other, &(struct daemon_conf){.zones = same});
    char *line = zone_line(&d, "b.example.");
    ck_assert_msg(strstr(line, "\"serial\": 1, \"records\": 9, ") != NULL, "%s", line);
    ck_assert_msg(strstr(line, "zones/b.example\", \"loaded\": \"20") != NULL, "%s", line);
    free(line);
    hash_of(&d, "a.example.", a);
    hash_of(&other, "a.example.", b);
    ck_assert_str_eq(a, b); /* another process, another layout, the same zone */
    scratch_write(d.dir, "zones/a.example", WWW("2", "192.0.2.1"));
    ck_assert_int_eq(reload(&d, NULL, NULL), 0);
    hash_of(&d, "a.example.", a);
    ck_assert_str_ne(a, b);
    line = zone_line(&d, "a.example.");
    ck_assert_msg(strstr(line, "\"serial\": 2, ") != NULL, "%s", line);
    free(line);
    daemon_stop(&other);
    daemon_stop(&d);
}
END_TEST

/* ---- zones_watch --------------------------------------------------------------------------- */

START_TEST(watched_files_reload_themselves)
{
    struct test_daemon d;
    daemon_start(&d, &watching);
    scratch_write(d.dir, "zones/a.example", WWW("2", "192.0.2.2"));
    await(&d, "www.a.example", "192.0.2.2");
    daemon_await_log(&d, "by=watch named=1 read=1");
    char *log = daemon_log(&d);
    ck_assert_msg(!strstr(log, "by=watch named=0"), "read twice at the start: %s", log);
    free(log);
    scratch_write(d.dir, "zones/c.example", WWW("1", "192.0.2.3"));
    await(&d, "www.c.example", "192.0.2.3");
    /* a broken zone holds up nobody, and is served again once it is repaired */
    scratch_write(d.dir, "zones/a.example", "broken");
    scratch_write(d.dir, "zones/c.example", WWW("2", "192.0.2.4"));
    await(&d, "www.c.example", "192.0.2.4");
    daemon_await_log(&d, "by=watch named=1 errors=");
    ck_assert(has(&d, "www.a.example", "192.0.2.2"));
    scratch_write(d.dir, "zones/a.example", WWW("3", "192.0.2.5"));
    await(&d, "www.a.example", "192.0.2.5");
    /* guards hold */
    scratch_remove(d.dir, "zones/c.example");
    daemon_await_log(&d, "would be dropped");
    ck_assert(has(&d, "www.c.example", "192.0.2.4"));
    daemon_stop(&d);
}
END_TEST

/* Of a zone that is served from the start, and of one that comes later. */
START_TEST(watched_included_files_reload_too)
{
    static const struct daemon_zone with_include[] = {
        {"a.example", SOA("1") REST "$INCLUDE ../inc/hosts\n"},
        {".more", "www 300 A 192.0.2.1\n"},
        {"../inc/hosts", "www 300 A 192.0.2.1\n"},
        {0}};
    struct test_daemon d;
    daemon_start(&d,
                 &(struct daemon_conf){.options = "zones_watch => true", .zones = with_include});
    scratch_write(d.dir, "inc/unrelated", "x");
    scratch_write(d.dir, "inc/hosts", "www 300 A 192.0.2.2\n");
    await(&d, "www.a.example", "192.0.2.2");
    scratch_write(d.dir, "zones/b.example", SOA("1") REST "$INCLUDE .more\n");
    await(&d, "www.b.example", "192.0.2.1");
    scratch_write(d.dir, "zones/.more", "www 300 A 192.0.2.3\n");
    await(&d, "www.b.example", "192.0.2.3");
    daemon_stop(&d);
}
END_TEST

/* How many inotify watches the daemon has. */
static unsigned watches(const struct test_daemon *d)
{
    unsigned count = 0;
    for (int fd = 3; fd < 64; fd++) {
        char path[64];
        (void)snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", (int)d->program.pid, fd); /* fits */
        char *text = scratch_read(path);
        for (char *p = text; (p = strstr(p, "inotify wd:")); p++)
            count++;
        free(text);
    }
    return count;
}

START_TEST(folders_that_nobody_includes_from_are_left_alone)
{
    static const struct daemon_zone with_include[] = {
        {"a.example", SOA("1") REST "$INCLUDE ../one/hosts\n$INCLUDE ../two/hosts\n"},
        {"../one/hosts", "www 300 A 192.0.2.1\n"},
        {"../two/hosts", "web 300 A 192.0.2.1\n"},
        {0}};
    struct test_daemon d;
    int left_ms = PATIENCE_MS;
    daemon_start(&d,
                 &(struct daemon_conf){.options = "zones_watch => true", .zones = with_include});
    while (watches(&d) != 5) /* state (admin_state), zones, the folder above it, one, two */
        patience(&left_ms, "five folders are watched");
    scratch_write(d.dir, "zones/a.example",
                  SOA("2") REST "$INCLUDE ../two/hosts\n"
                                "www 300 A 192.0.2.2\n");
    await(&d, "www.a.example", "192.0.2.2");
    while (watches(&d) != 4)
        patience(&left_ms, "one folder less is watched");
    scratch_write(d.dir, "two/hosts", "web 300 A 192.0.2.3\n");
    await(&d, "web.a.example", "192.0.2.3"); /* this one still is */
    daemon_stop(&d);
}
END_TEST

/* What changes after zones are read and before they are served: the first round of probes lasts. */
START_TEST(changes_while_it_starts_are_seen)
{
    static const struct daemon_zone with_include[] = {
        {"a.example", SOA("1") REST "$INCLUDE ../inc/hosts\n"},
        {"b.example", WWW("1", "192.0.2.1")},
        {"../inc/hosts", "www 300 A 192.0.2.1\n"},
        {0}};
    struct test_daemon d;
    struct fakesvc *v = fakesvc_start("127.0.0.11", 0);
    char sections[512];
    (void)snprintf(sections, sizeof sections,
                   "service_types => { h => { plugin => http_status port => %u timeout => 3\n"
                   "  interval => 5 } }\n"
                   "plugins => { multifo => { service_types => h web => [ 127.0.0.11 ] } }\n",
                   fakesvc_port(v)); /* fits */
    fakesvc_set(v, FAKESVC_SILENT, 0);
    daemon_setup(&d, &(struct daemon_conf){.options = "zones_watch => true",
                                           .sections = sections,
                                           .zones = with_include});
    daemon_launch(&d);
    int left_ms = PATIENCE_MS;
    while (fakesvc_connections(v) == 0) /* zones are read before the first probe */
        patience(&left_ms, "a probe");
    scratch_write(d.dir, "inc/hosts", "www 300 A 192.0.2.2\n");
    scratch_write(d.dir, "zones/b.example", WWW("2", "192.0.2.3"));
    ck_assert(daemon_await(&d));
    await(&d, "www.a.example", "192.0.2.2");
    await(&d, "www.b.example", "192.0.2.3");
    daemon_stop(&d);
    fakesvc_stop(v);
}
END_TEST

START_TEST(many_changes_are_one_reload)
{
    enum { CHANGES = 40 };
    struct test_daemon d;
    char name[64];
    daemon_start(&d, &watching);
    for (int i = 0; i < CHANGES; i++) {
        (void)snprintf(name, sizeof name, "zones/n%d.example", i); /* fits */
        scratch_write(d.dir, name, WWW("1", "192.0.2.7"));
    }
    await(&d, "www.n0.example", "192.0.2.7");
    await(&d, "www.n39.example", "192.0.2.7");
    daemon_await_log(&d, "zones_watch reloads all");
    daemon_stop(&d);
}
END_TEST

/* ---- what stays as it is ------------------------------------------------------------------- */

#define DYNAMIC                                                                                    \
    "service_types => { tcp => { plugin => tcp_connect port => %u interval => 0.1\n"               \
    "  timeout => 0.1 down_thresh => 1 up_thresh => 3 ok_thresh => 1 } }\n"                        \
    "plugins => { multifo => { service_types => tcp\n"                                             \
    "  web => [ 127.0.0.11, 127.0.0.12, 127.0.0.13 ] } }\n"

/* Asks without end: the member that is DOWN must never be in the answer, nor one be missing. */
struct asker {
    struct test_daemon *d;
    atomic_bool stop;
    unsigned asked, lost, wrong;
    pthread_t thread;
};

static bool is_wrong(const uint8_t *reply, size_t len, size_t query_len)
{
    if (len != query_len + 2 * 16 || reply[3] & 15 || reply[7] != 2)
        return true;
    return reply[query_len + 15] == 13 || reply[query_len + 31] == 13;
}

static void *ask_on(void *arg)
{
    struct asker *a = arg;
    const struct dns_question q = {
        .port = a->d->port, .name = "dyn.a.example", .type = LDNS_RR_TYPE_A};
    uint8_t query[DNS_MAX], reply[DNS_MAX];
    size_t len = dns_query(&q, query);
    int fd = dns_connect(&q);
    while (!atomic_load(&a->stop) && !a->lost) {
        a->asked++;
        ssize_t n = -1;
        if (send(fd, query, len, 0) == (ssize_t)len)
            n = recv(fd, reply, sizeof reply, 0);
        a->lost += n < 0;
        a->wrong += n < 0 || is_wrong(reply, (size_t)n, len);
    }
    close(fd);
    return NULL;
}

static unsigned long counted(const struct test_daemon *d)
{
    char *stats;
    ck_assert(daemon_control(d, PROTO_STATS, &stats));
    char *at = strstr(stats, "\"noerror\": ");
    ck_assert_ptr_nonnull(at);
    unsigned long n = strtoul(at + 11, NULL, 10);
    free(stats);
    return n;
}

static void start_with_one_down(struct test_daemon *d, struct fakesvc *v[2], char *sections)
{
    static const struct daemon_zone with_dyn[] = {
        {"a.example", WWW("1", "192.0.2.1") "dyn 300/10 DYNA multifo!web\n"},
        {"b.example", WWW("1", "192.0.2.1")},
        {0}};
    v[0] = fakesvc_start("127.0.0.11", 0);
    v[1] = fakesvc_start("127.0.0.12", fakesvc_port(v[0])); /* nobody is at .13 */
    (void)snprintf(sections, 1024, DYNAMIC, fakesvc_port(v[0]));
    daemon_start(d, &(struct daemon_conf){.sections = sections, .zones = with_dyn});
    int left_ms = PATIENCE_MS;
    while (has(d, "dyn.a.example", "127.0.0.13") || !has(d, "dyn.a.example", "127.0.0.11"))
        patience(&left_ms, "one of three is down");
}

/* Health, prepared answers and counters live on; no query is lost or answered from nothing. */
START_TEST(reloads_touch_zones_alone)
{
    enum { RELOADS = 60 };
    struct test_daemon d;
    struct fakesvc *v[2];
    char sections[1024], *states, *after;
    start_with_one_down(&d, v, sections);
    struct asker a = {.d = &d};
    unsigned long before = counted(&d);
    ck_assert(daemon_control(&d, PROTO_STATES, &states));
    ck_assert_int_eq(pthread_create(&a.thread, NULL, ask_on, &a), 0);
    for (int i = 0; i < RELOADS; i++) {
        scratch_write(d.dir, "zones/a.example",
                      i % 2 ? WWW("1", "192.0.2.1") "dyn 300/10 DYNA multifo!web\n"
                            : WWW("2", "192.0.2.2") "dyn 300/10 DYNA multifo!web\n");
        if (i % 3)
            ck_assert(daemon_control(&d, PROTO_RELOAD_ZONES, NULL));
        else
            ck_assert_int_eq(reload(&d, NULL, "a.example", NULL), 0);
        ck_assert(has(&d, "www.a.example", i % 2 ? "192.0.2.1" : "192.0.2.2"));
    }
    atomic_store(&a.stop, true);
    pthread_join(a.thread, NULL);
    ck_assert_uint_ge(a.asked, RELOADS);
    ck_assert_uint_eq(a.lost, 0);
    ck_assert_uint_eq(a.wrong, 0);
    ck_assert_uint_ge(counted(&d), before + a.asked);
    ck_assert(daemon_control(&d, PROTO_STATES, &after));
    ck_assert_str_eq(after, states);
    free(states);
    free(after);
    daemon_stop(&d);
    fakesvc_stop(v[0]);
    fakesvc_stop(v[1]);
}
END_TEST

static Suite *suite_of_reload(void)
{
    Suite *s = suite_create("reload");
    TCase *c = e2e_case(s, "reload");
    tcase_add_test(c, a_named_zone_is_not_held_up);
    tcase_add_test(c, guards_refuse_and_force_overrides);
    tcase_add_test(c, a_serial_that_stays_is_told);
    tcase_add_test(c, the_compatible_mode_has_no_guards);
    tcase_add_test(c, zones_are_listed);
    tcase_add_test(c, watched_files_reload_themselves);
    tcase_add_test(c, watched_included_files_reload_too);
    tcase_add_test(c, folders_that_nobody_includes_from_are_left_alone);
    tcase_add_test(c, changes_while_it_starts_are_seen);
    tcase_add_test(c, many_changes_are_one_reload);
    tcase_add_test(c, reloads_touch_zones_alone);
    return s;
}

E2E_MAIN(suite_of_reload)
