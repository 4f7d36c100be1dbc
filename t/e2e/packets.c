/* SPDX-License-Identifier: GPL-3.0-or-later */
/* packets.c: broken and strange messages, EDNS, sizes and truncation, byte by byte. */
#include <arpa/inet.h>
#include <check.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ctl/proto.h"
#include "e2e/run.h"
#include "lib/daemon.h"
#include "lib/dns.h"

#define array_len(a) (sizeof(a) / sizeof *(a))

/* ---- the daemon ---------------------------------------------------------------------------- */

enum { TEXT_PIECES = 12, PIECE = 250, ADDRS = 120, ZONE_MAX = 32768 };

/* `text`: 12 strings of 250 bytes; `other` the same of other letters; `many`: 120 addresses;
 * `half`: 3 strings, which fit 1,232 bytes but not 512. */
static size_t add_text(char *out, const char *name, char letter, int pieces)
{
    char *p = out + sprintf(out, "%s TXT", name);
    for (int i = 0; i < pieces; i++) {
        *p++ = ' ';
        memset(p, letter, PIECE);
        p += PIECE;
    }
    *p++ = '\n';
    return (size_t)(p - out);
}

static void make_zone(char out[ZONE_MAX])
{
    char *p = out;
    p += sprintf(p, "$TTL 3600\n@ SOA ns1 hostmaster 1 2 3 4 300\n@ NS ns1\nns1 A 192.0.2.1\n"
                    "www A 192.0.2.10\n");
    p += add_text(p, "text", 'a', TEXT_PIECES);
    p += add_text(p, "other", 'b', TEXT_PIECES);
    p += add_text(p, "half", 'c', 3);
    for (int i = 0; i < ADDRS; i++)
        p += sprintf(p, "many A 198.51.100.%d\n", i);
    for (int i = 0; i < ADDRS; i++)
        p += sprintf(p, "many AAAA 2001:db8::%x\n", i);
    *p = '\0';
}

static void start(struct test_daemon *d, const char *options)
{
    char text[ZONE_MAX];
    make_zone(text);
    const struct daemon_zone zones[] = {{"e2e.example", text}, {0}};
    const struct daemon_conf conf = {.options = options, .zones = zones};
    daemon_start(d, &conf);
}

static struct dns_question question(const struct test_daemon *d, const char *name,
                                    ldns_rr_type type)
{
    return (struct dns_question){.port = d->port, .name = name, .type = type};
}

/* ---- malformed ----------------------------------------------------------------------------- */

#define WWW                 "\3www\3e2e\7example\0"
#define ASK                 WWW "\0\1\0\1"
#define HEAD(flags, counts) "\x12\x34" flags counts
#define ONE                 "\0\1\0\0\0\0\0\0"
#define WITH_ADDITIONAL     "\0\1\0\0\0\0\0\1"
#define OPT_HEAD            "\0\0\51\4\xd0\0\0\0\0"
#define BYTES(text)         (const uint8_t *)(text), sizeof(text) - 1

