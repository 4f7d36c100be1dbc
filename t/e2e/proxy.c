/* SPDX-License-Identifier: GPL-3.0-or-later */
/* proxy.c: listeners behind a proxy: headers of both versions, whole and in pieces. */
#include <check.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "e2e/exchange.h"
#include "e2e/run.h"
#include "lib/dns.h"

#define array_len(a) (sizeof(a) / sizeof *(a))

static const struct daemon_zone zones[] = {
    {"e2e.example", "$TTL 300\n@ SOA ns1 root 1 1h 1h 1w 10\n@ NS ns1\nns1 A 127.0.0.1\n"
                    "www A 192.0.2.1\n"},
    {0}};

#define LISTEN "{ 127.0.0.1 => { tcp_proxy => true }, \"::1\" => { tcp_proxy => true } }"

#define SIG    "\r\n\r\n\0\r\nQUIT\n"
#define V1_4   "PROXY TCP4 192.0.2.9 198.51.100.1 51000 53\r\n"
#define V1_6   "PROXY TCP6 2001:db8::9 2001:db8::1 51000 53\r\n"
#define DST6   "\x20\1\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\2\xc7\x38\0\x35"
#define V2_4   SIG "\x21\x11\0\x0c\xc0\0\2\1\xc6\x33\x64\1\xc7\x38\0\x35"
#define V2_6   SIG "\x21\x21\0\x24\x20\1\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\1" DST6
#define V2_TLV SIG "\x21\x11\0\x13\xc0\0\2\1\xc6\x33\x64\1\xc7\x38\0\x35\4\0\4abcd"
#define MAPPED SIG "\x21\x21\0\x24\0\0\0\0\0\0\0\0\0\0\xff\xff\xc0\0\2\1" DST6
#define LOCAL  SIG "\x20\0\0\0"
#define UNSPEC SIG "\x21\0\0\0"
#define BARE   "\x43\x21\0\0\0\1\0\0\0\0\0\0\3www\3e2e\7example\0\0\1\0\1"
#define QUERY  "\0\x21" BARE
#define ANSWER "\x43\x21\x84\0"

/* v6: what the header says counts, not how the proxy came to us; -1 = as it came. */
static const struct row {
    struct exchange exchange;
    int v6;
} rows[] = {
    {{"v1, IPv4", {{RAW, BYTES(V1_4 QUERY), BYTES(ANSWER)}}, "noerror"}, 0},
    {{"v1, IPv6", {{RAW, BYTES(V1_6 QUERY), BYTES(ANSWER)}}, "noerror"}, 1},
    {{"v2, IPv4", {{RAW, BYTES(V2_4 QUERY), BYTES(ANSWER)}}, "noerror"}, 0},
    {{"v2, IPv6", {{RAW, BYTES(V2_6 QUERY), BYTES(ANSWER)}}, "noerror"}, 1},
    {{"v2, TLVs", {{RAW, BYTES(V2_TLV QUERY), BYTES(ANSWER)}}, "noerror"}, 0},
    {{"v2, IPv4-mapped", {{RAW, BYTES(MAPPED QUERY), BYTES(ANSWER)}}, "noerror"}, 0},
    {{"v2, LOCAL", {{RAW, BYTES(LOCAL QUERY), BYTES(ANSWER)}}, "noerror"}, -1},
    {{"the header first",
      {{RAW_UNHEARD, BYTES(V2_6), EXCHANGE_NOTHING},
       {MESSAGE, BYTES(BARE), BYTES(ANSWER)},
       {MESSAGE, BYTES(BARE), BYTES(ANSWER)}},
      "noerror=2"},
     2},
    {{"only once",
      {{RAW, BYTES(V1_4 QUERY), BYTES(ANSWER)}, {RAW, BYTES(V1_4), EXCHANGE_RESET}},
      "noerror recvfail"},
     0},
    {{"a header alone", {{RAW_UNHEARD, BYTES(V1_4), EXCHANGE_NOTHING}}, ""}, 0},
    {{"half a header", {{RAW_UNHEARD, BYTES(SIG "\x21"), EXCHANGE_NOTHING}}, "recvfail"}, 0},
    {{"no header", {{RAW, BYTES(QUERY), EXCHANGE_RESET}}, "proxy_fail"}, 0},
    {{"another protocol", {{RAW, BYTES("GET / HTTP/1.1\r\n"), EXCHANGE_RESET}}, "proxy_fail"}, 0},
    {{"a bad header",
      {{RAW, BYTES("PROXY TCP4 192.0.2.9 198.51.100.1 51000 65536\r\n"), EXCHANGE_RESET}},
      "proxy_fail"},
     0},
    {{"a UNIX socket's", {{RAW, BYTES(SIG "\x21\x31\0\0"), EXCHANGE_RESET}}, "proxy_fail"}, 0},
};

/* What the proxy does not know of its client. */
static const struct exchange unknown[] = {
    {"v1, UNKNOWN", {{RAW, BYTES("PROXY UNKNOWN\r\n" QUERY), BYTES(ANSWER)}}, "noerror"},
    {"v2, UNSPEC", {{RAW, BYTES(UNSPEC QUERY), BYTES(ANSWER)}}, "noerror"},
};

