/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lookup.h: what a name and a type come to: RFC 1034 section 4.3.2, RFC 4592 for wildcards.
 *
 *   LOOKUP_HIT        set              the rrset asked for
 *   LOOKUP_CNAME      set              a CNAME stands there instead
 *   LOOKUP_DNAME      node, set        a name above is a DNAME (RFC 6672): node owns it
 *   LOOKUP_DYN        node->dyn        A or AAAA from a plugin
 *   LOOKUP_ANY        node             something is there, type ANY was asked (RFC 8482)
 *   LOOKUP_NODATA     node
 *   LOOKUP_NXDOMAIN
 *   LOOKUP_REFERRAL   node, set        the cut and its NS set
 *
 * Thread rule: [worker], pure.
 */
#ifndef ANSWER_LOOKUP_H
#define ANSWER_LOOKUP_H

#include <stdbool.h>
#include "wire/query.h"
#include "zone/set.h"

enum lookup_kind {
    LOOKUP_HIT,
    LOOKUP_CNAME,
    LOOKUP_DNAME,
    LOOKUP_DYN,
    LOOKUP_ANY,
    LOOKUP_NODATA,
    LOOKUP_NXDOMAIN,
    LOOKUP_REFERRAL,
};

struct lookup {
    enum lookup_kind kind;
    const struct zone *zone;
    const struct node *node;
    const struct rrset *set;
    bool wildcard; /* node is "*", the owner is the name asked for */
};

struct lookup lookup_name(const struct zone *z, const struct qname *q, uint16_t qtype);

#endif
