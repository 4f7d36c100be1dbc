/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * edns.h: the options of an OPT record that we know (RFC 6891 section 6.1.2).
 *
 *   struct edns e;
 *   if (!edns_parse(&e, rdata, rdlength, rules)) ...    FORMERR
 *   if (e.seen & EDNS_SEEN_COOKIE) ... e.cookie[0 .. e.cookie_len-1]
 *
 * Values are copied, because the answer is built over the query.  Fields of options that were not
 * seen are undefined.  Unknown options are passed over; of several of a kind the first counts.
 * Thread rule: plain values, [any]; nothing allocates.
 */
#ifndef WIRE_EDNS_H
#define WIRE_EDNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum edns_code {
    EDNS_NSID = 3,       /* RFC 5001 */
    EDNS_ECS = 8,        /* RFC 7871 */
    EDNS_COOKIE = 10,    /* RFC 7873 */
    EDNS_KEEPALIVE = 11, /* RFC 7828 */
    EDNS_PADDING = 12,   /* RFC 7830 */
    EDNS_ERROR = 15,     /* RFC 8914 */
};

#define EDNS_OPTION_HEAD 4u /* code, length */

/* Bits of edns.seen */
#define EDNS_SEEN_NSID      0x01u
#define EDNS_SEEN_ECS       0x02u
#define EDNS_SEEN_COOKIE    0x04u
#define EDNS_SEEN_KEEPALIVE 0x08u
#define EDNS_SEEN_PADDING   0x10u

/* RFC 7873 section 4: a client cookie, then nothing or a server cookie of 8 to 32 bytes. */
#define EDNS_CLIENT_COOKIE 8u
#define EDNS_COOKIE_MAX    40u

struct edns_ecs {
    uint16_t family; /* 1 = IPv4, 2 = IPv6, 0 = none (a source of 0 bits) */
    uint8_t source;  /* prefix length, bits */
    uint8_t addr_len;
    uint8_t addr[16];
};

struct edns {
    uint8_t seen;
    uint8_t cookie_len; /* 8 or 16..40 */
    uint8_t cookie[EDNS_COOKIE_MAX];
    struct edns_ecs ecs;
};

/* What decides how options are read; a bit each. */
#define EDNS_RULE_TCP 0x01u /* keepalive counts over TCP alone */
#define EDNS_RULE_GDNSD                                                                            \
    0x02u /* gdnsd 3.8: ECS family 0 and data of NSID are malformed, keepalive's data is not */
#define EDNS_RULE_NO_COOKIES 0x04u /* passed over as if unknown */
#define EDNS_RULE_NO_ECS     0x08u

enum edns_verdict { EDNS_OK, EDNS_BAD, EDNS_BAD_COOKIE };

/* Read the data of an OPT record; BAD: FORMERR (BAD_COOKIE: for its cookie, which is counted). */
enum edns_verdict edns_parse(struct edns *e, const uint8_t *rdata, size_t len, unsigned rules);

#endif
