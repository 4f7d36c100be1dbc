/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zone/build.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "wire/rrtype.h"
#include "zone/zone.h"

/* Bytes of a zone file per name, low, so that the index rarely has to grow. */
#define TEXT_PER_NAME 32

/* Owners that build_append looks ahead: enough to hide a cache miss behind the work of the others.
 */
#define PREFETCH_AHEAD 8

#define INDEX_MIN 64 /* a power of two, as every size of the index */

/* Grow *array of *cap elements until it holds `need`. */
static void *grown(void *array, size_t *cap, size_t need, size_t size)
{
    if (need <= *cap)
        return array;
    *cap = need > *cap * 2 ? need + 16 : *cap * 2;
    return mem_grow(array, *cap, size);
}

static size_t index_size_for(size_t nodes)
{
    size_t cap = INDEX_MIN;
    while (cap < nodes * 2)
        cap *= 2;
    return cap;
}

static void index_clear(struct build *b, size_t cap)
{
    if (cap > b->index_cap || cap * 64 < b->index_cap) {
        mem_free(b->index);
        b->index = mem_array(cap, sizeof *b->index);
    } else {
        memset(b->index, 0, cap * sizeof *b->index);
    }
    b->index_cap = cap;
}

static void forget_files(struct build *b)
{
    for (size_t i = 0; i < b->file_count; i++)
        mem_free(b->files[i]);
    for (size_t i = 0; i < b->source_count; i++)
        mem_free((char *)(uintptr_t)b->sources[i].path);
    b->file_count = b->source_count = 0;
}

void build_start(struct build *b, const uint8_t *apex, size_t size_hint)
{
    forget_files(b);
    b->node_count = b->rec_count = b->byte_count = 0;
    b->started = wall_now();
    if (!b->room)
        b->room = mem_alloc(UINT16_MAX);
    index_clear(b, index_size_for(size_hint / TEXT_PER_NAME));
    (void)build_owner(b, apex, dname_len(apex), dname_hash(apex, b->seed)); /* node 0 */
}

void build_fini(struct build *b)
{
    mem_free(b->nodes);
    mem_free(b->recs);
    mem_free(b->bytes);
    mem_free(b->index);
    forget_files(b);
    mem_free(b->files);
    mem_free(b->sources);
    mem_free(b->scratch);
    mem_free(b->room);
    *b = (struct build){0};
}

uint16_t build_file(struct build *b, const char *path)
{
    b->files = grown(b->files, &b->file_cap, b->file_count + 1, sizeof *b->files);
    b->files[b->file_count] = mem_strdup(path);
    return (uint16_t)b->file_count++;
}

