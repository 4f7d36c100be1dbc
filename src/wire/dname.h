/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dname.h: domain names in wire form, lower-cased, uncompressed: what zones store and queries ask.
 *
 *   www.example.   ->   3 w w w 7 e x a m p l e 0        (13 bytes, 2 labels)
 *
 * A struct qname is such a name taken apart for look-up: where each label begins, and one seeded
 * hash for each of its suffixes, counted in labels from the root:
 *
 *   hash[0] of ".", hash[1] of "example.", hash[2] of "www.example."
 *
 * The hash of a suffix is made from the hash of the suffix one label shorter, so all of them cost
 * one pass from the right.  Zones store names with the same seed.
 *
 * Thread rule: [any]; nothing allocates.
 */
#ifndef WIRE_DNAME_H
#define WIRE_DNAME_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "base/attrs.h"

#define DNAME_MAX        255  /* bytes of a name, the root's zero included (RFC 1035 2.3.4) */
#define DNAME_LABEL_MAX  63   /* bytes of a label without its length byte */
#define DNAME_LABELS_MAX 127  /* labels without the root */
#define DNAME_TEXT_MAX   1024 /* 255 bytes as \DDD, dots, NUL: 254 * 4 + 2, rounded up */

struct qname {
    uint8_t len;                       /* bytes of wire */
    uint8_t labels;                    /* without the root */
    uint8_t hashed;                    /* hash[0..hashed] are valid */
    uint8_t off[DNAME_LABELS_MAX + 1]; /* off[i]: where the i-th label from the left begins */
    uint8_t wire[DNAME_MAX + 9];       /* lower case; 8 bytes of slack for wide loads */
    uint64_t hash[DNAME_LABELS_MAX + 1];
};

/* Bytes of a valid wire name, final zero included. */
static inline size_t dname_len(const uint8_t *name)
{
    const uint8_t *p = name;
    while (*p)
        p += 1 + *p;
    return (size_t)(p - name) + 1;
}

/* Labels without the root. */
static inline unsigned dname_labels(const uint8_t *name)
{
    unsigned n = 0;
    for (; *name; name += 1 + *name)
        n++;
    return n;
}

static inline bool dname_equal(const uint8_t *a, const uint8_t *b)
{
    size_t len = dname_len(a);
    return len == dname_len(b) && memcmp(a, b, len) == 0;
}

/* Is `name` equal to `zone` or below it? Both lower case. */
bool dname_is_in(const uint8_t *name, const uint8_t *zone);
/* Lower-case A-Z in place; length bytes are below 'A' and stay. */
void dname_lower(uint8_t *name, size_t len);

/* Text to wire, lower-cased. Escapes \X and \DDD; a relative name gets `origin` (wire; NULL: a
 * missing final dot counts as written). Returns the length or ERR_SYNTAX / ERR_SPACE. */
int dname_parse(const char *text, size_t text_len, const uint8_t *origin,
                uint8_t out[DNAME_MAX]) must_check;
/* Wire to text with final dot; bytes that are not plain become \DDD or \X. Returns out. */
const char *dname_print(const uint8_t *name, char out[DNAME_TEXT_MAX]);

/* The first n bytes at p, n <= 8, the rest zero. Reads 8 bytes. */
static inline uint64_t dname_load_(const uint8_t *p, size_t n)
{
    uint64_t word;
    memcpy(&word, p, 8);
    return n >= 8 ? word : le64toh(word) & ((1ull << 8 * n) - 1);
}

/* Mix one label (length byte and bytes) into the hash of the suffix to its right. The 8 bytes
 * behind the label must be readable. */
static inline uint64_t dname_hash_label(uint64_t h, const uint8_t *label)
{
    size_t n = (size_t)*label + 1;
    for (;;) {
        unsigned __int128 x = (unsigned __int128)(h ^ dname_load_(label, n)) *
                              (0x9e3779b97f4a7c15u ^ (uint64_t)n << 1);
        h = (uint64_t)x ^ (uint64_t)(x >> 64);
        if (n <= 8)
            return h;
        label += 8;
        n -= 8;
    }
}

/* The hash of the root. */
static inline uint64_t dname_hash_root(uint64_t seed)
{
    return seed | 1;
}

/* Hash of a whole wire name. */
uint64_t dname_hash(const uint8_t *name, uint64_t seed);

/* Take a valid lower-case wire name apart; hashes of suffixes of at most max_depth labels. */
void qname_set(struct qname *q, const uint8_t *name, uint64_t seed, unsigned max_depth);
/* Compute hash[] from wire, off and labels, which are set. */
void qname_hash(struct qname *q, uint64_t seed, unsigned max_depth);

/* The suffix of q that has `depth` labels (depth <= labels). */
static inline const uint8_t *qname_suffix(const struct qname *q, unsigned depth)
{
    return q->wire + (depth ? q->off[q->labels - depth] : q->len - 1);
}

#endif
