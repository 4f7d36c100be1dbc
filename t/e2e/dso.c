/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dso.c: DNS Stateful Operations (RFC 8490) over TCP, and why not over UDP. */
#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "e2e/exchange.h"
#include "e2e/run.h"
#include "lib/dns.h"

#define array_len(a) (sizeof(a) / sizeof *(a))

static const struct daemon_zone zones[] = {
    {"e2e.example", "$TTL 300\n@ SOA ns1 root 1 1h 1h 1w 10\n@ NS ns1\nns1 A 127.0.0.1\n"
                    "www A 192.0.2.1\n"},
    {0}};

#define HEAD      "\x12\x34\x30\0\0\0\0\0\0\0\0\0"
#define NONE      "\0\0\0\0\0\0\0\0"
#define REQUEST   HEAD "\0\1\0\x08\0\0\x3a\x98\0\0\x3a\x98"
#define REPLY     "\x12\x34\xb0\0" NONE "\0\1\0\x08\xff\xff\xff\xff\0\0\x90\x88"
#define NAME      "\3www\3e2e\7example\0\0\1\0\1"
#define QUERY     "\x43\x21\0\0\0\1\0\0\0\0\0\0" NAME
#define QUERY_OPT "\x43\x21\0\0\0\1\0\0\0\0\0\1" NAME "\0\0\x29\4\xd0\0\0\0\0\0\0"
#define QUERY_KA  "\x43\x21\0\0\0\1\0\0\0\0\0\1" NAME "\0\0\x29\4\xd0\0\0\0\0\0\4\0\x0b\0\0"
#define ANSWER    "\x43\x21\x84\0"

static const struct exchange rows[] = {
    {"a session", {{MESSAGE, BYTES(REQUEST), BYTES(REPLY)}}, "conns close_c dso_estab"},
    {"a session once",
     {{MESSAGE, BYTES(REQUEST), BYTES(REPLY)},
      {MESSAGE, BYTES(REQUEST), BYTES(REPLY)},
      {MESSAGE, BYTES(QUERY), BYTES(ANSWER)}},
     "conns close_c dso_estab noerror"},
    {"padding",
     {{MESSAGE, BYTES(REQUEST "\0\3\0\2\0\0"), BYTES(REPLY)}},
     "conns close_c dso_estab"},
    {"unknown",
     {{MESSAGE, BYTES(HEAD "\0\x77\0\0"), BYTES("\x12\x34\xb0\x0b" NONE)}},
     "conns close_c dso_typeni"},
    {"unknown is no session: the EDNS option is allowed",
     {{MESSAGE, BYTES(HEAD "\0\x77\0\0"), BYTES("\x12\x34\xb0\x0b" NONE)},
      {MESSAGE, BYTES(QUERY_KA), BYTES(ANSWER)}},
     "conns close_c dso_typeni noerror"},
    {"unknown in a session",
     {{MESSAGE, BYTES(REQUEST), BYTES(REPLY)},
      {MESSAGE, BYTES(HEAD "\0\x77\0\0"), BYTES("\x12\x34\xb0\x0b" NONE)}},
     "conns close_c dso_estab dso_typeni"},
    {"the EDNS option in a session",
     {{MESSAGE, BYTES(REQUEST), BYTES(REPLY)},
      {MESSAGE, BYTES(QUERY_OPT), BYTES(ANSWER)},
      {MESSAGE, BYTES(QUERY_KA), EXCHANGE_RESET}},
     "conns close_s_err dso_estab dso_protoerr noerror dropped"},
    {"records",
     {{MESSAGE, BYTES("\x12\x34\x30\0\0\1\0\0\0\0\0\0\0\1\0\x08" NONE),
       BYTES("\x12\x34\xb0\1" NONE)}},
     "conns close_c formerr"},
    {"a response",
     {{MESSAGE, BYTES("\x12\x34\xb0\0" NONE), EXCHANGE_RESET}},
     "conns close_s_err dropped"},
    {"unidirectional",
     {{MESSAGE, BYTES("\0\0\x30\0" NONE "\0\1\0\x08" NONE), EXCHANGE_RESET}},
     "conns close_s_err dso_protoerr"},
    {"unidirectional in a session",
     {{MESSAGE, BYTES(REQUEST), BYTES(REPLY)},
      {MESSAGE, BYTES("\0\0\x30\0" NONE "\0\x77\0\0"), EXCHANGE_RESET}},
     "conns close_s_err dso_estab dso_protoerr"},
    {"no TLV", {{MESSAGE, BYTES(HEAD), EXCHANGE_RESET}}, "conns close_s_err dso_protoerr"},
    {"padding first",
     {{MESSAGE, BYTES(HEAD "\0\3\0\0"), EXCHANGE_RESET}},
     "conns close_s_err dso_protoerr"},
    {"retry delay",
     {{MESSAGE, BYTES(HEAD "\0\2\0\4\0\0\0\0"), EXCHANGE_RESET}},
     "conns close_s_err dso_protoerr"},
    {"a byte too many",
     {{MESSAGE, BYTES(REQUEST "\0"), EXCHANGE_RESET}},
     "conns close_s_err dso_protoerr"},
};