static int64_t time_ns(struct timespec t)
{
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool is_known_source(const struct build *b, const struct stat *st)
{
    for (size_t i = 0; i < b->source_count; i++)
        if (b->sources[i].inode == st->st_ino && b->sources[i].dev == st->st_dev)
            return true;
    return false;
}

void build_add_source(struct build *b, const char *path, const struct stat *st)
{
    if (st && is_known_source(b, st))
        return;
    b->sources = grown(b->sources, &b->source_cap, b->source_count + 1, sizeof *b->sources);
    struct zone_file *f = &b->sources[b->source_count++];
    *f = (struct zone_file){.path = mem_strdup(path)};
    if (!st)
        return;
    f->dev = st->st_dev;
    f->inode = st->st_ino;
    f->size = (uint64_t)st->st_size;
    f->mtime_ns = time_ns(st->st_mtim);
    f->ctime_ns = time_ns(st->st_ctim);
}

static uint32_t add_bytes(struct build *b, const void *bytes, size_t len)
{
    b->bytes = grown(b->bytes, &b->byte_cap, b->byte_count + len, 1);
    memcpy(b->bytes + b->byte_count, bytes, len);
    b->byte_count += len;
    return (uint32_t)(b->byte_count - len);
}

/* Where `hash` begins to be looked for. */
static size_t index_start(const struct build *b, uint64_t hash)
{
    return hash & (b->index_cap - 1);
}

static uint64_t index_entry(uint64_t hash, uint32_t node)
{
    return (hash >> 32 << 32) | (node + 1);
}

static void index_put(struct build *b, uint64_t hash, uint32_t node)
{
    size_t i = index_start(b, hash);
    while (b->index[i])
        i = (i + 1) & (b->index_cap - 1);
    b->index[i] = index_entry(hash, node);
}

static uint32_t index_find(const struct build *b, uint64_t hash, const uint8_t *name, size_t len)
{
    for (size_t i = index_start(b, hash); b->index[i]; i = (i + 1) & (b->index_cap - 1)) {
        if (b->index[i] >> 32 != hash >> 32)
            continue;
        uint32_t node = (uint32_t)b->index[i] - 1;
        if (b->nodes[node].name_len == len && memcmp(build_name(b, node), name, len) == 0)
            return node;
    }
    return BUILD_NONE;
}

static void index_double(struct build *b)
{
    index_clear(b, b->index_cap * 2);
    for (size_t i = 0; i < b->node_count; i++)
        index_put(b, b->nodes[i].hash, (uint32_t)i);
}

/* The name stands at name_at of the bytes already. */
static uint32_t add_node(struct build *b, uint64_t hash, uint32_t name_at, size_t len)
{
    if ((b->node_count + 1) * 2 > b->index_cap)
        index_double(b);
    b->nodes = grown(b->nodes, &b->node_cap, b->node_count + 1, sizeof *b->nodes);
    uint32_t node = (uint32_t)b->node_count++;
    b->nodes[node] = (struct build_node){
        .hash = hash,
        .name_at = name_at,
        .first = BUILD_NONE,
        .last = BUILD_NONE,
        .parent = BUILD_NONE,
        .cut = BUILD_NONE,
        .wild = BUILD_NONE,
        .name_len = (uint8_t)len,
        .labels = (uint8_t)dname_labels(b->bytes + name_at),
    };
    index_put(b, hash, node);
    return node;
}

void build_prefetch(const struct build *b, uint64_t hash)
{
    __builtin_prefetch(&b->index[index_start(b, hash)]);
}

uint32_t build_owner(struct build *b, const uint8_t *name, size_t len, uint64_t hash)
{
    uint32_t node = index_find(b, hash, name, len);
    return node != BUILD_NONE ? node : add_node(b, hash, add_bytes(b, name, len), len);
}

/* The node one label up, made if needed; its name is the tail of this one's. */
static uint32_t parent_of(struct build *b, uint32_t node)
{
    const uint8_t *name = build_name(b, node);
    size_t skip = (size_t)*name + 1, len = b->nodes[node].name_len - skip;
    uint64_t hash = dname_hash(name + skip, b->seed);
    uint32_t parent = index_find(b, hash, name + skip, len);
    uint32_t name_at = b->nodes[node].name_at + (uint32_t)skip;
    return parent != BUILD_NONE ? parent : add_node(b, hash, name_at, len);
}

uint32_t build_find(const struct build *b, const uint8_t *name)
{
    return index_find(b, dname_hash(name, b->seed), name, dname_len(name));
}

void build_add(struct build *b, uint32_t node, struct build_rec rec, const uint8_t *rdata)
{
    b->recs = grown(b->recs, &b->rec_cap, b->rec_count + 1, sizeof *b->recs);
    uint32_t at = (uint32_t)b->rec_count++;
    struct build_node *n = &b->nodes[node];
    rec.rdata_at = add_bytes(b, rdata, rec.rdata_len);
    rec.next = BUILD_NONE;
    b->recs[at] = rec;
    if (n->first == BUILD_NONE)
        n->first = at;
    else
        b->recs[n->last].next = at;
    n->last = at;
}

bool build_append(struct build *b, const struct build *from, unsigned lines)
{
    if (b->byte_count + from->byte_count > BUILD_BYTES_MAX)
        return false;
    for (uint32_t i = 0; i < from->node_count; i++) {
        const struct build_node *n = &from->nodes[i];
        if (i + PREFETCH_AHEAD < from->node_count)
            build_prefetch(b, n[PREFETCH_AHEAD].hash);
        if (n->first == BUILD_NONE)
            continue;
        uint32_t node = build_owner(b, build_name(from, i), n->name_len, n->hash);
        for (uint32_t r = n->first; r != BUILD_NONE; r = from->recs[r].next) {
            struct build_rec rec = from->recs[r];
            rec.line += lines;
            build_add(b, node, rec, build_rdata(from, r));
        }
    }
    return true;
}

uint32_t build_find_rec(const struct build *b, uint32_t node, uint16_t type)
{
    uint32_t r = b->nodes[node].first;
    while (r != BUILD_NONE && b->recs[r].type < type)
        r = b->recs[r].next;
    return r != BUILD_NONE && b->recs[r].type == type ? r : BUILD_NONE;
}

/* Records by type, then by content: duplicates end up side by side, the first written in front. */
static int compare_content(const void *x, const void *y, void *arg)
{
    const struct build *b = arg;
    uint32_t i = *(const uint32_t *)x, k = *(const uint32_t *)y;
    const struct build_rec *r = &b->recs[i], *s = &b->recs[k];
    if (r->type != s->type)
        return r->type < s->type ? -1 : 1;
    if (r->rdata_len != s->rdata_len)
        return r->rdata_len < s->rdata_len ? -1 : 1;
    int c = memcmp(build_rdata(b, i), build_rdata(b, k), r->rdata_len);
    return c ? c : i < k ? -1 : i > k;
}

static int compare_order(const void *x, const void *y, void *arg)
{
    const struct build *b = arg;
    uint32_t i = *(const uint32_t *)x, k = *(const uint32_t *)y;
    uint16_t s = b->recs[i].type, t = b->recs[k].type;
    return s != t ? (s < t ? -1 : 1) : i < k ? -1 : i > k;
}

static bool same_content(const struct build *b, uint32_t i, uint32_t k)
{
    const struct build_rec *r = &b->recs[i], *s = &b->recs[k];
    return r->type == s->type && !build_is_dynamic(r->type) && r->rdata_len == s->rdata_len &&
           memcmp(build_rdata(b, i), build_rdata(b, k), r->rdata_len) == 0;
}

/* Order a node's records by type, as written within a type, each only once (RFC 2181 section 5). */
static void sort_node(struct build *b, struct build_node *n)
{
    size_t count = 0, kept = 0;
    for (uint32_t r = n->first; r != BUILD_NONE; r = b->recs[r].next) {
        b->scratch = grown(b->scratch, &b->scratch_cap, count + 1, sizeof *b->scratch);
        b->scratch[count++] = r;
    }
    uint32_t *recs = b->scratch;
    qsort_r(recs, count, sizeof *recs, compare_content, b);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || !same_content(b, recs[i], recs[kept - 1]))
            recs[kept++] = recs[i];
    qsort_r(recs, kept, sizeof *recs, compare_order, b);
    for (size_t i = 0; i < kept; i++)
        b->recs[recs[i]].next = i + 1 < kept ? recs[i + 1] : BUILD_NONE;
    n->first = recs[0];
    n->last = recs[kept - 1];
}

