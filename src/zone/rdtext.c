/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zone/rdtext.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <string.h>

#include "base/err.h"
#include "wire/rdata.h"
#include "zone/rdata_ldns.h"
#include "zone/rdfield.h"

#define TTL_MAX_S 0x7fffffffu /* RFC 2181 section 8 */

/* A string is cut after this many bytes (RFC 1035 section 3.3). */
#define STRING_MAX 255

int rdtext_refuse(struct parse *p, const char *wanted)
{
    if (p->t.kind == TOKEN_BAD)
        return diag_error(p->d, parse_loc(p, &p->t), "%s", p->scan.fault);
    if (!token_is_value(&p->t))
        return diag_error(p->d, parse_loc(p, &p->t), "the record ends where %s is wanted", wanted);
    return diag_error(p->d, parse_loc(p, &p->t), "\"%.*s\" is not %s", TOKEN_ARG(&p->t), wanted);
}

/* A host name without escapes, the usual case, or 0: then dname_parse decides. */
static size_t plain_name(const char *text, size_t len, const uint8_t *origin, uint8_t *out)
{
    size_t label = 0, at = 1;
    if (len > DNAME_MAX - 2)
        return 0;
    for (size_t i = 0; i < len; i++) {
        uint8_t c = (uint8_t)text[i];
        if (c != '.') {
            out[at++] = (uint8_t)(c + ((uint8_t)(c - 'A') < 26 ? 32 : 0));
            continue;
        }
        if (at - label - 1 - 1u >= DNAME_LABEL_MAX)
            return 0;
        out[label] = (uint8_t)(at - label - 1);
        label = at++;
    }
    size_t last = at - label - 1;
    if (last == 0) { /* ended in a dot */
        out[label] = 0;
        return len > 1 ? label + 1 : 0;
    }
    size_t tail = dname_len(origin);
    if (last > DNAME_LABEL_MAX || at + tail > DNAME_MAX)
        return 0;
    out[label] = (uint8_t)last;
    memcpy(out + at, origin, tail);
    return at + tail;
}

/* "@", "@Z", "@F": the name that stands for it; NULL = something else. */
static const uint8_t *at_sign(const struct parse *p, const char *text, size_t len)
{
    if (len == 1)
        return p->origin;
    if (len == 2 && (text[1] == 'Z' || text[1] == 'z'))
        return p->apex;
    if (len == 2 && (text[1] == 'F' || text[1] == 'f'))
        return p->file_origin;
    return NULL;
}

static int refuse_name(struct parse *p, int e)
{
    return rdtext_refuse(
        p, e == ERR_SPACE
               ? "a name: labels have at most 63 bytes, names at most 255 with the origin"
               : "a name: labels between single dots, with escapes \\X and \\DDD");
}

int rdtext_name(struct parse *p, uint8_t out[DNAME_MAX])
{
    const struct token *t = &p->t;
    const uint8_t *origin = p->origin, *whole = NULL;
    size_t len = t->len;
    if (!token_is_value(t))
        return rdtext_refuse(p, "a name");
    if (len && t->at[0] == '@' && len <= 2)
        whole = at_sign(p, t->at, len);
    if (whole) {
        memcpy(out, whole, dname_len(whole));
        return (int)dname_len(whole);
    }
    if (len > 3 && t->at[len - 2] == '@' && t->at[len - 3] == '.' &&
        t->at[len - 4] != '\\') { /* "x.@Z" */
        origin = at_sign(p, t->at + len - 2, 2);
        len -= 3;
    }
    if (!origin || (t->at[0] == '@' && len <= 2))
        return rdtext_refuse(p,
                             "a name: behind @ only Z (the zone) and F (the file's origin) have a "
                             "meaning; write \\@ for the character");
    size_t n = t->escaped ? 0 : plain_name(t->at, len, origin, out);
    int e = n ? (int)n : dname_parse(t->at, len, origin, out);
    return e > 0 ? e : refuse_name(p, e);
}