static const struct broken {
    const char *what;
    const uint8_t *bytes;
    size_t len;
    ldns_pkt_rcode rcode;
    unsigned qdcount; /* of the reply */
} broken[] = {
    {"a header alone", BYTES(HEAD("\0\0", "\0\0\0\0\0\0\0\0")), LDNS_RCODE_FORMERR, 0},
    {"one question promised, none there", BYTES(HEAD("\0\0", ONE)), LDNS_RCODE_FORMERR, 0},
    {"a name cut off", BYTES(HEAD("\0\0", ONE) "\3www\3e2"), LDNS_RCODE_FORMERR, 0},
    {"no type", BYTES(HEAD("\0\0", ONE) WWW), LDNS_RCODE_FORMERR, 0},
    {"half a class", BYTES(HEAD("\0\0", ONE) WWW "\0\1\0"), LDNS_RCODE_FORMERR, 0},
    {"a label of 64", BYTES(HEAD("\0\0", ONE) "\x40www\0\0\1\0\1"), LDNS_RCODE_FORMERR, 0},
    {"a pointer into the header", BYTES(HEAD("\0\0", ONE) "\xc0\0\0\1\0\1"), LDNS_RCODE_FORMERR, 0},
    {"a pointer to itself", BYTES(HEAD("\0\0", ONE) "\xc0\x0c\0\1\0\1"), LDNS_RCODE_FORMERR, 0},
    {"two questions", BYTES(HEAD("\0\0", "\0\2\0\0\0\0\0\0") ASK ASK), LDNS_RCODE_FORMERR, 1},
    {"an answer promised", BYTES(HEAD("\0\0", "\0\1\0\1\0\0\0\0") ASK), LDNS_RCODE_FORMERR, 1},
    {"227 authorities promised", BYTES(HEAD("\0\0", "\0\1\0\0\0\xe3\0\0") ASK), LDNS_RCODE_FORMERR,
     1},
    {"65535 additionals promised", BYTES(HEAD("\0\0", "\0\1\0\0\0\0\xff\xff") ASK),
     LDNS_RCODE_FORMERR, 1},
    {"two OPT", BYTES(HEAD("\0\0", "\0\1\0\0\0\0\0\2") ASK OPT_HEAD "\0\0" OPT_HEAD "\0\0"),
     LDNS_RCODE_FORMERR, 1},
    {"OPT with a name", BYTES(HEAD("\0\0", WITH_ADDITIONAL) ASK "\1x\0\0\51\4\xd0\0\0\0\0\0\0"),
     LDNS_RCODE_FORMERR, 1},
    {"OPT among the answers", BYTES(HEAD("\0\0", "\0\1\0\1\0\0\0\0") ASK OPT_HEAD "\0\0"),
     LDNS_RCODE_FORMERR, 1},
    {"an option longer than its OPT",
     BYTES(HEAD("\0\0", WITH_ADDITIONAL) ASK OPT_HEAD "\0\5\0\12\0\4x"), LDNS_RCODE_FORMERR, 1},
    {"OPT longer than the message", BYTES(HEAD("\0\0", WITH_ADDITIONAL) ASK OPT_HEAD "\0\5\0\12"),
     LDNS_RCODE_FORMERR, 1},
    {"NOTIFY", BYTES(HEAD("\x20\0", ONE) ASK), LDNS_RCODE_NOTIMPL, 1},
    {"UPDATE", BYTES(HEAD("\x28\0", ONE) ASK), LDNS_RCODE_NOTIMPL, 1},
    {"opcode 15", BYTES(HEAD("\x78\0", ONE) ASK), LDNS_RCODE_NOTIMPL, 1},
    {"every flag of a query", BYTES(HEAD("\x07\xff", ONE) ASK), LDNS_RCODE_NOERROR, 1},
    {"bytes behind the message", BYTES(HEAD("\0\0", ONE) ASK "garbage"), LDNS_RCODE_NOERROR, 1},
};

static unsigned get16(const uint8_t *p)
{
    return (unsigned)p[0] << 8 | p[1];
}

static void check_broken(const struct broken *b, const struct dns_question *route)
{
    uint8_t reply[DNS_MAX];
    size_t len = dns_exchange(route, b->bytes, b->len, reply);
    ck_assert_uint_ge(len, LDNS_HEADER_SIZE);
    ck_assert_mem_eq(reply, b->bytes, 2);
    ck_assert_msg((reply[3] & 15) == b->rcode, "%s: rcode %d", b->what, reply[3] & 15);
    ck_assert_msg((reply[2] & 0xf9) == (0x80 | (b->bytes[2] & 0x79)), "%s: flags %02x", b->what,
                  reply[2]);
    ck_assert_msg(get16(reply + 4) == b->qdcount, "%s: qdcount %u", b->what, get16(reply + 4));
    if (b->rcode == LDNS_RCODE_NOERROR)
        return;
    ck_assert_uint_eq(get16(reply + 6), 0);
    ck_assert_uint_eq(get16(reply + 8), 0);
    ck_assert_uint_le(get16(reply + 10), 1);
}

