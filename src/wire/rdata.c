/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wire/rdata.h"

#include "wire/dname.h"
#include "wire/svcparam.h"

#define NAME_C RDATA_NAME_COMPRESSED

/* The types that zones hold, the frequent ones first. The rest of the registry is ldns's to read
 * (zone/rdata_ldns). Names are compressed in the types of RFC 1035 only (RFC 3597 section 4). */
static const struct rdata_type types[] = {
    {RRTYPE_A, {RDATA_IPV4}},
    {RRTYPE_AAAA, {RDATA_IPV6}},
    {RRTYPE_NS, {NAME_C}},
    {RRTYPE_CNAME, {NAME_C}},
    {RRTYPE_MX, {RDATA_U16, NAME_C}},
    {RRTYPE_TXT, {RDATA_STRINGS}},
    {RRTYPE_PTR, {NAME_C}},
    {RRTYPE_SRV, {RDATA_U16, RDATA_U16, RDATA_U16, RDATA_NAME}},
    {RRTYPE_SOA, {NAME_C, NAME_C, RDATA_SERIAL, RDATA_TTL, RDATA_TTL, RDATA_TTL, RDATA_TTL}},
    {RRTYPE_CAA, {RDATA_U8, RDATA_TAG, RDATA_TEXT}},
    {RRTYPE_NAPTR, {RDATA_U16, RDATA_U16, RDATA_STRING, RDATA_STRING, RDATA_STRING, RDATA_NAME}},
    {RRTYPE_HTTPS, {RDATA_U16, RDATA_NAME, RDATA_SVCPARAMS}},
    {RRTYPE_SVCB, {RDATA_U16, RDATA_NAME, RDATA_SVCPARAMS}},
    {RRTYPE_DS, {RDATA_U16, RDATA_ALGORITHM, RDATA_U8, RDATA_HEX}},
    {RRTYPE_DNAME, {RDATA_NAME}},
    {52 /* TLSA */, {RDATA_U8, RDATA_U8, RDATA_U8, RDATA_HEX}},
    {44 /* SSHFP */, {RDATA_U8, RDATA_U8, RDATA_HEX}},
    {RRTYPE_HINFO, {RDATA_STRING, RDATA_STRING}},
    {29 /* LOC */, {RDATA_LOC}},
    {256 /* URI */, {RDATA_U16, RDATA_U16, RDATA_URI}},
    {17 /* RP */, {RDATA_NAME, RDATA_NAME}},
    {18 /* AFSDB */, {RDATA_U16, RDATA_NAME}},
    {61 /* OPENPGPKEY */, {RDATA_BASE64}},
    {53 /* SMIMEA */, {RDATA_U8, RDATA_U8, RDATA_U8, RDATA_HEX}},
    {48 /* DNSKEY */, {RDATA_U16, RDATA_U8, RDATA_ALGORITHM, RDATA_BASE64}},
    {59 /* CDS */, {RDATA_U16, RDATA_ALGORITHM, RDATA_U8, RDATA_HEX}},
    {60 /* CDNSKEY */, {RDATA_U16, RDATA_U8, RDATA_ALGORITHM, RDATA_BASE64}},
    {62 /* CSYNC */, {RDATA_U32, RDATA_U16, RDATA_BITMAP}},
    {63 /* ZONEMD */, {RDATA_U32, RDATA_U8, RDATA_U8, RDATA_HEX}},
    {46 /* RRSIG */,
     {RDATA_TYPE, RDATA_ALGORITHM, RDATA_U8, RDATA_TTL, RDATA_TIME, RDATA_TIME, RDATA_U16,
      RDATA_NAME, RDATA_BASE64}},
    {24 /* SIG */,
     {RDATA_TYPE, RDATA_ALGORITHM, RDATA_U8, RDATA_TTL, RDATA_TIME, RDATA_TIME, RDATA_U16,
      RDATA_NAME, RDATA_BASE64}},
    {25 /* KEY */, {RDATA_U16, RDATA_U8, RDATA_ALGORITHM, RDATA_BASE64}},
    {57 /* RKEY */, {RDATA_U16, RDATA_U8, RDATA_ALGORITHM, RDATA_BASE64}},
    {47 /* NSEC */, {RDATA_NAME, RDATA_BITMAP}},
    {50 /* NSEC3 */, {RDATA_U8, RDATA_U8, RDATA_U16, RDATA_SALT, RDATA_BASE32, RDATA_BITMAP}},
    {51 /* NSEC3PARAM */, {RDATA_U8, RDATA_U8, RDATA_U16, RDATA_SALT}},
    {32768 /* TA */, {RDATA_U16, RDATA_ALGORITHM, RDATA_U8, RDATA_HEX}},
    {32769 /* DLV */, {RDATA_U16, RDATA_ALGORITHM, RDATA_U8, RDATA_HEX}},
    {37 /* CERT */, {RDATA_CERT, RDATA_U16, RDATA_ALGORITHM, RDATA_BASE64}},
    {45 /* IPSECKEY */, {RDATA_U8, RDATA_U8, RDATA_U8, RDATA_GATEWAY, RDATA_IPSECKEY}},
    {49 /* DHCID */, {RDATA_BASE64}},
    {42 /* APL */, {RDATA_APL}},
    {36 /* KX */, {RDATA_U16, RDATA_NAME}},
    {21 /* RT */, {RDATA_U16, RDATA_NAME}},
    {26 /* PX */, {RDATA_U16, RDATA_NAME, RDATA_NAME}},
    {23 /* NSAP-PTR */, {RDATA_NAME}},
    {3 /* MD */, {NAME_C}},
    {4 /* MF */, {NAME_C}},
    {7 /* MB */, {NAME_C}},
    {8 /* MG */, {NAME_C}},
    {9 /* MR */, {NAME_C}},
    {14 /* MINFO */, {NAME_C, NAME_C}},
    {104 /* NID */, {RDATA_U16, RDATA_ILNP64}},
    {105 /* L32 */, {RDATA_U16, RDATA_IPV4}},
    {106 /* L64 */, {RDATA_U16, RDATA_ILNP64}},
    {107 /* LP */, {RDATA_U16, RDATA_NAME}},
    {108 /* EUI48 */, {RDATA_EUI48}},
    {109 /* EUI64 */, {RDATA_EUI64}},
    {99 /* SPF */, {RDATA_STRINGS}},
    {56 /* NINFO */, {RDATA_STRINGS}},
    {258 /* AVC */, {RDATA_STRINGS}},
    {261 /* RESINFO */, {RDATA_STRINGS}},
    {262 /* WALLET */, {RDATA_STRINGS}},
    {66 /* DSYNC */, {RDATA_TYPE, RDATA_SCHEME, RDATA_U16, RDATA_NAME}},
    {260 /* AMTRELAY */, {RDATA_U8, RDATA_RELAY}},
};

