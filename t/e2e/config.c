/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * config.c: what is refused, with which words, and that nothing is left behind; what the command
 * line takes.  A written configuration has `options` extras in line 4 and sections from line 6 on.
 */
#include <arpa/inet.h>
#include <check.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "e2e/run.h"
#include "lib/daemon.h"
#include "lib/dns.h"

#define array_len(a) (sizeof(a) / sizeof *(a))
enum { HARD = 42, USAGE = 2 };

#define APEX                                                                                       \
    "@ 300 SOA ns1 root 1 1h 1h 1w 10\n@ 300 NS ns1\n@ 300 NS ns2\n"                               \
    "ns1 300 A 127.0.0.1\nns2 300 A 127.0.0.1\n" /* 5 lines */
#define MULTIFO(text) "plugins => { multifo => { " text " } }"

static const struct bad {
    const char *options, *sections, *zone; /* zone NULL: a good one */
    const char *where, *why;               /* both on one line of stderr */
} bads[] = {
    /* keys */
    {"lisetn => 1", NULL, NULL, "/config:4:", "\"listen\""},
    {NULL, "plugin => { }", NULL, "/config:6:", "\"plugins\""},
    {NULL, "service_types => { s => { plugin => tcp_connect port => 1 intervall => 1 } }", NULL,
     "/config:6:", "\"interval\""},
    {"nsid => abcde", NULL, NULL, "/config:4:", "nsid"},
    /* types and ranges */
    {"tcp_threads => [ 1 2 ]", NULL, NULL, "/config:4:", "tcp_threads"},
    {"zones_strict_data => yes", NULL, NULL, "/config:4:", "yes"},
    {"tcp_timeout => 4", NULL, NULL, "/config:4:", "tcp_timeout"},
    {"max_edns_response => 16385", NULL, NULL, "/config:4:", "16385"},
    {"udp_threads => 010", NULL, NULL, "/config:4:", "010"},
    {"ttl_policy => third", NULL, NULL, "/config:4:", "halve"},
    {"min_ttl => 900 max_ncache_ttl => 600", NULL, NULL, "/config:4:", "below min_ttl"},
    {NULL, "service_types => { s => { plugin => tcp_connect } }", NULL, "/config:6:", "port"},
    {NULL,
     "service_types => { s => { plugin => tcp_connect port => 1 interval => 1 timeout => 2 } }",
     NULL, "/config:6:", "timeout"},
    /* the language */
    {NULL, "plugins => {", NULL, "/config:", "config"},
    {NULL, "\nplugins => { } }", NULL, "/config:7:", "}"},
    {NULL, "plugins => { a => \"x }", NULL, "/config:", "config"},
    {NULL, "$include{loop.cfg}", NULL, "loop.cfg", "include"},
    {NULL, "$include{missing.cfg}", NULL, "/config:6:", "missing.cfg"},
    {NULL, "plugins => { } plugins => { }", NULL, "/config:6:", "plugins"},
    /* plugins and service types */
    {NULL, "plugins => { mulitfo => { a => 192.0.2.1 } }", NULL, "/config:6:", "mulitfo"},
    {NULL, "service_types => { s => { plugin => smtp } }", NULL, "/config:6:", "tcp_connect"},
    {NULL, "service_types => { s => { plugin => multifo } }", NULL,
     "/config:6:", "without monitoring"},
    {NULL, "service_types => { up => { plugin => tcp_connect port => 1 } }", NULL,
     "/config:6:", "built in"},
    {NULL, MULTIFO("service_types => smtp r => 192.0.2.1"), NULL, "/config:6:", "\"smtp\""},
    {NULL, MULTIFO("service_types => default r => 192.0.2.1"), NULL, "/config:6:", "\"up\""},
    /* multifo */
    {NULL, MULTIFO("up_thresh => 0.0 r => 192.0.2.1"), NULL, "/config:6:", "0.0"},
    {NULL, MULTIFO("r => { up_thresh => 1.01 a => 192.0.2.1 }"), NULL, "/config:6:", "1.01"},
    {NULL, MULTIFO("r => { addrs_v4 => { up_thresh => -1 a => 192.0.2.1 } }"), NULL,
     "/config:6:", "-1"},
    {NULL, MULTIFO("r => { a => 192.0.2.1 b => 2001:db8::1 }"), NULL, "/config:6:", "2001:db8::1"},
    {NULL, MULTIFO("r => [ 2001:db8::1 192.0.2.1 ]"), NULL, "/config:6:", "192.0.2.1"},
    {NULL, MULTIFO("r => { addrs_v4 => [ 2001:db8::1 ] }"), NULL, "/config:6:", "2001:db8::1"},
    {NULL, MULTIFO("r => { addrs_v6 => [ 192.0.2.1 ] }"), NULL, "/config:6:", "192.0.2.1"},
    {NULL, MULTIFO("r => { addrs_v4 => [ 192.0.2.1 ] a => 192.0.2.2 }"), NULL,
     "/config:6:", "\"a\""},
    {NULL, MULTIFO("r => { }"), NULL, "/config:6:", "at least one"},
    {NULL, MULTIFO("r => { addrs_v4 => [ ] }"), NULL, "/config:6:", "at least one"},
    {NULL, MULTIFO("r => { up_tresh => 0.03 a => 192.0.2.1 }"), NULL,
     "/config:6:", "\"up_thresh\""},
    /* zones */
    {NULL, NULL, "@ 300 NS ns1\nns1 300 A 127.0.0.1\n", "zones/e2e.example", "SOA"},
    {NULL, NULL, "@ 300 SOA a b 1 2 3 4 5\n", "zones/e2e.example", "NS"},
    {NULL, NULL, APEX "a 300 CNAME b\na 300 A 192.0.2.1\n", "zones/e2e.example:", "CNAME"},
    {NULL, NULL, APEX "a.example. 300 TXT x\n", "zones/e2e.example:6:", "a.example."},
    {NULL, NULL, APEX "a 300 NOTYPE x\n", "zones/e2e.example:6:", "NOTYPE"},
    {NULL, NULL, APEX "a 300 A 192.0.2.1.2\n", "zones/e2e.example:6:", "192.0.2.1.2"},
    {NULL, NULL, APEX "a 300 TXT \"open\n", "zones/e2e.example:6:", "quote"},
    {NULL, NULL, APEX "a 300 TXT ( x\n", "zones/e2e.example:6:", "never closed"},
    {NULL, NULL, APEX "@ 300 SOA a b 1 2 3 4 5\n", "zones/e2e.example:6", "SOA"},
    {NULL, MULTIFO("web => 192.0.2.1"), APEX "a 300 DYNA multifo!wbe\n",
     "zones/e2e.example:6:", "wbe"},
    {NULL, NULL, APEX "a 300 DYNA multifo!web\n", "zones/e2e.example:6:", "multifo"},
    {NULL, NULL, APEX "a 300 DYNA nothing!web\n", "zones/e2e.example:6:", "nothing"},
    {"zones_strict_data => true", NULL,
     "@ 300 SOA ns1 b 1 2 3 4 5\n@ 300 NS ns1\nns1 300 A 192.0.2.1\n", "zones/e2e.example:2",
     "only one NS"},
};

