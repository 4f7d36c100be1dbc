/* SPDX-License-Identifier: GPL-3.0-or-later */
/* listen.c: every form of the option `listen`, and from where replies come. */
#include <check.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/udp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "e2e/run.h"
#include "lib/daemon.h"
#include "lib/dns.h"

#define array_len(a) (sizeof(a) / sizeof *(a))

static const struct daemon_zone zones[] = {
    {"e2e.example", "$TTL 300\n@ SOA ns1 root 1 1h 1h 1w 10\n@ NS ns1\nns1 A 127.0.0.1\n"
                    "www A 192.0.2.1\n"},
    {0}};

static void check_server(const struct test_daemon *d, const char *server, bool v6)
{
    struct dns_question q = {.port = d->port,
                             .server = server,
                             .v6 = v6,
                             .name = "www.e2e.example",
                             .type = LDNS_RR_TYPE_A};
    for (unsigned i = 0; i < 4; i++) {
        q.tcp = i & 1;
        ldns_pkt *p = dns_ask(&q); /* its socket is connected: other sources are not heard */
        ck_assert_uint_eq(ldns_pkt_ancount(p), 1);
        ldns_pkt_free(p);
    }
}

START_TEST(every_form_is_served)
{
    static const struct form {
        const char *listen;
        bool v6;
    } forms[] = {
        {"127.0.0.1", false},
        {"[ 127.0.0.1 ]", false},
        {"\"::1\"", true},
        {"[ \"[::1]\" 127.0.0.1 ]", true},
        {"{ 127.0.0.1 => { udp_threads => 3 tcp_threads => 1 } }", false},
        {"{ 127.0.0.1 => { }, \"::1\" => { tcp_timeout => 9 udp_rcvbuf => 65536 } }", true},
        {"{ 127.0.0.1 => { udp_threads => 17 tcp_threads => 17 } }", false},
        {"{ 127.0.0.1 => { tcp_backlog => 1 tcp_fastopen => 0 tcp_pad => true } }", false},
        {"any", true},
        {"[ 0.0.0.0 \"::\" ]", true},
    };
    struct test_daemon d;
    for (size_t i = 0; i < array_len(forms); i++) {
        daemon_start(&d, &(struct daemon_conf){.listen = forms[i].listen, .zones = zones});
        if (i != 2) /* IPv6 alone */
            check_server(&d, NULL, false);
        if (forms[i].v6)
            check_server(&d, NULL, true);
        daemon_stop(&d);
    }
}
END_TEST

/* A reply leaves from the address that was asked, also where one socket hears all of them. */
START_TEST(replies_come_from_the_address_asked)
{
    struct test_daemon d;
    daemon_start(&d, &(struct daemon_conf){.listen = "any", .zones = zones});
    check_server(&d, "127.0.0.2", false);
    check_server(&d, "127.1.2.3", false);
    if (netns_is_own()) {
        check_server(&d, "fd00::11", true);
        check_server(&d, "fd00::12", true);
    }
    daemon_stop(&d);
}
END_TEST