START_TEST(broken_queries_are_told_so)
{
    struct test_daemon d;
    start(&d, NULL);
    for (unsigned way = 0; way < 4; way++) {
        struct dns_question route = {.port = d.port, .tcp = way & 1, .v6 = way & 2};
        for (size_t i = 0; i < array_len(broken); i++)
            check_broken(&broken[i], &route);
    }
    daemon_stop(&d);
}
END_TEST

/* Behind each, from the same socket, a good query: the first reply is to that. */
START_TEST(runts_and_responses_get_no_reply)
{
    struct test_daemon d;
    uint8_t query[DNS_MAX], reply[DNS_MAX];
    start(&d, NULL);
    for (unsigned v6 = 0; v6 < 2; v6++) {
        struct dns_question q = question(&d, "www.e2e.example", LDNS_RR_TYPE_A);
        q.v6 = v6;
        int fd = dns_connect(&q);
        size_t len = dns_query(&q, query);
        for (size_t runt = 0; runt < LDNS_HEADER_SIZE; runt++)
            ck_assert_int_eq(send(fd, query, runt, 0), (ssize_t)runt);
        for (unsigned flags = 0x80; flags < 0x100; flags++) {
            query[2] = (uint8_t)flags;
            ck_assert_int_eq(send(fd, query, len, 0), (ssize_t)len);
        }
        len = dns_query(&q, query);
        ck_assert_int_eq(send(fd, query, len, 0), (ssize_t)len);
        ck_assert_uint_gt(dns_receive_udp(fd, reply), len);
        ck_assert_mem_eq(reply, query, 2);
        ck_assert_uint_eq(reply[3] & 15, 0);
        close(fd);
    }
    daemon_stop(&d);
}
END_TEST

START_TEST(port_0_is_dropped_and_counted)
{
    struct test_daemon d;
    uint8_t packet[sizeof(struct udphdr) + DNS_MAX];
    if (!netns_is_own())
        return;
    start(&d, NULL);
    const struct dns_question q = question(&d, "www.e2e.example", LDNS_RR_TYPE_A);
    size_t len = sizeof(struct udphdr) + dns_query(&q, packet + sizeof(struct udphdr));
    const struct udphdr head = {.dest = htons(d.port), .len = htons((uint16_t)len)};
    memcpy(packet, &head, sizeof head); /* source 0, checksum 0: none */
    const struct sockaddr_in to = {.sin_family = AF_INET,
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_UDP);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(sendto(fd, packet, len, 0, (const struct sockaddr *)&to, sizeof to),
                     (ssize_t)len);
    close(fd);
    int left_ms = PATIENCE_MS;
    while (daemon_counter(&d, "stats", "dropped") == 0)
        patience(&left_ms, "the counter of dropped packets");
    ck_assert_uint_eq(daemon_counter(&d, "stats", "noerror"), 0);
    daemon_stop(&d);
}
END_TEST

/* ---- EDNS ---------------------------------------------------------------------------------- */

START_TEST(another_version_is_badvers)
{
    struct test_daemon d;
    start(&d, NULL);
    for (unsigned way = 0; way < 8; way++) {
        struct dns_question q = question(&d, "nope.e2e.example", LDNS_RR_TYPE_A);
        q.tcp = way & 1;
        q.edns = true;
        q.udp_size = 1232;
        q.dnssec_ok = way & 2;
        q.version = way & 4 ? 255 : 1;
        ldns_pkt *p = dns_ask(&q);
        ck_assert_uint_eq(ldns_pkt_edns_extended_rcode(p), 1); /* 16 = 1 << 4 | 0 */
        ck_assert_uint_eq(ldns_pkt_get_rcode(p), 0);
        ck_assert_uint_eq(ldns_pkt_edns_version(p), 0);
        ck_assert_int_eq(ldns_pkt_edns_do(p), q.dnssec_ok);
        ck_assert_uint_eq(ldns_pkt_qdcount(p), 1);
        ck_assert_uint_eq(ldns_pkt_ancount(p) + ldns_pkt_nscount(p), 0);
        ldns_pkt_free(p);
    }
    daemon_stop(&d);
}
END_TEST