/* ---- bad input ----------------------------------------------------------------------------- */

/* True if one line has both. */
static bool has_line(const char *text, const char *where, const char *why)
{
    bool found = false;
    for (const char *line = text; *line && !found;) {
        size_t len = strcspn(line, "\n");
        char *copy = strndup(line, len);
        const char *at = strstr(copy, where);
        found = at && strstr(at, why);
        free(copy);
        line += len + (line[len] == '\n');
    }
    return found;
}

static void check_refused(const struct bad *b, const struct test_daemon *d, const char *action)
{
    struct program p;
    const char *argv[] = {THRESHD, "-c", d->dir, action, NULL};
    int end = program_run(&p, d->dir, argv);
    char *said = program_err(&p);
    ck_assert_msg(end == HARD, "%s: end %d for %s %s %s:\n%s", action, end, b->options, b->sections,
                  b->zone, said);
    ck_assert_msg(has_line(said, b->where, b->why), "wanted \"%s\" and \"%s\":\n%s", b->where,
                  b->why, said);
    ck_assert_msg(strstr(said, "fatal: ") != NULL, "%s", said);
    free(said);
    ck_assert(!scratch_exists(d->dir, "run"));
    ck_assert(!scratch_exists(d->dir, "state"));
}

START_TEST(bad_input_is_refused_with_its_place)
{
    const struct bad *b = &bads[_i];
    const struct daemon_zone zones[] = {{"e2e.example", b->zone ? b->zone : APEX}, {0}};
    const struct daemon_conf conf = {
        .options = b->options, .sections = b->sections, .zones = zones};
    struct test_daemon d;
    daemon_setup(&d, &conf);
    scratch_write(d.dir, "loop.cfg", "$include{loop.cfg}\n");
    check_refused(b, &d, "checkconf");
    check_refused(b, &d, "start");
}
END_TEST

