/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wire/rrtype.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"

struct rrtype_name {
    uint16_t type;
    uint8_t len;
    char text[12];
};

#define ROW(number, text)                                                                          \
    {                                                                                              \
        number, sizeof text - 1, text                                                              \
    }

/* IANA, "Resource Record (RR) TYPEs"; the frequent ones first, since the search is linear. */
static const struct rrtype_name names[] = {
    ROW(RRTYPE_A, "A"),
    ROW(RRTYPE_AAAA, "AAAA"),
    ROW(RRTYPE_NS, "NS"),
    ROW(RRTYPE_CNAME, "CNAME"),
    ROW(RRTYPE_MX, "MX"),
    ROW(RRTYPE_TXT, "TXT"),
    ROW(RRTYPE_PTR, "PTR"),
    ROW(RRTYPE_SRV, "SRV"),
    ROW(RRTYPE_SOA, "SOA"),
    ROW(RRTYPE_DYNA, "DYNA"),
    ROW(RRTYPE_CAA, "CAA"),
    ROW(RRTYPE_NAPTR, "NAPTR"),
    ROW(RRTYPE_DS, "DS"),
    ROW(RRTYPE_HTTPS, "HTTPS"),
    ROW(RRTYPE_SVCB, "SVCB"),
    ROW(3, "MD"),
    ROW(4, "MF"),
    ROW(7, "MB"),
    ROW(8, "MG"),
    ROW(9, "MR"),
    ROW(10, "NULL"),
    ROW(11, "WKS"),
    ROW(RRTYPE_HINFO, "HINFO"),
    ROW(14, "MINFO"),
    ROW(17, "RP"),
    ROW(18, "AFSDB"),
    ROW(19, "X25"),
    ROW(20, "ISDN"),
    ROW(21, "RT"),
    ROW(22, "NSAP"),
    ROW(23, "NSAP-PTR"),
    ROW(24, "SIG"),
    ROW(25, "KEY"),
    ROW(26, "PX"),
    ROW(27, "GPOS"),
    ROW(29, "LOC"),
    ROW(30, "NXT"),
    ROW(31, "EID"),
    ROW(32, "NIMLOC"),
    ROW(34, "ATMA"),
    ROW(36, "KX"),
    ROW(37, "CERT"),
    ROW(38, "A6"),
    ROW(RRTYPE_DNAME, "DNAME"),
    ROW(40, "SINK"),
    ROW(RRTYPE_OPT, "OPT"),
    ROW(42, "APL"),
    ROW(44, "SSHFP"),
    ROW(45, "IPSECKEY"),
    ROW(46, "RRSIG"),
    ROW(47, "NSEC"),
    ROW(48, "DNSKEY"),
    ROW(49, "DHCID"),
    ROW(50, "NSEC3"),
    ROW(51, "NSEC3PARAM"),
    ROW(52, "TLSA"),
    ROW(53, "SMIMEA"),
    ROW(55, "HIP"),
    ROW(56, "NINFO"),
    ROW(57, "RKEY"),
    ROW(58, "TALINK"),
    ROW(59, "CDS"),
    ROW(60, "CDNSKEY"),
    ROW(61, "OPENPGPKEY"),
    ROW(62, "CSYNC"),
    ROW(63, "ZONEMD"),
    ROW(66, "DSYNC"),
    ROW(99, "SPF"),
    ROW(100, "UINFO"),
    ROW(101, "UID"),
    ROW(102, "GID"),
    ROW(103, "UNSPEC"),
    ROW(104, "NID"),
    ROW(105, "L32"),
    ROW(106, "L64"),
    ROW(107, "LP"),
    ROW(108, "EUI48"),
    ROW(109, "EUI64"),
    ROW(249, "TKEY"),
    ROW(250, "TSIG"),
    ROW(251, "IXFR"),
    ROW(252, "AXFR"),
    ROW(253, "MAILB"),
    ROW(254, "MAILA"),
    ROW(RRTYPE_ANY, "ANY"),
    ROW(256, "URI"),
    ROW(258, "AVC"),
    ROW(259, "DOA"),
    ROW(260, "AMTRELAY"),
    ROW(261, "RESINFO"),
    ROW(262, "WALLET"),
    ROW(32768, "TA"),
    ROW(32769, "DLV"),
    ROW(RRTYPE_DYNC, "DYNC"),
};

/* "TYPE15": RFC 3597 section 5. */
static int parse_generic(const char *text, size_t len)
{
    unsigned number = 0;
    if (len < 5 || len > 9 || strncasecmp(text, "TYPE", 4) != 0)
        return ERR_NOTFOUND;
    for (size_t i = 4; i < len; i++) {
        if (text[i] < '0' || text[i] > '9')
            return ERR_NOTFOUND;
        number = number * 10 + (unsigned)(text[i] - '0');
    }
    return number <= UINT16_MAX ? (int)number : ERR_NOTFOUND;
}

int rrtype_parse(const char *text, size_t len)
{
    for (size_t i = 0; i < array_len(names); i++)
        if (names[i].len == len && strncasecmp(names[i].text, text, len) == 0)
            return names[i].type;
    return parse_generic(text, len);
}

const char *rrtype_print(uint16_t type, char buf[16])
{
    for (size_t i = 0; i < array_len(names); i++)
        if (names[i].type == type)
            return memcpy(buf, names[i].text, sizeof names[i].text);
    snprintf(buf, 16, "TYPE%u", type);
    return buf;
}