/* One TTL for each rrset, that of its first record (RFC 2181 section 5.2). */
static void unify_ttl(struct build *b, const struct build_node *n)
{
    uint32_t first = n->first, r = n->first;
    bool told = false;
    for (; r != BUILD_NONE; r = b->recs[r].next) {
        if (b->recs[r].type != b->recs[first].type) {
            first = r;
            told = false;
        }
        if (b->recs[r].ttl_s == b->recs[first].ttl_s)
            continue;
        if (!told)
            diag_strict_warn(
                b->d, build_loc(b, r),
                "TTL %u differs from %u of the same rrset at %s:%u, which is used; one "
                "rrset has one TTL",
                b->recs[r].ttl_s, b->recs[first].ttl_s, b->files[b->recs[first].file],
                b->recs[first].line);
        told = true;
        b->recs[r].ttl_s = b->recs[first].ttl_s;
    }
}

/* Make the names between the node and the apex, and remember the parent. */
static void link_parent(struct build *b, uint32_t node)
{
    unsigned apex_labels = b->nodes[0].labels;
    while (b->nodes[node].labels > apex_labels && b->nodes[node].parent == BUILD_NONE) {
        uint32_t parent = b->nodes[node].labels == apex_labels + 1 ? 0 : parent_of(b, node);
        const uint8_t *name = build_name(b, node);
        b->nodes[node].parent = parent;
        if (name[0] == 1 && name[1] == '*') {
            b->nodes[node].flags |= NODE_WILD;
            b->nodes[parent].wild = node;
        }
        node = parent;
    }
}

