/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zone/ready.h"

#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "zone/block.h"
#include "zone/zone.h"

/* Larger ones are rare and are left to the encoder, as are those with very many pointers. */
#define READY_BYTES_MAX 4096
#define READY_FIXES_MAX 128

enum { ANSWER, AUTHORITY, ADDITIONAL };

/* One part while it is made. */
struct part {
    struct block block;
    struct block_pointer pointers[READY_FIXES_MAX];
    uint16_t counts[3];
    uint8_t bytes[READY_BYTES_MAX];
};

/* All of a zone's, one behind another, and who has to point to them once their place is final. */
struct maker {
    struct zone *z;
    struct buf out;
    struct target {
        const struct ready **pointer;
        size_t at;
    } * targets;
    size_t count, cap;
    struct part part;
};

static void part_open(struct part *p, const uint8_t *base)
{
    block_open(&p->block, p->bytes, sizeof p->bytes, base);
    block_note_pointers(&p->block, p->pointers, READY_FIXES_MAX);
    memset(p->counts, 0, sizeof p->counts);
}

static void add_rr(struct part *p, int section, const uint8_t *owner, uint16_t type, uint32_t ttl_s,
                   const uint8_t *rdata, size_t len)
{
    block_put_rr(&p->block, owner, type, ttl_s, rdata, len);
    p->counts[section]++;
}

/* One after another, the RRs of a set that is not of addresses. */
static const uint8_t *next_rr(const uint8_t *rr, const uint8_t **rdata, size_t *len)
{
    const uint8_t *fixed = rr + (*rr ? 2 : 1);
    *len = (size_t)fixed[8] << 8 | fixed[9];
    *rdata = fixed + 10;
    return *rdata + *len;
}

static void add_set(struct part *p, int section, const uint8_t *owner, const struct rrset *s,
                    uint32_t ttl_s)
{
    const uint8_t *rdata, *end = s->rrs.plain + s->rrs.plain_len;
    size_t len;
    for (const uint8_t *rr = s->rrs.plain; rr < end;) {
        rr = next_rr(rr, &rdata, &len);
        add_rr(p, section, owner, s->type, ttl_s, rdata, len);
    }
}

/* The finished part goes behind the others; *pointer will be set to it. */
static void part_close(struct maker *m, const struct ready **pointer)
{
    struct part *p = &m->part;
    const struct block *b = &p->block;
    struct ready r = {.len = (uint16_t)b->w.at, .fix_count = (uint16_t)b->pointer_count};
    if (b->w.failed || b->pointers_lost)
        return;
    memcpy(r.counts, p->counts, sizeof r.counts);
    if (m->count == m->cap) {
        m->cap = m->cap ? m->cap * 2 : 4;
        m->targets = mem_grow(m->targets, m->cap, sizeof *m->targets);
    }
    m->targets[m->count++] = (struct target){pointer, m->out.len};
    buf_add(&m->out, &r, sizeof r);
    for (unsigned i = 0; i < b->pointer_count; i++) {
        const struct block_pointer *from = &p->pointers[i];
        struct ready_fix fix = {
            from->at, from->to < b->start ? (uint16_t)(from->to - BLOCK_QUESTION_AT)
                                          : (uint16_t)((from->to - b->start) | READY_FROM_START)};
        buf_add(&m->out, &fix, sizeof fix);
    }
    buf_add(&m->out, p->bytes, b->w.at);
    if (m->out.len % _Alignof(struct ready))
        buf_add(&m->out, "", 1);
}

static void make_negative(struct maker *m)
{
    struct zone *z = m->z;
    part_open(&m->part, z->apex);
    add_set(&m->part, AUTHORITY, z->apex, z->soa, z->neg_ttl_s);
    part_close(m, &z->negative);
}

/* One address of one glue name; false = there are several, which have to be shuffled. */
static bool add_glue(struct part *p, const uint8_t *owner, const struct rrset *s)
{
    if (!s)
        return true;
    if (s->addrs.count > 1)
        return false;
    add_rr(p, ADDITIONAL, owner, s->type, s->ttl_s, addrset_at(&s->addrs, 0),
           s->type == RRTYPE_A ? 4 : 16);
    return true;
}

static void make_referral(struct maker *m, const struct node *cut, struct rrset *ns)
{
    struct part *p = &m->part;
    const uint8_t *target, *end = ns->rrs.plain + ns->rrs.plain_len;
    size_t len;
    ns->rrs.ready = NULL;
    part_open(p, cut->name);
    add_set(p, AUTHORITY, cut->name, ns, ns->ttl_s);
    for (const uint8_t *rr = ns->rrs.plain; rr < end;) {
        rr = next_rr(rr, &target, &len);
        const struct node *n = zone_find_glue(m->z, target, m->z->seed);
        if (n && (!add_glue(p, target, node_find_set(n, RRTYPE_A)) ||
                  !add_glue(p, target, node_find_set(n, RRTYPE_AAAA))))
            return;
    }
    part_close(m, &ns->rrs.ready);
}

/* The parent of "*" is what every name it answers for ends in. The owner is the name asked for. */
static void make_wild(struct maker *m, const struct node *wild, struct rrset *s)
{
    const uint8_t *parent = wild->name + 1 + wild->name[0];
    const uint8_t *rdata, *end = s->rrs.plain + s->rrs.plain_len;
    size_t len;
    s->rrs.ready = NULL;
    part_open(&m->part, parent);
    for (const uint8_t *rr = s->rrs.plain; rr < end;) {
        rr = next_rr(rr, &rdata, &len);
        block_put_asked_rr(&m->part.block, s->type, s->ttl_s, rdata, len);
        m->part.counts[ANSWER]++;
    }
    part_close(m, &s->rrs.ready);
}

static void make_node(struct maker *m, const struct node *n)
{
    for (unsigned i = 0; i < n->set_count; i++) {
        /* still ours: the zone is not published yet */
        struct rrset *s = (struct rrset *)(uintptr_t)&n->sets[i];
        if ((n->flags & NODE_CUT) && s->type == RRTYPE_NS)
            make_referral(m, n, s);
        else if ((n->flags & NODE_WILD) && rrset_is_ready(n, s))
            make_wild(m, n, s);
    }
}

static void make_nodes(struct maker *m)
{
    const unsigned wanted = NODE_CUT | NODE_WILD;
    const struct node *nodes = m->z->apex_node;
    for (size_t i = 0; (m->z->flags_used & wanted) && i < m->z->node_count; i++)
        if ((nodes[i].flags & wanted) && !(nodes[i].flags & NODE_BELOW_CUT))
            make_node(m, &nodes[i]);
}

void *ready_make(struct zone *z)
{
    struct maker m; /* large, and mostly written before it is read */
    m.z = z;
    m.out = (struct buf){0};
    m.targets = NULL;
    m.count = m.cap = 0;
    if (z->apex_labels) /* the root's owner is no pointer */
        make_negative(&m);
    make_nodes(&m);
    char *memory = m.out.len ? buf_take(&m.out) : NULL;
    for (size_t i = 0; i < m.count; i++)
        *m.targets[i].pointer = (const struct ready *)(const void *)(memory + m.targets[i].at);
    mem_free(m.targets);
    return memory;
}
