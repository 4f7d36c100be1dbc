/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tcp_limits.c: how many connections, for how long, with how much memory; and how they end when the
 * daemon stops. */
#include <check.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "e2e/run.h"
#include "e2e/tcp_client.h"
#include "lib/daemon.h"
#include "lib/dns.h"
#include "lib/fakesvc.h"

/* ---- limits -------------------------------------------------------------------------------- */

START_TEST(the_most_idle_connection_makes_room)
{
    enum { CLIENTS = 15 }; /* the 16th makes room */
    struct test_daemon d;
    uint8_t reply[DNS_MAX];
    int fds[CLIENTS];
    start(&d, "tcp_threads => 1 tcp_clients_per_thread => 16");
    for (unsigned i = 0; i < CLIENTS; i++) {
        fds[i] = connect_to(&d, _i);
        ask(fds[i], i);
    }
    ask(fds[0], 100);                         /* now the second is the most idle one */
    send_all(fds[1], (const uint8_t *)"", 1); /* a byte does not make it busy */
    int newest = connect_to(&d, _i);
    ask(newest, 101);
    ck_assert_int_eq(dns_receive_tcp(fds[1], reply), -2); /* reset */
    ask(fds[0], 102);
    for (unsigned i = 2; i < CLIENTS; i++)
        ask(fds[i], i);
    ask(newest, 103);
    close(newest);
    for (unsigned i = 0; i < CLIENTS; i++)
        close(fds[i]);
    daemon_stop(&d);
}
END_TEST

/* The daemon may open `more` descriptors and no other: the kernel counts numbers, and the low ones
 * are taken. */
static void limit_descriptors(const struct test_daemon *d, unsigned more)
{
    unsigned now = program_descriptors(&d->program);
    const struct rlimit l = {.rlim_cur = now + more, .rlim_max = now + more};
    ck_assert_int_eq(prlimit(d->program.pid, RLIMIT_NOFILE, &l, NULL), 0);
}

START_TEST(without_descriptors_the_most_idle_makes_room)
{
    enum { ROOM = 8, CLIENTS = 30 };
    struct test_daemon d;
    int fds[CLIENTS];
    start(&d, "tcp_threads => 1");
    limit_descriptors(&d, ROOM);
    for (unsigned i = 0; i < CLIENTS; i++) {
        fds[i] = connect_to(&d, false);
        ask(fds[i], i); /* each newcomer is served */
    }
    ask(fds[CLIENTS - 1], 100);
    expect_end(fds[0]); /* those that were idle for the longest time made room */
    expect_end(fds[1]);
    for (unsigned i = 0; i < CLIENTS; i++)
        close(fds[i]);
    daemon_await_counter(&d, "tcp", "acceptfail", CLIENTS - ROOM - 1);
    ck_assert_uint_gt(daemon_counter(&d, "tcp", "close_s_kill"), 0);
    daemon_stop(&d);
}
END_TEST

/* A flood of connections takes what is for clients; probes go on with their own. All in a process
 * whose limit is final, and ours too, since a child inherits it. */
START_TEST(a_flood_does_not_starve_probes)
{
    enum { FILES = 200, CLIENTS = 180, TARGETS = 40, MORE = 4 * TARGETS };
    const struct rlimit l = {.rlim_cur = FILES, .rlim_max = FILES};
    struct test_daemon d;
    int fds[CLIENTS];
    char text[1024];
    struct fakesvc *f = fakesvc_start("0.0.0.0", 0);
    size_t len = (size_t)snprintf(text, sizeof text, /* fits */
                                  "service_types => { s => { plugin => tcp_connect port => %u\n"
                                  "  interval => 100ms timeout => 100ms } }\n"
                                  "plugins => { multifo => { service_types => s web => [",
                                  fakesvc_port(f));
    for (unsigned i = 0; i < TARGETS; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, " 127.0.2.%u", i + 1); /* fits */
    (void)snprintf(text + len, sizeof text - len, " ] } }");                          /* fits */
    const struct daemon_conf conf = {.options = "tcp_threads => 1 tcp_clients_per_thread => 1000",
                                     .sections = text,
                                     .zones = tcp_zones};
    fakesvc_stop(f); /* refused at once: it is the daemon's descriptors that count */
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &l), 0);
    daemon_start(&d, &conf);
    for (unsigned i = 0; i < CLIENTS; i++) {
        fds[i] = connect_to(&d, false);
        ask(fds[i], i); /* each newcomer is served */
    }
    ck_assert_uint_gt(daemon_counter(&d, "tcp", "acceptfail"), 0);
    ck_assert_uint_le(program_descriptors(&d.program), FILES);
    daemon_await_counter(&d, "monitor", "probes", daemon_counter(&d, "monitor", "probes") + MORE);
    ck_assert_uint_eq(daemon_counter(&d, "monitor", "notrun"), 0);
    for (unsigned i = 0; i < CLIENTS; i++)
        close(fds[i]);
    daemon_stop(&d);
}
END_TEST

