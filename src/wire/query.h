/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * query.h: a received message, taken apart: RFC 1035 section 4.1, RFC 6891, RFC 9619.
 *
 *   bytes --query_parse--> QUERY_DROP      not to be answered at all
 *                          QUERY_RCODE     to be answered with query.rcode and no records
 *                          QUERY_CHAOS     one question of class CH, about the server itself
 *                          QUERY_LOOKUP    one question for zone data
 *
 * The message stays where it is: the answer is written over it, behind its question.
 * Thread rule: [worker]; nothing allocates; every byte read is bounds-checked here.
 */
#ifndef WIRE_QUERY_H
#define WIRE_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "wire/dname.h"
#include "wire/edns.h"

#define DNS_HEADER   12
#define QUERY_OFFSET DNS_HEADER /* of the question's name */

enum query_verdict { QUERY_DROP, QUERY_RCODE, QUERY_CHAOS, QUERY_LOOKUP };

/* The same for all queries of a time. */
struct query_rules {
    uint64_t seed;      /* of the hashes */
    unsigned max_depth; /* suffixes of at most so many labels are hashed */
    unsigned edns;      /* EDNS_RULE_* */
};

struct query {
    const uint8_t *msg;
    uint32_t len;
    uint16_t qtype, qclass;
    uint16_t question_len; /* bytes of the question section that is echoed; 0 = none */
    uint16_t rcode;        /* of QUERY_RCODE; may be an extended one */
    uint8_t verdict;       /* enum query_verdict */
    bool edns;             /* an OPT record was read */
    bool dnssec_ok;        /* its DO bit */
    bool bad_cookie;       /* FORMERR because of its cookie option */
    uint16_t udp_size;     /* its UDP payload size */
    struct qname qname;
    struct edns opt; /* its options; `seen` is 0 without any */
};

/* Take msg[0..len-1] apart. rule_bits: EDNS_RULE_* of this transport, beside rules->edns. Returns
 * q->verdict. */
enum query_verdict query_parse(struct query *q, const uint8_t *msg, size_t len,
                               const struct query_rules *rules, unsigned rule_bits);

#endif
