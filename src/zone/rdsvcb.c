/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of SVCB and HTTPS (RFC 9460): key, key=value, key="value", in any order. */
#include "zone/rdfield.h"

#include <arpa/inet.h>

#include "base/err.h"
#include "base/mem.h"
#include "wire/svcparam.h"

/* One parameter that is being read: its value, escapes resolved. */
struct param {
    struct token at; /* the key, for messages */
    uint16_t key;
    bool is_numbered, has_value; /* is_numbered: written keyN, its value is opaque */
    const char *value;
    size_t len;
};

static int refuse_value(struct parse *p, const struct param *q, const char *wanted)
{
    return diag_error(p->d, parse_loc(p, &q->at), "\"%.*s\" needs %s", TOKEN_ARG(&q->at), wanted);
}

/* --- values --- */

/* The next member of a comma-separated list; false = there is none. */
static bool next_member(const char **s, const char *end, const char **member, size_t *len)
{
    if (!*s)
        return false;
    const char *comma = memchr(*s, ',', (size_t)(end - *s));
    *member = *s;
    *len = (size_t)((comma ? comma : end) - *s);
    *s = comma ? comma + 1 : NULL;
    return true;
}

static int put_keys(struct parse *p, const struct param *q, struct writer *w)
{
    const char *s = q->value, *member;
    size_t len, from = w->at;
    while (next_member(&s, q->value + q->len, &member, &len)) {
        int key = svcparam_find(member, len);
        if (key < 0)
            return refuse_value(p, q, "a list of keys such as mandatory=alpn,port");
        size_t at = w->at;
        while (at > from && (w->base[at - 2] << 8 | w->base[at - 1]) > key)
            at -= 2;
        writer_u16(w, 0);
        if (w->failed)
            return 0;
        memmove(w->base + at + 2, w->base + at, w->at - 2 - at);
        writer_set_u16(w, at, (uint16_t)key);
    }
    return 0;
}

/* Section A.1: in a list a backslash protects a comma or a backslash. */
static int put_alpn(struct parse *p, const struct param *q, struct writer *w)
{
    const char *wanted = "a list of 1 to 255 bytes each, such as alpn=h2,h3; \\, and \\\\ stand "
                         "for a comma and a backslash in them, and are written \\\\, and \\\\\\\\";
    const char *s = q->value, *end = q->value + q->len;
    for (;; s++) {
        size_t from = w->at;
        writer_u8(w, 0);
        for (; s < end && *s != ','; s++) {
            if (*s == '\\' && (++s == end || (*s != ',' && *s != '\\')))
                return refuse_value(p, q, wanted);
            writer_u8(w, (uint8_t)*s);
        }
        if (w->failed)
            return 0;
        size_t len = w->at - from - 1;
        if (len == 0 || len > UINT8_MAX)
            return refuse_value(p, q, wanted);
        w->base[from] = (uint8_t)len;
        if (s == end)
            return 0;
    }
}

static int put_port(struct parse *p, const struct param *q, struct writer *w)
{
    unsigned v = 0;
    bool is_good = q->len > 0 && q->len <= 5;
    for (size_t i = 0; is_good && i < q->len; i++) {
        is_good = q->value[i] >= '0' && q->value[i] <= '9';
        v = v * 10 + (unsigned)(q->value[i] - '0');
    }
    if (!is_good || v > UINT16_MAX)
        return refuse_value(p, q, "one number from 0 to 65535");
    writer_u16(w, (uint16_t)v);
    return 0;
}

static int put_hints(struct parse *p, const struct param *q, struct writer *w, int family)
{
    const char *s = q->value, *member;
    uint8_t addr[16];
    size_t len;
    while (next_member(&s, q->value + q->len, &member, &len)) {
        if (rdtext_address(member, len, family, addr) < 0)
            return refuse_value(p, q,
                                family == AF_INET ? "IPv4 addresses with commas between them"
                                                  : "IPv6 addresses with commas between them");
        writer_bytes(w, addr, family == AF_INET ? 4 : 16);
    }
    return 0;
}

static int put_ech(struct parse *p, const struct param *q, struct writer *w)
{
    return rdbin_decode64(q->value, q->len, w) < 0 ? refuse_value(p, q, "base64") : 0;
}

static int put_opaque(const struct param *q, struct writer *w)
{
    writer_bytes(w, q->value, q->len);
    return 0;
}

