/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "e2e/tcp_client.h"

#include <check.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "lib/dns.h"

const struct daemon_zone tcp_zones[] = {
    {"e2e.example",
     "$TTL 300\n@ SOA ns1 root 1 1h 1h 1w 10\n@ NS ns1\nns1 A 127.0.0.1\n"
     "www A 192.0.2.1\n"
     "big TXT \"0123456789012345678901234567890123456789012345678901234567890123456\""
     " \"0123456789012345678901234567890123456789012345678901234567890123456789\"\n"},
    {0}};

void start(struct test_daemon *d, const char *options)
{
    const struct daemon_conf conf = {.options = options, .zones = tcp_zones};
    daemon_start(d, &conf);
}

int connect_to(const struct test_daemon *d, bool v6)
{
    const struct dns_question route = {.port = d->port, .tcp = true, .v6 = v6};
    const int on = 1;
    int fd = dns_connect(&route);
    ck_assert_int_eq(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), 0);
    return fd;
}

/* A framed query whose id is `id`; returns its length. */
size_t put_query(uint8_t *out, const char *name, ldns_rr_type type, unsigned id)
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

void send_all(int fd, const uint8_t *bytes, size_t len)
{
    ck_assert_int_eq(send(fd, bytes, len, MSG_NOSIGNAL), (ssize_t)len);
}

void expect_answer(int fd, unsigned id)
{
    uint8_t reply[DNS_MAX];
    int len = dns_receive_tcp(fd, reply);
    ck_assert_int_gt(len, LDNS_HEADER_SIZE);
    ck_assert_uint_eq((unsigned)reply[0] << 8 | reply[1], id);
    ck_assert_uint_eq(reply[3] & 15, 0);
    ck_assert_uint_eq(reply[7], 1); /* one record */
}

/* Ended by the daemon, with or without a reset. */
void expect_end(int fd)
{
    uint8_t reply[DNS_MAX];
    ck_assert_int_lt(dns_receive_tcp(fd, reply), 0);
}

void ask(int fd, unsigned id)
{
    uint8_t query[512];
    send_all(fd, query, put_query(query, "www.e2e.example", LDNS_RR_TYPE_A, id));
    expect_answer(fd, id);
}

/* A framed query with EDNS, and what its answer must hold: an option with these bytes, once. */
size_t put_edns_query(uint8_t *out, unsigned id)
{
    const struct dns_question q = {
        .name = "www.e2e.example", .type = LDNS_RR_TYPE_A, .edns = true, .udp_size = 1232};
    uint8_t message[DNS_MAX];
    size_t len = dns_query(&q, message);
    memcpy(out + 2, message, len);
    out[0] = (uint8_t)(len >> 8);
    out[1] = (uint8_t)len;
    out[2] = (uint8_t)(id >> 8);
    out[3] = (uint8_t)id;
    return len + 2;
}

/* The tenths of seconds in the answer's keepalive option (RFC 7828); -1: it has none. */
int ask_keepalive(int fd)
{
    static const uint8_t head[] = {0, 11, 0, 2};
    uint8_t query[512], reply[DNS_MAX];
    send_all(fd, query, put_edns_query(query, 1));
    int len = dns_receive_tcp(fd, reply);
    ck_assert_int_gt(len, LDNS_HEADER_SIZE);
    const uint8_t *at = memmem(reply, (size_t)len, head, sizeof head);
    return at ? at[4] << 8 | at[5] : -1;
}

/* Asks for megabytes and reads nothing until the daemon takes no more; others are served. */
size_t send_until_stuck(int fd, const uint8_t *query, size_t len, unsigned limit)
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

size_t descriptors_for_clients(void)
{
    enum { OTHERS = 100 }; /* standard ones, logs, connections beside those that are counted */
    struct rlimit l;
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &l), 0);
    l.rlim_cur = l.rlim_max;
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &l), 0);
    return l.rlim_max > OTHERS ? (size_t)l.rlim_max - OTHERS : 0;
}

int connect_narrow(const struct test_daemon *d, bool v6)
{
    const int segment = 1220, buffer = 4096;
    const struct sockaddr_in in = {.sin_family = AF_INET,
                                   .sin_port = htons(d->port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const struct sockaddr_in6 in6 = {
        .sin6_family = AF_INET6, .sin6_port = htons(d->port), .sin6_addr = in6addr_loopback};
    int fd = socket(v6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(setsockopt(fd, IPPROTO_TCP, TCP_MAXSEG, &segment, sizeof segment), 0);
    ck_assert_int_eq(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer), 0);
    int e = v6 ? connect(fd, (const struct sockaddr *)&in6, sizeof in6)
               : connect(fd, (const struct sockaddr *)&in, sizeof in);
    ck_assert_int_eq(e, 0);
    return fd;
}