START_TEST(unknown_options_are_ignored)
{
    static const char query[] =
        HEAD("\0\0", WITH_ADDITIONAL) ASK OPT_HEAD "\0\x0a\xfd\xe9\0\6secret";
    struct test_daemon d;
    uint8_t reply[DNS_MAX];
    ldns_pkt *p = NULL;
    start(&d, NULL);
    const struct dns_question route = {.port = d.port};
    size_t len = dns_exchange(&route, (const uint8_t *)query, sizeof query - 1, reply);
    ck_assert_int_eq(ldns_wire2pkt(&p, reply, len), LDNS_STATUS_OK);
    ck_assert_uint_eq(ldns_pkt_get_rcode(p), 0);
    ck_assert_uint_eq(ldns_pkt_ancount(p), 1);
    ck_assert(ldns_pkt_edns(p));
    ck_assert_ptr_null(ldns_pkt_edns_data(p));
    ldns_pkt_free(p);
    daemon_stop(&d);
}
END_TEST

/* ---- sizes --------------------------------------------------------------------------------- */

static const struct size_row {
    const char *name;
    ldns_rr_type type;
    uint16_t udp_size; /* 0: no EDNS */
    bool truncated;    /* with max_edns_response 1232; and with 4096 */
    bool truncated_4096;
    unsigned ancount; /* of the whole answer */
} sizes[] = {
    {"www.e2e.example", LDNS_RR_TYPE_A, 0, false, false, 1},
    {"half.e2e.example", LDNS_RR_TYPE_TXT, 0, true, true, 1},
    {"half.e2e.example", LDNS_RR_TYPE_TXT, 512, true, true, 1},
    {"half.e2e.example", LDNS_RR_TYPE_TXT, 1, true, true, 1}, /* as 512 */
    {"www.e2e.example", LDNS_RR_TYPE_A, 0xffff, false, false, 1},
    {"half.e2e.example", LDNS_RR_TYPE_TXT, 1232, false, false, 1},
    {"text.e2e.example", LDNS_RR_TYPE_TXT, 1232, true, true, 1},
    {"text.e2e.example", LDNS_RR_TYPE_TXT, 4096, true, false, 1},
    {"text.e2e.example", LDNS_RR_TYPE_TXT, 0xffff, true, false, 1},
    {"many.e2e.example", LDNS_RR_TYPE_A, 0, true, true, ADDRS},
    {"many.e2e.example", LDNS_RR_TYPE_A, 1232, true, true, ADDRS},
    {"many.e2e.example", LDNS_RR_TYPE_A, 4096, true, false, ADDRS},
    {"many.e2e.example", LDNS_RR_TYPE_AAAA, 4096, true, false, ADDRS},
};

static void check_size(const struct size_row *row, struct dns_question q, bool truncated)
{
    q.name = row->name;
    q.type = row->type;
    q.edns = row->udp_size != 0;
    q.udp_size = row->udp_size;
    ldns_pkt *p = dns_ask(&q);
    ck_assert_msg(ldns_pkt_tc(p) == truncated, "%s type %u size %u: tc %d", row->name, row->type,
                  row->udp_size, ldns_pkt_tc(p));
    ck_assert_uint_eq(ldns_pkt_ancount(p), truncated ? 0 : row->ancount);
    ck_assert_uint_eq(ldns_pkt_get_rcode(p), 0);
    ck_assert_uint_eq(ldns_pkt_qdcount(p), 1);
    ck_assert_int_eq(ldns_pkt_edns(p), q.edns);
    ldns_pkt_free(p);
    if (!truncated)
        return;
    q.tcp = true; /* as a resolver would */
    p = dns_ask(&q);
    ck_assert(!ldns_pkt_tc(p));
    ck_assert_uint_eq(ldns_pkt_ancount(p), row->ancount);
    ldns_pkt_free(p);
}