static int put_value(struct parse *p, const struct param *q, struct writer *w)
{
    bool is_flag = q->key == SVCPARAM_NO_DEFAULT_ALPN || q->key == SVCPARAM_OHTTP;
    if (q->is_numbered)
        return put_opaque(q, w);
    if (is_flag)
        return q->has_value ? refuse_value(p, q, "no value, and no = sign") : 0;
    if (q->len == 0)
        return refuse_value(p, q, "a value");
    switch (q->key) {
    case SVCPARAM_MANDATORY: return put_keys(p, q, w);
    case SVCPARAM_ALPN: return put_alpn(p, q, w);
    case SVCPARAM_PORT: return put_port(p, q, w);
    case SVCPARAM_IPV4HINT: return put_hints(p, q, w, AF_INET);
    case SVCPARAM_ECH: return put_ech(p, q, w);
    case SVCPARAM_IPV6HINT: return put_hints(p, q, w, AF_INET6);
    }
    return put_opaque(q, w);
}

/* --- parameters --- */

/* The key at p->t, and its value decoded into `room`; leaves p->t behind both. */
static int read_param(struct parse *p, struct param *q, struct writer *room)
{
    struct token t = p->t;
    const char *equals = memchr(t.at, '=', t.len);
    size_t key_len = equals ? (size_t)(equals - t.at) : t.len;
    int key = t.kind == TOKEN_WORD ? svcparam_find(t.at, key_len) : ERR_NOTFOUND;
    if (key < 0)
        return rdtext_refuse(p, "a parameter: key=value with alpn, port, ... or keyN as key");
    *q = (struct param){.at = t, .key = (uint16_t)key, .has_value = equals != NULL};
    q->at.len = key_len;
    q->is_numbered = memcmp(t.at, "key", 3) == 0;
    q->value = (const char *)room->base;
    if (!equals) {
        scan_next(&p->scan, &p->t);
        return 0;
    }
    scan_next(&p->scan, &p->t);
    struct token behind = p->t;
    bool is_quoted =
        equals + 1 == t.at + t.len && behind.kind == TOKEN_QUOTED && behind.at == t.at + t.len + 1;
    if (!is_quoted) { /* the value is the rest of the word */
        p->t = t;
        p->t.at = equals + 1;
        p->t.len = t.len - key_len - 1;
    }
    if (rdtext_decode(p, room, &q->len) < 0)
        return ERR_REFUSED;
    p->t = behind;
    if (is_quoted)
        scan_next(&p->scan, &p->t);
    return room->failed ? refuse_value(p, q, "a value of at most 65535 bytes") : 0;
}

/* Move the parameter at `at` of w to its place among those from `first`, which are in order. */
static void sort_in(struct writer *w, size_t first, size_t at)
{
    struct cursor c = cursor_on(w->base, at);
    size_t len = w->at - at, to;
    unsigned key = (unsigned)w->base[at] << 8 | w->base[at + 1];
    (void)cursor_bytes(&c, first); /* written before: always there */
    for (to = first; to < at; to = c.at) {
        if (cursor_u16(&c) > key)
            break;
        (void)cursor_bytes(&c, cursor_u16(&c)); /* our own bytes */
    }
    if (to == at)
        return;
    uint8_t *copy = mem_alloc(len);
    memcpy(copy, w->base + at, len);
    memmove(w->base + to + len, w->base + to, at - to);
    memcpy(w->base + to, copy, len);
    mem_free(copy);
}

static int put_param(struct parse *p, struct writer *w, size_t first, uint8_t *bytes)
{
    struct param q;
    struct writer room = writer_on(bytes, UINT16_MAX);
    size_t at = w->at;
    if (read_param(p, &q, &room) < 0)
        return ERR_REFUSED;
    writer_u16(w, q.key);
    writer_u16(w, 0);
    if (put_value(p, &q, w) < 0)
        return ERR_REFUSED;
    if (w->failed)
        return 0; /* the caller tells that it is too long */
    writer_set_u16(w, at + 2, (uint16_t)(w->at - at - 4));
    sort_in(w, first, at);
    return 0;
}

int rdsvcb_put(struct parse *p, struct writer *w)
{
    struct token start = p->t;
    size_t first = w->at;
    uint8_t *bytes = token_is_value(&p->t) ? mem_alloc(UINT16_MAX) : NULL;
    int e = 0;
    while (e == 0 && !w->failed && token_is_value(&p->t))
        e = put_param(p, w, first, bytes);
    mem_free(bytes);
    if (e < 0 || w->failed)
        return e;
    const char *fault =
        svcparam_fault(w->base + first, w->at - first, w->base[0] == 0 && w->base[1] == 0);
    return fault ? diag_error(p->d, parse_loc(p, &start), "parameters: %s", fault) : 0;
}
