/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * netaddr.h: text and socket forms of addresses.  struct th_addr is the address alone,
 * struct netaddr is address and port.
 *
 *   ADDR        192.0.2.1        2001:db8::1
 *   SPEC        192.0.2.1:53     [2001:db8::1]:53     192.0.2.1     [2001:db8::1]
 *
 * Texts are read strictly, as inet_pton does: `1`, `0x7f000001` and `010.0.0.1` are refused.
 * Thread rule: [any].
 */
#ifndef BASE_NETADDR_H
#define BASE_NETADDR_H

#include <stdint.h>
#include <sys/socket.h>
#include <thresh/types.h>
#include "base/attrs.h"

#define NETADDR_TEXT 56 /* "[" + 45 + "]:65535" + NUL, rounded up */

struct netaddr {
    struct th_addr addr;
    uint16_t port;
};

/* ERR_SYNTAX if `text` is no address. */
int netaddr_parse_addr(const char *text, struct th_addr *out) must_check;
/* Numeric forms that getaddrinfo knows too (compat => gdnsd3). ERR_SYNTAX else. */
int netaddr_parse_addr_lax(const char *text, struct th_addr *out) must_check;
/* SPEC; default_port where none is written. ERR_SYNTAX; ERR_RANGE for a port outside 1..65535. */
int netaddr_parse_spec(const char *text, uint16_t default_port, struct netaddr *out) must_check;
/* Lower case, compressed; returns buf. */
const char *netaddr_print_addr(const struct th_addr *a, char buf[NETADDR_TEXT]);
/* With port, brackets around IPv6; returns buf. */
const char *netaddr_print(const struct netaddr *a, char buf[NETADDR_TEXT]);
/* Fills *ss; returns its length. */
socklen_t netaddr_to_sockaddr(const struct netaddr *a, struct sockaddr_storage *ss);
/* ERR_RANGE if the family is neither AF_INET nor AF_INET6. */
int netaddr_from_sockaddr(const struct sockaddr *sa, struct netaddr *out) must_check;

#endif
