/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * proxy.h: the header of the PROXY protocol, versions 1 and 2, in front of a connection's bytes:
 * who the client behind a proxy is (a terminator of TLS, most often).
 *
 *   PROXY TCP4 192.0.2.1 198.51.100.1 51000 53\r\n          version 1
 *   \r\n\r\n\0\r\nQUIT\n  21 11 000c  ADDRESSES TLVS...      version 2
 *
 * It may arrive in pieces: PROXY_MORE until it is whole, at most PROXY_HEADER_MAX bytes.  What is
 * not the beginning of a header is PROXY_BAD at once, by its first wrong byte in version 2's
 * signature or version 1's first word.
 * Thread rule: pure, [any].
 */
#ifndef NET_PROXY_H
#define NET_PROXY_H

#include <stddef.h>
#include <stdint.h>
#include <thresh/types.h>

/* Room for TLVs with a certificate's names; the specification asks for 536 at least. */
#define PROXY_HEADER_MAX 4096

enum proxy_verdict {
    PROXY_MORE,    /* the beginning of a header */
    PROXY_BAD,     /* no header, or one of no TCP connection */
    PROXY_CLIENT,  /* source is the client's address */
    PROXY_LOCAL,   /* the proxy speaks for itself: the peer's address holds */
    PROXY_UNKNOWN, /* the proxy does not know; by the specification the peer's address holds */
};

struct proxy_header {
    size_t len;            /* of the whole header, unless MORE or BAD */
    struct th_addr source; /* of PROXY_CLIENT; an IPv4-mapped one is given as IPv4 */
};

enum proxy_verdict proxy_parse(const uint8_t *bytes, size_t len, struct proxy_header *out);

#endif
