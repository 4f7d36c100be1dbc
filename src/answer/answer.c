/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/answer.h"

#include <endian.h>

#include "answer/body.h"

enum { OPT_BYTES = 11, FLAG_QR = 0x80, FLAG_AA = 0x04, FLAG_TC = 0x02, UDP_PLAIN_MAX = 512 };

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

void answer_peek(const struct request *rq)
{
    if (rq->query.verdict == QUERY_LOOKUP && rq->zone)
        zone_peek(rq->zone, &rq->query.qname);
}

void answer_look(struct request *rq, const struct snapshot *s)
{
    const struct query *q = &rq->query;
    if (q->verdict != QUERY_LOOKUP || !rq->zone)
        return;
    rq->lookup = lookup_name(rq->zone, &q->qname, q->qtype);
    if (rq->lookup.kind != LOOKUP_DYN)
        return;
    rq->prepared = plugs_prepared(s->plugs, rq->lookup.node->dyn->handle);
    __builtin_prefetch(rq->prepared);
    __builtin_prefetch((const char *)rq->prepared + CACHE_LINE); /* addresses */
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
    case RCODE_SERVFAIL: return COUNTER_DROPPED; /* a TCP message cannot hold it: no answer */
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
        body_write(r);
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
        if (a->tcp) { /* there is no larger transport to send the client to */
            r.rcode = RCODE_SERVFAIL;
            r.aa = truncated = false;
        }
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
    answer_look(rq, s);
    return answer_write(a, rq, s, out, cap);
}