/* Zone names and folders. */
START_TEST(bad_files_are_refused)
{
    const struct daemon_zone wild[] = {{"e2e.example", APEX}, {"*.example", APEX}, {0}};
    const struct daemon_zone twice[] = {{"e2e.example", APEX}, {"E2E.example.", APEX}, {0}};
    const struct bad wild_row = {NULL, NULL, "*", "zones/*.example", "wildcard"};
    const struct bad twice_row = {NULL, NULL, "2", "e2e.example", "zones/"};
    struct test_daemon d;
    daemon_setup(&d, &(struct daemon_conf){.zones = wild});
    check_refused(&wild_row, &d, "start");
    daemon_setup(&d, &(struct daemon_conf){.zones = twice});
    check_refused(&twice_row, &d, "start");
}
END_TEST

#define SECRET "00112233445566778899aabbccddeeff"

static const struct {
    const char *begin, *why;
    size_t filler; /* bytes of a comment behind it; then another secret */
} secret_files[] = {
    {"", "no secret", 0},
    {"active: 00\n", "32 hexadecimal digits", 0},
    {SECRET "00\n", "32 hexadecimal digits", 0},
    {SECRET "\n" SECRET "\n" SECRET "\n" SECRET "\n" SECRET "\n", "more than 4", 0},
    {SECRET "\n#", "4096 bytes or more", 4096}, /* would be cut off in the comment */
};

START_TEST(bad_secrets_are_refused)
{
    const struct daemon_zone zones[] = {{"e2e.example", APEX}, {0}};
    char dir[SCRATCH_PATH], options[SCRATCH_PATH + 64];
    const struct bad row = {options, NULL, NULL, "/secrets:", secret_files[_i].why};
    size_t filler = secret_files[_i].filler, room = filler + 512;
    char *text = malloc(room), *comment = malloc(filler + 1);
    struct test_daemon d;
    ck_assert(text && comment);
    memset(comment, 'x', filler);
    comment[filler] = '\0';
    (void)snprintf(text, room, "%s%s%s", secret_files[_i].begin, comment,
                   filler ? "\n" SECRET "\n" : ""); /* fits */
    scratch_dir(dir);
    scratch_write(dir, "secrets", text);
    (void)snprintf(options, sizeof options, "cookie_secret_file => \"%s/secrets\"", dir); /* fits */
    daemon_setup(&d, &(struct daemon_conf){.options = options, .zones = zones});
    check_refused(&row, &d, "checkconf");
    free(text);
    free(comment);
}
END_TEST

START_TEST(a_taken_port_is_refused)
{
    static const struct daemon_zone zones[] = {{"e2e.example", APEX}, {0}};
    struct sockaddr_in6 a = {.sin6_family = AF_INET6, .sin6_addr = in6addr_loopback};
    struct program p;
    struct test_daemon d;
    daemon_setup(&d, &(struct daemon_conf){.zones = zones});
    int fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    a.sin6_port = htons(d.port);
    ck_assert_int_eq(bind(fd, (struct sockaddr *)&a, sizeof a), 0);
    const char *argv[] = {THRESHD, "-c", d.dir, "start", NULL};
    ck_assert_int_eq(program_run(&p, d.dir, argv), HARD);
    close(fd);
    char *err = program_err(&p);
    ck_assert_msg(has_line(err, "/config:2:", "[::1]"), "%s", err);
    ck_assert_msg(has_line(err, "fatal: ", "cannot listen"), "%s", err);
    free(err);
}
END_TEST

/* ---- the manual's synopsis ----------------------------------------------------------------- */

static const char synopsis[] = "plugins => {\n"
                               "  multifo => {\n"
                               "    up_thresh => 0.3\n"
                               "    service_types => up,\n"
                               "    v4www => {\n"
                               "      lb01 => 192.0.2.200,\n"
                               "      lb02 => 192.0.2.201,\n"
                               "      lb03 => 192.0.2.202,\n"
                               "    }\n"
                               "    v6smtp => {\n"
                               "      service_types => [ smtp ],\n"
                               "      up_thresh => 0.1,\n"
                               "      lb01_v6 => 2001:DB8::1,\n"
                               "      lb02_v6 => 2001:DB8::2,\n"
                               "      lb03_v6 => 2001:DB8::3,\n"
                               "    }\n"
                               "    pubwww => {\n"
                               "      up_thresh => 0.5\n"
                               "      service_types => corpwww_type\n"
                               "      addrs_v4 => [ 192.0.2.100, 192.0.2.101, 192.0.2.102 ]\n"
                               "      addrs_v6 => {\n"
                               "        service_types => [ up ],\n"
                               "        up_thresh => 0.7\n"
                               "        lb01_v6 => 2001:DB8::1,\n"
                               "        lb02_v6 => 2001:DB8::2,\n"
                               "        lb03_v6 => 2001:DB8::3,\n"
                               "      }\n"
                               "    }\n"
                               "  }\n"
                               "}\n";

