/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tcp.c: connections: pipelining, slow and rude clients, limits (RFC 7766). */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "e2e/run.h"
#include "lib/daemon.h"
#include "lib/dns.h"

#define array_len(a) (sizeof(a) / sizeof *(a))

static const struct daemon_zone zones[] = {
    {"e2e.example",
     "$TTL 300\n@ SOA ns1 root 1 1h 1h 1w 10\n@ NS ns1\nns1 A 127.0.0.1\n"
     "www A 192.0.2.1\n"
     "big TXT \"0123456789012345678901234567890123456789012345678901234567890123456\""
     " \"0123456789012345678901234567890123456789012345678901234567890123456789\"\n"},
    {0}};

static void start(struct test_daemon *d, const char *options)
{
    const struct daemon_conf conf = {.options = options, .zones = zones};
    daemon_start(d, &conf);
}

static int connect_to(const struct test_daemon *d)
{
    const struct dns_question route = {.port = d->port, .tcp = true};
    const int on = 1;
    int fd = dns_connect(&route);
    ck_assert_int_eq(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), 0);
    return fd;
}

/* A framed query whose id is `id`; returns its length. */
static size_t put_query(uint8_t *out, const char *name, ldns_rr_type type, unsigned id)
{
    const struct dns_question q = {.name = name, .type = type};
    uint8_t message[DNS_MAX];
    size_t len = dns_query(&q, message);
    out[0] = (uint8_t)(len >> 8);
    out[1] = (uint8_t)len;
    memcpy(out + 2, message, len);
    out[2] = (uint8_t)(id >> 8);
    out[3] = (uint8_t)id;
    return len + 2;
}

static void send_all(int fd, const uint8_t *bytes, size_t len)
{
    ck_assert_int_eq(send(fd, bytes, len, MSG_NOSIGNAL), (ssize_t)len);
}

static void expect_answer(int fd, unsigned id)
{
    uint8_t reply[DNS_MAX];
    int len = dns_receive_tcp(fd, reply);
    ck_assert_int_gt(len, LDNS_HEADER_SIZE);
    ck_assert_uint_eq((unsigned)reply[0] << 8 | reply[1], id);
    ck_assert_uint_eq(reply[3] & 15, 0);
    ck_assert_uint_eq(reply[7], 1); /* one record */
}

/* Ended by the daemon, with or without a reset. */
static void expect_end(int fd)
{
    uint8_t reply[DNS_MAX];
    ck_assert_int_lt(dns_receive_tcp(fd, reply), 0);
}

static void ask(int fd, unsigned id)
{
    uint8_t query[512];
    send_all(fd, query, put_query(query, "www.e2e.example", LDNS_RR_TYPE_A, id));
    expect_answer(fd, id);
}

/* ---- what clients may do ------------------------------------------------------------------- */

START_TEST(queries_in_one_write_are_answered_in_order)
{
    static const unsigned counts[] = {1, 2, 50, 400};
    struct test_daemon d;
    uint8_t bytes[400 * 64];
    start(&d, NULL);
    for (size_t i = 0; i < array_len(counts); i++) {
        int fd = connect_to(&d);
        size_t len = 0;
        for (unsigned k = 0; k < counts[i]; k++)
            len += put_query(bytes + len, "www.e2e.example", LDNS_RR_TYPE_A, k);
        send_all(fd, bytes, len);
        for (unsigned k = 0; k < counts[i]; k++)
            expect_answer(fd, k);
        ask(fd, 7); /* and it stays open */
        close(fd);
    }
    daemon_stop(&d);
}
END_TEST

START_TEST(one_byte_at_a_time)
{
    struct test_daemon d;
    uint8_t bytes[512];
    start(&d, NULL);
    int fd = connect_to(&d);
    size_t len = put_query(bytes, "www.e2e.example", LDNS_RR_TYPE_A, 1);
    len += put_query(bytes + len, "www.e2e.example", LDNS_RR_TYPE_A, 2);
    for (size_t i = 0; i < len; i++)
        send_all(fd, bytes + i, 1);
    expect_answer(fd, 1);
    expect_answer(fd, 2);
    close(fd);
    daemon_stop(&d);
}
END_TEST

START_TEST(a_half_closed_connection_gets_all_answers_then_fin)
{
    enum { QUERIES = 50 };
    struct test_daemon d;
    uint8_t bytes[QUERIES * 64], reply[DNS_MAX];
    size_t len = 0;
    start(&d, NULL);
    int fd = connect_to(&d);
    for (unsigned i = 0; i < QUERIES; i++)
        len += put_query(bytes + len, "big.e2e.example", LDNS_RR_TYPE_TXT, i);
    send_all(fd, bytes, len);
    ck_assert_int_eq(shutdown(fd, SHUT_WR), 0);
    for (unsigned i = 0; i < QUERIES; i++)
        expect_answer(fd, i);
    ck_assert_int_eq(dns_receive_tcp(fd, reply), -1); /* FIN, no reset */
    close(fd);
    daemon_stop(&d);
}
END_TEST

START_TEST(the_longest_query_is_answered)
{
    enum { LONGEST = 4096 };
    struct test_daemon d;
    static uint8_t bytes[2 + LONGEST];
    start(&d, NULL);
    int fd = connect_to(&d);
    (void)put_query(bytes, "www.e2e.example", LDNS_RR_TYPE_A, 5); /* garbage behind it is ignored */
    bytes[0] = LONGEST >> 8;
    bytes[1] = LONGEST & 255;
    send_all(fd, bytes, sizeof bytes);
    send_all(fd, bytes, sizeof bytes);
    expect_answer(fd, 5);
    expect_answer(fd, 5);
    close(fd);
    daemon_stop(&d);
}
END_TEST

