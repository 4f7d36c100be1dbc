/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zone/freeze.h"

#include <string.h>

#include "base/mem.h"
#include "wire/rdata.h"
#include "zone/block.h"
#include "zone/digest.h"
#include "zone/dyna.h"
#include "zone/soa.h"
#include "zone/table.h"

/* A node's last rrset, if it is of addresses, ends behind them: 8 bytes less for most names. */
#define ADDRESS_SET_BYTES (offsetof(struct rrset, addrs) + sizeof(struct addrset))

_Static_assert(ADDRESS_SET_BYTES % _Alignof(struct rrset) == 0, "sets lie one after another");

/* What the arena has to hold. */
struct plan {
    size_t nodes, glue; /* of the zone, and outside it */
    size_t set_bytes, byte_count, dyns, path_bytes;
};

struct freeze {
    struct build *b;
    struct zone *z;
    struct node *nodes;    /* nodes[place] */
    uint64_t *hashes;      /* likewise, while tables are made */
    uint8_t *sets, *bytes; /* where the next goes */
    struct zone_dyn *dyns;
    size_t rr_count;
};

static unsigned family_of(uint16_t type)
{
    return type == RRTYPE_A ? 4 : 6;
}

static uint32_t skip(const struct build *b, uint32_t rec, unsigned count)
{
    for (; count > 0; count--)
        rec = b->recs[rec].next;
    return rec;
}

static size_t set_bytes(const struct build *b, uint32_t rec, uint32_t next)
{
    bool is_last = next == BUILD_NONE || build_is_dynamic(b->recs[next].type);
    return is_last && rrtype_is_address(b->recs[rec].type) ? ADDRESS_SET_BYTES
                                                           : sizeof(struct rrset);
}

static void plan_node(const struct build *b, uint32_t node, struct plan *p)
{
    p->byte_count += b->nodes[node].name_len;
    unsigned count;
    for (uint32_t r = b->nodes[node].first, next; r != BUILD_NONE; r = next) {
        uint16_t type = b->recs[r].type;
        size_t plain = block_plain_bytes(b, node, r, &count);
        next = skip(b, r, count);
        if (build_is_dynamic(type)) {
            p->dyns++;
            continue;
        }
        p->set_bytes += set_bytes(b, r, next);
        p->byte_count += rrtype_is_address(type) ? (size_t)count * (type == RRTYPE_A ? 4 : 16)
                         : rdata_can_compress(rdata_type_find(type)) ? plain * 2
                                                                     : plain;
    }
}

static bool is_in_zone(const struct build_node *n)
{
    return !(n->flags & (BUILD_OUTSIDE | BUILD_REDIRECTED));
}

static bool is_glue(const struct build_node *n)
{
    return (n->flags & BUILD_OUTSIDE) && n->first != BUILD_NONE;
}

/* Number the nodes: those of the zone first. Outside it only names with records count. */
static struct plan plan_zone(struct build *b)
{
    struct plan p = {0};
    for (uint32_t i = 0; i < b->node_count; i++) {
        if (!is_in_zone(&b->nodes[i]))
            continue;
        b->nodes[i].place = (uint32_t)p.nodes++;
        plan_node(b, i, &p);
    }
    for (uint32_t i = 0; i < b->node_count; i++) {
        if (!is_glue(&b->nodes[i]))
            continue;
        b->nodes[i].place = (uint32_t)(p.nodes + p.glue++);
        plan_node(b, i, &p);
    }
    for (size_t i = 0; i < b->source_count; i++)
        p.path_bytes += sizeof(struct zone_file) + strlen(b->sources[i].path) + 1;
    return p;
}

static size_t arena_bytes(const struct plan *p)
{
    return sizeof(struct zone) + sizeof(struct arena) + p->path_bytes +
           (p->nodes + p->glue) * sizeof(struct node) + table_bytes(p->nodes) +
           (p->glue ? table_bytes(p->glue) : 0) + p->set_bytes + p->byte_count +
           p->dyns * sizeof(struct zone_dyn) + 64; /* and what alignment takes */
}

static void freeze_addresses(struct freeze *f, struct rrset *s, uint32_t rec)
{
    const struct build *b = f->b;
    s->addrs = addrset_on(f->bytes, s->count, family_of(s->type));
    for (unsigned i = 0; i < s->count; i++, rec = b->recs[rec].next) {
        memcpy(f->bytes, build_rdata(b, rec), s->addrs.addr_bytes);
        f->bytes += s->addrs.addr_bytes;
    }
}

static void freeze_rrs(struct freeze *f, struct rrset *s, uint32_t node, uint32_t rec)
{
    size_t plain = block_write(f->b, node, rec, s->count, false, f->bytes), block = plain;
    s->rrs.plain = s->rrs.block = f->bytes;
    f->bytes += plain;
    if (rdata_can_compress(rdata_type_find(s->type)))
        block = block_write(f->b, node, rec, s->count, true, f->bytes);
    if (block < plain) {
        s->rrs.block = f->bytes;
        f->bytes += block;
    }
    s->rrs.plain_len = (uint16_t)plain;
    s->rrs.block_len = (uint16_t)block;
}

static void freeze_set(struct freeze *f, uint32_t node, uint32_t rec, unsigned count)
{
    const struct build_rec *r = &f->b->recs[rec];
    struct rrset *s = (void *)f->sets;
    f->sets += set_bytes(f->b, rec, skip(f->b, rec, count));
    s->type = r->type;
    s->count = (uint16_t)count;
    s->ttl_s = r->ttl_s;
    if (rrtype_is_address(s->type))
        freeze_addresses(f, s, rec);
    else
        freeze_rrs(f, s, node, rec);
    f->rr_count += count;
}