static const char services[] =
    "service_types => {\n"
    "  smtp => { plugin => tcp_connect port => 25 }\n"
    "  corpwww_type => { plugin => http_status vhost => www.example.com url_path => /check }\n"
    "}\n";

static const struct daemon_zone synopsis_zones[] = {{"e2e.example",
                                                     APEX "web4 180 DYNA multifo!v4www\n"
                                                          "smtp 180 DYNA multifo!v6smtp\n"
                                                          "www 180 DYNA multifo!pubwww\n"},
                                                    {0}};

static void check_count(const struct test_daemon *d, const char *name, ldns_rr_type type,
                        unsigned count)
{
    struct dns_question q = {.port = d->port, .name = name, .type = type};
    ldns_pkt *p = dns_ask(&q);
    ck_assert_uint_eq(ldns_pkt_get_rcode(p), 0);
    ck_assert_uint_eq(ldns_pkt_ancount(p), count);
    ldns_pkt_free(p);
}

START_TEST(the_synopsis_is_served_as_printed)
{
    struct test_daemon d;
    char text[4096];
    (void)snprintf(text, sizeof text, "%s%s", services, synopsis); /* fits */
    daemon_start(&d, &(struct daemon_conf){.options = "startup_wait => 100ms",
                                           .sections = text,
                                           .zones = synopsis_zones});
    check_count(&d, "web4.e2e.example", LDNS_RR_TYPE_A, 3);
    check_count(&d, "web4.e2e.example", LDNS_RR_TYPE_AAAA, 0);
    check_count(&d, "smtp.e2e.example", LDNS_RR_TYPE_AAAA, 3);
    check_count(&d, "www.e2e.example", LDNS_RR_TYPE_A, 3);
    check_count(&d, "www.e2e.example", LDNS_RR_TYPE_AAAA, 3);
    daemon_stop(&d);
}
END_TEST

START_TEST(the_synopsis_alone_names_what_it_lacks)
{
    const struct bad smtp = {NULL, synopsis, NULL, "/config:16:", "\"smtp\""};
    const struct bad corp = {NULL, synopsis, NULL, "/config:24:", "\"corpwww_type\""};
    struct test_daemon d;
    daemon_setup(&d, &(struct daemon_conf){.sections = synopsis, .zones = synopsis_zones});
    check_refused(&smtp, &d, "checkconf");
    check_refused(&corp, &d, "start");
}
END_TEST

/* ---- command line -------------------------------------------------------------------------- */

static int run(const char *dir, const char *const *argv, char **out, char **err)
{
    struct program p;
    int end = program_run(&p, dir, argv);
    if (out)
        *out = program_out(&p);
    if (err)
        *err = program_err(&p);
    return end;
}

#define RUN(dir, out, err, ...) run(dir, (const char *const[]){__VA_ARGS__, NULL}, out, err)

START_TEST(usage_is_told)
{
    char dir[SCRATCH_PATH], *out, *err;
    scratch_dir(dir);
    ck_assert_int_eq(RUN(dir, NULL, NULL, THRESHD), USAGE);
    ck_assert_int_eq(RUN(dir, NULL, NULL, THRESHD, "-x"), USAGE);
    ck_assert_int_eq(RUN(dir, NULL, NULL, THRESHD, "-c"), USAGE);
    ck_assert_int_eq(RUN(dir, NULL, NULL, THRESHD, "-c", dir, "serve"), USAGE);
    ck_assert_int_eq(RUN(dir, NULL, NULL, THRESHD, "checkconf", "start"), USAGE);
    ck_assert_int_eq(RUN(dir, &out, &err, THRESHD, "start", "-h"), USAGE);
    ck_assert_str_eq(out, "");
    ck_assert_ptr_nonnull(strstr(err, "usage: "));
    free(out);
    free(err);
    ck_assert_int_eq(RUN(dir, &out, &err, THRESHD, "-h"), 0);
    ck_assert_ptr_nonnull(strstr(out, "usage: "));
    ck_assert_str_eq(err, "");
    free(out);
    free(err);
}
END_TEST

