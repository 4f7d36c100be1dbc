/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zone/digest.h"

#include "base/hashmap.h"
#include "wire/cursor.h"

/* Any number but 0, and never another: digests are compared between releases. */
#define DIGEST_START 0x7468726573680001u

#define HANDLE_BYTES 4 /* of a dynamic record: a number of this process alone */

static uint64_t digest_record(const struct build *b, uint64_t owner, uint32_t rec)
{
    const struct build_rec *r = &b->recs[rec];
    size_t skip = build_is_dynamic(r->type) ? HANDLE_BYTES : 0;
    uint8_t head[8];
    struct writer w = writer_on(head, sizeof head);
    writer_u16(&w, r->type);
    writer_u32(&w, r->ttl_s);
    writer_u16(&w, r->rdata_len);
    uint64_t h = hash_bytes(owner, head, sizeof head);
    return hash_bytes(h, build_rdata(b, rec) + skip, r->rdata_len - skip);
}

/* A sum does not depend on the order in which records come. */
uint64_t digest_zone(const struct build *b)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < b->node_count; i++) {
        const struct build_node *n = &b->nodes[i];
        if (n->flags & BUILD_REDIRECTED)
            continue;
        uint64_t owner = hash_bytes(DIGEST_START, build_name(b, i), n->name_len);
        for (uint32_t r = n->first; r != BUILD_NONE; r = b->recs[r].next)
            sum += digest_record(b, owner, r);
    }
    return sum;
}
