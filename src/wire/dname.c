/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wire/dname.h"

#include <stdio.h>

#include "base/err.h"

bool dname_is_in(const uint8_t *name, const uint8_t *zone)
{
    unsigned have = dname_labels(name), want = dname_labels(zone);
    if (have < want)
        return false;
    for (; have > want; have--)
        name += 1 + *name;
    return dname_equal(name, zone);
}

/* Eight bytes at once: bit 7 of each byte tells whether it is in 'A'..'Z'. */
static uint64_t lower8(uint64_t x)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t low = x & (0x7f * ones);
    uint64_t from_a = low + (0x80 - 'A') * ones, above_z = low + (0x7f - 'Z') * ones;
    uint64_t upper = (from_a ^ above_z) & ~x & (0x80 * ones);
    return x | upper >> 2;
}

static void lower8_at(uint8_t *p)
{
    uint64_t x;
    memcpy(&x, p, 8);
    x = lower8(x);
    memcpy(p, &x, 8);
}

void dname_lower(uint8_t *name, size_t len)
{
    size_t i = 0;
    for (; i + 8 <= len; i += 8)
        lower8_at(name + i);
    if (i < len && len >= 8) {
        lower8_at(name + len - 8); /* overlaps; lowering twice changes nothing */
        return;
    }
    for (; i < len; i++)
        name[i] = (uint8_t)(name[i] + ((uint8_t)(name[i] - 'A') < 26 ? 32 : 0));
}

/* One character of a name's text: plain, \X or \DDD. Returns the bytes read, 0 if malformed. */
static size_t read_char(const char *text, size_t left, uint8_t *out)
{
    if (text[0] != '\\') {
        *out = (uint8_t)text[0];
        return 1;
    }
    if (left < 2)
        return 0;
    if (text[1] < '0' || text[1] > '9') {
        *out = (uint8_t)text[1];
        return 2;
    }
    unsigned value = 0;
    for (size_t i = 1; i <= 3; i++) {
        if (i >= left || text[i] < '0' || text[i] > '9')
            return 0;
        value = value * 10 + (unsigned)(text[i] - '0');
    }
    if (value > 255)
        return 0;
    *out = (uint8_t)value;
    return 4;
}

/* Finish a name whose labels fill out[0..len-1]: add the root or the origin. */
static int finish(uint8_t *out, size_t len, const uint8_t *origin)
{
    static const uint8_t root[1] = {0};
    const uint8_t *tail = origin ? origin : root;
    size_t tail_len = dname_len(tail);
    if (len + tail_len > DNAME_MAX)
        return ERR_SPACE;
    memcpy(out + len, tail, tail_len);
    len += tail_len;
    dname_lower(out, len);
    return (int)len;
}

int dname_parse(const char *text, size_t text_len, const uint8_t *origin, uint8_t out[DNAME_MAX])
{
    size_t len = 0, label = 0; /* out[label] will hold the current label's length */
    if (text_len == 1 && text[0] == '.')
        return finish(out, 0, NULL);
    if (text_len == 0)
        return ERR_SYNTAX;
    for (size_t i = 0; i < text_len;) {
        if (text[i] == '.') {
            size_t n = len - label;
            if (n <= 1)
                return ERR_SYNTAX;
            out[label] = (uint8_t)(n - 1);
            label = len;
            i++;
            continue;
        }
        if (len == label) {
            if (len >= DNAME_MAX - 1)
                return ERR_SPACE;
            len++;
        }
        uint8_t c;
        size_t used = read_char(text + i, text_len - i, &c);
        if (used == 0)
            return ERR_SYNTAX;
        if (len >= DNAME_MAX - 1 || len - label > DNAME_LABEL_MAX)
            return ERR_SPACE;
        out[len++] = c;
        i += used;
    }
    if (len == label) /* ended in a dot: absolute */
        return finish(out, len, NULL);
    out[label] = (uint8_t)(len - label - 1);
    return finish(out, len, origin);
}

const char *dname_print(const uint8_t *name, char out[DNAME_TEXT_MAX])
{
    char *p = out;
    if (!*name)
        *p++ = '.';
    for (; *name; name += 1 + *name) {
        for (unsigned i = 1; i <= *name; i++) {
            uint8_t c = name[i];
            if (c <= 0x20 || c >= 0x7f)
                p += snprintf(p, 5, "\\%03u", c);
            else if (strchr(".\\\"();@$", c)) {
                *p++ = '\\';
                *p++ = (char)c;
            } else {
                *p++ = (char)c;
            }
        }
        *p++ = '.';
    }
    *p = '\0';
    return out;
}

uint64_t dname_hash(const uint8_t *name, uint64_t seed)
{
    uint8_t copy[DNAME_MAX + 8]; /* with room for wide loads behind it */
    uint8_t off[DNAME_LABELS_MAX];
    size_t len = dname_len(name);
    unsigned n = 0;
    uint64_t h = dname_hash_root(seed);
    memcpy(copy, name, len);
    memset(copy + len, 0, 8);
    for (size_t at = 0; copy[at]; at += 1u + copy[at])
        off[n++] = (uint8_t)at;
    while (n)
        h = dname_hash_label(h, copy + off[--n]);
    return h;
}

void qname_hash(struct qname *q, uint64_t seed, unsigned max_depth)
{
    unsigned depth = q->labels < max_depth ? q->labels : max_depth;
    uint64_t h = dname_hash_root(seed);
    q->hash[0] = h;
    for (unsigned d = 1; d <= depth; d++) {
        h = dname_hash_label(h, q->wire + q->off[q->labels - d]);
        q->hash[d] = h;
    }
    q->hashed = (uint8_t)depth;
}

void qname_set(struct qname *q, const uint8_t *name, uint64_t seed, unsigned max_depth)
{
    size_t len = dname_len(name);
    unsigned n = 0;
    memcpy(q->wire, name, len);
    memset(q->wire + len, 0, 8);
    q->len = (uint8_t)len;
    for (size_t at = 0; q->wire[at]; at += 1u + q->wire[at])
        q->off[n++] = (uint8_t)at;
    q->labels = (uint8_t)n;
    q->off[n] = (uint8_t)(len - 1);
    qname_hash(q, seed, max_depth);
}
