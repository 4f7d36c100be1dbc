/* SPDX-License-Identifier: GPL-3.0-or-later */
/* threshctl as it is built, run as a process against a server whose loop the test turns. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "ctl/proto.h"
#include "unit/ctl_fake.h"
#include "unit/run.h"

#define THRESHCTL TH_BUILDDIR "/threshctl"

struct tool {
    pid_t pid;
    int out_fd, err_fd;
    int status;
    struct buf out, err;
};

static void put_config(const struct fake *f, const char *text)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/config", f->dir); /* fits */
    FILE *to = fopen(path, "w");
    ck_assert_ptr_nonnull(to);
    ck_assert_int_ge(fputs(text, to), 0);
    ck_assert_int_eq(fclose(to), 0);
}

static void put_run_dir(const struct fake *f)
{
    char text[256];
    (void)snprintf(text, sizeof text, "options => { run_dir => \"%s\", other => [1, 2] }\n",
                   f->run_dir); /* fits */
    put_config(f, text);
}

/* A pipe from the tool's descriptor `target`; the test reads from *from. Returns the tool's end. */
static int pipe_from(posix_spawn_file_actions_t *actions, int target, int *from)
{
    int fd[2];
    ck_assert_int_eq(pipe2(fd, O_CLOEXEC), 0);
    ck_assert_int_eq(fcntl(fd[0], F_SETFL, O_NONBLOCK), 0);
    ck_assert_int_eq(posix_spawn_file_actions_adddup2(actions, fd[1], target), 0);
    *from = fd[0];
    return fd[1];
}