static uint32_t unit_s(char c)
{
    switch (tolower((unsigned char)c)) {
    case 's': return 1;
    case 'm': return 60;
    case 'h': return 3600;
    case 'd': return 86400;
    case 'w': return 604800;
    }
    return 0;
}

/* Digits with an optional unit, several one after another. ERR_SYNTAX, or ERR_RANGE above 2^32-1.
 */
static int read_duration(const char *text, size_t len, uint32_t *s)
{
    uint64_t sum = 0, number = 0;
    bool digits = false, units = false;
    for (size_t i = 0; i < len; i++) {
        if (text[i] >= '0' && text[i] <= '9') {
            number = number * 10 + (uint64_t)(text[i] - '0');
            digits = true;
        } else {
            if (!digits || !unit_s(text[i]))
                return ERR_SYNTAX;
            sum += number * unit_s(text[i]);
            number = 0;
            digits = false;
            units = true;
        }
        if (number > UINT32_MAX || sum > UINT32_MAX)
            return ERR_RANGE;
    }
    if (len == 0 || (units && digits)) /* "1h30": of what? */
        return ERR_SYNTAX;
    sum += number;
    *s = (uint32_t)sum;
    return 0;
}

int rdtext_duration(struct parse *p, const char *text, size_t len, bool is_ttl, uint32_t *s)
{
    int e = read_duration(text, len, s);
    if (e == ERR_SYNTAX)
        return rdtext_refuse(p,
                             "a duration; write seconds, or numbers with units as in 1w2d3h4m5s");
    if (e == ERR_RANGE || (is_ttl && *s > TTL_MAX_S))
        return rdtext_refuse(p, is_ttl ? "a TTL: at most 2147483647 seconds (RFC 2181 section 8)"
                                       : "a 32-bit number: at most 4294967295");
    return 0;
}

int rdtext_number(struct parse *p, uint32_t max, uint32_t *v)
{
    uint64_t n = 0;
    const char *wanted = max == UINT8_MAX    ? "a number from 0 to 255"
                         : max == UINT16_MAX ? "a number from 0 to 65535"
                                             : "a number from 0 to 4294967295";
    if (p->t.kind != TOKEN_WORD)
        return rdtext_refuse(p, wanted);
    for (size_t i = 0; i < p->t.len; i++) {
        if (p->t.at[i] < '0' || p->t.at[i] > '9')
            return rdtext_refuse(p, wanted);
        n = n * 10 + (uint64_t)(p->t.at[i] - '0');
        if (n > max)
            return rdtext_refuse(p, wanted);
    }
    *v = (uint32_t)n;
    return 0;
}

static int put_number(struct parse *p, struct writer *w, uint32_t max)
{
    uint32_t v;
    if (rdtext_number(p, max, &v) < 0)
        return ERR_REFUSED;
    if (max == UINT8_MAX)
        writer_u8(w, (uint8_t)v);
    else if (max == UINT16_MAX)
        writer_u16(w, (uint16_t)v);
    else
        writer_u32(w, v);
    return 0;
}

static int put_ttl(struct parse *p, struct writer *w)
{
    uint32_t s;
    if (p->t.kind != TOKEN_WORD)
        return rdtext_refuse(p, "a duration or a serial number");
    if (rdtext_duration(p, p->t.at, p->t.len, false, &s) < 0)
        return ERR_REFUSED;
    writer_u32(w, s);
    return 0;
}

int rdtext_address(const char *text, size_t len, int family, uint8_t addr[16])
{
    char copy[INET6_ADDRSTRLEN];
    if (len >= sizeof copy)
        return ERR_SYNTAX;
    memcpy(copy, text, len);
    copy[len] = '\0';
    return inet_pton(family, copy, addr) == 1 ? 0 : ERR_SYNTAX;
}

