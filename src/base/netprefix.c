/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/netprefix.h"

#include <ctype.h>
#include <string.h>

#include "base/err.h"
#include "base/netaddr.h"

static int read_bits(const char *text, unsigned most, uint8_t *out)
{
    unsigned v = 0;
    const char *p = text;
    for (; isdigit((unsigned char)*p) && p - text < 3; p++)
        v = v * 10 + (unsigned)(*p - '0');
    if (p == text || *p)
        return ERR_SYNTAX;
    *out = (uint8_t)v;
    return v > most ? ERR_RANGE : 0;
}

void netprefix_mask(struct th_addr *a, unsigned bits)
{
    unsigned whole = bits / 8, len = th_addr_len(a);
    if (whole >= len)
        return;
    a->bytes[whole] &= (uint8_t)(0xff00 >> bits % 8);
    memset(a->bytes + whole + 1, 0, len - whole - 1);
}

int netprefix_parse(const char *text, struct netprefix *out)
{
    char addr[NETADDR_TEXT];
    const char *slash = strchr(text, '/');
    size_t len = slash ? (size_t)(slash - text) : strlen(text);
    if (len >= sizeof addr)
        return ERR_SYNTAX;
    memcpy(addr, text, len);
    addr[len] = '\0';
    int e = netaddr_parse_addr(addr, &out->addr);
    if (e)
        return e;
    out->bits = (uint8_t)(8 * th_addr_len(&out->addr));
    if (slash && (e = read_bits(slash + 1, out->bits, &out->bits)) != 0)
        return e;
    struct th_addr masked = out->addr;
    netprefix_mask(&masked, out->bits);
    return th_addr_equal(&masked, &out->addr) ? 0 : ERR_RANGE;
}

bool netprefix_contains(const struct netprefix *p, const struct th_addr *a)
{
    unsigned whole = p->bits / 8, rest = p->bits % 8;
    return p->addr.family == a->family && memcmp(p->addr.bytes, a->bytes, whole) == 0 &&
           (!rest || ((p->addr.bytes[whole] ^ a->bytes[whole]) & (0xff00 >> rest) & 0xff) == 0);
}
