/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tcp.c: connections: pipelining, messages in pieces, slow and rude clients (RFC 7766). */
#include <check.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "e2e/exchange.h"
#include "e2e/run.h"
#include "e2e/tcp_client.h"
#include "lib/daemon.h"
#include "lib/dns.h"

#define array_len(a) (sizeof(a) / sizeof *(a))

/* A DSO Keepalive request. */
#define DSO_KEEPALIVE "\x12\x34\x30\0\0\0\0\0\0\0\0\0\0\1\0\x08\0\0\0\0\0\0\0\0"

/* ---- what clients may do ------------------------------------------------------------------- */

START_TEST(queries_in_one_write_are_answered_in_order)
{
    static const unsigned counts[] = {1, 2, 50, 400};
    struct test_daemon d;
    uint8_t bytes[400 * 64];
    start(&d, NULL);
    for (size_t i = 0; i < array_len(counts); i++) {
        int fd = connect_to(&d, _i);
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
    int fd = connect_to(&d, _i);
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
    int fd = connect_to(&d, _i);
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
    int fd = connect_to(&d, _i);
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

START_TEST(a_late_reader_gets_everything)
{
    enum { LIMIT = 200000 };
    const int buffer =
        256 * 1024; /* well above lo's packets, well below what the kernel may take */
    struct test_daemon d;
    uint8_t query[512];
    start(&d, "tcp_threads => 1");
    int fd = connect_to(&d, _i), other = connect_to(&d, _i);
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

START_TEST(the_time_granted_is_announced)
{
    struct test_daemon d;
    start(&d, "tcp_timeout => 1800");
    int fd = connect_to(&d, _i);
    ck_assert_int_eq(ask_keepalive(fd), 18000);
    ask(fd, 2); /* without EDNS, no option */
    dns_send_tcp(fd, (const uint8_t *)DSO_KEEPALIVE, sizeof DSO_KEEPALIVE - 1);
    uint8_t reply[DNS_MAX];
    ck_assert_int_eq(dns_receive_tcp(fd, reply), 24);
    ck_assert_int_eq(ask_keepalive(fd), -1); /* a session has its own way of saying so */
    close(fd);
    daemon_stop(&d);
}
END_TEST

START_TEST(answers_are_padded_where_the_listener_says_so)
{
    struct test_daemon d;
    uint8_t query[512], reply[DNS_MAX];
    const struct daemon_conf conf = {
        .listen = "{ 127.0.0.1 => { tcp_pad => true } \"::1\" => { tcp_pad => true } }",
        .zones = tcp_zones};
    daemon_start(&d, &conf);
    int fd = connect_to(&d, _i);
    send_all(fd, query, put_edns_query(query, 1));
    ck_assert_int_eq(dns_receive_tcp(fd, reply), 468);
    send_all(fd, query, put_query(query, "www.e2e.example", LDNS_RR_TYPE_A, 1));
    ck_assert_int_lt(dns_receive_tcp(fd, reply), 468); /* without EDNS there is no way */
    close(fd);
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
        int fd = connect_to(&d, _i);
        ask(fd, 1);
        send_all(fd, bytes, lengths[i] < 62 ? lengths[i] + 2 : sizeof bytes);
        expect_end(fd);
        close(fd);
    }
    int fd = connect_to(&d, _i);
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
    int fd = connect_to(&d, _i);
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
        int fd = connect_to(&d, _i);
        send_all(fd, bytes, cut);
        ck_assert_int_eq(shutdown(fd, SHUT_WR), 0);
        expect_end(fd);
        close(fd);
    }
    daemon_stop(&d);
}
END_TEST

#define QUERY "\x43\x21\0\0\0\1\0\0\0\0\0\0\3www\3e2e\7example\0\0\1\0\1"

static const struct exchange ends[] = {
    {"by the client", {{MESSAGE, BYTES(QUERY), BYTES("\x43\x21\x84\0")}}, "conns close_c noerror"},
    {"in silence", {{RAW_UNHEARD, BYTES(""), EXCHANGE_NOTHING}}, "conns close_c"},
    {"inside a message",
     {{RAW_UNHEARD, BYTES("\0\x20\1"), EXCHANGE_NOTHING}},
     "conns close_s_err recvfail"},
    {"too short", {{MESSAGE, BYTES("abc"), EXCHANGE_RESET}}, "conns close_s_err recvfail"},
    {"too long", {{RAW, BYTES("\x10\1"), EXCHANGE_RESET}}, "conns close_s_err recvfail"},
    {"a response",
     {{MESSAGE, BYTES("\x43\x21\x80\0\0\0\0\0\0\0\0\0"), EXCHANGE_RESET}},
     "conns close_s_err dropped"},
    {"a broken query",
     {{MESSAGE, BYTES("\x43\x21\0\0\0\1\0\0\0\0\0\0\3www"), BYTES("\x43\x21\x80\1")}},
     "conns close_c formerr"},
};

START_TEST(each_end_is_counted)
{
    struct test_daemon d;
    start(&d, NULL);
    for (size_t i = 0; i < array_len(ends); i++)
        exchange_run(&d, &ends[i], false);
    daemon_stop(&d);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *s = suite_create("tcp");
    TCase *c = e2e_case(s, "polite"); /* each over IPv4 and over IPv6 */
    tcase_add_loop_test(c, queries_in_one_write_are_answered_in_order, 0, 2);
    tcase_add_loop_test(c, one_byte_at_a_time, 0, 2);
    tcase_add_loop_test(c, a_half_closed_connection_gets_all_answers_then_fin, 0, 2);
    tcase_add_loop_test(c, the_longest_query_is_answered, 0, 2);
    tcase_add_loop_test(c, a_late_reader_gets_everything, 0, 2);
    tcase_add_loop_test(c, the_time_granted_is_announced, 0, 2);
    tcase_add_loop_test(c, answers_are_padded_where_the_listener_says_so, 0, 2);
    c = e2e_case(s, "rude");
    tcase_add_loop_test(c, lengths_out_of_range_end_the_connection, 0, 2);
    tcase_add_loop_test(c, a_response_ends_the_connection, 0, 2);
    tcase_add_loop_test(c, an_end_inside_a_message_ends_the_connection, 0, 2);
    tcase_add_test(c, each_end_is_counted);
    return s;
}

E2E_MAIN(make_suite)
