/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/answer.h"

#include <endian.h>

#include "answer/body.h"
#include "answer/chaos.h"
#include "answer/opt.h"

enum { FLAG_QR = 0x80, FLAG_AA = 0x04, FLAG_TC = 0x02, UDP_PLAIN_MAX = 512 };

void answer_parse(const struct answerer *a, struct request *rq, const struct snapshot *s,
                  const uint8_t *msg, size_t len)
{
    rq->zone = NULL;
    query_parse(&rq->query, msg, len, &s->rules, a->tcp ? EDNS_RULE_TCP : 0);
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
static size_t size_limit(const struct response *r)
{
    const struct query *q = &r->rq->query;
    const struct answer_options *o = &r->s->options;
    if (r->a->tcp)
        return ANSWER_TCP_MAX;
    size_t limit = UDP_PLAIN_MAX;
    if (q->edns) {
        size_t ours = r->a->v6_listener ? o->max_edns_v6 : o->max_edns_v4;
        size_t theirs = q->udp_size > UDP_PLAIN_MAX ? q->udp_size : UDP_PLAIN_MAX;
        limit = theirs < ours ? theirs : ours;
    }
    if (o->max_nocookie && r->cookie != COOKIE_OK && limit > o->max_nocookie)
        limit = o->max_nocookie; /* the sender may be forged */
    return limit;
}

static void put_be16(uint8_t *p, unsigned v)
{
    uint16_t be = htobe16((uint16_t)v);
    memcpy(p, &be, 2);
}

static void write_header(const struct response *r, bool truncated)
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
    put_be16(h + 10, r->enc.counts[SECTION_ADDITIONAL] + (r->rq->query.edns ? 1u : 0u));
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

static void count_options(struct counters *c, const struct response *r)
{
    static const enum counter of_cookie[] = {[COOKIE_INIT] = COUNTER_EDNS_COOKIE_INIT,
                                             [COOKIE_BAD] = COUNTER_EDNS_COOKIE_BAD,
                                             [COOKIE_OK] = COUNTER_EDNS_COOKIE_OK};
    if (r->rq->query.opt.seen & EDNS_SEEN_ECS)
        counter_add(c, COUNTER_EDNS_CLIENTSUB, 1);
    if (r->cookie != COOKIE_NONE)
        counter_add(c, of_cookie[r->cookie], 1);
}

static void count(const struct response *r, bool truncated)
{
    struct counters *c = r->a->counters;
    const struct query *q = &r->rq->query;
    counter_add(c, rcode_counter(r->rcode), 1);
    if (r->rq->client.family == 6)
        counter_add(c, COUNTER_V6, 1);
    if (q->edns)
        counter_add(c, COUNTER_EDNS, 1);
    if (q->opt.seen)
        count_options(c, r);
    if (q->bad_cookie)
        counter_add(c, COUNTER_EDNS_COOKIE_FORMERR, 1);
    if (q->dnssec_ok)
        counter_add(c, COUNTER_EDNS_DO, 1);
    if (r->a->tcp)
        return;
    if (truncated)
        counter_add(c, q->edns ? COUNTER_UDP_EDNS_TC : COUNTER_UDP_TC, 1);
    else if (q->edns && r->enc.len > UDP_PLAIN_MAX)
        counter_add(c, COUNTER_UDP_EDNS_BIG, 1);
}

static void write_rcode(struct response *r, uint16_t rcode)
{
    r->rcode = rcode;
    if (rcode == RCODE_NOTIMP || rcode == RCODE_REFUSED)
        r->error = ANSWER_ERROR_NOT_SUPPORTED;
}

static void write_body(struct response *r)
{
    const struct query *q = &r->rq->query;
    if (q->verdict == QUERY_RCODE) {
        write_rcode(r, q->rcode);
    } else if (q->verdict == QUERY_CHAOS) {
        chaos_write(r);
    } else if (!r->rq->zone) {
        r->rcode = RCODE_REFUSED;
        r->error = ANSWER_ERROR_NOT_AUTHORITATIVE;
    } else {
        body_write(r);
    }
}

static enum cookie_state cookie_of(const struct response *r)
{
    if (!(r->rq->query.opt.seen & EDNS_SEEN_COOKIE) || !r->s->cookies)
        return COOKIE_NONE;
    struct cookie_ask ask = response_cookie_ask(r);
    return cookie_check(r->s->cookies, &r->a->cookie_hours, &ask);
}

/* What was written does not fit: nothing but the question and OPT is left (no part of an rrset is
 * ever sent). True = the client is told to come by TCP. */
static bool empty_response(struct response *r, size_t head)
{
    r->enc.len = head;
    memset(r->enc.counts, 0, sizeof r->enc.counts);
    if (!r->a->tcp)
        return true;
    r->rcode = RCODE_SERVFAIL; /* there is no larger transport to send the client to */
    r->aa = false;
    return false;
}

static void response_init(struct response *r, struct answerer *a, const struct request *rq,
                          const struct snapshot *s)
{
    r->a = a;
    r->rq = rq;
    r->s = s;
    r->rcode = RCODE_NOERROR;
    r->aa = false;
    r->ecs_scope = 0;
    r->error = ANSWER_ERROR_NONE;
    r->cookie = rq->query.opt.seen ? cookie_of(r) : COOKIE_NONE;
}

/* What a response is counted as, and the identity of what it answers: a number that only has to
 * differ. Names that an attacker could invent are not told apart. */
static struct rrl_response rrl_response_of(const struct response *r)
{
    struct rrl_response out = {.client = &r->rq->client, .class = RRL_ERROR};
    const struct lookup *l = &r->rq->lookup;
    if (r->rq->query.verdict != QUERY_LOOKUP || !r->rq->zone)
        return out;
    out.identity = (uintptr_t)l->node; /* of a wildcard's answers: the wildcard */
    switch (l->kind) {
    case LOOKUP_HIT:
    case LOOKUP_CNAME:
    case LOOKUP_DNAME:
    case LOOKUP_DYN:
    case LOOKUP_ANY:
        out.class = RRL_ANSWER;
        out.identity += r->rq->query.qtype;
        break;
    case LOOKUP_NODATA: out.class = RRL_NODATA; break;
    case LOOKUP_REFERRAL: out.class = RRL_REFERRAL; break;
    case LOOKUP_NXDOMAIN:
        out.class = RRL_NXDOMAIN;
        out.identity = (uintptr_t)l->zone;
        break;
    }
    return out;
}

/* A forged address can neither have shaken hands nor show a cookie. */
static enum rrl_verdict rate_limit(struct response *r)
{
    if (!r->s->rrl || r->a->tcp || r->cookie == COOKIE_OK)
        return RRL_PASS;
    struct rrl_response what = rrl_response_of(r);
    uint64_t now_us = (uint64_t)mono_now_coarse().ns / 1000;
    enum rrl_verdict v = rrl_check(r->s->rrl, &r->a->prng, &what, now_us);
    if (v == RRL_SLIP)
        counter_add(r->a->counters, COUNTER_RRL_SLIPPED, 1);
    if (v == RRL_DROP) {
        counter_add(r->a->counters, COUNTER_RRL_DROPPED, 1);
        counter_add(r->a->counters, COUNTER_DROPPED, 1);
    }
    return v;
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
    response_init(&r, a, rq, s);
    size_t limit = size_limit(&r), room = limit < cap ? limit : cap;
    size_t head = DNS_HEADER + (size_t)q->question_len, opt = opt_reserve(&r);
    encoder_init(&r.enc, out, head, room > opt ? room - opt : 0, &q->qname);
    if (out != q->msg)
        memcpy(out, q->msg, head);
    write_body(&r);
    bool truncated = false;
    if (r.enc.full) {
        if (room < limit)
            return ANSWER_NEEDS_ROOM;
        truncated = empty_response(&r, head);
    }
    enum rrl_verdict limited = rate_limit(&r);
    if (limited == RRL_DROP)
        return 0;
    if (limited == RRL_SLIP &&
        (r.rcode == RCODE_NOERROR || r.rcode == RCODE_NXDOMAIN)) /* errors are small */
        truncated = empty_response(&r, head);
    write_header(&r, truncated);
    if (opt) /* has room even if the question alone is longer than max_nocookie_response */
        opt_write(&r, room > r.enc.len + opt ? room : r.enc.len + opt);
    count(&r, truncated);
    return r.enc.len;
}

size_t answer_one(struct answerer *a, struct request *rq, const struct snapshot *s,
                  const uint8_t *msg, size_t len, uint8_t *out, size_t cap)
{
    answer_parse(a, rq, s, msg, len);
    answer_find(rq, s);
    answer_look(rq, s);
    return answer_write(a, rq, s, out, cap);
}