const struct rdata_type *rdata_type_find(uint16_t type)
{
    for (size_t i = 0; i < array_len(types); i++)
        if (types[i].type == type)
            return &types[i];
    return NULL;
}

const struct rdata_type *rdata_type_at(size_t i)
{
    return i < array_len(types) ? &types[i] : NULL;
}

struct rdata_walk rdata_walk_on(const struct rdata_type *t, const uint8_t *rdata, size_t len)
{
    static const uint8_t none[1] = {RDATA_END};
    return (struct rdata_walk){t ? t->fields : none, cursor_on(rdata, len)};
}

static size_t string_len(const struct cursor *c)
{
    return cursor_left(c) ? (size_t)c->base[c->at] + 1 : SIZE_MAX;
}

/* One or more strings that end where the rdata ends. */
static size_t strings_len(struct cursor c)
{
    size_t len = cursor_left(&c);
    do
        (void)cursor_bytes(&c, string_len(&c)); /* a failure stays in c */
    while (!c.failed && cursor_left(&c));
    return c.failed ? SIZE_MAX : len;
}

/* A string that is not empty. */
static size_t filled_len(const struct cursor *c)
{
    size_t len = string_len(c);
    return len >= 2 && len <= cursor_left(c) ? len : SIZE_MAX;
}

