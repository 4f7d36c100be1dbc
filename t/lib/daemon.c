/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/daemon.h"

#include <arpa/inet.h>
#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "ctl/proto.h"

/* Start scripts wait for this line, and so do we. */
#define STARTED "DNS listeners started\n"
/* Ports below those that the system hands out by itself; fakesvc has its own range. */
enum { PORT_FIRST = 10000, PORT_COUNT = 9000, PORT_TRIES = 1000, START_TRIES = 5 };

/* ---- ports --------------------------------------------------------------------------------- */

static bool can_bind(int family, int type, uint16_t port)
{
    struct sockaddr_in v4 = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_in6 v6 = {
        .sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_addr = in6addr_loopback};
    int fd = socket(family, type | SOCK_CLOEXEC, 0);
    ck_assert_int_ge(fd, 0);
    int e = family == AF_INET ? bind(fd, (struct sockaddr *)&v4, sizeof v4)
                              : bind(fd, (struct sockaddr *)&v6, sizeof v6);
    close(fd);
    return e == 0;
}

static uint16_t find_port(void)
{
    for (int i = 0; i < PORT_TRIES; i++) {
        uint16_t random;
        ck_assert_int_eq(getrandom(&random, sizeof random, 0), sizeof random);
        uint16_t port = (uint16_t)(PORT_FIRST + random % PORT_COUNT);
        if (can_bind(AF_INET, SOCK_DGRAM, port) && can_bind(AF_INET, SOCK_STREAM, port) &&
            can_bind(AF_INET6, SOCK_DGRAM, port) && can_bind(AF_INET6, SOCK_STREAM, port))
            return port;
    }
    ck_abort_msg("no free port");
    return 0;
}

/* ---- files --------------------------------------------------------------------------------- */

static void write_config(struct test_daemon *d, const struct daemon_conf *c)
{
    char *text, listen[256];
    int n = c->listen ? snprintf(listen, sizeof listen, "%s dns_port => %u", c->listen, d->port)
                      : snprintf(listen, sizeof listen, "[ 127.0.0.1:%u, \"[::1]:%u\" ]", d->port,
                                 d->port);
    ck_assert_int_lt(n, (int)sizeof listen);
    n = asprintf(&text,
                 "options => {\n"
                 "  listen => %s\n"
                 "  run_dir => \"%s/run\", state_dir => \"%s/state\"\n"
                 "  %s\n"
                 "}\n%s\n",
                 listen, d->dir, d->dir, c->options ? c->options : "",
                 c->sections ? c->sections : "");
    ck_assert_int_gt(n, 0);
    scratch_write(d->dir, "config", text);
    free(text);
}

void daemon_setup(struct test_daemon *d, const struct daemon_conf *c)
{
    char path[SCRATCH_PATH + 8];
    *d = (struct test_daemon){.program_path = c->program ? c->program : THRESHD};
    scratch_dir(d->dir);
    d->port = find_port();
    write_config(d, c);
    (void)snprintf(path, sizeof path, "%s/zones", d->dir); /* fits */
    ck_assert_int_eq(mkdir(path, 0755), 0);
    for (const struct daemon_zone *z = c->zones; z && z->name; z++) {
        char name[128];
        ck_assert_int_lt(snprintf(name, sizeof name, "zones/%s", z->name), (int)sizeof name);
        scratch_write(d->dir, name, z->text);
    }
}

/* ---- life ---------------------------------------------------------------------------------- */

void daemon_launch(struct test_daemon *d)
{
    const char *argv[] = {d->program_path, "-c", d->dir, "start", NULL};
    program_start(&d->program, d->dir, argv);
}

static bool log_has(const struct test_daemon *d, const char *text)
{
    char *log = daemon_log(d);
    bool found = strstr(log, text) != NULL;
    free(log);
    return found;
}

bool daemon_await(struct test_daemon *d)
{
    int left_ms = PATIENCE_MS;
    while (!log_has(d, STARTED)) {
        if (program_has_ended(&d->program))
            return false;
        patience(&left_ms, "the daemon to serve");
    }
    return true;
}