static int put_address(struct parse *p, struct writer *w, int family)
{
    uint8_t addr[16];
    if (p->t.kind != TOKEN_WORD || rdtext_address(p->t.at, p->t.len, family, addr) < 0)
        return rdtext_refuse(p, family == AF_INET ? "an IPv4 address such as 192.0.2.1"
                                                  : "an IPv6 address such as 2001:db8::1");
    writer_bytes(w, addr, family == AF_INET ? 4 : 16);
    return 0;
}

/* Four decimal bytes, the usual case, without a copy. */
static bool put_ipv4(struct parse *p, struct writer *w)
{
    uint8_t addr[4];
    const char *s = p->t.at, *end = s + p->t.len;
    for (unsigned i = 0; i < 4; i++) {
        unsigned v = 0, digits = 0;
        for (; s < end && *s >= '0' && *s <= '9' && digits < 3; s++, digits++)
            v = v * 10 + (unsigned)(*s - '0');
        if (digits == 0 || v > 255 || (digits > 1 && s[-(int)digits] == '0'))
            return false;
        addr[i] = (uint8_t)v;
        if (i < 3 && (s == end || *s++ != '.'))
            return false;
    }
    if (s != end)
        return false;
    writer_bytes(w, addr, 4);
    return true;
}

int rdtext_put_name(struct parse *p, struct writer *w)
{
    uint8_t name[DNAME_MAX];
    int len = rdtext_name(p, name);
    if (len < 0)
        return len;
    writer_bytes(w, name, (size_t)len);
    return 0;
}

/* The next byte of a string's text at *i; -1 = a malformed escape. */
static int next_byte(const struct token *t, size_t *i)
{
    if (t->at[*i] != '\\')
        return (uint8_t)t->at[(*i)++];
    if (*i + 1 >= t->len)
        return -1;
    if (!isdigit((unsigned char)t->at[*i + 1])) {
        *i += 2;
        return (uint8_t)t->at[*i - 1];
    }
    if (*i + 3 >= t->len || !isdigit((unsigned char)t->at[*i + 2]) ||
        !isdigit((unsigned char)t->at[*i + 3]))
        return -1;
    int v = (t->at[*i + 1] - '0') * 100 + (t->at[*i + 2] - '0') * 10 + (t->at[*i + 3] - '0');
    *i += 4;
    return v <= 255 ? v : -1;
}

int rdtext_decode(struct parse *p, struct writer *w, size_t *len)
{
    size_t from = w->at;
    if (!p->t.escaped) {
        writer_bytes(w, p->t.at, p->t.len);
    } else {
        for (size_t i = 0; i < p->t.len;) {
            int c = next_byte(&p->t, &i);
            if (c < 0)
                return rdtext_refuse(
                    p, "a string: escapes are \\X and \\DDD with DDD from 000 to 255");
            writer_u8(w, (uint8_t)c);
        }
    }
    *len = w->at - from;
    return 0;
}

/* One string behind its length byte; longer ones are refused, or cut into several. */
static int put_string(struct parse *p, struct writer *w, bool may_split)
{
    size_t from = w->at, len = 0;
    if (!token_is_value(&p->t))
        return rdtext_refuse(p, "a string");
    writer_u8(w, 0);
    if (rdtext_decode(p, w, &len) < 0)
        return ERR_REFUSED;
    if (w->failed)
        return rdtext_refuse(p, "a string that fits into 65535 bytes of rdata");
    if (len > STRING_MAX && !may_split)
        return rdtext_refuse(p, "a string of at most 255 bytes");
    size_t chunks = len ? (len + STRING_MAX - 1) / STRING_MAX : 1;
    if (!writer_room(w, chunks - 1) && chunks > 1)
        return rdtext_refuse(p, "a string that fits into 65535 bytes of rdata");
    for (size_t i = chunks; i-- > 0;) { /* from the right: each moves i length bytes up */
        uint8_t *to = w->base + from + i * (STRING_MAX + 1);
        size_t n = i + 1 < chunks ? STRING_MAX : len - i * STRING_MAX;
        memmove(to + 1, w->base + from + 1 + i * STRING_MAX, n);
        to[0] = (uint8_t)n;
    }
    return 0;
}

