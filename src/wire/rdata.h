/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rdata.h: what the rdata of each record type is made of, as one table: a type that zones can hold
 * is one row of it, and a mnemonic in rrtype.c.
 *
 *   {RRTYPE_MX, {RDATA_U16, RDATA_NAME_COMPRESSED}},
 *
 * The text reader (zone/rdtext), the check of foreign rdata, the compression of names in answers
 * and additional data all read the row; none of them knows a type by name.
 *
 * Thread rule: [any]; nothing allocates.
 */
#ifndef WIRE_RDATA_H
#define WIRE_RDATA_H

#include <stdbool.h>
#include "base/attrs.h"
#include "wire/cursor.h"
#include "wire/rrtype.h"

enum rdata_kind {
    RDATA_END,             /* no more fields */
    RDATA_NAME_COMPRESSED, /* a name that answers may compress (RFC 3597 section 4) */
    RDATA_NAME,            /* a name that they may not */
    RDATA_U8,
    RDATA_U16,
    RDATA_U32,
    RDATA_TTL,       /* 32 bits, written as a duration */
    RDATA_IPV4,      /* 4 bytes */
    RDATA_IPV6,      /* 16 bytes */
    RDATA_STRING,    /* one string of at most 255 bytes behind its length */
    RDATA_STRINGS,   /* one or more of them, to the end */
    RDATA_TAG,       /* as STRING; letters and digits, at least one (CAA) */
    RDATA_TEXT,      /* bytes without a length, to the end (CAA) */
    RDATA_URI,       /* as TEXT, at least one byte (URI) */
    RDATA_SERIAL,    /* 32 bits, a number; under gdnsd's rules a duration (SOA) */
    RDATA_TIME,      /* 32 bits, written YYYYMMDDHHmmSS or as a number (RRSIG) */
    RDATA_TYPE,      /* 16 bits, a record type by name */
    RDATA_CERT,      /* 16 bits, the kind of a certificate by name or number */
    RDATA_ALGORITHM, /* 8 bits, a DNSSEC algorithm by name or number */
    RDATA_SCHEME,    /* 8 bits, NOTIFY or a number (DSYNC) */
    RDATA_EUI48,     /* 6 bytes, hexadecimal with dashes */
    RDATA_EUI64,     /* 8 bytes, likewise */
    RDATA_ILNP64,    /* 8 bytes, hexadecimal in four groups with colons (NID, L64) */
    RDATA_HEX,       /* one or more bytes to the end, hexadecimal */
    RDATA_BASE64,    /* one or more bytes to the end */
    RDATA_IPSECKEY,  /* as BASE64; none if the algorithm, byte 2 of the rdata, is 0 */
    RDATA_SALT,      /* at most 255 bytes behind their length, hexadecimal or "-" (NSEC3) */
    RDATA_BASE32,    /* 1 to 255 bytes behind their length, base32 with the hex alphabet (NSEC3) */
    RDATA_BITMAP,    /* a set of types to the end, perhaps empty (RFC 4034 section 4.1.2) */
    RDATA_LOC,       /* 16 bytes (RFC 1876) */
    RDATA_APL,       /* address prefixes to the end (RFC 3123) */
    RDATA_GATEWAY,   /* nothing, an address or a name, by the byte two fields before (IPSECKEY) */
    RDATA_RELAY,     /* flag and kind in one byte, then as GATEWAY (AMTRELAY, RFC 8777) */
    RDATA_SVCPARAMS, /* parameters to the end (RFC 9460), wire/svcparam */
};

/* RRSIG has the most fields: nine. */
#define RDATA_FIELDS 10

struct rdata_type {
    uint16_t type;
    uint8_t fields[RDATA_FIELDS]; /* enum rdata_kind, RDATA_END behind the last */
};

/* One field of some rdata. */
struct rdata_field {
    enum rdata_kind kind;
    const uint8_t *bytes;
    size_t len;
};

/* Walks over the fields of one rdata. */
struct rdata_walk {
    const uint8_t *kinds;
    struct cursor c;
};

/* NULL = no row: rdata of that type is opaque bytes. */
const struct rdata_type *rdata_type_find(uint16_t type);
/* The rows, for messages; NULL behind the last. */
const struct rdata_type *rdata_type_at(size_t i);

/* t may be NULL: then there are no fields. */
struct rdata_walk rdata_walk_on(const struct rdata_type *t, const uint8_t *rdata, size_t len);
/* false at the end, or when the bytes do not fit the row (walk->c.failed). */
bool rdata_walk_next(struct rdata_walk *walk, struct rdata_field *f);

/* Is this exactly what the row describes? */
bool rdata_is_valid(const struct rdata_type *t, const uint8_t *rdata, size_t len);
/* Does the row have a name that answers may compress? */
bool rdata_can_compress(const struct rdata_type *t);
/* Lower-case the names in valid rdata, in place. */
void rdata_lower(const struct rdata_type *t, uint8_t *rdata, size_t len);
/* The first name in valid rdata: the target of NS, CNAME, PTR, MX, SRV, SVCB; NULL = there is none.
 */
const uint8_t *rdata_target(uint16_t type, const uint8_t *rdata, size_t len);

#endif
