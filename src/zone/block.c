/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zone/block.h"

#include "wire/cursor.h"
#include "wire/rdata.h"

#define RR_FIXED      10 /* type, class, TTL, rdlength */
#define QUESTION_AT   12 /* behind the header */
#define QUESTION_TAIL 4  /* its type and class */
#define POINTER_MAX   0x3fffu

/* Suffixes that a pointer may mean. More than this are not remembered: a set of names that share
 * no suffix gains nothing from it, and the search is linear. */
#define KNOWN_MAX 192

struct known {
    const uint8_t *name;
    uint16_t at; /* in the message */
    uint8_t len;
};

struct block {
    struct writer w;
    size_t start; /* where the block begins in the message */
    unsigned known_count;
    struct known known[KNOWN_MAX];
};

static size_t owner_bytes(const struct build *b, uint32_t node)
{
    return b->nodes[node].name_len == 1 ? 1 : 2;
}

size_t block_plain_bytes(const struct build *b, uint32_t node, uint32_t first, unsigned *count)
{
    size_t sum = 0;
    unsigned n = 0;
    uint16_t type = b->recs[first].type;
    for (uint32_t r = first; r != BUILD_NONE && b->recs[r].type == type; r = b->recs[r].next) {
        sum += owner_bytes(b, node) + RR_FIXED + b->recs[r].rdata_len;
        n++;
    }
    *count = n;
    return sum;
}

static void remember(struct block *k, const uint8_t *name, size_t len, size_t at)
{
    if (k->known_count < KNOWN_MAX && at <= POINTER_MAX)
        k->known[k->known_count++] = (struct known){name, (uint16_t)at, (uint8_t)len};
}

static const struct known *recall(const struct block *k, const uint8_t *name, size_t len)
{
    for (unsigned i = 0; i < k->known_count; i++)
        if (k->known[i].len == len && memcmp(k->known[i].name, name, len) == 0)
            return &k->known[i];
    return NULL;
}

static void remember_question(struct block *k, const uint8_t *name, size_t len)
{
    size_t at = 0;
    for (; name[at]; at += 1u + name[at])
        remember(k, name + at, len - at, QUESTION_AT + at);
}

static void put_name(struct block *k, const uint8_t *name, size_t len)
{
    while (*name) {
        const struct known *seen = recall(k, name, len);
        size_t label = 1u + *name;
        if (seen) {
            writer_u16(&k->w, (uint16_t)(0xc000 | seen->at));
            return;
        }
        remember(k, name, len, k->start + k->w.at);
        writer_bytes(&k->w, name, label);
        name += label;
        len -= label;
    }
    writer_u8(&k->w, 0);
}

static void put_rdata(struct block *k, uint16_t type, const uint8_t *rdata, size_t len)
{
    struct rdata_walk walk = rdata_walk_on(rdata_type_find(type), rdata, len);
    struct rdata_field f;
    while (rdata_walk_next(&walk, &f)) {
        if (f.kind == RDATA_NAME_COMPRESSED)
            put_name(k, f.bytes, f.len);
        else
            writer_bytes(&k->w, f.bytes, f.len);
    }
}

static void put_head(struct writer *w, const struct build_rec *r, bool is_root)
{
    if (is_root)
        writer_u8(w, 0);
    else
        writer_u16(w, 0xc000 | QUESTION_AT);
    writer_u16(w, r->type);
    writer_u16(w, RRCLASS_IN);
    writer_u32(w, r->ttl_s);
    writer_u16(w, r->rdata_len);
}

size_t block_write(const struct build *b, uint32_t node, uint32_t first, unsigned count,
                   bool compress, uint8_t *out)
{
    struct block k;
    size_t name_len = b->nodes[node].name_len;
    k.w = writer_on(out, BLOCK_MAX);
    k.start = QUESTION_AT + name_len + QUESTION_TAIL;
    k.known_count = 0;
    if (compress)
        remember_question(&k, build_name(b, node), name_len);
    uint32_t r = first;
    for (unsigned i = 0; i < count; i++, r = b->recs[r].next) {
        put_head(&k.w, &b->recs[r], name_len == 1);
        size_t rdata_at = k.w.at;
        if (compress)
            put_rdata(&k, b->recs[r].type, build_rdata(b, r), b->recs[r].rdata_len);
        else
            writer_bytes(&k.w, build_rdata(b, r), b->recs[r].rdata_len);
        writer_set_u16(&k.w, rdata_at - 2, (uint16_t)(k.w.at - rdata_at));
    }
    return k.w.at;
}
