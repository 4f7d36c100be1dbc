/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/lookup.h"

static struct lookup at_node(const struct zone *z, const struct node *n, uint16_t qtype)
{
    struct lookup l = {.kind = LOOKUP_HIT, .zone = z, .node = n, .set = node_find_set(n, qtype)};
    if (l.set)
        return l;
    l.set = node_find_set(n, RRTYPE_CNAME);
    if (l.set)
        l.kind = LOOKUP_CNAME;
    else if (n->dyn && (qtype == RRTYPE_A || qtype == RRTYPE_AAAA))
        l.kind = LOOKUP_DYN;
    else if (qtype == RRTYPE_ANY && (n->set_count || n->dyn))
        l.kind = LOOKUP_ANY;
    else
        l.kind = LOOKUP_NODATA;
    return l;
}

struct lookup lookup_name(const struct zone *z, const struct qname *q, uint16_t qtype)
{
    struct zone_match m = zone_find(z, q);
    const struct node *cut = m.node->cut;
    /* RFC 1034 4.3.2 step 3b; DS belongs to the parent's side of the cut (RFC 4035 3.1.4.1) */
    if (cut && !(m.exact && cut == m.node && qtype == RRTYPE_DS))
        return (struct lookup){LOOKUP_REFERRAL, z, cut, node_find_set(cut, RRTYPE_NS), false};
    if (m.exact)
        return at_node(z, m.node, qtype);
    const struct rrset *dname = node_find_set(m.node, RRTYPE_DNAME);
    if (dname) /* RFC 6672 section 3.2, before step 3c: nothing below it is served */
        return (struct lookup){LOOKUP_DNAME, z, m.node, dname, false};
    if (!m.node->wild) /* step 3c */
        return (struct lookup){.kind = LOOKUP_NXDOMAIN, .zone = z, .node = m.node};
    struct lookup l = at_node(z, m.node->wild, qtype);
    l.wildcard = true;
    return l;
}
