/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields with addresses of several kinds: APL (RFC 3123), IPSECKEY (RFC 4025), AMTRELAY (RFC 8777).
 */
#include "zone/rdfield.h"

#include <arpa/inet.h>

#include "base/err.h"

/* A decimal number of at most three digits; -1 = it is none, or above max. */
static int read_small(const char *s, size_t len, int max)
{
    int v = 0;
    if (len == 0 || len > 3)
        return -1;
    for (size_t i = 0; i < len; i++) {
        if (s[i] < '0' || s[i] > '9')
            return -1;
        v = v * 10 + (s[i] - '0');
    }
    return v <= max ? v : -1;
}

/* One "[!]family:address/prefix"; zero bytes at the address's end are not written. */
static int put_prefix(struct parse *p, struct writer *w)
{
    const char *wanted = "an address prefix such as 1:192.0.2.0/24 or !2:2001:db8::/32";
    uint8_t addr[16];
    if (p->t.kind != TOKEN_WORD)
        return rdtext_refuse(p, wanted);
    bool is_not = p->t.len && p->t.at[0] == '!';
    const char *s = p->t.at + is_not, *end = p->t.at + p->t.len;
    if (end - s < 3 || (s[0] != '1' && s[0] != '2') || s[1] != ':')
        return rdtext_refuse(p, wanted);
    bool is_ipv4 = s[0] == '1';
    s += 2;
    const char *slash = memchr(s, '/', (size_t)(end - s));
    if (!slash || rdtext_address(s, (size_t)(slash - s), is_ipv4 ? AF_INET : AF_INET6, addr) < 0)
        return rdtext_refuse(p, wanted);
    int prefix = read_small(slash + 1, (size_t)(end - slash - 1), is_ipv4 ? 32 : 128);
    if (prefix < 0)
        return rdtext_refuse(p, wanted);
    size_t len = is_ipv4 ? 4 : 16;
    while (len && addr[len - 1] == 0)
        len--;
    writer_u16(w, is_ipv4 ? 1 : 2);
    writer_u8(w, (uint8_t)prefix);
    writer_u8(w, (uint8_t)((is_not ? 0x80u : 0u) | len));
    writer_bytes(w, addr, len);
    return 0;
}

int rdnet_apl(struct parse *p, struct writer *w)
{
    for (; token_is_value(&p->t); scan_next(&p->scan, &p->t))
        if (put_prefix(p, w) < 0)
            return ERR_REFUSED;
    return 0;
}

static int put_host(struct parse *p, struct writer *w, unsigned kind)
{
    uint8_t addr[16];
    if (kind == 3)
        return rdtext_put_name(p, w);
    if (p->t.kind != TOKEN_WORD)
        return rdtext_refuse(p, "a gateway");
    if (kind == 0)
        return p->t.len == 1 && p->t.at[0] == '.'
                   ? 0
                   : rdtext_refuse(p, "\".\", the gateway of kind 0");
    if (rdtext_address(p->t.at, p->t.len, kind == 1 ? AF_INET : AF_INET6, addr) < 0)
        return rdtext_refuse(p, kind == 1 ? "an IPv4 address, as kind 1 wants"
                                          : "an IPv6 address, as kind 2 wants");
    writer_bytes(w, addr, kind == 1 ? 4 : 16);
    return 0;
}

int rdnet_gateway(struct parse *p, struct writer *w)
{
    unsigned kind = w->failed ? 0 : w->base[w->at - 2];
    if (kind > 3)
        return diag_error(p->d, parse_loc(p, &p->t), "gateway kind %u is not 0, 1, 2 or 3", kind);
    return put_host(p, w, kind);
}

int rdnet_relay(struct parse *p, struct writer *w)
{
    uint32_t discovery, kind;
    if (rdtext_number(p, UINT8_MAX, &discovery) < 0)
        return ERR_REFUSED;
    if (discovery > 1)
        return rdtext_refuse(p, "the flag of discovery: 0 or 1");
    scan_next(&p->scan, &p->t);
    if (rdtext_number(p, UINT8_MAX, &kind) < 0)
        return ERR_REFUSED;
    if (kind > 3)
        return rdtext_refuse(p, "the kind of relay: 0, 1, 2 or 3");
    writer_u8(w, (uint8_t)(discovery << 7 | kind));
    scan_next(&p->scan, &p->t);
    return put_host(p, w, kind);
}