/* The node's rrsets, by type as build_finish sorted them, and its DYNA. */
static void freeze_sets(struct freeze *f, uint32_t node, struct node *n)
{
    const struct build *b = f->b;
    unsigned count;
    for (uint32_t r = b->nodes[node].first, next; r != BUILD_NONE; r = next) {
        (void)block_plain_bytes(b, node, r, &count); /* for the count */
        next = skip(b, r, count);
        if (build_is_dynamic(b->recs[r].type)) {
            *f->dyns = dyna_read(b, r);
            n->dyn = f->dyns++;
            f->rr_count++;
            continue;
        }
        if (n->set_count++ == 0)
            n->sets = (void *)f->sets;
        freeze_set(f, node, r, count);
    }
}

static const struct node *node_at(const struct freeze *f, uint32_t node)
{
    bool is_here = node != BUILD_NONE && is_in_zone(&f->b->nodes[node]);
    return is_here ? &f->nodes[f->b->nodes[node].place] : NULL;
}

static void freeze_node(struct freeze *f, uint32_t node)
{
    const struct build_node *from = &f->b->nodes[node];
    struct node *n = &f->nodes[from->place];
    memcpy(f->bytes, build_name(f->b, node), from->name_len);
    n->name = f->bytes;
    f->bytes += from->name_len;
    n->name_len = from->name_len;
    n->labels = from->labels;
    n->hash_hi = (uint32_t)(from->hash >> 32);
    n->flags = (uint8_t)(from->flags & (NODE_CUT | NODE_BELOW_CUT | NODE_WILD));
    f->z->flags_used |= n->flags;
    n->cut = node_at(f, from->cut);
    n->wild = node_at(f, from->wild);
    freeze_sets(f, node, n);
    f->hashes[from->place] = from->hash;
    if (!(from->flags & BUILD_OUTSIDE))
        f->z->depths[from->labels >> 6] |= (uint64_t)1 << (from->labels & 63);
}

static void fill_zone(struct freeze *f, struct arena *a, const struct plan *p)
{
    struct zone *z = f->z;
    const struct build *b = f->b;
    uint32_t soa = build_find_rec(b, 0, RRTYPE_SOA);
    z->apex_len = b->nodes[0].name_len;
    z->apex_labels = b->nodes[0].labels;
    memcpy(z->apex, build_name(b, 0), z->apex_len);
    z->apex_node = &f->nodes[0];
    z->soa = node_find_set(z->apex_node, RRTYPE_SOA);
    z->neg_ttl_s = soa_neg_ttl(b, soa);
    z->serial = soa_read(b, soa).serial;
    z->seed = b->seed;
    z->node_count = p->nodes;
    z->rr_count = f->rr_count;
    z->loaded = b->started;
    z->refs = 1;
    z->table = table_new(a, f->nodes, p->nodes, f->hashes);
    if (p->glue)
        z->glue = table_new(a, f->nodes + p->nodes, p->glue, f->hashes + p->nodes);
}

static void freeze_files(struct freeze *f, struct arena *a)
{
    const struct build *b = f->b;
    struct zone_file *files = arena_array(a, b->source_count, struct zone_file);
    for (size_t i = 0; i < b->source_count; i++) {
        files[i] = b->sources[i];
        files[i].path = arena_strdup(a, b->sources[i].path);
    }
    f->z->files = files;
    f->z->file_count = b->source_count;
    f->z->file = files[0].path;
}

/* The digest, made while the arena is written: both only read the build. */
struct beside {
    struct crew *crew;
    struct crew_band band;
    const struct build *b;
    uint64_t digest;
};

static void *make_digest(void *arg)
{
    struct beside *s = arg;
    s->digest = digest_zone(s->b);
    crew_give(s->crew);
    return NULL;
}

static void start_digest(struct beside *s)
{
    if (!s->crew || !crew_start(s->crew, &s->band, make_digest, s))
        s->digest = digest_zone(s->b);
}

struct zone *freeze_zone(struct build *b, struct crew *crew)
{
    struct plan p = plan_zone(b);
    struct arena a;
    struct freeze f = {.b = b};
    struct beside digest = {.crew = crew, .b = b};
    start_digest(&digest);
    arena_init(&a, arena_bytes(&p));
    f.z = arena_new(&a, struct zone);
    f.z->arena = arena_new(&a, struct arena);
    freeze_files(&f, &a); /* beside the zone: a reload reads both */
    f.nodes = arena_array(&a, p.nodes + p.glue, struct node);
    f.sets = arena_alloc(&a, p.set_bytes, _Alignof(struct rrset));
    f.dyns = arena_array(&a, p.dyns, struct zone_dyn);
    f.bytes = arena_alloc(&a, p.byte_count, 1);
    f.hashes = mem_array(p.nodes + p.glue, sizeof *f.hashes);
    for (uint32_t i = 0; i < b->node_count; i++)
        if (is_in_zone(&b->nodes[i]) || is_glue(&b->nodes[i]))
            freeze_node(&f, i);
    fill_zone(&f, &a, &p);
    mem_free(f.hashes);
    f.z->ready_memory = ready_make(f.z);
    crew_join(&digest.band);
    f.z->content_hash = digest.digest;
    *f.z->arena = a;
    return f.z;
}
