/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/dns.h"

#include <arpa/inet.h>
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/program.h"

/* ldns cannot make a query for the root from "", nor keep letter case in all its ways: the question
 * is written here, everything behind it by ldns. */
static size_t put_name(const char *text, uint8_t *out)
{
    ldns_rdf *name = ldns_dname_new_frm_str(text);
    ck_assert_msg(name != NULL, "no name: %s", text);
    size_t len = ldns_rdf_size(name);
    memcpy(out, ldns_rdf_data(name), len);
    ldns_rdf_deep_free(name);
    return len;
}

static void put16(uint8_t *p, unsigned v)
{
    p[0] = (uint8_t)(v >> 8);
    p[1] = (uint8_t)v;
}

static size_t put_opt(const struct dns_question *q, uint8_t *p)
{
    static const uint8_t head[] = {0, 0, LDNS_RR_TYPE_OPT};
    memcpy(p, head, sizeof head);
    put16(p + 3, q->udp_size);
    p[5] = 0;
    p[6] = q->version;
    put16(p + 7, q->dnssec_ok ? 0x8000 : 0);
    put16(p + 9, 0);
    return 11;
}

size_t dns_query(const struct dns_question *q, uint8_t out[DNS_MAX])
{
    memset(out, 0, LDNS_HEADER_SIZE);
    put16(out, (unsigned)ldns_get_random() & 0xffff);
    out[2] = q->rd ? 1 : 0;
    out[5] = 1;
    out[11] = q->edns ? 1 : 0;
    size_t at = LDNS_HEADER_SIZE + put_name(q->name, out + LDNS_HEADER_SIZE);
    put16(out + at, q->type);
    put16(out + at + 2, q->class ? q->class : LDNS_RR_CLASS_IN);
    at += 4;
    return q->edns ? at + put_opt(q, out + at) : at;
}

int dns_connect(const struct dns_question *route)
{
    const struct timeval limit = {.tv_sec = PATIENCE_MS / 1000};
    struct sockaddr_in v4 = {.sin_family = AF_INET,
                             .sin_port = htons(route->port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_in6 v6 = {
        .sin6_family = AF_INET6, .sin6_port = htons(route->port), .sin6_addr = in6addr_loopback};
    if (route->server)
        ck_assert_int_eq(inet_pton(route->v6 ? AF_INET6 : AF_INET, route->server,
                                   route->v6 ? (void *)&v6.sin6_addr : (void *)&v4.sin_addr),
                         1);
    int type = route->tcp ? SOCK_STREAM : SOCK_DGRAM;
    int fd = socket(route->v6 ? AF_INET6 : AF_INET, type | SOCK_CLOEXEC, 0);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit), 0);
    int e = route->v6 ? connect(fd, (struct sockaddr *)&v6, sizeof v6)
                      : connect(fd, (struct sockaddr *)&v4, sizeof v4);
    ck_assert_msg(e == 0, "connect to port %u: %s", route->port, strerror(errno));
    return fd;
}

void dns_send_tcp(int fd, const uint8_t *message, size_t len)
{
    uint8_t framed[2 + DNS_MAX];
    put16(framed, (unsigned)len);
    memcpy(framed + 2, message, len);
    ck_assert_int_eq(send(fd, framed, len + 2, MSG_NOSIGNAL), (ssize_t)len + 2);
}

/* 0, or as dns_receive_tcp. */
static int receive_exactly(int fd, uint8_t *to, size_t len)
{
    while (len) {
        ssize_t n = recv(fd, to, len, 0);
        ck_assert_msg(n >= 0 || errno == ECONNRESET, "recv: %s", strerror(errno));
        if (n <= 0)
            return n == 0 ? -1 : -2;
        to += n;
        len -= (size_t)n;
    }
    return 0;
}

int dns_receive_tcp(int fd, uint8_t reply[DNS_MAX])
{
    uint8_t head[2];
    int e = receive_exactly(fd, head, 2);
    if (e)
        return e;
    size_t len = (size_t)head[0] << 8 | head[1];
    e = receive_exactly(fd, reply, len);
    return e ? e : (int)len;
}

size_t dns_receive_udp(int fd, uint8_t reply[DNS_MAX])
{
    ssize_t n = recv(fd, reply, DNS_MAX, 0);
    ck_assert_msg(n >= 0, "no reply: %s", strerror(errno));
    return (size_t)n;
}

size_t dns_exchange(const struct dns_question *route, const uint8_t *query, size_t len,
                    uint8_t reply[DNS_MAX])
{
    int fd = dns_connect(route), n;
    if (route->tcp) {
        dns_send_tcp(fd, query, len);
        n = dns_receive_tcp(fd, reply);
        ck_assert_int_ge(n, 0);
    } else {
        ck_assert_int_eq(send(fd, query, len, 0), (ssize_t)len);
        n = (int)dns_receive_udp(fd, reply);
    }
    close(fd);
    return (size_t)n;
}

ldns_pkt *dns_ask(const struct dns_question *q)
{
    uint8_t query[DNS_MAX], reply[DNS_MAX];
    ldns_pkt *p = NULL;
    size_t len = dns_exchange(q, query, dns_query(q, query), reply);
    ldns_status s = ldns_wire2pkt(&p, reply, len);
    ck_assert_msg(s == LDNS_STATUS_OK, "%s: %s", q->name, ldns_get_errorstr_by_id(s));
    ck_assert_uint_eq(ldns_pkt_id(p), (unsigned)query[0] << 8 | query[1]);
    ck_assert(ldns_pkt_qr(p));
    return p;
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char *dns_section_text(const ldns_rr_list *section)
{
    size_t count = ldns_rr_list_rr_count(section), len = 1;
    char **lines = calloc(count + 1, sizeof *lines);
    ck_assert_ptr_nonnull(lines);
    for (size_t i = 0; i < count; i++) {
        lines[i] = ldns_rr2str(ldns_rr_list_rr(section, i));
        ck_assert_ptr_nonnull(lines[i]);
        len += strlen(lines[i]);
    }
    qsort(lines, count, sizeof *lines, compare_lines);
    char *text = calloc(1, len), *end = text;
    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < count; i++) {
        end = stpcpy(end, lines[i]);
        free(lines[i]);
    }
    free(lines);
    return text;
}
