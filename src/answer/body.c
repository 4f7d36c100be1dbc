/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/body.h"

#include <endian.h>

#include "answer/chain.h"
#include "answer/dynamic.h"

/* RFC 8482 section 4.2: what a type ANY question gets for a name that exists. */
static const uint8_t any_hinfo[] = {7, 'R', 'F', 'C', '8', '4', '8', '2', 0};
#define ANY_TTL_S 3600

static void write_negative(struct response *r, const struct lookup *l)
{
    const struct zone *z = l->zone;
    if (z->negative && encoder_ready(&r->enc, z->negative, z->apex_len))
        return;
    encoder_set(&r->enc, SECTION_AUTHORITY, z->soa, z->apex, z->neg_ttl_s, &r->a->prng);
}

/* Is this the question's own name, not one further along a chain? Blocks begin with a pointer to
 * the question, and ready parts reckon from its end. */
static bool is_asked(const struct response *r, const uint8_t *owner)
{
    return owner == r->rq->query.qname.wire;
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

static void write_referral(struct response *r, const struct lookup *l, const uint8_t *owner)
{
    const struct ready *ready = l->set->rrs.ready;
    if (ready && is_asked(r, owner) && encoder_ready(&r->enc, ready, l->node->name_len))
        return;
    encoder_set(&r->enc, SECTION_AUTHORITY, l->set, l->node->name, l->set->ttl_s, &r->a->prng);
    write_glue(r, l->zone, l->set);
}

/* The RRs as the loader made them, if that was for this name. */
static bool write_block(struct response *r, const struct lookup *l, const uint8_t *owner)
{
    const struct rrset *set = l->set;
    if (!is_asked(r, owner) || !*owner) /* the root's owner is no pointer */
        return false;
    if (rrtype_is_address(set->type))
        encoder_addrs(&r->enc, SECTION_ANSWER, &set->addrs, set->ttl_s, &r->a->prng);
    else if (rrset_is_ready(l->node, set))
        return set->rrs.ready &&
               encoder_ready(&r->enc, set->rrs.ready, l->node->name_len - 1u - l->node->name[0]);
    else
        encoder_copy(&r->enc, SECTION_ANSWER, set->rrs.block, set->rrs.block_len, set->count);
    return true;
}

static void write_set(struct response *r, const struct lookup *l, const uint8_t *owner)
{
    if (l->set->type != RRTYPE_NS && write_block(r, l, owner))
        return;
    encoder_set(&r->enc, SECTION_ANSWER, l->set, owner, l->set->ttl_s, &r->a->prng);
    if (l->set->type == RRTYPE_NS)
        write_glue(r, l->zone, l->set);
}

/* A dynamic answer for a name that has no block: one along a chain, and the root. */
static void encode_dynamic(struct response *r, const struct addrset *set, const uint8_t *owner,
                           uint32_t ttl_s)
{
    struct rrset as_set = {
        .type = r->rq->query.qtype, .count = set->count, .ttl_s = ttl_s, .addrs = *set};
    encoder_set(&r->enc, SECTION_ANSWER, &as_set, owner, ttl_s, &r->a->prng);
}

static void write_dynamic(struct response *r, const struct lookup *l, const uint8_t *owner)
{
    const struct request *rq = r->rq;
    const struct prepared *p =
        is_asked(r, owner) ? rq->prepared : plugs_prepared(r->s->plugs, l->node->dyn->handle);
    const struct addrset *set = rq->query.qtype == RRTYPE_A ? &p->v4 : &p->v6;
    struct th_word word = prepared_word(p);
    uint32_t ttl_s = dynamic_ttl(r->s->options.ttl_policy, l->node->dyn, word);
    if (th_word_has(word, TH_STALE))
        r->error = ANSWER_ERROR_STALE;
    if (set->count == 0) {
        write_negative(r, l);
    } else if (!is_asked(r, owner) || !*owner) {
        encode_dynamic(r, set, owner, ttl_s);
    } else {
        encoder_addrs(&r->enc, SECTION_ANSWER, set, ttl_s, &r->a->prng);
    }
}

static void write_any(struct response *r, const uint8_t *owner)
{
    encoder_rr(&r->enc, SECTION_ANSWER, owner, RRTYPE_HINFO, ANY_TTL_S, any_hinfo,
               sizeof any_hinfo);
}

/* The zone's own TXT records, if any, and the challenges: one rrset, so one TTL (RFC 2181 section
 * 5.2), the lesser. */
static void write_challenges(struct response *r, const struct lookup *l, const uint8_t *owner,
                             const struct challenge *c, size_t count)
{
    uint32_t ttl_s = r->s->options.challenge_ttl_s;
    if (l->kind == LOOKUP_HIT) {
        ttl_s = l->set->ttl_s < ttl_s ? l->set->ttl_s : ttl_s;
        encoder_set(&r->enc, SECTION_ANSWER, l->set, owner, ttl_s, &r->a->prng);
    }
    for (size_t i = 0; i < count; i++) {
        uint8_t text[1 + CHALLENGE_PAYLOAD] = {CHALLENGE_PAYLOAD};
        memcpy(text + 1, c[i].payload, CHALLENGE_PAYLOAD);
        encoder_rr(&r->enc, SECTION_ANSWER, owner, RRTYPE_TXT, ttl_s, text, sizeof text);
    }
}

/* A name that challenges have a say in: TXT of _acme-challenge.NAME; it and NAME exist while there
 * are any. False = as the zone says. */
static bool write_challenged(struct response *r, const struct lookup *l, const uint8_t *owner)
{
    const struct challenges *all = r->s->challenges;
    uint16_t qtype = r->rq->query.qtype;
    size_t count = 0;
    if (l->kind != LOOKUP_NXDOMAIN && qtype != RRTYPE_TXT)
        return false;
    if (l->kind != LOOKUP_NXDOMAIN && l->kind != LOOKUP_NODATA && l->kind != LOOKUP_HIT)
        return false;
    const uint8_t *name = challenge_name(owner);
    const struct challenge *c = name ? challenges_find(all, name, &count) : NULL;
    if (c && qtype == RRTYPE_TXT)
        write_challenges(r, l, owner, c, count);
    else if (l->kind != LOOKUP_NXDOMAIN || (!c && !challenges_find(all, owner, &count)))
        return false;
    else if (qtype == RRTYPE_ANY)
        write_any(r, owner);
    else
        write_negative(r, l);
    return true;
}

/* The end of the chain of names, or all there is of it. */
static void write_end(struct response *r, const struct lookup *l, const uint8_t *owner)
{
    if (r->s->challenges && write_challenged(r, l, owner))
        return;
    switch (l->kind) {
    case LOOKUP_HIT: write_set(r, l, owner); break;
    case LOOKUP_DYN: write_dynamic(r, l, owner); break;
    case LOOKUP_ANY: write_any(r, owner); break;
    case LOOKUP_NODATA: write_negative(r, l); break;
    case LOOKUP_NXDOMAIN:
        r->rcode = RCODE_NXDOMAIN; /* of the last name: RFC 6604 section 3 */
        write_negative(r, l);
        break;
    case LOOKUP_REFERRAL: write_referral(r, l, owner); break;
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

/* RFC 6672 section 3.1: the DNAME, once, and the CNAME that it makes. NULL = the chain ends: the
 * name would be too long (section 2.2), or the DNAME points below itself and would only make it
 * longer for ever. */
static const uint8_t *write_dname(struct response *r, const struct lookup *l, struct chain *c,
                                  const uint8_t *owner)
{
    const uint8_t *target = only_rdata(l->set);
    if (!chain_has_dname(c, l->node->name))
        encoder_set(&r->enc, SECTION_ANSWER, l->set, l->node->name, l->set->ttl_s, &r->a->prng);
    const uint8_t *made = chain_substitute(c, l->node->labels, target);
    if (!made) {
        r->rcode = RCODE_YXDOMAIN;
        return NULL;
    }
    encoder_rr(&r->enc, SECTION_ANSWER, owner, RRTYPE_CNAME, l->set->ttl_s, made, dname_len(made));
    return dname_is_in(target, l->node->name) ? NULL : made;
}

static const uint8_t *write_alias(struct response *r, const struct lookup *l, struct chain *c,
                                  const uint8_t *owner)
{
    if (l->kind == LOOKUP_DNAME)
        return write_dname(r, l, c, owner);
    write_set(r, l, owner);
    return only_rdata(l->set);
}

static bool is_alias(const struct lookup *l)
{
    return l->kind == LOOKUP_CNAME || l->kind == LOOKUP_DNAME;
}

/* A CNAME, made or written, is all that was asked for by these types. */
static bool follows_aliases(const struct response *r)
{
    uint16_t qtype = r->rq->query.qtype;
    return r->s->options.cname_chain && qtype != RRTYPE_ANY && qtype != RRTYPE_CNAME;
}

/* What is behind an alias, as far as it lies in this zone (RFC 1034 section 4.3.2 step 3a). */
static void write_chain(struct response *r, struct lookup l)
{
    const struct query *query = &r->rq->query;
    const struct zone_set *zones = r->s->zones;
    struct chain c;
    chain_init(&c, &query->qname);
    while (is_alias(&l)) {
        const uint8_t *target = write_alias(r, &l, &c, chain_name(&c));
        if (!target || !follows_aliases(r) ||
            !chain_follow(&c, l.zone, target, zones->seed, zones->max_depth))
            return;
        l = lookup_name(l.zone, &c.at, query->qtype);
    }
    write_end(r, &l, chain_name(&c));
}

/* By the first owner (RFC 1034 section 4.3.2); never of all classes, whose data we do not know (RFC
 * 1035 section 6.2), but gdnsd says so. */
static bool is_authoritative(const struct response *r, enum lookup_kind kind)
{
    if (r->rq->query.qclass == RRCLASS_ANY && !r->s->options.gdnsd)
        return false;
    return kind != LOOKUP_REFERRAL;
}

void body_write(struct response *r)
{
    const struct lookup l = r->rq->lookup;
    r->aa = is_authoritative(r, l.kind);
    if (is_alias(&l))
        write_chain(r, l);
    else
        write_end(r, &l, r->rq->query.qname.wire);
}