START_TEST(answers_are_whole_or_truncated)
{
    struct test_daemon d;
    start(&d, NULL);
    for (size_t i = 0; i < array_len(sizes); i++)
        for (unsigned v6 = 0; v6 < 2; v6++)
            check_size(&sizes[i], (struct dns_question){.port = d.port, .v6 = v6},
                       sizes[i].truncated);
    daemon_stop(&d);
    start(&d, "max_edns_response => 4096");
    for (size_t i = 0; i < array_len(sizes); i++) { /* the option is IPv4's alone */
        check_size(&sizes[i], (struct dns_question){.port = d.port}, sizes[i].truncated_4096);
        check_size(&sizes[i], (struct dns_question){.port = d.port, .v6 = true},
                   sizes[i].truncated);
    }
    daemon_stop(&d);
    start(&d, "max_edns_response_v6 => 4096");
    for (size_t i = 0; i < array_len(sizes); i++)
        check_size(&sizes[i], (struct dns_question){.port = d.port, .v6 = true},
                   sizes[i].truncated_4096);
    daemon_stop(&d);
}
END_TEST

/* A stopped daemon finds all of them in its socket, so they are one batch: large replies share one
 * buffer there, small ones stand between them. */
START_TEST(large_answers_of_one_batch_do_not_mix)
{
    enum { QUERIES = 30 };
    static const char *const names[] = {"text.e2e.example", "half.e2e.example",
                                        "other.e2e.example"};
    static const char letters[] = "acb";
    struct test_daemon d;
    uint8_t queries[QUERIES][512], reply[DNS_MAX], query[DNS_MAX];
    start(&d, "max_edns_response => 4096 udp_threads => 1");
    struct dns_question q = question(&d, "", LDNS_RR_TYPE_TXT);
    q.edns = true;
    q.udp_size = 4096;
    int fd = dns_connect(&q);
    kill(d.program.pid, SIGSTOP);
    for (int i = 0; i < QUERIES; i++) {
        q.name = names[i % 3];
        size_t len = dns_query(&q, query);
        memcpy(queries[i], query, len);
        ck_assert_int_eq(send(fd, query, len, 0), (ssize_t)len);
    }
    kill(d.program.pid, SIGCONT);
    for (int i = 0; i < QUERIES; i++) {
        size_t len = dns_receive_udp(fd, reply), pieces = i % 3 == 1 ? 3 : TEXT_PIECES;
        ck_assert_mem_eq(reply, queries[i], 2);
        ck_assert_uint_gt(len, pieces * (PIECE + 1));
        const uint8_t *end = reply + len - 11; /* OPT */
        for (const uint8_t *p = end - pieces * (PIECE + 1); p < end; p += PIECE + 1) {
            ck_assert_uint_eq(p[0], PIECE);
            for (int k = 1; k <= PIECE; k++)
                ck_assert_int_eq(p[k], letters[i % 3]);
        }
    }
    close(fd);
    daemon_stop(&d);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *s = suite_create("packets");
    TCase *c = e2e_case(s, "malformed");
    tcase_add_test(c, broken_queries_are_told_so);
    tcase_add_test(c, runts_and_responses_get_no_reply);
    tcase_add_test(c, port_0_is_dropped_and_counted);
    c = e2e_case(s, "edns");
    tcase_add_test(c, another_version_is_badvers);
    tcase_add_test(c, unknown_options_are_ignored);
    c = e2e_case(s, "sizes");
    tcase_add_test(c, answers_are_whole_or_truncated);
    tcase_add_test(c, large_answers_of_one_batch_do_not_mix);
    return s;
}

E2E_MAIN(make_suite)