/* What clients make a thread hold is bounded: the one that has held it longest goes first. */
START_TEST(half_sent_queries_are_bounded)
{
    enum { PART = 4097, HELD = 8192, FIT = (16 << 20) / HELD, CLIENTS = FIT + 20 };
    static uint8_t bytes[PART + 1];
    static int fds[CLIENTS];
    struct test_daemon d;
    uint8_t reply[DNS_MAX];
    unsigned resets = 0;
    if (descriptors_for_clients() < CLIENTS)
        return;
    start(&d, "tcp_threads => 1 tcp_clients_per_thread => 65535");
    (void)put_query(bytes, "www.e2e.example", LDNS_RR_TYPE_A, 5);
    bytes[0] = (PART - 1) >> 8;
    bytes[1] = (PART - 1) & 255;
    for (unsigned i = 0; i < CLIENTS; i++) {
        fds[i] = connect_to(&d, false);
        send_all(fds[i], bytes, PART);
    }
    daemon_await_counter(&d, "tcp", "close_s_kill", CLIENTS - FIT);
    for (unsigned i = 0; i < CLIENTS; i++) {
        (void)send(fds[i], bytes + PART, 1, MSG_NOSIGNAL); /* fails where it is reset */
        int len = dns_receive_tcp(fds[i], reply);
        ck_assert(len < 0 || len > LDNS_HEADER_SIZE);
        ck_assert(len > 0 || i < CLIENTS / 2); /* of one turn of a loop the last may be first */
        resets += len < 0;
        close(fds[i]);
    }
    ck_assert_uint_eq(resets, CLIENTS - FIT);
    ck_assert_uint_eq(daemon_counter(&d, "tcp", "close_s_kill"), CLIENTS - FIT);
    daemon_stop(&d);
}
END_TEST

/* A waiting connection is readable when it is cut off. */
static bool is_cut_off(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    return poll(&p, 1, 0) == 1;
}

/* The cut-off is at twice the least tcp_timeout, 10 s: only with THRESH_LONG. */
START_TEST(an_idle_connection_is_cut_off)
{
    struct test_daemon d;
    uint8_t reply[DNS_MAX];
    int left_ms = PATIENCE_MS;
    start(&d, "tcp_threads => 1 tcp_timeout => 5");
    int silent = connect_to(&d, _i), dribbling = connect_to(&d, _i), busy = connect_to(&d, _i);
    ask(silent, 1);
    send_all(dribbling, (const uint8_t *)"", 1);
    while (!is_cut_off(silent) || !is_cut_off(dribbling)) {
        ask(busy, 2);
        patience(&left_ms, "the cut-off");
    }
    ck_assert_int_eq(dns_receive_tcp(silent, reply), -2);
    ck_assert_int_eq(dns_receive_tcp(dribbling, reply), -2);
    ask(busy, 3);
    close(silent);
    close(dribbling);
    close(busy);
    daemon_stop(&d);
}
END_TEST

