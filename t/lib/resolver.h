/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * resolver.h: libunbound as the client: what a real resolver makes of the daemon's answers.
 *
 *   struct resolved r;
 *   resolver_ask(port, "www.e2e.example", RR_A, &r);
 *   r.rcode 0, r.ttl_s 150, r.addrs "127.0.0.11 127.0.0.12" (sorted)
 *   resolver_await(port, name, RR_A, "127.0.0.12", 150);     asks until it is so
 *
 * `example.` is a stub at 127.0.0.1, and every look-up has a context of its own: nothing comes from
 * a cache. Without a network of our own (netns.h) queries to anything but 127.0.0.0/8 are refused.
 */
#ifndef T_LIB_RESOLVER_H
#define T_LIB_RESOLVER_H

#include <ldns/ldns.h>
#include <stdint.h>

enum { RR_A = 1, RR_NS = 2, RR_TXT = 16, RR_AAAA = 28 };

struct resolved {
    int rcode;
    uint32_t ttl_s;   /* of the answer's records, all the same; 0 = no records */
    unsigned count;   /* records */
    char addrs[1024]; /* A and AAAA only */
};

/* The message that libunbound made of it; ldns_pkt_free it. NULL: it has none. */
ldns_pkt *resolver_packet(uint16_t port, const char *name, int type);
void resolver_ask(uint16_t port, const char *name, int type, struct resolved *out);
/* Fails the test, showing the last answer, if it does not become so in time. */
void resolver_await(uint16_t port, const char *name, int type, const char *addrs, uint32_t ttl_s);

#endif
