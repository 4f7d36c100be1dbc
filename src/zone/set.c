/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zone/set.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"

/* Zones of a segment. Fewer make a copy of the set dearer (a reference per segment), more make a
 * copy of the segment dearer (a reference per zone): near the root of 100,000 both are cheap. */
#define SEGMENT_ZONES 128u

struct slot {
    uint64_t hash;
    struct zone *zone; /* NULL = empty */
};

/* Open addressing, at most 3/4 full. Shared by sets, and changed only while one set has it. */
struct zone_segment {
    _Atomic unsigned refs;
    uint32_t count, cap; /* cap: a power of two */
    struct slot slots[];
};

/* ---- segments ------------------------------------------------------------------------------- */

static struct zone_segment *segment_new(uint32_t zone_count)
{
    uint32_t cap = 4;
    while (cap * 3 < zone_count * 4 + 4) /* room for one more */
        cap *= 2;
    struct zone_segment *g = mem_alloc(sizeof *g + cap * sizeof(struct slot));
    g->cap = cap;
    g->refs = 1;
    return g;
}

/* The segment was chosen by the lower half of the hash, so the upper one chooses here. */
static uint32_t home_of(const struct zone_segment *g, uint64_t hash)
{
    return (uint32_t)(hash >> 32) & (g->cap - 1);
}

/* The slot of the apex, or the empty one where it would go. */
static uint32_t segment_find(const struct zone_segment *g, uint64_t hash, const uint8_t *apex,
                             size_t len)
{
    uint32_t i = home_of(g, hash);
    for (; g->slots[i].zone; i = (i + 1) & (g->cap - 1)) {
        const struct zone *z = g->slots[i].zone;
        if (g->slots[i].hash == hash && z->apex_len == len && memcmp(z->apex, apex, len) == 0)
            return i;
    }
    return i;
}

/* The zone is not there, and there is room. */
static void segment_put(struct zone_segment *g, uint64_t hash, struct zone *z)
{
    g->slots[segment_find(g, hash, z->apex, z->apex_len)] = (struct slot){hash, z};
    g->count++;
}

/* Close the gap: what was put behind slot i because i was taken moves up. */
static void segment_take_out(struct zone_segment *g, uint32_t i)
{
    uint32_t mask = g->cap - 1;
    g->count--;
    for (uint32_t k = (i + 1) & mask; g->slots[k].zone; k = (k + 1) & mask) {
        if (((k - home_of(g, g->slots[k].hash)) & mask) < ((k - i) & mask))
            continue; /* it would come to stand before its home */
        g->slots[i] = g->slots[k];
        i = k;
    }
    g->slots[i] = (struct slot){0};
}

static void segment_unref(struct zone_segment *g)
{
    if (atomic_fetch_sub(&g->refs, 1) != 1)
        return;
    for (uint32_t i = 0; i < g->cap; i++)
        zone_unref(g->slots[i].zone);
    mem_free(g);
}

/* A segment with these zones and room for one more, which nobody else has. */
static struct zone_segment *segment_own(struct zone_segment *g)
{
    bool is_shared = atomic_load(&g->refs) > 1, is_full = (g->count + 1) * 4 > g->cap * 3;
    if (!is_shared && !is_full)
        return g;
    struct zone_segment *own = segment_new(g->count + 1);
    for (uint32_t i = 0; i < g->cap; i++)
        if (g->slots[i].zone)
            segment_put(own, g->slots[i].hash, zone_ref(g->slots[i].zone));
    segment_unref(g);
    return own;
}

/* ---- sets ----------------------------------------------------------------------------------- */

static size_t segments_for(size_t zone_count)
{
    return zone_count / SEGMENT_ZONES + 1;
}

static void make_segments(struct zone_set *s, size_t zone_count)
{
    s->segment_count = segments_for(zone_count);
    s->segments = mem_array(s->segment_count, sizeof(struct zone_segment *));
    for (size_t i = 0; i < s->segment_count; i++)
        s->segments[i] = segment_new((uint32_t)(zone_count / s->segment_count));
}

struct zone_set *zone_set_new(uint64_t seed, size_t zone_cap)
{
    struct zone_set *s = mem_new(struct zone_set);
    s->seed = seed;
    s->refs = 1;
    make_segments(s, zone_cap);
    return s;
}

struct zone_set *zone_set_copy(const struct zone_set *s)
{
    struct zone_set *copy = mem_new(struct zone_set);
    memcpy(copy, s, offsetof(struct zone_set, refs));
    copy->refs = 1;
    copy->segments = mem_array(s->segment_count, sizeof(struct zone_segment *));
    for (size_t i = 0; i < s->segment_count; i++) {
        copy->segments[i] = s->segments[i];
        atomic_fetch_add(&copy->segments[i]->refs, 1);
    }
    return copy;
}

static struct zone_segment **segment_of(const struct zone_set *s, uint64_t hash)
{
    return &s->segments[(size_t)(((hash & UINT32_MAX) * s->segment_count) >> 32)];
}

static struct zone *find(const struct zone_set *s, uint64_t hash, const uint8_t *apex, size_t len)
{
    const struct zone_segment *g = *segment_of(s, hash);
    return g->slots[segment_find(g, hash, apex, len)].zone;
}

