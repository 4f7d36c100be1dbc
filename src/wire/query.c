/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wire/query.h"

#include "wire/rrtype.h"

enum { OPT_HEAD = 11 }; /* root owner, type, class, TTL, rdlength */

/* Where parsing stands. */
struct reader {
    const uint8_t *msg;
    size_t at, len;
    unsigned edns_rules;
};

static unsigned get16(const uint8_t *p)
{
    return (unsigned)p[0] << 8 | p[1];
}

/* The question's name: copied, lower-cased, labels noted. Pointers are not allowed here. */
static bool read_qname(struct reader *r, struct qname *q)
{
    size_t start = r->at, at = start;
    unsigned labels = 0;
    for (;;) {
        if (at >= r->len)
            return false;
        unsigned n = r->msg[at];
        if (n > DNAME_LABEL_MAX || at - start + n + 1 > DNAME_MAX)
            return false;
        q->off[labels] = (uint8_t)(at - start);
        at += n + 1;
        if (n == 0)
            break;
        labels++;
    }
    if (at > r->len)
        return false;
    q->len = (uint8_t)(at - start);
    q->labels = (uint8_t)labels;
    memcpy(q->wire, r->msg + start, q->len);
    memset(q->wire + q->len, 0, 8);
    dname_lower(q->wire, q->len);
    r->at = at;
    return true;
}

/* Any other name: checked and passed over. A pointer ends it and must point backwards. */
static bool skip_name(struct reader *r)
{
    size_t total = 0;
    while (r->at < r->len) {
        unsigned n = r->msg[r->at];
        if (n >= 0xc0) {
            if (r->at + 2 > r->len || (get16(r->msg + r->at) & 0x3fff) >= r->at)
                return false;
            r->at += 2;
            return true;
        }
        total += n + 1;
        if (n > DNAME_LABEL_MAX || total > DNAME_MAX)
            return false;
        r->at += n + 1;
        if (n == 0)
            return r->at <= r->len;
    }
    return false;
}

/* r stands at an OPT record's root owner. RFC 6891 section 6.1. */
static bool read_opt(struct reader *r, struct query *q)
{
    const uint8_t *p = r->msg + r->at;
    if (r->len - r->at < OPT_HEAD)
        return false;
    size_t rdlen = get16(p + 9);
    if (q->edns || r->len - r->at - OPT_HEAD < rdlen)
        return false; /* a second OPT is malformed (6.1.1) */
    q->edns = true;
    q->udp_size = (uint16_t)get16(p + 3);
    q->dnssec_ok = p[7] & 0x80;
    r->at += OPT_HEAD + rdlen;
    if (p[6] != 0) { /* another version may have other options */
        q->rcode = RCODE_BADVERS;
        return true;
    }
    enum edns_verdict v = rdlen ? edns_parse(&q->opt, p + OPT_HEAD, rdlen, r->edns_rules) : EDNS_OK;
    q->bad_cookie = v == EDNS_BAD_COOKIE;
    return v == EDNS_OK;
}

static bool read_rr(struct reader *r, struct query *q, bool additional)
{
    size_t owner = r->at;
    const uint8_t *p = r->msg + owner;
    if (additional && r->len - owner >= OPT_HEAD && p[0] == 0 && get16(p + 1) == RRTYPE_OPT)
        return read_opt(r, q);
    if (!skip_name(r) || r->len - r->at < 10)
        return false;
    unsigned type = get16(r->msg + r->at);
    if (type == RRTYPE_OPT) /* in another section, not of the root, or cut off */
        return false;
    size_t rdlen = get16(r->msg + r->at + 8);
    if (r->len - r->at - 10 < rdlen)
        return false;
    r->at += 10 + rdlen;
    return true;
}

/* Questions behind the first, if a message has them: checked, never answered. */
static bool skip_questions(struct reader *r, unsigned count)
{
    for (; count; count--) {
        if (!skip_name(r) || r->len - r->at < 4)
            return false;
        r->at += 4;
    }
    return true;
}

/* Everything behind the header; false = malformed. */
static bool read_body(struct reader *r, struct query *q)
{
    const uint8_t *m = r->msg;
    unsigned qd = get16(m + 4), an = get16(m + 6), ns = get16(m + 8), ar = get16(m + 10);
    if (qd) {
        if (!read_qname(r, &q->qname) || r->len - r->at < 4)
            return false;
        q->qtype = (uint16_t)get16(m + r->at);
        q->qclass = (uint16_t)get16(m + r->at + 2);
        r->at += 4;
        q->question_len = (uint16_t)(r->at - DNS_HEADER);
        if (!skip_questions(r, qd - 1))
            return false;
    }
    for (; an + ns; an ? an-- : ns--)
        if (!read_rr(r, q, false))
            return false;
    for (; ar; ar--)
        if (!read_rr(r, q, true))
            return false;
    return true;
}

static enum query_verdict answer_rcode(struct query *q, uint16_t rcode)
{
    q->rcode = rcode;
    return q->verdict = QUERY_RCODE;
}

/* A well-formed message of opcode QUERY. */
static enum query_verdict judge(struct query *q, unsigned question_count)
{
    if (question_count == 0 && (q->opt.seen & EDNS_SEEN_COOKIE))
        return answer_rcode(q, RCODE_NOERROR); /* asks for a cookie alone: RFC 7873 section 5.4 */
    if (question_count != 1)                   /* RFC 9619 */
        return answer_rcode(q, RCODE_FORMERR);
    if (q->qtype >= RRTYPE_META_FIRST && q->qtype <= RRTYPE_META_LAST)
        return answer_rcode(q, RCODE_NOTIMP);
    if (q->qclass == RRCLASS_CH)
        return q->verdict = QUERY_CHAOS;
    if (q->qclass != RRCLASS_IN && q->qclass != RRCLASS_ANY)
        return answer_rcode(q, RCODE_REFUSED);
    return q->verdict = QUERY_LOOKUP;
}

enum query_verdict query_parse(struct query *q, const uint8_t *msg, size_t len,
                               const struct query_rules *rules, unsigned rule_bits)
{
    q->msg = msg;
    q->len = (uint32_t)len;
    q->question_len = q->rcode = q->qtype = q->qclass = q->udp_size = 0;
    q->edns = q->dnssec_ok = q->bad_cookie = false;
    q->opt.seen = 0;
    if (len < DNS_HEADER || (msg[2] & 0x80)) /* a runt, or a response */
        return q->verdict = QUERY_DROP;
    unsigned opcode = (msg[2] & 0x78) >> 3;
    if (opcode == OPCODE_DSO) /* over UDP: not as much as parsed (RFC 8490 section 5.4) */
        return answer_rcode(q, RCODE_FORMERR);
    struct reader r = {msg, DNS_HEADER, len, rules->edns | rule_bits};
    if (!read_body(&r, q)) {
        q->opt.seen = 0; /* nothing of a broken message is acted on */
        return answer_rcode(q, RCODE_FORMERR);
    }
    if (q->rcode == RCODE_BADVERS) /* whatever is asked (RFC 6891 section 6.1.3) */
        return q->verdict = QUERY_RCODE;
    if (opcode != OPCODE_QUERY)
        return answer_rcode(q, RCODE_NOTIMP);
    if (judge(q, get16(msg + 4)) == QUERY_LOOKUP)
        qname_hash(&q->qname, rules->seed, rules->max_depth);
    return q->verdict;
}
