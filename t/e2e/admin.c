/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * admin.c: what an administrator says of monitored items, as clients and logs see it.
 *
 *   web   127.0.0.11 .12 .13 under `up`, up_thresh 0.5: two are needed
 */
#include <check.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ctl/proto.h"
#include "e2e/run.h"
#include "lib/daemon.h"
#include "lib/json.h"
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

/* ---- commands ------------------------------------------------------------------------------ */

enum { WORDS = 10 };

#define W(...) ((const char *const[WORDS]){__VA_ARGS__, NULL})

static void must_say(const struct test_daemon *d, const char *const words[WORDS], int end,
                     const char *said)
{
    char *err;
    int e = daemon_ctl(d, words, NULL, &err);
    ck_assert_msg(e == end && strstr(err, said) != NULL, "%s %s: %d: %s", words[0], words[1], e,
                  err);
    free(err);
}

static char *overrides(const struct test_daemon *d)
{
    char *json;
    ck_assert(daemon_control(d, PROTO_ORDER, &json));
    return json;
}

static void await_override(const struct test_daemon *d, const char *part, bool wanted)
{
    for (int left_ms = PATIENCE_MS;;) {
        char *json = overrides(d);
        bool is_there = strstr(json, part) != NULL;
        free(json);
        if (is_there == wanted)
            return;
        patience(&left_ms, part);
    }
}

#define ONE "127.0.0.11/up"
#define TWO "127.0.0.12/up"

/* Steps in one daemon. */
static const struct {
    const char *words[WORDS];
    int end;
    const char *said, *addrs;
    uint32_t ttl_s;
} commands[] = {
    {{"force", "down", ONE, "--ttl", "33"},
     0,
     "info: " ONE ": UP/MAX -> DOWN/33\n",
     "127.0.0.12 127.0.0.13",
     33},
    {{"drain", TWO},
     42,
     "error: multifo!web would go on answering " TWO ": too few of its members would be left\n",
     "127.0.0.12 127.0.0.13",
     33},
    {{"drain", TWO, "--dry-run", "--force"},
     0,
     "info: multifo!web: 127.0.0.12 127.0.0.13\ninfo: dry run: nothing was done\n",
     "127.0.0.12 127.0.0.13",
     33},
    {{"clear", TWO},
     42,
     "error: no command has the glob \"" TWO "\"; there are \"" ONE "\"\n",
     "127.0.0.12 127.0.0.13",
     33},
    {{"clear", "127.*"}, 0, ONE ": DOWN/33 -> UP/MAX\n", ALL, FULL},
    {{"clear", "*"}, 42, "no command has the glob \"*\"; there are none\n", ALL, FULL},
    {{"drain", "--dry-run", TWO},
     0,
     "info: " TWO ": UP/MAX -> DRAIN/MAX\n"
     "info: multifo!web: 127.0.0.11 127.0.0.12 127.0.0.13 -> 127.0.0.11 127.0.0.13\n",
     ALL,
     FULL},
    {{"drain", TWO, "--reason", "a \"new\" \\kernel", "--for", "2h"},
     0,
     TWO ": UP/MAX -> DRAIN/MAX\n",
     "127.0.0.11 127.0.0.13",
     FULL},
    {{"maint", TWO, "--ttl", "20"},
     0,
     TWO ": DRAIN/MAX -> MAINT/20\n",
     "127.0.0.11 127.0.0.13",
     20},
    {{"force", "UP", TWO}, 0, TWO ": MAINT/20 -> UP/MAX\n", ALL, FULL},
    {{"drain", "127.*"}, 42, "nothing is done; --force does it all the same\n", ALL, FULL},
    {{"drain", "127.*", "--force"}, 0, TWO ": UP/MAX -> DRAIN/MAX\n", ALL, FULL}, /* all at once */
    {{"maint", "127.0.0.1[12]/*", "--force"},
     0,
     ONE ": DRAIN/MAX -> MAINT/MAX\n",
     "127.0.0.11 127.0.0.12 127.0.0.13",
     FULL},
    {{"drain", "10.*"}, 42, "error: no monitored item matches \"10.*\"\n", ALL, FULL},
    {{"drain", ONE, "--for", "401d"},
     42,
     "read \"34646400\", allowed: 1 to 34560000 seconds",
     ALL,
     FULL},
    {{"drain", ONE, "--for", "0"}, 42, "read \"0\"", ALL, FULL},
};

START_TEST(commands_are_obeyed)
{
    struct test_daemon d;
    start(&d, NULL, NULL);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        must_say(&d, commands[i].words, commands[i].end, commands[i].said);
        await(&d, commands[i].addrs, commands[i].ttl_s);
    }
    daemon_stop(&d);
}
END_TEST

/* Somebody should know: at once, and at the next start. */
START_TEST(all_drained_is_an_alarm)
{
    static const char alarm[] = "warning: monitor: multifo!web: all members are drained, answered "
                                "all the same: addresses=3\n";
    struct test_daemon d;
    start(&d, NULL, NULL);
    must_say(&d, W("drain", "127.*", "--force"), 0, "");
    daemon_await_log(&d, alarm);
    await(&d, ALL, FULL);
    daemon_stop(&d);
    daemon_launch(&d);
    ck_assert(daemon_await(&d));
    daemon_await_log(&d, alarm);
    must_say(&d, W("clear", "*"), 0, "");
    daemon_await_log(&d, "monitor: multifo!web: a member is not drained any more: addresses=3\n");
    daemon_stop(&d);
}
END_TEST