/* Twice the segments, so that they stay small however many zones are added. */
static void split(struct zone_set *s)
{
    struct zone_set old = {.segments = s->segments, .segment_count = s->segment_count};
    make_segments(s, s->count * 2);
    struct zone *z;
    for (struct zone_walk w = {0}; (z = zone_set_next(&old, &w));) {
        uint64_t hash = dname_hash(z->apex, s->seed);
        struct zone_segment **g = segment_of(s, hash);
        *g = segment_own(*g);
        segment_put(*g, hash, zone_ref(z));
    }
    for (size_t i = 0; i < old.segment_count; i++)
        segment_unref(old.segments[i]);
    mem_free(old.segments);
}

static bool has_depth(const uint64_t depths[2], unsigned d)
{
    return depths[d >> 6] >> (d & 63) & 1;
}

/* Count a zone in (+1) or out (-1). */
static void count_zone(struct zone_set *s, const struct zone *z, int sign)
{
    size_t by = (size_t)(long)sign; /* unsigned arithmetic wraps as it should */
    unsigned apex = z->apex_labels;
    s->count += by;
    s->node_count += by * z->node_count;
    s->rr_count += by * z->rr_count;
    s->apex_counts[apex] += (uint32_t)by;
    uint64_t bit = (uint64_t)1 << (apex & 63);
    s->apex_depths[apex >> 6] =
        (s->apex_depths[apex >> 6] & ~bit) | (s->apex_counts[apex] ? bit : 0);
    s->max_depth = 0;
    for (unsigned d = 0; d <= DNAME_LABELS_MAX; d++) {
        if (has_depth(z->depths, d))
            s->depth_counts[d] += (uint32_t)by;
        if (s->depth_counts[d])
            s->max_depth = d;
    }
}

int zone_set_add(struct zone_set *s, struct zone *z, struct diag *d)
{
    char text[DNAME_TEXT_MAX];
    uint64_t hash = dname_hash(z->apex, s->seed);
    const struct zone *other = find(s, hash, z->apex, z->apex_len);
    if (other) {
        int e = diag_error(d, (struct diag_loc){z->file, 0, 0},
                           "zone \"%s\" is a duplicate of that in %s; keep one of the files",
                           dname_print(z->apex, text), other->file);
        zone_unref(z);
        return e;
    }
    if (s->count >= s->segment_count * SEGMENT_ZONES * 2)
        split(s);
    struct zone_segment **g = segment_of(s, hash);
    *g = segment_own(*g);
    segment_put(*g, hash, z);
    count_zone(s, z, 1);
    return 0;
}

void zone_set_remove(struct zone_set *s, const uint8_t *apex)
{
    uint64_t hash = dname_hash(apex, s->seed);
    struct zone_segment **g = segment_of(s, hash);
    *g = segment_own(*g);
    uint32_t i = segment_find(*g, hash, apex, dname_len(apex));
    struct zone *z = (*g)->slots[i].zone;
    if (!z)
        return;
    segment_take_out(*g, i);
    count_zone(s, z, -1);
    zone_unref(z);
}

struct zone *zone_set_get(const struct zone_set *s, const uint8_t *apex)
{
    return find(s, dname_hash(apex, s->seed), apex, dname_len(apex));
}

struct zone *zone_set_get_hashed(const struct zone_set *s, uint64_t hash, const uint8_t *apex,
                                 size_t len)
{
    return find(s, hash, apex, len);
}

void zone_set_prefetch_slot(const struct zone_set *s, uint64_t hash)
{
    const struct zone_segment *g = *segment_of(s, hash);
    __builtin_prefetch(&g->slots[home_of(g, hash)]);
}

void zone_set_prefetch_zone(const struct zone_set *s, uint64_t hash)
{
    const struct zone_segment *g = *segment_of(s, hash);
    uint32_t i = home_of(g, hash);
    while (g->slots[i].zone && g->slots[i].hash != hash)
        i = (i + 1) & (g->cap - 1);
    const char *z = (const char *)g->slots[i].zone;
    for (size_t at = 0; z && at < sizeof(struct zone) + sizeof(struct zone_file); at += CACHE_LINE)
        __builtin_prefetch(z + at);
}

struct zone *zone_set_next(const struct zone_set *s, struct zone_walk *w)
{
    for (; w->segment < s->segment_count; w->segment++, w->slot = 0) {
        const struct zone_segment *g = s->segments[w->segment];
        while (w->slot < g->cap) {
            struct zone *z = g->slots[w->slot++].zone;
            if (z)
                return z;
        }
    }
    return NULL;
}

const struct zone *zone_set_find(const struct zone_set *s, const struct qname *q)
{
    unsigned depth = q->labels < q->hashed ? q->labels : q->hashed;
    for (unsigned d = depth + 1; d-- > 0;) {
        if (!has_depth(s->apex_depths, d))
            continue;
        const uint8_t *apex = qname_suffix(q, d);
        const struct zone *z = find(s, q->hash[d], apex, (size_t)(q->wire + q->len - apex));
        if (z)
            return z;
    }
    return NULL;
}

struct zone_set *zone_set_ref(struct zone_set *s)
{
    atomic_fetch_add(&s->refs, 1);
    return s;
}

void zone_set_unref(struct zone_set *s)
{
    if (!s || atomic_fetch_sub(&s->refs, 1) != 1)
        return;
    for (size_t i = 0; i < s->segment_count; i++)
        segment_unref(s->segments[i]);
    mem_free(s->segments);
    mem_free(s);
}
