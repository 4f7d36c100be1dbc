/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/answer.h"

#include <endian.h>

#include "answer/chain.h"
#include "answer/dynamic.h"
#include "answer/encode.h"
#include "answer/lookup.h"
#include "wire/rdata.h"

enum { OPT_BYTES = 11, FLAG_QR = 0x80, FLAG_AA = 0x04, FLAG_TC = 0x02, UDP_PLAIN_MAX = 512 };

/* RFC 8482 section 4.2: what a type ANY question gets for a name that exists. */
static const uint8_t any_hinfo[] = {7, 'R', 'F', 'C', '8', '4', '8', '2', 0};
#define ANY_TTL_S 3600

/* A response while it is made. */
struct response {
    struct answerer *a;
    const struct request *rq;
    const struct snapshot *s;
    struct encoder enc;
    uint16_t rcode;
    bool aa;
};

void answer_parse(struct request *rq, const struct snapshot *s, const uint8_t *msg, size_t len)
{
    rq->zone = NULL;
    query_parse(&rq->query, msg, len, s->zones->seed, s->zones->max_depth);
}

/* DS of a loaded apex belongs to the zone above it, if that is loaded too (RFC 4035 3.1.4.1). */
static const struct zone *zone_above(const struct snapshot *s, const struct zone *z,
                                     const struct qname *q)
{
    struct qname parent;
    qname_set(&parent, q->wire + 1 + q->wire[0], s->zones->seed, s->zones->max_depth);
    const struct zone *above = zone_set_find(s->zones, &parent);
    return above ? above : z;
}

void answer_find(struct request *rq, const struct snapshot *s)
{
    const struct query *q = &rq->query;
    if (q->verdict != QUERY_LOOKUP)
        return;
    const struct zone *z = zone_set_find(s->zones, &q->qname);
    if (z && q->qtype == RRTYPE_DS && z->apex_labels == q->qname.labels && z->apex_labels)
        z = zone_above(s, z, &q->qname);
    rq->zone = z;
    if (z)
        zone_prefetch(z, &q->qname);
}

static void write_negative(struct response *r, const struct lookup *l)
{
    const struct zone *z = l->zone;
    if (z->negative && encoder_ready(&r->enc, z->negative, z->apex_len))
        return;
    encoder_set(&r->enc, SECTION_AUTHORITY, z->soa, z->apex, z->neg_ttl_s, &r->a->prng);
}

/* Is this the question's own name, not one further along a chain? Blocks begin with a pointer to
 * the question, and ready parts reckon from its end. */
static bool is_asked(const struct response *r, const struct qname *q)
{
    return q == &r->rq->query.qname;
}

/* Addresses of name servers whose names lie in delegated space (RFC 9471: all or TC). */
static void write_glue(struct response *r, const struct zone *z, const struct rrset *ns)
{
    const uint8_t *p = ns->rrs.plain, *end = p + ns->rrs.plain_len;
    while (p < end) {
        const uint8_t *fixed = p + (*p ? 2 : 1), *target = fixed + 10;
        p = target + ((size_t)fixed[8] << 8 | fixed[9]);
        const struct node *n = zone_find_glue(z, target, r->s->zones->seed);
        const struct rrset *a = n ? node_find_set(n, RRTYPE_A) : NULL;
        const struct rrset *aaaa = n ? node_find_set(n, RRTYPE_AAAA) : NULL;
        if (a)
            encoder_set(&r->enc, SECTION_ADDITIONAL, a, target, a->ttl_s, &r->a->prng);
        if (aaaa)
            encoder_set(&r->enc, SECTION_ADDITIONAL, aaaa, target, aaaa->ttl_s, &r->a->prng);
    }
}

static void write_referral(struct response *r, const struct lookup *l, const struct qname *q)
{
    const struct ready *ready = l->set->rrs.ready;
    if (ready && is_asked(r, q) && encoder_ready(&r->enc, ready, l->node->name_len))
        return;
    encoder_set(&r->enc, SECTION_AUTHORITY, l->set, l->node->name, l->set->ttl_s, &r->a->prng);
    write_glue(r, l->zone, l->set);
}