static void tool_start(struct tool *t, const char *name, const char *const *args)
{
    extern char **environ;
    const char *argv[12] = {name};
    posix_spawn_file_actions_t actions;
    ck_assert_int_eq(posix_spawn_file_actions_init(&actions), 0);
    *t = (struct tool){0};
    int out = pipe_from(&actions, STDOUT_FILENO, &t->out_fd);
    int err = pipe_from(&actions, STDERR_FILENO, &t->err_fd);
    for (size_t i = 0; args[i]; i++) {
        ck_assert_uint_lt(i + 2, array_len(argv));
        argv[i + 1] = args[i];
    }
    ck_assert_int_eq(
        posix_spawn(&t->pid, THRESHCTL, &actions, NULL, (char *const *)(void *)argv, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(out);
    close(err);
}

/* true: the other end is closed. */
static bool drain(int fd, struct buf *into)
{
    ssize_t n;
    while ((n = read(fd, buf_reserve(into, 4096), 4096)) > 0)
        into->len += (size_t)n;
    buf_add(into, "", 0); /* the NUL */
    return n == 0;
}

static bool tool_is_done(void *arg)
{
    struct tool *t = arg;
    bool out_ended = drain(t->out_fd, &t->out), err_ended = drain(t->err_fd, &t->err);
    if (!out_ended || !err_ended)
        return false;
    ck_assert_int_eq(waitpid(t->pid, &t->status, 0), t->pid);
    ck_assert(WIFEXITED(t->status));
    return true;
}

static void tool_fini(struct tool *t)
{
    close(t->out_fd);
    close(t->err_fd);
    buf_fini(&t->out);
    buf_fini(&t->err);
}

static void expect_exit(struct tool *t, int code, const char *out, const char *err)
{
    ck_assert_msg(WEXITSTATUS(t->status) == code, "exit %d, stderr: %s", WEXITSTATUS(t->status),
                  t->err.data);
    ck_assert_str_eq(t->out.data, out);
    ck_assert_msg(strstr(t->err.data, err) != NULL, "stderr: %s", t->err.data);
    tool_fini(t);
}

/* Run it to its end. */
static void run_tool(struct fake *f, struct tool *t, const char *name, const char *const *args)
{
    tool_start(t, name, args);
    fake_turn_until(f, tool_is_done, t);
}

/* Run `threshctl -c DIR ACTION` to its end. */
static void run_action(struct fake *f, struct tool *t, const char *action)
{
    const char *args[] = {"-c", f->dir, action, NULL};
    tool_start(t, "threshctl", args);
    fake_turn_until(f, tool_is_done, t);
}

START_TEST(shows_status)
{
    struct fake f;
    struct tool t;
    char line[80];
    fake_open(&f);
    put_run_dir(&f);
    run_action(&f, &t, "STATUS");
    (void)snprintf(line, sizeof line, "info: version 1.2.3 running at PID %d\n",
                   (int)getpid()); /* fits */
    expect_exit(&t, 0, "", line);
    fake_close(&f);
}
END_TEST

START_TEST(prints_json)
{
    struct fake f;
    struct tool t;
    fake_open(&f);
    put_run_dir(&f);
    run_action(&f, &t, "stats");
    ck_assert_str_eq(t.err.data, "");
    expect_exit(&t, 0, FAKE_STATS, "");
    f.states_len = 1000000; /* more than a pipe or a socket holds */
    run_action(&f, &t, "states");
    ck_assert_int_eq(WEXITSTATUS(t.status), 0);
    ck_assert_uint_eq(t.out.len, f.states_len);
    for (size_t i = 0; i < f.states_len; i++)
        ck_assert_int_eq(t.out.data[i], fake_states_at(i));
    tool_fini(&t);
    fake_close(&f);
}
END_TEST

START_TEST(reload_that_works)
{
    struct fake f;
    struct tool t;
    fake_open(&f);
    put_run_dir(&f);
    f.answer_at_once = 1;
    run_action(&f, &t, "reload-zones");
    expect_exit(&t, 0, "", "info: Zone data reloaded\n");
    fake_close(&f);
}
END_TEST

/* Names and force travel by our own request, whose answer brings warnings or reasons. */
START_TEST(reload_of_named_zones)
{
    struct fake f;
    struct tool t;
    fake_open(&f);
    put_run_dir(&f);
    f.answer_at_once = 1;
    f.why = "zones/a: serial went back\n";
    const char *named[] = {"-c", f.dir, "reload-zones", "a.example", "b.example.", NULL};
    run_tool(&f, &t, "threshctl", named);
    expect_exit(&t, 0, "", "warning: zones/a: serial went back\ninfo: Zone data reloaded\n");
    ck_assert_str_eq(fake_reloads(&f), "a.example,b.example.,");
    f.answer_at_once = -1;
    const char *forced[] = {"-c", f.dir, "reload-zones", "--force", "a.example", NULL};
    run_tool(&f, &t, "threshctl", forced);
    expect_exit(&t, 42, "", "is unchanged\nerror: zones/a: serial went back\n");
    ck_assert_str_eq(fake_reloads(&f), "a.example,!");
    const char *all[] = {"-c", f.dir, "reload-zones", "--force", NULL};
    f.answer_at_once = 1;
    f.why = NULL;
    run_tool(&f, &t, "threshctl", all);
    expect_exit(&t, 0, "", "info: Zone data reloaded\n");
    ck_assert_str_eq(fake_reloads(&f), "all!");
    fake_close(&f);
}
END_TEST

START_TEST(zones_are_printed)
{
    struct fake f;
    struct tool t;
    fake_open(&f);
    put_run_dir(&f);
    run_action(&f, &t, "zones");
    expect_exit(&t, 0, FAKE_ZONES, "");
    fake_close(&f);
}
END_TEST

START_TEST(reload_that_is_refused_says_why)
{
    struct fake f;
    struct tool t;
    fake_open(&f);
    put_run_dir(&f);
    f.answer_at_once = -1;
    f.why = "zones/a:3:1: no SOA\nzones/b:1:1: \x1b[31mred";
    run_action(&f, &t, "Reload-Zones");
    expect_exit(&t, 42, "",
                "error: Reload transaction failed: the zone data in use is unchanged\n"
                "error: zones/a:3:1: no SOA\nerror: zones/b:1:1: \\x1b[31mred\n");
    f.why = NULL;
    run_action(&f, &t, "reload-zones");
    expect_exit(&t, 42, "", "in use is unchanged\n");
    fake_close(&f);
}
END_TEST

struct both {
    struct fake *f;
    struct tool *t;
};

static bool stop_was_asked(void *arg)
{
    struct both *b = arg;
    ck_assert(!tool_is_done(b->t));
    return b->f->stop_count == 1;
}

START_TEST(stop_waits_for_the_end)
{
    struct fake f;
    struct tool t;
    fake_open(&f);
    put_run_dir(&f);
    const char *args[] = {"-c", f.dir, "stop", NULL};
    tool_start(&t, "threshctl", args);
    struct both b = {&f, &t};
    fake_turn_until(&f, stop_was_asked, &b);
    for (int i = 0; i < 1000; i++) {
        ev_run(f.loop, EVRUN_NOWAIT);
        ck_assert(!tool_is_done(&t));
    }
    ck_assert_str_eq(t.err.data, "");
    ctl_server_close(f.server);
    f.server = NULL;
    fake_turn_until(&f, tool_is_done, &t);
    expect_exit(&t, 0, "", "info: Stop command successful, daemon exited\n");
    fake_close(&f);
}
END_TEST

START_TEST(no_daemon)
{
    struct fake f;
    struct tool t;
    fake_open(&f);
    put_run_dir(&f);
    ctl_server_close(f.server); /* its socket file stays */
    f.server = NULL;
    run_action(&f, &t, "status");
    expect_exit(&t, 1, "", "error: no daemon listens on ");
    put_config(&f, "options => { run_dir => /nonexistent/thresh }");
    run_action(&f, &t, "stop");
    expect_exit(&t, 1, "", "/nonexistent/thresh/control.sock");
    fake_close(&f);
}
END_TEST

START_TEST(daemon_that_is_silent)
{
    struct fake f;
    struct tool t;
    fake_open(&f);
    put_run_dir(&f); /* reload_zones is never answered */
    const char *args[] = {"-t", "5", "-c", f.dir, "reload-zones", NULL};
    tool_start(&t, "threshctl", args);
    fake_turn_until(&f, tool_is_done, &t);
    expect_exit(&t, 1, "", "in time\n");
    ck_assert_uint_eq(f.waiting_count, 1);
    ctl_request_done(f.waiting[0], true, "", 0);
    fake_close(&f);
}
END_TEST

/* A server of a few fixed answers, one connection each; then it closes them. */
struct scripted {
    int listen_fd;
    const char *answers[3]; /* 8 bytes each; NULL: closes at once */
    size_t next;
    struct tool *t;
};

static bool scripted_is_done(void *arg)
{
    struct scripted *s = arg;
    char request[PROTO_HEADER_BYTES];
    int fd = accept4(s->listen_fd, NULL, NULL, SOCK_CLOEXEC);
    if (fd >= 0) {
        ck_assert_uint_lt(s->next, array_len(s->answers));
        const char *answer = s->answers[s->next++];
        ck_assert_int_eq(recv(fd, request, sizeof request, MSG_WAITALL), sizeof request);
        if (answer)
            ck_assert_int_eq(send(fd, answer, PROTO_HEADER_BYTES, MSG_NOSIGNAL),
                             PROTO_HEADER_BYTES);
        close(fd);
    }
    return tool_is_done(s->t);
}

static void scripted_run(struct fake *f, struct scripted *s)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    ctl_server_close(f->server);
    f->server = NULL;
    (void)snprintf(a.sun_path, sizeof a.sun_path, "%s/control.sock", f->run_dir); /* fits */
    (void)unlink(a.sun_path); /* left by the server */
    s->listen_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    ck_assert_int_eq(bind(s->listen_fd, (const struct sockaddr *)&a, sizeof a), 0);
    ck_assert_int_eq(listen(s->listen_fd, 5), 0);
    const char *args[] = {"-D", "-c", f->dir, "stats", NULL};
    tool_start(s->t, "threshctl", args);
    fake_turn_until(f, scripted_is_done, s);
    close(s->listen_fd);
}

START_TEST(tries_again_when_told_later_or_cut_off)
{
    struct fake f;
    struct tool t;
    struct scripted s = {.answers = {"L\0\0\0\0\0\0", NULL, "A\0\0\0\0\0\0"}, .t = &t};
    fake_open(&f);
    put_run_dir(&f);
    scripted_run(&f, &s);
    ck_assert_uint_eq(s.next, 3);
    expect_exit(&t, 0, "", "debug: trying again\n");
    fake_close(&f);
}
END_TEST

static const struct {
    const char *answer, *said;
} hard[] = {
    {"U\0\0\0\0\0\0", "error: the daemon does not know this command\n"},
    {"D\0\0\0\0\0\0", "error: the daemon does not allow it\n"},
    {"F\0\0\0\0\0\0", "error: the daemon could not do it"},
    {"?\0\0\0\0\0\0", "unknown key 0x3f\n"},
    {"A\0\0\0\377\377\377\377", "announces 4294967295 bytes"},
};

START_TEST(gives_up_at_once_on_a_plain_no)
{
    struct fake f;
    struct tool t;
    struct scripted s = {.answers = {hard[_i].answer}, .t = &t};
    fake_open(&f);
    put_run_dir(&f);
    scripted_run(&f, &s);
    ck_assert_uint_eq(s.next, 1);
    expect_exit(&t, 42, "", hard[_i].said);
    fake_close(&f);
}
END_TEST

/* ---- orders ---- */

static const struct {
    const char *args[9], *asked; /* without the user's id */
} orders[] = {
    {{"force", "up", "192.0.2.*"}, "UP|192.0.2.*||||%u"},
    {{"FORCE", "Down", "x", "--ttl", "0"}, "DOWN|x|0|||%u"},
    {{"drain", "x", "--for", "1h30m", "--reason", "a b"}, "DRAIN|x||5400|a b|%u"},
    {{"maint", "--dry-run", "--ttl=1m", "x", "--force"}, "MAINT|x|60|||%u!?"},
    {{"clear", "--", "-x"}, "CLEAR|-x||||%u"},
};

START_TEST(orders_are_sent)
{
    struct fake f;
    struct tool t;
    char asked[128];
    const char *args[12] = {"-c"};
    fake_open(&f);
    put_run_dir(&f);
    args[1] = f.dir;
    memcpy(args + 2, orders[_i].args, sizeof orders[_i].args);
    run_tool(&f, &t, "threshctl", args);
    bool dry = strchr(orders[_i].asked, '?') != NULL;
    expect_exit(&t, 0, "",
                dry ? "two\ninfo: dry run: nothing was done\n" : "info: one\ninfo: two\n");
    (void)snprintf(asked, sizeof asked, orders[_i].asked, (unsigned)getuid()); /* fits */
    ck_assert_str_eq(f.order, asked);
    f.refuse_order = true;
    run_tool(&f, &t, "threshctl", args);
    expect_exit(&t, 42, "", "error: one\nerror: two\n");
    run_action(&f, &t, "overrides");
    expect_exit(&t, 0, FAKE_ZONES, "");
    fake_close(&f);
}
END_TEST

/* ---- command line and configuration ---- */

static const struct {
    const char *name, *args[5];
    int code;
    const char *said;
} usages[] = {
    {"threshctl", {NULL}, 2, "error: no action is named\n"},
    {"threshctl", {"frobnicate"}, 2, "error: unknown action \"frobnicate\"\n"},
    {"threshctl", {"relaod-zones"}, 2, "did you mean \"reload-zones\"?\n"},
    {"threshctl", {"status", "now"}, 2, "error: \"now\""},
    {"threshctl", {"reload-zones", "--forse"}, 2, "reload-zones [--force] [ZONE...]\n"},
    {"threshctl", {"reload-zones", "a", "--force"}, 2, "error: \"--force\""},
    {"threshctl", {"reload-zones", ""}, 2, "error: \"\""},
    {"threshctl", {"force", "x"}, 2, "read \"x\", allowed: force UP GLOB, force DOWN GLOB\n"},
    {"threshctl", {"force", "UP"}, 2, "force UP|DOWN GLOB: one pattern is needed"},
    {"threshctl", {"force"}, 2, "one pattern is needed"},
    {"threshctl", {"drain", "a", "b"}, 2, "drain GLOB: one pattern is needed"},
    {"threshctl", {"drain", ""}, 2, "drain GLOB: one pattern is needed"},
    {"threshctl", {"drain", "x", "--ttl", "x"}, 2, "error: --ttl: read \"x\", allowed: seconds"},
    {"threshctl", {"drain", "x", "--for", "-1"}, 2, "error: --for: read \"-1\""},
    {"threshctl", {"drain", "x", "--for"}, 2, "error: --for: its value is missing\n"},
    {"threshctl", {"maint", "x", "--forse"}, 2, "unknown option \"--forse\" of maint\n"},
    {"threshctl", {"overrides", "x"}, 2, "error: \"x\""},
    {"threshctl", {"status", "-D"}, 2, "error: \"-D\""},
    {"threshctl", {"-x", "status"}, 2, "error: unknown option \"-x\"\n"},
    {"threshctl", {"-c"}, 2, "error: -c: its value is missing\n"},
    {"threshctl", {"-t", "4", "status"}, 2, "allowed: 5 to 300 seconds\n"},
    {"threshctl", {"-t", "301", "status"}, 2, "allowed: 5 to 300 seconds\n"},
    {"threshctl", {"-t", "010", "status"}, 2, "allowed: 5 to 300 seconds\n"},
    {"threshctl", {"-t", "x", "status"}, 2, "allowed: 5 to 300 seconds\n"},
    {"/usr/bin/gdnsdctl", {"-h"}, 2, "Usage: gdnsdctl "},
    {"gdnsdctl", {"-t", "1", "status"}, 2, "allowed: 5 to 300 seconds\n"},
    {"threshctl", {"-c", "/nonexistent", "status"}, 1, "/nonexistent/config does not exist"},
    {"threshctl", {"-c", "/nonexistent", "status"}, 1, TH_RUNSTATEDIR "/thresh/control.sock"},
    {"gdnsdctl", {"-c", "/nonexistent", "status"}, 1, TH_RUNSTATEDIR "/gdnsd/control.sock"},
};

START_TEST(usage_errors)
{
    struct fake f;
    struct tool t;
    fake_open(&f);
    tool_start(&t, usages[_i].name, usages[_i].args);
    fake_turn_until(&f, tool_is_done, &t);
    expect_exit(&t, usages[_i].code, "", usages[_i].said);
    fake_close(&f);
}
END_TEST

START_TEST(help_goes_to_stdout)
{
    static const char *const ways[] = {"-h", "--help"};
    struct fake f;
    struct tool t;
    fake_open(&f);
    for (size_t i = 0; i < array_len(ways); i++) {
        const char *args[] = {ways[i], NULL};
        tool_start(&t, "threshctl", args);
        fake_turn_until(&f, tool_is_done, &t);
        ck_assert_int_eq(WEXITSTATUS(t.status), 0);
        ck_assert_ptr_nonnull(strstr(t.out.data, "Usage: threshctl [-c DIR]"));
        ck_assert_ptr_nonnull(strstr(t.out.data, "Examples:\n"));
        ck_assert_str_eq(t.err.data, "");
        tool_fini(&t);
    }
    fake_close(&f);
}
END_TEST

static const struct {
    const char *text;
    int code;
    const char *said;
} configs[] = {
    {"", 1, TH_RUNSTATEDIR "/thresh/control.sock"},
    {"options => {}", 1, TH_RUNSTATEDIR "/thresh/control.sock"},
    {"options => { compat => none }", 1, TH_RUNSTATEDIR "/thresh/control.sock"},
    {"options => { compat => gdnsd3 }", 1, TH_RUNSTATEDIR "/gdnsd/control.sock"},
    {"options => { compat => gdnsd3, run_dir => /nonexistent }", 1, " /nonexistent/control.sock"},
    {"options => { compat => gdnsd4 }", 42, "config:1:24: options: compat"},
    {"options => { run_dir => [a, b] }", 42, "config:1:25: options: run_dir"},
    {"options => x", 42, "options must be { ... }"},
    {"[ a ]", 42, "must be { ... }"},
    {"options => {", 42, "config:1:"},
};

START_TEST(reads_run_dir_alone)
{
    struct fake f;
    struct tool t;
    fake_open(&f);
    put_config(&f, configs[_i].text);
    run_action(&f, &t, "status");
    expect_exit(&t, configs[_i].code, "", configs[_i].said);
    fake_close(&f);
}
END_TEST

static Suite *threshctl_suite(void)
{
    Suite *s = suite_create("threshctl");
    TCase *t = tcase_create("actions");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, shows_status);
    tcase_add_test(t, prints_json);
    tcase_add_test(t, reload_that_works);
    tcase_add_test(t, reload_of_named_zones);
    tcase_add_test(t, zones_are_printed);
    tcase_add_test(t, reload_that_is_refused_says_why);
    tcase_add_test(t, stop_waits_for_the_end);
    tcase_add_test(t, no_daemon);
    tcase_add_test(t, daemon_that_is_silent);
    tcase_add_test(t, tries_again_when_told_later_or_cut_off);
    tcase_add_loop_test(t, gives_up_at_once_on_a_plain_no, 0, (int)array_len(hard));
    suite_add_tcase(s, t);
    t = tcase_create("command line");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, orders_are_sent, 0, (int)array_len(orders));
    tcase_add_loop_test(t, usage_errors, 0, (int)array_len(usages));
    tcase_add_test(t, help_goes_to_stdout);
    tcase_add_loop_test(t, reads_run_dir_alone, 0, (int)array_len(configs));
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(threshctl_suite)