/* Asks for megabytes and reads nothing until the daemon takes no more; others are served. */
static size_t send_until_stuck(int fd, const uint8_t *query, size_t len, unsigned limit)
{
    struct pollfd p = {.fd = fd, .events = POLLOUT};
    size_t at = 0;
    while (at < len * limit && poll(&p, 1, 200) == 1) {
        ssize_t n = send(fd, query + at % len, len - at % len, MSG_NOSIGNAL | MSG_DONTWAIT);
        ck_assert_int_gt(n, 0);
        at += (size_t)n;
    }
    return at;
}

START_TEST(a_late_reader_gets_everything)
{
    enum { LIMIT = 200000 };
    const int buffer =
        256 * 1024; /* well above lo's packets, well below what the kernel may take */
    struct test_daemon d;
    uint8_t query[512];
    start(&d, "tcp_threads => 1");
    int fd = connect_to(&d), other = connect_to(&d);
    ck_assert_int_eq(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer), 0);
    ck_assert_int_eq(setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer), 0);
    size_t len = put_query(query, "big.e2e.example", LDNS_RR_TYPE_TXT, 9);
    size_t sent = send_until_stuck(fd, query, len, LIMIT);
    ck_assert_uint_lt(sent, len * LIMIT); /* the daemon does not store without bound */
    ask(other, 3);
    size_t whole = sent / len;
    for (size_t i = 0; i < whole; i++)
        expect_answer(fd, 9);
    if (sent % len) {
        send_all(fd, query + sent % len, len - sent % len);
        expect_answer(fd, 9);
    }
    ask(fd, 4);
    close(fd);
    close(other);
    daemon_stop(&d);
}
END_TEST

/* ---- what they may not --------------------------------------------------------------------- */

START_TEST(lengths_out_of_range_end_the_connection)
{
    static const unsigned lengths[] = {0, 1, 11, 4097, 65535};
    struct test_daemon d;
    start(&d, NULL);
    for (size_t i = 0; i < array_len(lengths); i++) {
        uint8_t bytes[64] = {(uint8_t)(lengths[i] >> 8), (uint8_t)lengths[i]};
        int fd = connect_to(&d);
        ask(fd, 1);
        send_all(fd, bytes, lengths[i] < 62 ? lengths[i] + 2 : sizeof bytes);
        expect_end(fd);
        close(fd);
    }
    int fd = connect_to(&d);
    ask(fd, 2);
    close(fd);
    daemon_stop(&d);
}
END_TEST

START_TEST(a_response_ends_the_connection)
{
    struct test_daemon d;
    uint8_t bytes[512];
    start(&d, NULL);
    int fd = connect_to(&d);
    size_t len = put_query(bytes, "www.e2e.example", LDNS_RR_TYPE_A, 1);
    bytes[4] |= 0x80;
    send_all(fd, bytes, len);
    expect_end(fd);
    close(fd);
    daemon_stop(&d);
}
END_TEST

START_TEST(an_end_inside_a_message_ends_the_connection)
{
    struct test_daemon d;
    uint8_t bytes[512];
    start(&d, NULL);
    size_t len = put_query(bytes, "www.e2e.example", LDNS_RR_TYPE_A, 1);
    for (size_t cut = 1; cut < len; cut += 5) {
        int fd = connect_to(&d);
        send_all(fd, bytes, cut);
        ck_assert_int_eq(shutdown(fd, SHUT_WR), 0);
        expect_end(fd);
        close(fd);
    }
    daemon_stop(&d);
}
END_TEST

/* ---- limits -------------------------------------------------------------------------------- */

START_TEST(the_most_idle_connection_makes_room)
{
    enum { CLIENTS = 15 }; /* the 16th makes room */
    struct test_daemon d;
    uint8_t reply[DNS_MAX];
    int fds[CLIENTS];
    start(&d, "tcp_threads => 1 tcp_clients_per_thread => 16");
    for (unsigned i = 0; i < CLIENTS; i++) {
        fds[i] = connect_to(&d);
        ask(fds[i], i);
    }
    ask(fds[0], 100);                         /* now the second is the most idle one */
    send_all(fds[1], (const uint8_t *)"", 1); /* a byte does not make it busy */
    int newest = connect_to(&d);
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
    int silent = connect_to(&d), dribbling = connect_to(&d), busy = connect_to(&d);
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

START_TEST(a_stop_ends_connections)
{
    struct test_daemon d;
    start(&d, NULL);
    int fd = connect_to(&d);
    ask(fd, 1);
    daemon_stop(&d);
    expect_end(fd);
    close(fd);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *s = suite_create("tcp");
    TCase *c = e2e_case(s, "polite");
    tcase_add_test(c, queries_in_one_write_are_answered_in_order);
    tcase_add_test(c, one_byte_at_a_time);
    tcase_add_test(c, a_half_closed_connection_gets_all_answers_then_fin);
    tcase_add_test(c, the_longest_query_is_answered);
    tcase_add_test(c, a_late_reader_gets_everything);
    c = e2e_case(s, "rude");
    tcase_add_test(c, lengths_out_of_range_end_the_connection);
    tcase_add_test(c, a_response_ends_the_connection);
    tcase_add_test(c, an_end_inside_a_message_ends_the_connection);
    c = e2e_case(s, "limits");
    tcase_add_test(c, the_most_idle_connection_makes_room);
    tcase_add_test(c, a_stop_ends_connections);
    if (getenv("THRESH_LONG"))
        tcase_add_test(c, an_idle_connection_is_cut_off);
    return s;
}

E2E_MAIN(make_suite)