/* The topmost delegation at or above a node holds for it, or the topmost DNAME above it. */
static void find_cut(struct build *b, uint32_t node)
{
    uint32_t cut = BUILD_NONE;
    bool is_redirected = false;
    for (uint32_t up = node; up != BUILD_NONE; up = b->nodes[up].parent) {
        bool redirects = up != node && (b->nodes[up].flags & BUILD_HAS_DNAME);
        if (!redirects && (up == 0 || !(b->nodes[up].flags & BUILD_HAS_NS)))
            continue;
        cut = up;
        is_redirected = redirects && !(up != 0 && (b->nodes[up].flags & BUILD_HAS_NS));
    }
    b->nodes[node].cut = cut;
    if (is_redirected)
        b->nodes[node].flags |= BUILD_REDIRECTED;
    else if (cut != BUILD_NONE)
        b->nodes[node].flags |= cut == node ? NODE_CUT : NODE_BELOW_CUT;
}

static unsigned flags_of(uint16_t type)
{
    switch (type) {
    case RRTYPE_NS: return BUILD_HAS_NS;
    case RRTYPE_DNAME: return BUILD_HAS_DNAME | BUILD_HAS_ALONE;
    case RRTYPE_CNAME:
    case RRTYPE_DYNA:
    case RRTYPE_DYNC: return BUILD_HAS_ALONE;
    }
    return 0;
}

static bool is_outside(const struct build *b, const struct build_node *n)
{
    const struct build_node *apex = &b->nodes[0];
    const uint8_t *name = b->bytes + n->name_at;
    if (n->labels < apex->labels)
        return true;
    for (unsigned i = apex->labels; i < n->labels; i++)
        name += 1 + *name;
    size_t left = n->name_len - (size_t)(name - (b->bytes + n->name_at));
    return left != apex->name_len || memcmp(name, b->bytes + apex->name_at, left) != 0;
}

static void finish_node(struct build *b, uint32_t node)
{
    struct build_node *n = &b->nodes[node];
    if (n->first != n->last) {
        sort_node(b, n);
        unify_ttl(b, n);
    }
    for (uint32_t r = n->first; r != BUILD_NONE; r = b->recs[r].next)
        n->flags |= (uint16_t)flags_of(b->recs[r].type);
    if (is_outside(b, n))
        n->flags |= BUILD_OUTSIDE;
}

void build_finish(struct build *b)
{
    for (uint32_t i = 0; i < b->node_count; i++)
        finish_node(b, i);
    for (uint32_t i = 0; i < b->node_count; i++) /* grows meanwhile */
        if (!(b->nodes[i].flags & BUILD_OUTSIDE))
            link_parent(b, i);
    for (uint32_t i = 1; i < b->node_count; i++)
        if (!(b->nodes[i].flags & BUILD_OUTSIDE))
            find_cut(b, i);
}