/* IPv6 sockets hear IPv6 alone, so that no IPv4 client ever comes as ::ffff:a.b.c.d. */
START_TEST(no_ipv4_on_ipv6_sockets)
{
    static const char *const listens[] = {"\"::\"", "\"::1\""};
    struct test_daemon d;
    for (size_t i = 0; i < array_len(listens); i++) {
        daemon_start(&d, &(struct daemon_conf){.listen = listens[i], .zones = zones});
        const struct sockaddr_in a = {.sin_family = AF_INET,
                                      .sin_port = htons(d.port),
                                      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        const struct dns_question udp = {.port = d.port};
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        ck_assert_int_eq(connect(fd, (const struct sockaddr *)&a, sizeof a), -1);
        ck_assert_int_eq(errno, ECONNREFUSED);
        close(fd);
        fd = dns_connect(&udp);
        ck_assert_int_eq(send(fd, "x", 1, 0), 1);
        ck_assert_int_eq(recv(fd, &(char){0}, 1, 0), -1);
        ck_assert_int_eq(errno, ECONNREFUSED);
        close(fd);
        check_server(&d, NULL, true);
        daemon_stop(&d);
    }
}
END_TEST

/* Anycast and fail-over addresses come later; what is there already is served. */
START_TEST(an_address_that_is_not_there_yet)
{
    struct test_daemon d;
    daemon_start(&d, &(struct daemon_conf){.listen = "[ 192.0.2.77 \"2001:db8::77\" 127.0.0.1 ]",
                                           .zones = zones});
    check_server(&d, NULL, false);
    daemon_await_log(&d, "192.0.2.77");
    daemon_await_log(&d, "2001:db8::77");
    daemon_await_log(&d, "no such address on this host yet; bound ahead of it");
    daemon_stop(&d);
}
END_TEST

static uint16_t ip_checksum(const void *head, size_t len)
{
    const uint8_t *p = head;
    unsigned sum = 0;
    for (size_t i = 0; i < len; i += 2)
        sum += (unsigned)p[i] << 8 | p[i + 1];
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return htons((uint16_t)~sum);
}

/* A query whose source address has no route: the reply to it cannot be sent. */
static void send_from_nowhere(int fd, const struct test_daemon *d, const struct dns_question *q)
{
    uint8_t packet[sizeof(struct iphdr) + sizeof(struct udphdr) + DNS_MAX], *dns;
    dns = packet + sizeof(struct iphdr) + sizeof(struct udphdr);
    size_t len = (size_t)(dns - packet) + dns_query(q, dns);
    struct iphdr ip = {.ihl = 5,
                       .version = 4,
                       .ttl = 64,
                       .protocol = IPPROTO_UDP,
                       .tot_len = htons((uint16_t)len),
                       .saddr = htonl(0xc6336401), /* 198.51.100.1 */
                       .daddr = htonl(INADDR_LOOPBACK)};
    const struct udphdr udp = {
        .source = htons(5353), .dest = htons(d->port), .len = htons((uint16_t)(len - sizeof ip))};
    const struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = ip.daddr};
    ip.check = ip_checksum(&ip, sizeof ip);
    memcpy(packet, &ip, sizeof ip);
    memcpy(packet + sizeof ip, &udp, sizeof udp);
    ck_assert_int_eq(sendto(fd, packet, len, 0, (const struct sockaddr *)&to, sizeof to),
                     (ssize_t)len);
}

/* It is counted, and the others of its batch leave. */
START_TEST(a_reply_that_cannot_be_sent)
{
    enum { LOST = 5 };
    struct test_daemon d;
    if (!netns_is_own())
        return;
    daemon_start(&d, &(struct daemon_conf){.options = "udp_threads => 1", .zones = zones});
    const struct dns_question q = {
        .port = d.port, .name = "www.e2e.example", .type = LDNS_RR_TYPE_A};
    int raw = socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_RAW);
    ck_assert_int_ge(raw, 0);
    for (int i = 0; i < LOST; i++) {
        send_from_nowhere(raw, &d, &q);
        ldns_pkt_free(dns_ask(&q));
    }
    daemon_await_counter(&d, "udp", "sendfail", LOST);
    ck_assert_uint_eq(daemon_counter(&d, "udp", "sendfail"), LOST);
    close(raw);
    daemon_stop(&d);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *s = suite_create("listen");
    TCase *c = e2e_case(s, "listen");
    tcase_add_test(c, every_form_is_served);
    tcase_add_test(c, replies_come_from_the_address_asked);
    tcase_add_test(c, no_ipv4_on_ipv6_sockets);
    tcase_add_test(c, an_address_that_is_not_there_yet);
    tcase_add_test(c, a_reply_that_cannot_be_sent);
    return s;
}

E2E_MAIN(make_suite)