static int put_strings(struct parse *p, struct writer *w)
{
    do {
        if (put_string(p, w, true) < 0)
            return ERR_REFUSED;
        scan_next(&p->scan, &p->t);
    } while (token_is_value(&p->t));
    return 0;
}

static int put_tag(struct parse *p, struct writer *w)
{
    const struct token *t = &p->t;
    bool is_good = token_is_value(t) && t->len > 0 && t->len <= STRING_MAX;
    for (size_t i = 0; is_good && i < t->len; i++)
        is_good = isalnum((unsigned char)t->at[i]);
    if (!is_good)
        return rdtext_refuse(p, "a property tag: letters and digits, at most 255");
    return put_string(p, w, false);
}

static int put_text(struct parse *p, struct writer *w)
{
    size_t len;
    return token_is_value(&p->t) ? rdtext_decode(p, w, &len) : rdtext_refuse(p, "a string");
}

static int put_uri(struct parse *p, struct writer *w)
{
    size_t from = w->at;
    if (put_text(p, w) < 0)
        return ERR_REFUSED;
    return w->at > from ? 0
                        : rdtext_refuse(p, "a URI; it must not be empty (RFC 7553 section 4.4)");
}

/* Read one field; those that run to the record's end leave p->t there, others on their last token.
 */
static int put_field(struct parse *p, struct writer *w, enum rdata_kind kind)
{
    switch (kind) {
    case RDATA_END: return 0;
    case RDATA_NAME_COMPRESSED:
    case RDATA_NAME: return rdtext_put_name(p, w);
    case RDATA_U8: return put_number(p, w, UINT8_MAX);
    case RDATA_U16: return put_number(p, w, UINT16_MAX);
    case RDATA_U32: return put_number(p, w, UINT32_MAX);
    case RDATA_TTL: return put_ttl(p, w);
    case RDATA_SERIAL: return p->options->gdnsd ? put_ttl(p, w) : put_number(p, w, UINT32_MAX);
    case RDATA_IPV4: return put_ipv4(p, w) ? 0 : put_address(p, w, AF_INET);
    case RDATA_IPV6: return put_address(p, w, AF_INET6);
    case RDATA_STRING: return put_string(p, w, false);
    case RDATA_STRINGS: return put_strings(p, w);
    case RDATA_TAG: return put_tag(p, w);
    case RDATA_TEXT: return put_text(p, w);
    case RDATA_URI: return put_uri(p, w);
    case RDATA_TIME: return rdbin_time(p, w);
    case RDATA_TYPE: return rdbin_type(p, w);
    case RDATA_CERT: return rdbin_cert(p, w);
    case RDATA_ALGORITHM: return rdbin_algorithm(p, w);
    case RDATA_SCHEME: return rdbin_scheme(p, w);
    case RDATA_EUI48: return rdbin_groups(p, w, 6, 1, '-');
    case RDATA_EUI64: return rdbin_groups(p, w, 8, 1, '-');
    case RDATA_ILNP64: return rdbin_groups(p, w, 4, 2, ':');
    case RDATA_HEX: return rdbin_hex(p, w);
    case RDATA_BASE64: return rdbin_base64(p, w, false);
    case RDATA_IPSECKEY: return rdbin_ipseckey(p, w);
    case RDATA_SALT: return rdbin_salt(p, w);
    case RDATA_BASE32: return rdbin_base32(p, w);
    case RDATA_BITMAP: return rdbin_bitmap(p, w);
    case RDATA_LOC: return rdloc_put(p, w);
    case RDATA_APL: return rdnet_apl(p, w);
    case RDATA_GATEWAY: return rdnet_gateway(p, w);
    case RDATA_RELAY: return rdnet_relay(p, w);
    case RDATA_SVCPARAMS: return rdsvcb_put(p, w);
    }
    return ERR_REFUSED;
}

