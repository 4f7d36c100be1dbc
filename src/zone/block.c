/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zone/block.h"

#include "wire/rdata.h"

#define RR_FIXED      10 /* type, class, TTL, rdlength */
#define QUESTION_TAIL 4  /* its type and class */
#define POINTER_MAX   0x3fffu

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
    if (k->known_count < BLOCK_KNOWN_MAX && at <= POINTER_MAX)
        k->known[k->known_count++] = (struct block_known){name, (uint16_t)at, (uint8_t)len};
}

static const struct block_known *recall(const struct block *k, const uint8_t *name, size_t len)
{
    for (unsigned i = 0; i < k->known_count; i++)
        if (k->known[i].len == len && memcmp(k->known[i].name, name, len) == 0)
            return &k->known[i];
    return NULL;
}

void block_open(struct block *k, void *room, size_t cap, const uint8_t *question)
{
    size_t len = dname_len(question);
    k->w = writer_on(room, cap);
    k->start = BLOCK_QUESTION_AT + len + QUESTION_TAIL;
    k->known_count = 0;
    k->pointers = NULL;
    k->pointer_count = k->pointer_cap = 0;
    k->pointers_lost = false;
    for (size_t at = 0; question[at]; at += 1u + question[at])
        remember(k, question + at, len - at, BLOCK_QUESTION_AT + at);
}

void block_note_pointers(struct block *k, struct block_pointer *pointers, unsigned cap)
{
    k->pointers = pointers;
    k->pointer_cap = cap;
}

static void put_pointer(struct block *k, uint16_t to)
{
    if (k->pointers && k->pointer_count < k->pointer_cap)
        k->pointers[k->pointer_count++] = (struct block_pointer){(uint16_t)k->w.at, to};
    else
        k->pointers_lost = true;
    writer_u16(&k->w, 0xc000 | to);
}

static void put_name(struct block *k, const uint8_t *name)
{
    size_t len = dname_len(name);
    while (*name) {
        const struct block_known *seen = recall(k, name, len);
        size_t label = 1u + *name;
        if (seen) {
            put_pointer(k, seen->at);
            return;
        }
        remember(k, name, len, k->start + k->w.at);
        writer_bytes(&k->w, name, label);
        name += label;
        len -= label;
    }
    writer_u8(&k->w, 0);
}

static void put_fixed(struct writer *w, uint16_t type, uint32_t ttl_s, size_t rdata_len)
{
    writer_u16(w, type);
    writer_u16(w, RRCLASS_IN);
    writer_u32(w, ttl_s);
    writer_u16(w, (uint16_t)rdata_len);
}

static void put_rdata(struct block *k, uint16_t type, const uint8_t *rdata, size_t len)
{
    struct rdata_walk walk = rdata_walk_on(rdata_type_find(type), rdata, len);
    struct rdata_field f;
    size_t at = k->w.at;
    if (!rdata_can_compress(rdata_type_find(type)))
        writer_bytes(&k->w, rdata, len);
    else
        while (rdata_walk_next(&walk, &f)) {
            if (f.kind == RDATA_NAME_COMPRESSED)
                put_name(k, f.bytes);
            else
                writer_bytes(&k->w, f.bytes, f.len);
        }
    writer_set_u16(&k->w, at - 2, (uint16_t)(k->w.at - at));
}

void block_put_rr(struct block *k, const uint8_t *owner, uint16_t type, uint32_t ttl_s,
                  const uint8_t *rdata, size_t len)
{
    put_name(k, owner);
    put_fixed(&k->w, type, ttl_s, len);
    put_rdata(k, type, rdata, len);
}

static void put_asked(struct writer *w, bool is_root)
{
    if (is_root)
        writer_u8(w, 0);
    else
        writer_u16(w, 0xc000 | BLOCK_QUESTION_AT);
}

void block_put_asked_rr(struct block *k, uint16_t type, uint32_t ttl_s, const uint8_t *rdata,
                        size_t len)
{
    put_asked(&k->w, false);
    put_fixed(&k->w, type, ttl_s, len);
    put_rdata(k, type, rdata, len);
}

size_t block_write(const struct build *b, uint32_t node, uint32_t first, unsigned count,
                   bool compress, uint8_t *out)
{
    struct block k;
    bool is_root = b->nodes[node].name_len == 1;
    block_open(&k, out, BLOCK_MAX, build_name(b, node));
    uint32_t r = first;
    for (unsigned i = 0; i < count; i++, r = b->recs[r].next) {
        const struct build_rec *rec = &b->recs[r];
        put_asked(&k.w, is_root);
        put_fixed(&k.w, rec->type, rec->ttl_s, rec->rdata_len);
        if (compress)
            put_rdata(&k, rec->type, build_rdata(b, r), rec->rdata_len);
        else
            writer_bytes(&k.w, build_rdata(b, r), rec->rdata_len);
    }
    return k.w.at;
}