void daemon_start(struct test_daemon *d, const struct daemon_conf *c)
{
    for (int i = 0; i < START_TRIES; i++) {
        daemon_setup(d, c);
        daemon_launch(d);
        if (daemon_await(d))
            return;
        if (!log_has(d, "cannot listen"))
            break;
    }
    char *log = daemon_log(d);
    ck_abort_msg("the daemon did not start, end=%d:\n%s", d->program.end, log);
}

void daemon_stop(struct test_daemon *d)
{
    ck_assert(daemon_control(d, PROTO_STOP, NULL));
    int end = program_wait(&d->program);
    if (end == 0)
        return;
    char *log = daemon_log(d);
    ck_abort_msg("the daemon ended with %d:\n%s", end, log);
}

int daemon_kill(struct test_daemon *d, int signal_number)
{
    ck_assert_int_eq(kill(d->program.pid, signal_number), 0);
    return program_wait(&d->program);
}

char *daemon_log(const struct test_daemon *d)
{
    return program_err(&d->program);
}

void daemon_await_log(struct test_daemon *d, const char *text)
{
    int left_ms = PATIENCE_MS;
    while (!log_has(d, text))
        patience(&left_ms, text);
}

/* ---- control socket ------------------------------------------------------------------------ */

static bool read_exactly(int fd, void *to, size_t len)
{
    uint8_t *p = to;
    while (len) {
        ssize_t n = recv(fd, p, len, 0);
        if (n <= 0)
            return false;
        p += n;
        len -= (size_t)n;
    }
    return true;
}

static int connect_control(const struct test_daemon *d)
{
    const struct timeval limit = {.tv_sec = PATIENCE_MS / 1000};
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    ck_assert_int_lt(snprintf(a.sun_path, sizeof a.sun_path, "%s/run/control.sock", d->dir),
                     (int)sizeof a.sun_path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit), 0);
    ck_assert_msg(connect(fd, (struct sockaddr *)&a, sizeof a) == 0, "%s: %s", a.sun_path,
                  strerror(errno));
    return fd;
}

bool daemon_control(const struct test_daemon *d, char key, char **data)
{
    uint8_t bytes[PROTO_HEADER_BYTES];
    struct proto_header h = {.key = (uint8_t)key};
    int fd = connect_control(d);
    proto_print(&h, bytes);
    ck_assert_int_eq(send(fd, bytes, sizeof bytes, MSG_NOSIGNAL), sizeof bytes);
    ck_assert(read_exactly(fd, bytes, sizeof bytes));
    proto_parse(bytes, &h);
    if (data) {
        *data = calloc(1, h.d + 1);
        ck_assert_ptr_nonnull(*data);
        ck_assert(read_exactly(fd, *data, h.d));
    }
    close(fd);
    return h.key == PROTO_OK;
}

int daemon_ctl(const struct test_daemon *d, const char *const *words, char **out, char **err)
{
    struct program p;
    const char *argv[DAEMON_WORDS + 4] = {THRESHCTL, "-c", d->dir};
    for (int i = 0; words[i]; i++) {
        ck_assert_int_lt(i, DAEMON_WORDS);
        argv[3 + i] = words[i];
    }
    int end = program_run(&p, d->dir, argv);
    if (out)
        *out = program_out(&p);
    if (err)
        *err = program_err(&p);
    return end;
}

unsigned long daemon_counter(const struct test_daemon *d, const char *group, const char *key)
{
    char *json, quoted[40];
    ck_assert(daemon_control(d, PROTO_STATS, &json));
    (void)snprintf(quoted, sizeof quoted, "\"%s\": {", group); /* fits */
    const char *at = strstr(json, quoted);
    (void)snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    at = at ? strstr(at, quoted) : NULL;
    ck_assert_msg(at != NULL, "no %s of %s in %s", key, group, json);
    unsigned long value = strtoul(at + strlen(quoted), NULL, 10);
    free(json);
    return value;
}

void daemon_await_counter(const struct test_daemon *d, const char *group, const char *key,
                          unsigned long value)
{
    int left_ms = PATIENCE_MS;
    while (daemon_counter(d, group, key) < value)
        patience(&left_ms, key);
}