/* A command counts before the file, and both are shown. */
START_TEST(command_before_file)
{
    struct test_daemon d;
    start(&d, NULL, ONE " => DOWN/33");
    must_say(&d, W("force", "UP", "*.11/up", "--reason", "I know \"better\"\n"), 0,
             ONE ": DOWN/33 -> UP/MAX\n");
    await(&d, ALL, FULL);
    put(&d, ONE " => DOWN/34 # this counts when the command has ended");
    daemon_await_log(&d, "admin: admin_state loaded, no net changes");
    await_state(&d, "\"" ONE "\": {\"state\": \"UP!\", \"real_state\": \"UP\"}");
    char *json = overrides(&d);
    ck_assert_ptr_nonnull(strstr(json, "{\"glob\": \"" ONE "\", \"state\": \"DOWN\", \"ttl\": 34, "
                                       "\"origin\": \"file\", \"author\": \"\""));
    char wanted[512];
    (void)snprintf(
        wanted, sizeof wanted,
        "{\"glob\": \"*.11/up\", \"state\": \"UP\", \"ttl\": null, \"origin\": \"command\", "
        "\"author\": \"%s\", \"reason\": \"I know \\\"better\\\"\\u000a\", \"since\": \"20",
        getpwuid(getuid())->pw_name); /* fits */
    ck_assert_ptr_nonnull(strstr(json, wanted));
    ck_assert(json_is_valid(json));
    free(json);
    must_say(&d, W("clear", "*.11/up"), 0, ONE ": UP/MAX -> DOWN/34\n");
    await(&d, "127.0.0.12 127.0.0.13", 34);
    daemon_stop(&d);
}
END_TEST

/* A restart keeps commands, their texts, and the order of drains; time ends them. */
START_TEST(kept_and_ended)
{
    struct test_daemon d;
    start(&d, NULL, NULL);
    must_say(&d, W("drain", ONE, "--reason", "\x01 \"quoted\" \\ \xc3\xa9 [x] => {;#}"), 0, ONE);
    must_say(&d, W("drain", TWO, "--force"), 0, TWO);
    await(&d, "127.0.0.12 127.0.0.13", FULL); /* the newer is lifted */
    char *before = overrides(&d);
    daemon_stop(&d);
    daemon_launch(&d);
    ck_assert(daemon_await(&d));
    char *after = overrides(&d);
    ck_assert_str_eq(before, after);
    free(before);
    free(after);
    await(&d, "127.0.0.12 127.0.0.13", FULL);
    must_say(&d, W("force", "DOWN", "*.13/up", "--for", "1"), 0,
             "127.0.0.13/up: UP/MAX -> DOWN/MAX");
    daemon_await_log(&d, "admin: command has ended: glob=\"*.13/up\" state=DOWN by=");
    await_override(&d, "*.13/up", false);
    await(&d, "127.0.0.12 127.0.0.13", FULL);
    must_say(&d, W("clear", "*"), 0, "");
    daemon_stop(&d);
    daemon_launch(&d);
    ck_assert(daemon_await(&d));
    await(&d, ALL, FULL);
    daemon_stop(&d);
}
END_TEST

/* What cannot be read is no reason not to start, and is not lost. */
START_TEST(broken_file_is_set_aside)
{
    struct test_daemon d;
    setup(&d, NULL, NULL);
    scratch_write(d.dir, "state/overrides",
                  "[ { glob => \"" ONE "\" state => DOWN since => 1 until => 8e9 }\n"
                  "{ glob => x state => SIDEWAYS since => 1 until => 2 } ]");
    daemon_launch(&d);
    ck_assert(daemon_await(&d));
    daemon_await_log(&d, "state/overrides:2:1: read \"SIDEWAYS\", allowed: UP, DOWN, DRAIN, MAINT");
    daemon_await_log(&d, "cannot be read: what was ordered is not in force; it is kept as ");
    char *log = daemon_log(&d), path[SCRATCH_PATH];
    ck_assert_int_eq(sscanf(strstr(log, "it is kept as "), "it is kept as %255s", path), 1);
    free(log);
    char *kept = scratch_read(path);
    ck_assert_ptr_nonnull(strstr(kept, "SIDEWAYS"));
    free(kept);
    await(&d, ALL, FULL);
    daemon_stop(&d);
}
END_TEST

/* An order that cannot be kept is not obeyed. */
START_TEST(order_that_cannot_be_kept)
{
    struct test_daemon d;
    start(&d, NULL, NULL);
    scratch_write(d.dir, "state/overrides.new/x", ""); /* a folder where the file is made */
    must_say(&d, W("drain", ONE), 42, "nothing is done\n");
    await(&d, ALL, FULL);
    ck_assert(!scratch_exists(d.dir, "state/overrides"));
    scratch_remove(d.dir, "state/overrides.new/x");
    daemon_stop(&d);
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
    t = e2e_case(s, "commands");
    tcase_add_test(t, commands_are_obeyed);
    tcase_add_test(t, all_drained_is_an_alarm);
    tcase_add_test(t, command_before_file);
    tcase_add_test(t, kept_and_ended);
    tcase_add_test(t, broken_file_is_set_aside);
    tcase_add_test(t, order_that_cannot_be_kept);
    return s;
}

E2E_MAIN(suite)
