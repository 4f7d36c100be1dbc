/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rrtype.h: numbers of the protocol that code switches on, and the names of record types
 * (IANA "Domain Name System (DNS) Parameters").
 * Thread rule: [any].
 */
#ifndef WIRE_RRTYPE_H
#define WIRE_RRTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/attrs.h"

enum {
    RRTYPE_A = 1,
    RRTYPE_NS = 2,
    RRTYPE_CNAME = 5,
    RRTYPE_SOA = 6,
    RRTYPE_PTR = 12,
    RRTYPE_HINFO = 13,
    RRTYPE_MX = 15,
    RRTYPE_TXT = 16,
    RRTYPE_KEY = 25,
    RRTYPE_AAAA = 28,
    RRTYPE_SRV = 33,
    RRTYPE_NAPTR = 35,
    RRTYPE_DNAME = 39,
    RRTYPE_OPT = 41,
    RRTYPE_DS = 43,
    RRTYPE_RRSIG = 46,
    RRTYPE_NSEC = 47,
    RRTYPE_SVCB = 64,
    RRTYPE_HTTPS = 65,
    RRTYPE_META_FIRST = 128, /* 128..254: TKEY, TSIG, transfers: never zone data */
    RRTYPE_META_LAST = 254,
    RRTYPE_ANY = 255,
    RRTYPE_CAA = 257,
    /* zone files only, from the range for private use; never on the wire */
    RRTYPE_DYNA = 65280,
    RRTYPE_DYNC = 65281,
};

enum { RRCLASS_IN = 1, RRCLASS_CH = 3, RRCLASS_ANY = 255 };

enum {
    RCODE_NOERROR = 0,
    RCODE_FORMERR = 1,
    RCODE_SERVFAIL = 2,
    RCODE_NXDOMAIN = 3,
    RCODE_NOTIMP = 4,
    RCODE_REFUSED = 5,
    RCODE_YXDOMAIN = 6,
    RCODE_DSOTYPENI = 11,
    RCODE_BADVERS = 16,
};

enum { OPCODE_QUERY = 0, OPCODE_DSO = 6 };

static inline bool rrtype_is_address(uint16_t type)
{
    return type == RRTYPE_A || type == RRTYPE_AAAA;
}

/* Number of a mnemonic ("mx", "TYPE15"), any letter case; ERR_NOTFOUND. */
int rrtype_parse(const char *text, size_t len) must_check;
/* Mnemonic, or TYPEn; returns buf. */
const char *rrtype_print(uint16_t type, char buf[16]);

#endif