/* Fields that have read to the record's end. */
static bool runs_to_end(enum rdata_kind kind)
{
    return kind == RDATA_STRINGS || kind == RDATA_HEX || kind == RDATA_BASE64 ||
           kind == RDATA_IPSECKEY || kind == RDATA_BITMAP || kind == RDATA_LOC ||
           kind == RDATA_APL || kind == RDATA_SVCPARAMS;
}

/* Whole bytes in each word (RFC 3597 section 5). */
static int put_hex_word(struct parse *p, struct writer *w)
{
    const char *wanted = "hexadecimal: pairs of the digits 0-9 a-f";
    if (p->t.kind != TOKEN_WORD || p->t.len % 2)
        return rdtext_refuse(p, wanted);
    for (size_t i = 0; i < p->t.len; i += 2) {
        int high = rdbin_digit(p->t.at[i]), low = rdbin_digit(p->t.at[i + 1]);
        if (high < 0 || low < 0)
            return rdtext_refuse(p, wanted);
        writer_u8(w, (uint8_t)(high << 4 | low));
    }
    return 0;
}

/* "\# length hex ...", RFC 3597 section 5; p->t is the "\#". */
static int put_generic(struct parse *p, struct writer *w, uint16_t type)
{
    struct token start = p->t;
    uint32_t len;
    char text[16];
    scan_next(&p->scan, &p->t);
    if (rdtext_number(p, UINT16_MAX, &len) < 0)
        return ERR_REFUSED;
    for (scan_next(&p->scan, &p->t); token_is_value(&p->t); scan_next(&p->scan, &p->t))
        if (put_hex_word(p, w) < 0)
            return ERR_REFUSED;
    if (w->at != len || w->failed)
        return diag_error(p->d, parse_loc(p, &start), "\\# %u is followed by %zu bytes", len,
                          w->at);
    const struct rdata_type *row = rdata_type_find(type);
    if (!(row ? rdata_is_valid(row, w->base, w->at) : rdata_ldns_is_valid(type, w->base, w->at)))
        return diag_error(p->d, parse_loc(p, &start), "these bytes are not the rdata of %s",
                          rrtype_print(type, text));
    rdata_lower(row, w->base, w->at);
    return 0;
}

static bool is_generic(const struct token *t)
{
    return t->kind == TOKEN_WORD && t->len == 2 && t->at[0] == '\\' && t->at[1] == '#';
}

static int put_fields(struct parse *p, struct writer *w, const struct rdata_type *row)
{
    for (const uint8_t *kind = row->fields; *kind != RDATA_END; kind++) {
        if (put_field(p, w, (enum rdata_kind) * kind) < 0)
            return ERR_REFUSED;
        if (!runs_to_end((enum rdata_kind) * kind))
            scan_next(&p->scan, &p->t);
    }
    return 0;
}

int rdtext_parse(struct parse *p, struct record *r)
{
    struct writer w = writer_on(r->rdata, UINT16_MAX);
    const struct rdata_type *row = rdata_type_find(r->type);
    int e = is_generic(&p->t) ? put_generic(p, &w, r->type)
            : row             ? put_fields(p, &w, row)
            : rdata_ldns_knows(r->type)
                ? rdata_ldns_parse(p, r->type, &w)
                : rdtext_refuse(p, "\\# length hex, the form of types without a text form");
    if (e < 0)
        return e;
    if (w.failed)
        return diag_error(p->d, parse_loc(p, &r->at), "the rdata is longer than 65535 bytes");
    if (token_is_value(&p->t))
        return diag_error(p->d, parse_loc(p, &p->t), "\"%.*s\" is more than the record needs",
                          TOKEN_ARG(&p->t));
    if (p->t.kind == TOKEN_BAD)
        return rdtext_refuse(p, "");
    r->rdata_len = (uint16_t)w.at;
    return 0;
}
