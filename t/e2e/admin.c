/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * admin.c: what an administrator says of monitored items, as clients and logs see it.
 *
 *   web   127.0.0.11 .12 .13 under `up`, up_thresh 0.5: two are needed
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctl/proto.h"
#include "e2e/run.h"
#include "lib/daemon.h"
#include "lib/resolver.h"

#define NAME "web.e2e.example"
#define ALL  "127.0.0.11 127.0.0.12 127.0.0.13"
#define FULL 300
#define HALF 150

static const struct daemon_zone zones[] = {{"e2e.example", "$TTL 300\n"
                                                           "@ SOA ns1 root 1 1h 1h 1w 10\n"
                                                           "@ NS ns1\n"
                                                           "@ NS ns2\n"
                                                           "ns1 A 127.0.0.1\n"
                                                           "ns2 A 127.0.0.1\n"
                                                           "web 300/10 DYNA multifo!web\n"},
                                           {0}};

static const char sections[] =
    "plugins => { multifo => { web => [ 127.0.0.11, 127.0.0.12, 127.0.0.13 ] } }";

static void setup(struct test_daemon *d, const char *options, const char *admin_state)
{
    const struct daemon_conf conf = {.options = options, .sections = sections, .zones = zones};
    daemon_setup(d, &conf);
    if (admin_state)
        scratch_write(d->dir, "state/admin_state", admin_state);
}

static void start(struct test_daemon *d, const char *options, const char *admin_state)
{
    setup(d, options, admin_state);
    daemon_launch(d);
    ck_assert(daemon_await(d));
}

static void await(const struct test_daemon *d, const char *addrs, uint32_t ttl_s)
{
    resolver_await(d->port, NAME, RR_A, addrs, ttl_s);
}

static void put(const struct test_daemon *d, const char *text)
{
    scratch_write(d->dir, "state/admin_state", text);
}

static void await_state(const struct test_daemon *d, const char *json)
{
    for (int left_ms = PATIENCE_MS;;) {
        char *states;
        ck_assert(daemon_control(d, PROTO_STATES, &states));
        bool found = strstr(states, json) != NULL;
        free(states);
        if (found)
            return;
        patience(&left_ms, json);
    }
}

/* ---- the file ------------------------------------------------------------------------------ */

/* Rows follow one another in one daemon: what is written, what the log then says, who answers. */
static const struct step {
    const char *text, *log, *addrs;
    uint32_t ttl_s;
} steps[] = {
    {"127.0.0.11/up => DOWN", "admin: 127.0.0.11/up: forced: to=DOWN/MAX real=UP/MAX\n",
     "127.0.0.12 127.0.0.13", HALF},
    {"127.0.0.11/up => down/33",
     "admin: 127.0.0.11/up: forced anew: from=DOWN/MAX to=DOWN/33 real=UP/MAX\n",
     "127.0.0.12 127.0.0.13", 33},
    {"127.0.0.11/up => down/33 # again", "admin: admin_state loaded, no net changes: rules=1",
     "127.0.0.12 127.0.0.13", 33},
    {"\"127.0.0.*\" => DRAIN \"*.1[23]/up\" => Up/20", "admin: 127.0.0.12/up: forced: to=UP/20",
     "127.0.0.12 127.0.0.13", 20},
    {"127.0.0.1x/up => DOWN", "admin_state: glob \"127.0.0.1x/up\" matches no monitored item", ALL,
     FULL},
    {"127.0.0.12/up => MAINT", "admin: 127.0.0.12/up: forced: to=MAINT/MAX real=UP/MAX",
     "127.0.0.11 127.0.0.13", FULL},
    {"", "admin: 127.0.0.12/up: no longer forced: was=MAINT/MAX real=UP/MAX", ALL, FULL},
};

START_TEST(file_is_followed)
{
    struct test_daemon d;
    start(&d, NULL, NULL);
    await(&d, ALL, FULL);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        put(&d, steps[i].text);
        daemon_await_log(&d, steps[i].log);
        await(&d, steps[i].addrs, steps[i].ttl_s);
    }
    put(&d, "\"*/up\" => DOWN/0");
    await(&d, ALL, 10); /* the record's least TTL */
    await_state(&d, "\"127.0.0.11/up\": {\"state\": \"DOWN!\", \"real_state\": \"UP\"}");
    scratch_remove(d.dir, "state/admin_state");
    daemon_await_log(&d, "admin: admin_state loaded (file deleted): rules=0 changed=3");
    await(&d, ALL, FULL);
    daemon_stop(&d);
}
END_TEST

/* gdnsd's lines, as its users' tools cut them. */
static const struct {
    const char *text, *log[4];
} gdnsd_steps[] = {
    {"127.0.0.11/up => DOWN/33",
     {"info: admin_state: state of '127.0.0.11/up' forced to DOWN/33, real state is UP/MAX\n",
      "info: admin_state: load complete\n"}},
    {"127.0.0.11/up => U/5",
     {"state/admin_state:1:18: read \"U/5\", allowed: UP, DOWN, alone",
      "what was forced stays so"}},
    {"127.0.0.11/up => UP/005 \"nothing*\" => DOWN",
     {"warning: admin_state: glob 'nothing*' did not match anything!\n",
      "info: admin_state: state of '127.0.0.11/up' re-forced from DOWN/33 to UP/5, real state is "
      "UP/MAX\n"}},
    {" 127.0.0.11/up = up/5,", {"info: admin_state: load complete, no net changes\n"}},
    {"127.0.0.12/up => DOWN/0",
     {"info: admin_state: state of '127.0.0.11/up' no longer forced (was forced to UP/5), real and "
      "current state is UP/MAX\n",
      "info: admin_state: state of '127.0.0.12/up' forced to DOWN/MIN, real state is UP/MAX\n"}},
    {NULL, {"info: admin_state: load complete (file deleted)\n"}},
};