static bool is_address(uint16_t type)
{
    return type == RRTYPE_A || type == RRTYPE_AAAA;
}

/* The RRs as the loader made them, if that was for this name. */
static bool write_block(struct response *r, const struct lookup *l, const struct qname *q)
{
    const struct rrset *set = l->set;
    if (!is_asked(r, q) || q->labels == 0) /* the root's owner is no pointer */
        return false;
    if (is_address(set->type))
        encoder_copy(&r->enc, SECTION_ANSWER, addrset_draw(&set->addrs, &r->a->prng),
                     addrset_answer_bytes(&set->addrs), set->count);
    else if (rrset_is_ready(l->node, set))
        return set->rrs.ready &&
               encoder_ready(&r->enc, set->rrs.ready, l->node->name_len - 1u - l->node->name[0]);
    else
        encoder_copy(&r->enc, SECTION_ANSWER, set->rrs.block, set->rrs.block_len, set->count);
    return true;
}

static void write_set(struct response *r, const struct lookup *l, const struct qname *q)
{
    if (l->set->type != RRTYPE_NS && write_block(r, l, q))
        return;
    encoder_set(&r->enc, SECTION_ANSWER, l->set, q->wire, l->set->ttl_s, &r->a->prng);
    if (l->set->type == RRTYPE_NS)
        write_glue(r, l->zone, l->set);
}

/* Every RR of a copied address block gets the record's TTL. */
static void set_ttls(uint8_t *rrs, unsigned count, size_t rr_bytes, uint32_t ttl_s)
{
    uint32_t ttl_be = htobe32(ttl_s);
    for (unsigned i = 0; i < count; i++)
        memcpy(rrs + i * rr_bytes + 6, &ttl_be, 4);
}

static void write_dynamic(struct response *r, const struct lookup *l, const struct qname *q)
{
    uint16_t qtype = r->rq->query.qtype;
    const struct prepared *p = plugs_prepared(r->s->plugs, l->node->dyn->handle);
    const struct addrset *set = qtype == RRTYPE_A ? &p->v4 : &p->v6;
    if (set->count == 0) {
        write_negative(r, l);
        return;
    }
    uint32_t ttl_s = dynamic_ttl(r->s->options.ttl_policy, l->node->dyn, prepared_word(p));
    if (!is_asked(r, q) || q->labels == 0) { /* a block's owner is the question's name */
        struct rrset as_set = {.type = qtype, .count = set->count, .addrs = *set};
        encoder_set(&r->enc, SECTION_ANSWER, &as_set, q->wire, ttl_s, &r->a->prng);
        return;
    }
    size_t at = r->enc.len;
    encoder_copy(&r->enc, SECTION_ANSWER, addrset_draw(set, &r->a->prng), addrset_answer_bytes(set),
                 set->count);
    if (!r->enc.full)
        set_ttls(r->enc.out + at, set->count, set->rr_bytes, ttl_s);
}

/* The end of the chain of names, or all there is of it. */
static void write_end(struct response *r, const struct lookup *l, const struct qname *q)
{
    switch (l->kind) {
    case LOOKUP_HIT: write_set(r, l, q); break;
    case LOOKUP_DYN: write_dynamic(r, l, q); break;
    case LOOKUP_ANY:
        encoder_rr(&r->enc, SECTION_ANSWER, q->wire, RRTYPE_HINFO, ANY_TTL_S, any_hinfo,
                   sizeof any_hinfo);
        break;
    case LOOKUP_NODATA: write_negative(r, l); break;
    case LOOKUP_NXDOMAIN:
        r->rcode = RCODE_NXDOMAIN; /* of the last name: RFC 6604 section 3 */
        write_negative(r, l);
        break;
    case LOOKUP_REFERRAL: write_referral(r, l, q); break;
    case LOOKUP_CNAME:
    case LOOKUP_DNAME: break; /* these do not end a chain */
    }
}

