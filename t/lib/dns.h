/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dns.h: packets to and from a daemon on the loopback, built and read by ldns.
 *
 *   struct dns_question q = {.port = d.port, .name = "www.e2e.example", .type = LDNS_RR_TYPE_A};
 *   ldns_pkt *p = dns_ask(&q);                    ... ldns_pkt_free(p);
 *
 *   uint8_t reply[65535];
 *   size_t len = dns_exchange(&q, bytes, n, reply);           the same with any bytes
 *
 * No reply in time fails the test.
 */
#ifndef T_LIB_DNS_H
#define T_LIB_DNS_H

#include <ldns/ldns.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DNS_MAX 65535

struct dns_question {
    uint16_t port;
    bool v6, tcp;
    const char *server; /* of v6's family; NULL: 127.0.0.1 or ::1 */
    const char *name;
    ldns_rr_type type;
    ldns_rr_class class; /* 0: IN */
    bool edns, dnssec_ok;
    uint16_t udp_size; /* with edns */
    uint8_t version;   /* of EDNS */
    bool rd;
};

/* The query's bytes, letter case as written; returns their number. */
size_t dns_query(const struct dns_question *q, uint8_t out[DNS_MAX]);
size_t dns_exchange(const struct dns_question *route, const uint8_t *query, size_t len,
                    uint8_t reply[DNS_MAX]);
ldns_pkt *dns_ask(const struct dns_question *q);

/* A connected socket, UDP or TCP by `route`. */
int dns_connect(const struct dns_question *route);
void dns_send_tcp(int fd, const uint8_t *message, size_t len); /* with its length in front */
/* The next message; -1: the peer ended its side, -2: it reset the connection. */
int dns_receive_tcp(int fd, uint8_t reply[DNS_MAX]);
size_t dns_receive_udp(int fd, uint8_t reply[DNS_MAX]);

/* Type, TTL and data of a section's records, one line each, sorted: for comparing. From the heap.
 */
char *dns_section_text(const ldns_rr_list *section);

#endif
