/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wire/edns.h"

#include <string.h>

#include "wire/cursor.h"

/* RFC 5001 section 2.2: data in a request is passed over. */
static enum edns_verdict read_nsid(size_t len, unsigned rules)
{
    return len && (rules & EDNS_RULE_GDNSD) ? EDNS_BAD : EDNS_OK;
}

/* Bits of the last byte behind the prefix are zero (RFC 7871 section 6). */
static bool tail_is_zero(const struct edns_ecs *ecs)
{
    unsigned used = ecs->source % 8;
    return !used || (ecs->addr[ecs->addr_len - 1] & (0xff >> used)) == 0;
}

/* RFC 7871 section 6: the address has just the bytes of the source prefix; a query's scope is 0. */
static enum edns_verdict read_ecs(struct edns_ecs *ecs, struct cursor *c, unsigned rules)
{
    ecs->family = cursor_u16(c);
    ecs->source = cursor_u8(c);
    uint8_t scope = cursor_u8(c);
    size_t left = cursor_left(c);
    unsigned most = ecs->family == 1 ? 32 : ecs->family == 2 ? 128 : 0;
    if (c->failed || scope != 0 || ecs->source > most || left != (ecs->source + 7u) / 8)
        return EDNS_BAD;
    if (ecs->family > 2 || (ecs->family == 0 && (rules & EDNS_RULE_GDNSD)))
        return EDNS_BAD;
    ecs->addr_len = (uint8_t)left;
    if (left)
        memcpy(ecs->addr, cursor_bytes(c, left), left);
    return tail_is_zero(ecs) ? EDNS_OK : EDNS_BAD;
}

static enum edns_verdict read_cookie(struct edns *e, struct cursor *c)
{
    size_t len = cursor_left(c);
    if (len != EDNS_CLIENT_COOKIE && (len < 2 * EDNS_CLIENT_COOKIE || len > EDNS_COOKIE_MAX))
        return EDNS_BAD_COOKIE;
    e->cookie_len = (uint8_t)len;
    memcpy(e->cookie, cursor_bytes(c, len), len);
    return EDNS_OK;
}

/* RFC 7828 section 3.2.1: over TCP a client sends it empty; over UDP it means nothing. */
static enum edns_verdict read_keepalive(size_t len, unsigned rules)
{
    return len && !(rules & EDNS_RULE_GDNSD) ? EDNS_BAD : EDNS_OK;
}

/* The bit of a kind that counts here; 0 = passed over. */
static unsigned bit_of(unsigned code, unsigned rules)
{
    switch ((enum edns_code)code) {
    case EDNS_NSID: return EDNS_SEEN_NSID;
    case EDNS_ECS: return rules & EDNS_RULE_NO_ECS ? 0 : EDNS_SEEN_ECS;
    case EDNS_COOKIE: return rules & EDNS_RULE_NO_COOKIES ? 0 : EDNS_SEEN_COOKIE;
    case EDNS_KEEPALIVE: return rules & EDNS_RULE_TCP ? EDNS_SEEN_KEEPALIVE : 0;
    case EDNS_PADDING: return EDNS_SEEN_PADDING;
    case EDNS_ERROR: break; /* ours to send */
    }
    return 0;
}

static enum edns_verdict read_option(struct edns *e, unsigned code, struct cursor *data,
                                     unsigned rules)
{
    switch ((enum edns_code)code) {
    case EDNS_NSID: return read_nsid(cursor_left(data), rules);
    case EDNS_ECS: return read_ecs(&e->ecs, data, rules);
    case EDNS_COOKIE: return read_cookie(e, data);
    case EDNS_KEEPALIVE: return read_keepalive(cursor_left(data), rules);
    case EDNS_PADDING:
    case EDNS_ERROR: break;
    }
    return EDNS_OK;
}

enum edns_verdict edns_parse(struct edns *e, const uint8_t *rdata, size_t len, unsigned rules)
{
    struct cursor c = cursor_on(rdata, len);
    e->seen = 0;
    while (cursor_left(&c)) {
        unsigned code = cursor_u16(&c);
        size_t option_len = cursor_u16(&c);
        const uint8_t *bytes = cursor_bytes(&c, option_len);
        if (c.failed)
            return EDNS_BAD;
        unsigned bit = bit_of(code, rules);
        if (!bit || (e->seen & bit))
            continue;
        struct cursor data = cursor_on(bytes, option_len);
        enum edns_verdict v = read_option(e, code, &data, rules);
        if (v != EDNS_OK)
            return v;
        e->seen = (uint8_t)(e->seen | bit);
    }
    return EDNS_OK;
}