/* The rdata of a set of one RR whose owner is not the root: CNAME, DNAME. */
static const uint8_t *only_rdata(const struct rrset *set)
{
    const uint8_t *p = set->rrs.plain;
    return p + (*p ? 2 : 1) + 10;
}

/* RFC 6672 section 3.1: the DNAME, and the CNAME that it makes. NULL = the chain ends. */
static const uint8_t *write_dname(struct response *r, const struct lookup *l, struct chain *c,
                                  const struct qname *q)
{
    encoder_set(&r->enc, SECTION_ANSWER, l->set, l->node->name, l->set->ttl_s, &r->a->prng);
    const uint8_t *made = chain_substitute(c, q, l->node->labels, only_rdata(l->set));
    if (made)
        encoder_rr(&r->enc, SECTION_ANSWER, q->wire, RRTYPE_CNAME, l->set->ttl_s, made,
                   dname_len(made));
    else
        r->rcode = RCODE_YXDOMAIN; /* section 2.2: the name would be too long */
    return made;
}

static const uint8_t *write_alias(struct response *r, const struct lookup *l, struct chain *c,
                                  const struct qname *q)
{
    if (l->kind == LOOKUP_DNAME)
        return write_dname(r, l, c, q);
    write_set(r, l, q);
    return only_rdata(l->set);
}

static bool is_alias(const struct lookup *l)
{
    return l->kind == LOOKUP_CNAME || l->kind == LOOKUP_DNAME;
}

/* What is behind an alias, as far as it lies in this zone (RFC 1034 section 4.3.2 step 3a). */
static void write_chain(struct response *r, struct lookup l)
{
    const struct query *query = &r->rq->query;
    const struct zone_set *zones = r->s->zones;
    const struct qname *q = &query->qname;
    struct chain c;
    chain_init(&c, q);
    while (is_alias(&l)) {
        const uint8_t *target = write_alias(r, &l, &c, q);
        if (!target || !r->s->options.cname_chain || query->qtype == RRTYPE_ANY ||
            !chain_follow(&c, l.zone, target, zones->seed, zones->max_depth))
            return;
        q = &c.at;
        l = lookup_name(l.zone, q, query->qtype);
    }
    write_end(r, &l, q);
}

static void write_lookup(struct response *r)
{
    const struct query *q = &r->rq->query;
    struct lookup l = lookup_name(r->rq->zone, &q->qname, q->qtype);
    r->aa = l.kind != LOOKUP_REFERRAL; /* of the first owner (RFC 1034 section 4.3.2) */
    if (is_alias(&l))
        write_chain(r, l);
    else
        write_end(r, &l, &q->qname);
}

/* Bytes the client and our own options allow. */
static size_t size_limit(const struct answerer *a, const struct query *q,
                         const struct answer_options *o)
{
    if (a->tcp)
        return ANSWER_TCP_MAX;
    if (!q->edns)
        return UDP_PLAIN_MAX;
    size_t ours = a->v6_listener ? o->max_edns_v6 : o->max_edns_v4;
    size_t theirs = q->udp_size > UDP_PLAIN_MAX ? q->udp_size : UDP_PLAIN_MAX;
    return theirs < ours ? theirs : ours;
}

static void put_be16(uint8_t *p, unsigned v)
{
    uint16_t be = htobe16((uint16_t)v);
    memcpy(p, &be, 2);
}

static void write_opt(const struct response *r, uint8_t *p)
{
    memcpy(p, "\0\0\51", 3); /* root owner, type 41 */
    put_be16(p + 3, r->s->options.advertised_udp);
    p[5] = (uint8_t)(r->rcode >> 4); /* extended rcode; version 0 */
    p[6] = 0;
    p[7] = r->rq->query.dnssec_ok ? 0x80 : 0;
    memset(p + 8, 0, 3);
}