/* A byte now and then does not make a peer a reader: only with THRESH_LONG. */
START_TEST(a_dribbling_reader_is_cut_off)
{
    enum { LIMIT = 200000 };
    struct test_daemon d;
    uint8_t query[512], byte;
    int left_ms = PATIENCE_MS;
    start(&d, "tcp_threads => 1 tcp_timeout => 5");
    int fd = connect_to(&d, _i), busy = connect_to(&d, _i);
    size_t len = put_query(query, "big.e2e.example", LDNS_RR_TYPE_TXT, 9);
    ck_assert_uint_lt(send_until_stuck(fd, query, len, LIMIT), len * LIMIT);
    while (daemon_counter(&d, "tcp", "close_s_ok") == 0) {
        ask(busy, 2);
        if (recv(fd, &byte, 1, MSG_DONTWAIT) < 0)
            break;
        patience(&left_ms, "the cut-off");
    }
    daemon_await_counter(&d, "tcp", "close_s_ok", 1);
    ask(busy, 3);
    close(fd);
    close(busy);
    daemon_stop(&d);
}
END_TEST

/* ---- stop ---------------------------------------------------------------------------------- */

static bool is_refused(const struct test_daemon *d)
{
    const struct sockaddr_in a = {.sin_family = AF_INET,
                                  .sin_port = htons(d->port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_ge(fd, 0);
    bool refused = connect(fd, (const struct sockaddr *)&a, sizeof a) != 0 && errno == ECONNREFUSED;
    close(fd);
    return refused;
}

/* Nobody new is accepted; who is there is served, and told by RFC 7828's option to go. */
START_TEST(a_stop_is_announced_and_waits_for_clients)
{
    struct test_daemon d;
    int left_ms = PATIENCE_MS;
    start(&d, "tcp_threads => 2");
    int fd = connect_to(&d, _i);
    ck_assert_int_eq(ask_keepalive(fd), 370);
    ck_assert_int_eq(kill(d.program.pid, SIGTERM), 0);
    while (!is_refused(&d))
        patience(&left_ms, "the listening socket to close");
    ck_assert_int_eq(ask_keepalive(fd), 0);
    ask(fd, 2);
    close(fd);
    ck_assert_int_eq(program_wait(&d.program), -SIGTERM);
}
END_TEST

/* More than are accepted in a turn or two. */
START_TEST(a_stop_serves_those_that_wait_to_be_accepted)
{
    enum { CLIENTS = 600 };
    struct test_daemon d;
    uint8_t query[DNS_MAX];
    int fds[CLIENTS];
    start(&d, "tcp_threads => 1 tcp_clients_per_thread => 1000");
    ck_assert_int_eq(kill(d.program.pid, SIGSTOP), 0);
    for (unsigned i = 0; i < CLIENTS; i++) {
        fds[i] = connect_to(&d, _i);
        send_all(fds[i], query, put_query(query, "www.e2e.example", LDNS_RR_TYPE_A, i));
    }
    ck_assert_int_eq(kill(d.program.pid, SIGTERM), 0);
    ck_assert_int_eq(kill(d.program.pid, SIGCONT), 0);
    for (unsigned i = 0; i < CLIENTS; i++) {
        expect_answer(fds[i], i);
        close(fds[i]);
    }
    ck_assert_int_eq(program_wait(&d.program), -SIGTERM);
}
END_TEST

START_TEST(a_stop_ends_connections)
{
    struct test_daemon d;
    start(&d, NULL);
    int fd = connect_to(&d, _i);
    ask(fd, 1);
    daemon_stop(&d);
    expect_end(fd);
    close(fd);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *s = suite_create("tcp_limits");
    TCase *c = e2e_case(s, "limits");
    tcase_add_loop_test(c, the_most_idle_connection_makes_room, 0, 2);
    tcase_add_test(c, without_descriptors_the_most_idle_makes_room);
    tcase_add_test(c, a_flood_does_not_starve_probes);
    tcase_add_test(c, half_sent_queries_are_bounded);
    tcase_add_loop_test(c, an_idle_connection_is_cut_off, 0, getenv("THRESH_LONG") ? 1 : 0);
    tcase_add_loop_test(c, a_dribbling_reader_is_cut_off, 0, getenv("THRESH_LONG") ? 1 : 0);
    c = e2e_case(s, "stop");
    tcase_add_loop_test(c, a_stop_ends_connections, 0, 2);
    tcase_add_loop_test(c, a_stop_is_announced_and_waits_for_clients, 0, 2);
    tcase_add_loop_test(c, a_stop_serves_those_that_wait_to_be_accepted, 0, 2);
    return s;
}

E2E_MAIN(make_suite)