static bool is_letter_or_digit(uint8_t c)
{
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* RFC 8659 section 4.1. */
static size_t tag_len(const struct cursor *c)
{
    size_t len = filled_len(c);
    for (size_t i = 1; len != SIZE_MAX && i < len; i++)
        if (!is_letter_or_digit(c->base[c->at + i]))
            return SIZE_MAX;
    return len;
}

/* RFC 1876 section 2: version 0, three sizes of two decimal digits each, then two angles and an
 * altitude, of which every value has a meaning. */
static size_t loc_len(struct cursor c)
{
    bool is_good = cursor_u8(&c) == 0;
    for (unsigned i = 0; i < 3; i++) {
        unsigned size = cursor_u8(&c);
        is_good = is_good && size >> 4 <= 9 && (size & 15) <= 9;
    }
    return is_good ? 16 : SIZE_MAX;
}

/* What is left, if that is at least one byte. */
static size_t rest_len(const struct cursor *c)
{
    return cursor_left(c) ? cursor_left(c) : SIZE_MAX;
}

/* Windows in ascending order, each of 1 to 32 bytes of which the last is not 0. */
static size_t bitmap_len(struct cursor c)
{
    size_t len = cursor_left(&c);
    int last = -1;
    while (!c.failed && cursor_left(&c)) {
        int window = cursor_u8(&c);
        size_t n = cursor_u8(&c);
        const uint8_t *bits = cursor_bytes(&c, n);
        if (window <= last || n == 0 || n > 32 || !bits || bits[n - 1] == 0)
            return SIZE_MAX;
        last = window;
    }
    return c.failed ? SIZE_MAX : len;
}

/* Family, prefix, negation and length, then so many bytes, the last of them not 0. */
static size_t apl_len(struct cursor c)
{
    size_t len = cursor_left(&c);
    while (!c.failed && cursor_left(&c)) {
        unsigned family = cursor_u16(&c), prefix = cursor_u8(&c), n = cursor_u8(&c) & 0x7f;
        unsigned max = family == 1 ? 4 : family == 2 ? 16 : 127;
        const uint8_t *addr = cursor_bytes(&c, n);
        if (n > max || prefix > max * 8 || (addr && n && addr[n - 1] == 0))
            return SIZE_MAX;
    }
    return c.failed ? SIZE_MAX : len;
}

static size_t gateway_len(const struct cursor *c, unsigned kind)
{
    switch (kind) {
    case 0: return 0;
    case 1: return 4;
    case 2: return 16;
    case 3: return cursor_name_len(c);
    }
    return SIZE_MAX;
}

static size_t relay_len(struct cursor c)
{
    unsigned kind = cursor_u8(&c) & 0x7f;
    size_t len = c.failed ? SIZE_MAX : gateway_len(&c, kind);
    return len == SIZE_MAX ? len : len + 1;
}

static size_t svcparams_len(const struct cursor *c)
{
    bool is_alias = c->base[0] == 0 && c->base[1] == 0; /* priority 0; two fields were read */
    return svcparam_fault(c->base + c->at, cursor_left(c), is_alias) ? SIZE_MAX : cursor_left(c);
}

/* Variable fields; 0 as answer is right for those that may be empty. */
static size_t long_field_len(enum rdata_kind kind, const struct cursor *c)
{
    switch ((unsigned)kind) {
    case RDATA_NAME_COMPRESSED:
    case RDATA_NAME: return cursor_name_len(c);
    case RDATA_SALT:
    case RDATA_STRING: return string_len(c);
    case RDATA_STRINGS: return strings_len(*c);
    case RDATA_BASE32: return filled_len(c);
    case RDATA_TAG: return tag_len(c);
    case RDATA_LOC: return loc_len(*c);
    case RDATA_TEXT: return cursor_left(c);
    case RDATA_IPSECKEY: return c->base[2] || !cursor_left(c) ? cursor_left(c) : SIZE_MAX;
    case RDATA_HEX:
    case RDATA_BASE64:
    case RDATA_URI: return rest_len(c);
    case RDATA_BITMAP: return bitmap_len(*c);
    case RDATA_APL: return apl_len(*c);
    case RDATA_GATEWAY: return gateway_len(c, c->base[c->at - 2]);
    case RDATA_RELAY: return relay_len(*c);
    case RDATA_SVCPARAMS: return svcparams_len(c);
    }
    return SIZE_MAX;
}

/* Bytes of fields of one size; 0 = it varies. */
static const uint8_t sizes[] = {
    [RDATA_U8] = 1,    [RDATA_U16] = 2,   [RDATA_U32] = 4,       [RDATA_TTL] = 4,
    [RDATA_IPV4] = 4,  [RDATA_IPV6] = 16, [RDATA_SERIAL] = 4,    [RDATA_TIME] = 4,
    [RDATA_TYPE] = 2,  [RDATA_CERT] = 2,  [RDATA_ALGORITHM] = 1, [RDATA_SCHEME] = 1,
    [RDATA_EUI48] = 6, [RDATA_EUI64] = 8, [RDATA_ILNP64] = 8,    [RDATA_SVCPARAMS] = 0,
};

static size_t field_len(enum rdata_kind kind, const struct cursor *c)
{
    return sizes[kind] ? sizes[kind] : long_field_len(kind, c);
}

bool rdata_walk_next(struct rdata_walk *walk, struct rdata_field *f)
{
    f->kind = (enum rdata_kind) * walk->kinds;
    if (f->kind == RDATA_END)
        return false;
    walk->kinds++;
    f->len = field_len(f->kind, &walk->c);
    f->bytes = cursor_bytes(&walk->c, f->len);
    return f->bytes != NULL;
}

bool rdata_is_valid(const struct rdata_type *t, const uint8_t *rdata, size_t len)
{
    struct rdata_walk walk = rdata_walk_on(t, rdata, len);
    struct rdata_field f;
    while (rdata_walk_next(&walk, &f))
        ;
    return !walk.c.failed && cursor_left(&walk.c) == 0;
}

bool rdata_can_compress(const struct rdata_type *t)
{
    for (size_t i = 0; t && t->fields[i] != RDATA_END; i++)
        if (t->fields[i] == RDATA_NAME_COMPRESSED)
            return true;
    return false;
}

static bool is_name(enum rdata_kind kind)
{
    return kind == RDATA_NAME_COMPRESSED || kind == RDATA_NAME;
}

void rdata_lower(const struct rdata_type *t, uint8_t *rdata, size_t len)
{
    struct rdata_walk walk = rdata_walk_on(t, rdata, len);
    struct rdata_field f;
    while (rdata_walk_next(&walk, &f))
        if (is_name(f.kind))
            dname_lower(rdata + (f.bytes - rdata), f.len);
}

const uint8_t *rdata_target(uint16_t type, const uint8_t *rdata, size_t len)
{
    struct rdata_walk walk = rdata_walk_on(rdata_type_find(type), rdata, len);
    struct rdata_field f;
    while (rdata_walk_next(&walk, &f))
        if (is_name(f.kind))
            return f.bytes;
    return NULL;
}