static bool is_reset(const struct exchange *e)
{
    return strstr(e->counted, "fail") != NULL;
}

static void run(const struct test_daemon *d, const struct row *row, bool v6)
{
    struct exchange e = row->exchange;
    char counted[128];
    int n = row->v6 < 0 ? v6 : row->v6;
    (void)snprintf(counted, sizeof counted, "conns proxy %s v6=%d %s",
                   is_reset(&e) ? "close_s_err" : "close_c", n, e.counted);
    e.counted = counted;
    exchange_run(d, &e, v6);
}

START_TEST(each_row)
{
    struct test_daemon d;
    daemon_start(&d, &(struct daemon_conf){.listen = LISTEN, .zones = zones});
    for (unsigned v6 = 0; v6 < 2; v6++) {
        for (size_t i = 0; i < array_len(rows); i++)
            run(&d, &rows[i], v6);
        for (size_t i = 0; i < array_len(unknown); i++)
            run(&d, &(struct row){unknown[i], -1}, v6);
    }
    daemon_stop(&d);
}
END_TEST

/* gdnsd wants to know the client. */
START_TEST(unknown_clients_are_refused_as_gdnsd_does)
{
    struct test_daemon d;
    daemon_start(
        &d, &(struct daemon_conf){.listen = LISTEN, .options = "compat => gdnsd3", .zones = zones});
    for (size_t i = 0; i < array_len(unknown); i++) {
        struct exchange e = unknown[i];
        e.steps[0].want = NULL;
        e.counted = "proxy_fail";
        run(&d, &(struct row){e, 0}, false);
    }
    run(&d, &rows[0], false);
    daemon_stop(&d);
}
END_TEST

/* A segment for each byte: TCP keeps no borders. */
START_TEST(one_byte_at_a_time)
{
    static const struct {
        const char *bytes;
        size_t len;
    } whole[] = {{BYTES(V1_6 QUERY QUERY)}, {BYTES(V2_TLV QUERY QUERY)}};
    const int on = 1;
    struct test_daemon d;
    uint8_t reply[DNS_MAX];
    daemon_start(&d, &(struct daemon_conf){.listen = LISTEN, .zones = zones});
    for (size_t i = 0; i < array_len(whole); i++) {
        const struct dns_question route = {.port = d.port, .tcp = true};
        int fd = dns_connect(&route);
        ck_assert_int_eq(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), 0);
        for (size_t k = 0; k < whole[i].len; k++)
            ck_assert_int_eq(send(fd, whole[i].bytes + k, 1, MSG_NOSIGNAL), 1);
        ck_assert_int_gt(dns_receive_tcp(fd, reply), LDNS_HEADER_SIZE);
        ck_assert_int_gt(dns_receive_tcp(fd, reply), LDNS_HEADER_SIZE);
        close(fd);
    }
    ck_assert_uint_eq(daemon_counter(&d, "stats", "v6"), 2);
    ck_assert_uint_eq(daemon_counter(&d, "tcp", "proxy_fail"), 0);
    daemon_stop(&d);
}
END_TEST

/* Lengths of what is encrypted further on must not tell what it is. */
START_TEST(sessions_are_padded)
{
    static const char request[] = V1_4 "\0\x18\x12\x34\x30\0\0\0\0\0\0\0\0\0"
                                       "\0\1\0\x08\0\0\0\0\0\0\0\0";
    struct test_daemon d;
    uint8_t reply[DNS_MAX];
    daemon_start(&d, &(struct daemon_conf){.listen = LISTEN, .zones = zones});
    const struct dns_question route = {.port = d.port, .tcp = true};
    int fd = dns_connect(&route);
    ck_assert_int_eq(send(fd, request, sizeof request - 1, MSG_NOSIGNAL), sizeof request - 1);
    ck_assert_int_eq(dns_receive_tcp(fd, reply), 468);
    close(fd);
    daemon_stop(&d);
}
END_TEST

START_TEST(no_udp_here)
{
    struct test_daemon d;
    uint8_t reply[DNS_MAX];
    daemon_start(&d, &(struct daemon_conf){.listen = LISTEN, .zones = zones});
    for (unsigned v6 = 0; v6 < 2; v6++) {
        const struct dns_question route = {.port = d.port, .v6 = v6};
        int fd = dns_connect(&route);
        ck_assert_int_eq(send(fd, BARE, sizeof BARE - 1, 0), sizeof BARE - 1);
        ck_assert_int_eq(recv(fd, reply, sizeof reply, 0), -1);
        ck_assert_int_eq(errno, ECONNREFUSED);
        close(fd);
    }
    daemon_stop(&d);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *s = suite_create("proxy");
    TCase *c = e2e_case(s, "proxy");
    tcase_add_test(c, each_row);
    tcase_add_test(c, unknown_clients_are_refused_as_gdnsd_does);
    tcase_add_test(c, one_byte_at_a_time);
    tcase_add_test(c, sessions_are_padded);
    tcase_add_test(c, no_udp_here);
    return s;
}

E2E_MAIN(make_suite)