static void link_as(const char *dir, const char *name, char out[SCRATCH_PATH])
{
    ck_assert_int_lt(snprintf(out, SCRATCH_PATH, "%s/%s", dir, name), SCRATCH_PATH);
    ck_assert_int_eq(symlink(THRESHD, out), 0);
}

START_TEST(missing_folders_are_refused_but_by_gdnsd)
{
    char dir[SCRATCH_PATH], missing[SCRATCH_PATH + 8], gdnsd[SCRATCH_PATH], *err;
    scratch_dir(dir);
    link_as(dir, "gdnsd", gdnsd);
    (void)snprintf(missing, sizeof missing, "%s/none", dir); /* fits */
    ck_assert_int_eq(RUN(dir, NULL, &err, THRESHD, "-c", missing, "checkconf"), HARD);
    ck_assert_msg(has_line(err, "none/config", "no such file"), "%s", err);
    free(err);
    ck_assert_int_eq(RUN(dir, NULL, &err, gdnsd, "-c", missing, "checkconf"), 0);
    ck_assert_msg(has_line(err, "No config file at", "using defaults"), "%s", err);
    free(err);
    scratch_write(dir, "config", ""); /* the zones are missing still */
    ck_assert_int_eq(RUN(dir, NULL, &err, THRESHD, "-c", dir, "checkconf"), HARD);
    ck_assert_msg(has_line(err, "/zones", "cannot be read"), "%s", err);
    free(err);
    ck_assert_int_eq(RUN(dir, NULL, NULL, gdnsd, "-c", dir, "checkconf"), 0);
    scratch_write(dir, "config", "options => { compat => gdnsd3 }\n");
    ck_assert_int_eq(RUN(dir, NULL, NULL, THRESHD, "-c", dir, "checkconf"), 0);
    ck_assert_int_eq(RUN(dir, NULL, NULL, gdnsd, "-h"), USAGE);
}
END_TEST

START_TEST(warnings_are_errors_with_strict)
{
    static const struct daemon_zone zones[] = {
        {"e2e.example", "@ 300 SOA ns1 b 1 2 3 4 5\n@ 300 NS ns1\nns1 300 A 192.0.2.1\n"}, {0}};
    struct test_daemon d;
    char *err;
    daemon_setup(&d, &(struct daemon_conf){.zones = zones});
    ck_assert_int_eq(RUN(d.dir, NULL, &err, THRESHD, "-c", d.dir, "checkconf"), 0);
    ck_assert_msg(has_line(err, "warning: ", "only one NS"), "%s", err);
    free(err);
    ck_assert_int_eq(RUN(d.dir, NULL, &err, THRESHD, "-S", "-c", d.dir, "CheckConf"), HARD);
    ck_assert_msg(has_line(err, "error: ", "only one NS"), "%s", err);
    free(err);
}
END_TEST

START_TEST(a_second_start_is_refused)
{
    static const struct daemon_zone zones[] = {{"e2e.example", APEX}, {0}};
    struct test_daemon d;
    char *err;
    daemon_start(&d, &(struct daemon_conf){.zones = zones});
    ck_assert_int_eq(RUN(d.dir, NULL, &err, THRESHD, "-c", d.dir, "start"), HARD);
    ck_assert_msg(has_line(err, "control.lock", "another daemon"), "%s", err);
    free(err);
    check_count(&d, "ns1.e2e.example", LDNS_RR_TYPE_A, 1);
    ck_assert(daemon_control(&d, 'I', NULL));
    daemon_stop(&d);
    daemon_launch(&d); /* and again, once it has gone */
    ck_assert(daemon_await(&d));
    daemon_stop(&d);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *s = suite_create("config");
    TCase *c = e2e_case(s, "bad input");
    tcase_add_loop_test(c, bad_input_is_refused_with_its_place, 0, array_len(bads));
    tcase_add_test(c, bad_files_are_refused);
    tcase_add_test(c, a_taken_port_is_refused);
    tcase_add_loop_test(c, bad_secrets_are_refused, 0, array_len(secret_files));
    c = e2e_case(s, "synopsis");
    tcase_add_test(c, the_synopsis_is_served_as_printed);
    tcase_add_test(c, the_synopsis_alone_names_what_it_lacks);
    c = e2e_case(s, "command line");
    tcase_add_test(c, usage_is_told);
    tcase_add_test(c, missing_folders_are_refused_but_by_gdnsd);
    tcase_add_test(c, warnings_are_errors_with_strict);
    tcase_add_test(c, a_second_start_is_refused);
    return s;
}

E2E_MAIN(make_suite)