START_TEST(gdnsd_lines)
{
    struct test_daemon d;
    start(&d, "compat => gdnsd3", NULL);
    daemon_await_log(&d, "/state/admin_state' does not yet exist at startup\n");
    for (size_t i = 0; i < sizeof gdnsd_steps / sizeof *gdnsd_steps; i++) {
        if (gdnsd_steps[i].text)
            put(&d, gdnsd_steps[i].text);
        else
            scratch_remove(d.dir, "state/admin_state");
        for (size_t k = 0; gdnsd_steps[i].log[k]; k++)
            daemon_await_log(&d, gdnsd_steps[i].log[k]);
    }
    daemon_stop(&d);
}
END_TEST

/* What is wrong: at a start it is fatal, of a running daemon it changes nothing. */
static const struct {
    const char *text, *reason;
    bool gdnsd;
} faults[] = {
    {"\"*\" => DWON", "admin_state:1:8: read \"DWON\", allowed: UP, DOWN, DRAIN, MAINT, alone or",
     false},
    {"\"*\" => UPPER", "read \"UPPER\"", false},
    {"\"*\" => \"\"", "read \"\"", false},
    {"\"*\" => DOWN/", "read \"DOWN/\"", false},
    {"\"*\" => DOWN/3s", "read \"DOWN/3s\"", false},
    {"\"*\" => DOWN/-3", "read \"DOWN/-3\"", false},
    {"\"*\" => DOWN/-3", "read \"DOWN/-3\"", true},
    {"\"*\" => DOWN/03", "read \"DOWN/03\"", false},
    {"\"*\" => DOWN/268435456", "a TTL of 0 to 268435455 seconds", false},
    {"\"*\" => DOWN/268435456", "a TTL of 0 to 268435455 seconds", true},
    {"\"*\" => DRAIN", "read \"DRAIN\", allowed: UP, DOWN, alone", true},
    {"\"*\" => [ UP, DOWN ]", "\"*\" must be one state", false},
    {"\"*\" => { UP => DOWN }", "\"*\" must be one state", false},
    {"[ UP ]", "the file must be GLOB => STATE pairs", false},
    {"\"*\" => UP }", "admin_state:1:", false},
};

START_TEST(faults_are_fatal_at_a_start)
{
    struct test_daemon d;
    setup(&d, faults[_i].gdnsd ? "compat => gdnsd3" : NULL, faults[_i].text);
    struct program p;
    int end = program_run(&p, d.dir, (const char *[]){THRESHD, "-c", d.dir, "checkconf", NULL});
    ck_assert_int_eq(end, 42);
    char *said = program_err(&p);
    ck_assert_msg(strstr(said, faults[_i].reason) != NULL, "%s", said);
    free(said);
    daemon_launch(&d);
    ck_assert(!daemon_await(&d));
    said = daemon_log(&d);
    ck_assert_msg(strstr(said, faults[_i].reason) != NULL, "%s", said);
    free(said);
}
END_TEST

START_TEST(faults_keep_what_is_forced)
{
    struct test_daemon d;
    start(&d, NULL, "127.0.0.11/up => DOWN/33");
    await(&d, "127.0.0.12 127.0.0.13", 33);
    daemon_await_log(&d, "admin: 127.0.0.11/up: forced: to=DOWN/33 real=UP/MAX\n");
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        if (faults[i].gdnsd)
            continue;
        put(&d, faults[i].text);
        daemon_await_log(&d, faults[i].reason);
        await(&d, "127.0.0.12 127.0.0.13", 33);
        if (i >= 3)
            break; /* each waits a second */
    }
    put(&d, "127.0.0.12/up => DOWN/34");
    await(&d, "127.0.0.11 127.0.0.13", 34);
    daemon_stop(&d);
}
END_TEST

/* gdnsd looks at no value where nothing is monitored. */
START_TEST(nothing_monitored)
{
    struct test_daemon d;
    const struct daemon_conf conf = {0};
    daemon_setup(&d, &conf);
    scratch_write(d.dir, "state/admin_state", "\"*\" => whatever");
    daemon_launch(&d);
    ck_assert(daemon_await(&d));
    daemon_stop(&d);
    scratch_write(d.dir, "state/admin_state", "\"*\" => {");
    daemon_launch(&d);
    ck_assert(!daemon_await(&d));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("admin");
    TCase *t = e2e_case(s, "file");
    tcase_add_test(t, file_is_followed);
    tcase_add_test(t, gdnsd_lines);
    tcase_add_loop_test(t, faults_are_fatal_at_a_start, 0, (int)(sizeof faults / sizeof *faults));
    tcase_add_test(t, faults_keep_what_is_forced);
    tcase_add_test(t, nothing_monitored);
    return s;
}

E2E_MAIN(suite)