static void write_header(const struct response *r, bool truncated, bool opt)
{
    uint8_t *h = r->enc.out;
    const uint8_t *asked = r->rq->query.msg;
    h[0] = asked[0];
    h[1] = asked[1];
    h[2] = (uint8_t)(FLAG_QR | (asked[2] & 0x79) | (r->aa ? FLAG_AA : 0) |
                     (truncated ? FLAG_TC : 0)); /* opcode and RD copied */
    h[3] = r->rcode & 15;
    put_be16(h + 4, r->rq->query.question_len ? 1 : 0);
    put_be16(h + 6, r->enc.counts[SECTION_ANSWER]);
    put_be16(h + 8, r->enc.counts[SECTION_AUTHORITY]);
    put_be16(h + 10, r->enc.counts[SECTION_ADDITIONAL] + (opt ? 1u : 0u));
}

static enum counter rcode_counter(unsigned rcode)
{
    switch (rcode) {
    case RCODE_NOERROR:
    case RCODE_YXDOMAIN: return COUNTER_NOERROR;
    case RCODE_FORMERR: return COUNTER_FORMERR;
    case RCODE_NXDOMAIN: return COUNTER_NXDOMAIN;
    case RCODE_NOTIMP: return COUNTER_NOTIMP;
    case RCODE_BADVERS: return COUNTER_BADVERS;
    }
    return COUNTER_REFUSED;
}

static void count(const struct response *r, bool truncated)
{
    struct counters *c = r->a->counters;
    const struct query *q = &r->rq->query;
    counter_add(c, rcode_counter(r->rcode), 1);
    if (r->rq->v6_client)
        counter_add(c, COUNTER_V6, 1);
    if (q->edns)
        counter_add(c, COUNTER_EDNS, 1);
    if (q->dnssec_ok)
        counter_add(c, COUNTER_EDNS_DO, 1);
    if (r->a->tcp)
        return;
    if (truncated)
        counter_add(c, q->edns ? COUNTER_UDP_EDNS_TC : COUNTER_UDP_TC, 1);
    else if (q->edns && r->enc.len > UDP_PLAIN_MAX)
        counter_add(c, COUNTER_UDP_EDNS_BIG, 1);
}

static void write_body(struct response *r)
{
    const struct query *q = &r->rq->query;
    if (q->verdict == QUERY_RCODE)
        r->rcode = q->rcode;
    else if (!r->rq->zone)
        r->rcode = RCODE_REFUSED;
    else
        write_lookup(r);
}

size_t answer_write(struct answerer *a, struct request *rq, const struct snapshot *s, uint8_t *out,
                    size_t cap)
{
    const struct query *q = &rq->query;
    if (q->verdict == QUERY_DROP) {
        counter_add(a->counters, COUNTER_DROPPED, 1);
        return 0;
    }
    struct response r;
    r.a = a;
    r.rq = rq;
    r.s = s;
    r.rcode = RCODE_NOERROR;
    r.aa = false;
    size_t limit = size_limit(a, q, &s->options), room = limit < cap ? limit : cap;
    size_t head = DNS_HEADER + (size_t)q->question_len, opt = q->edns ? OPT_BYTES : 0;
    encoder_init(&r.enc, out, head, room - opt, &q->qname);
    if (out != q->msg)
        memcpy(out, q->msg, head);
    write_body(&r);
    bool truncated = r.enc.full;
    if (truncated) {
        if (room < limit)
            return ANSWER_NEEDS_ROOM;
        r.enc.len = head;
        memset(r.enc.counts, 0, sizeof r.enc.counts);
    }
    if (opt)
        write_opt(&r, out + r.enc.len);
    r.enc.len += opt;
    write_header(&r, truncated, opt);
    count(&r, truncated);
    return r.enc.len;
}

size_t answer_one(struct answerer *a, struct request *rq, const struct snapshot *s,
                  const uint8_t *msg, size_t len, uint8_t *out, size_t cap)
{
    answer_parse(rq, s, msg, len);
    answer_find(rq, s);
    return answer_write(a, rq, s, out, cap);
}