START_TEST(each_row)
{
    struct test_daemon d;
    daemon_start(&d, &(struct daemon_conf){.zones = zones});
    for (size_t i = 0; i < array_len(rows); i++) {
        struct exchange row = rows[i];
        char counted[128];
        exchange_run(&d, &row, false);
        bool request = strstr(row.counted, "noerror") || strstr(row.counted, "formerr");
        (void)snprintf(counted, sizeof counted, "%s%s", row.counted, request ? " v6" : "");
        row.counted = counted;
        exchange_run(&d, &row, true);
    }
    daemon_stop(&d);
}
END_TEST

static const struct exchange disabled[] = {
    {"no DSO", {{MESSAGE, BYTES(REQUEST), BYTES("\x12\x34\xb0\4" NONE)}}, "conns close_c notimp"},
    {"never parsed",
     {{MESSAGE, BYTES(HEAD), BYTES("\x12\x34\xb0\4" NONE)}},
     "conns close_c notimp"},
    {"as another opcode",
     {{MESSAGE, BYTES("\x12\x34\x20\0" NONE), BYTES("\x12\x34\xa0\4" NONE)}},
     "conns close_c notimp"},
};

START_TEST(switched_off)
{
    struct test_daemon d;
    daemon_start(&d, &(struct daemon_conf){.zones = zones, .options = "disable_tcp_dso => true"});
    for (size_t i = 0; i < array_len(disabled); i++)
        exchange_run(&d, &disabled[i], false);
    daemon_stop(&d);
}
END_TEST

START_TEST(not_over_udp)
{
    struct test_daemon d;
    daemon_start(&d, &(struct daemon_conf){.zones = zones});
    for (unsigned v6 = 0; v6 < 2; v6++) {
        const struct dns_question route = {.port = d.port, .v6 = v6};
        uint8_t reply[DNS_MAX];
        size_t len = dns_exchange(&route, (const uint8_t *)REQUEST, sizeof REQUEST - 1, reply);
        ck_assert_uint_eq(len, LDNS_HEADER_SIZE);
        ck_assert_mem_eq(reply, "\x12\x34\xb0\1" NONE, LDNS_HEADER_SIZE);
    }
    ck_assert_uint_eq(daemon_counter(&d, "stats", "formerr"), 2);
    daemon_stop(&d);
}
END_TEST

/* The daemon that stops says so: a Keepalive that nobody asked for, inactivity 0 (section 6.6.1).
 * It ends when its clients have gone. */
START_TEST(a_stop_asks_sessions_to_go)
{
    static const char notice[] = "\0\0\x30\0" NONE "\0\1\0\x08\xff\xff\xff\xff\0\0\0\0";
    static const char last[] = "\x12\x34\xb0\0" NONE "\0\1\0\x08\xff\xff\xff\xff\0\0\0\0";
    struct test_daemon d;
    uint8_t reply[DNS_MAX];
    int fds[2];
    daemon_start(&d, &(struct daemon_conf){.zones = zones, .options = "tcp_threads => 1"});
    for (unsigned v6 = 0; v6 < 2; v6++) {
        const struct dns_question route = {.port = d.port, .tcp = true, .v6 = v6};
        fds[v6] = dns_connect(&route);
        dns_send_tcp(fds[v6], (const uint8_t *)REQUEST, sizeof REQUEST - 1);
        ck_assert_int_eq(dns_receive_tcp(fds[v6], reply), sizeof REPLY - 1);
    }
    ck_assert_int_eq(kill(d.program.pid, SIGTERM), 0);
    for (unsigned v6 = 0; v6 < 2; v6++) {
        ck_assert_int_eq(dns_receive_tcp(fds[v6], reply), sizeof notice - 1);
        ck_assert_mem_eq(reply, notice, sizeof notice - 1);
        dns_send_tcp(fds[v6], (const uint8_t *)REQUEST, sizeof REQUEST - 1); /* still served */
        ck_assert_int_eq(dns_receive_tcp(fds[v6], reply), sizeof last - 1);
        ck_assert_mem_eq(reply, last, sizeof last - 1);
        close(fds[v6]);
    }
    ck_assert_int_eq(program_wait(&d.program), -SIGTERM);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *s = suite_create("dso");
    TCase *c = e2e_case(s, "dso");
    tcase_add_test(c, each_row);
    tcase_add_test(c, switched_off);
    tcase_add_test(c, not_over_udp);
    tcase_add_test(c, a_stop_asks_sessions_to_go);
    return s;
}

E2E_MAIN(make_suite)
