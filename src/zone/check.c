/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zone/check.h"

#include "base/buf.h"
#include "base/mem.h"
#include "wire/rdata.h"
#include "wire/rrtype.h"
#include "zone/block.h"
#include "zone/soa.h"
#include "zone/zone.h"

#define CHAIN_MAX 16 /* CNAMEs in a row that a resolver may be asked to follow */

/* "file:line" of a record in the arguments of a message. */
#define AT_FMT         "%s:%u"
#define AT_ARG(b, rec) (b)->files[(b)->recs[rec].file], (b)->recs[rec].line

/* Names in messages. */
struct text {
    char name[DNAME_TEXT_MAX], type[16];
};

static const char *name_of(const struct build *b, uint32_t node, struct text *t)
{
    return dname_print(build_name(b, node), t->name);
}

static const char *type_of(const struct build *b, uint32_t rec, struct text *t)
{
    return rrtype_print(b->recs[rec].type, t->type);
}

static bool has(const struct build *b, uint32_t node, uint16_t type)
{
    return build_find_rec(b, node, type) != BUILD_NONE;
}

static bool has_glue(const struct build *b, uint32_t node)
{
    return has(b, node, RRTYPE_A) || has(b, node, RRTYPE_AAAA);
}

/* --- where a target is --- */

/* PLACE_OUTSIDE also stands for names below a DNAME: they are looked for elsewhere. */
enum place { PLACE_OUTSIDE, PLACE_DELEGATED, PLACE_HERE, PLACE_MISSING };

struct target {
    enum place place;
    uint32_t node; /* the name, or the wildcard that answers for it; BUILD_NONE = neither */
};

static uint32_t closest_encloser(const struct build *b, const uint8_t *name)
{
    uint32_t node;
    while ((node = build_find(b, name)) == BUILD_NONE)
        name += 1 + *name; /* ends at the apex, which is a node */
    return node;
}

static struct target find_target(const struct build *b, const uint8_t *name)
{
    if (!dname_is_in(name, build_name(b, 0)))
        return (struct target){PLACE_OUTSIDE, build_find(b, name)};
    uint32_t node = closest_encloser(b, name);
    bool is_exact = b->nodes[node].name_len == dname_len(name);
    if ((b->nodes[node].flags & BUILD_REDIRECTED) ||
        (!is_exact && (b->nodes[node].flags & BUILD_HAS_DNAME) && b->nodes[node].cut == BUILD_NONE))
        return (struct target){PLACE_OUTSIDE, BUILD_NONE};
    if (b->nodes[node].cut != BUILD_NONE)
        return (struct target){PLACE_DELEGATED, is_exact ? node : BUILD_NONE};
    if (is_exact)
        return (struct target){PLACE_HERE, node};
    uint32_t wild = b->nodes[node].wild;
    return (struct target){wild == BUILD_NONE ? PLACE_MISSING : PLACE_HERE, wild};
}

static const uint8_t *target_of(const struct build *b, uint32_t rec)
{
    return rdata_target(b->recs[rec].type, build_rdata(b, rec), b->recs[rec].rdata_len);
}

static bool has_address(const struct build *b, struct target t)
{
    return t.node != BUILD_NONE &&
           (has_glue(b, t.node) || has(b, t.node, RRTYPE_DYNA) || has(b, t.node, RRTYPE_DYNC));
}

/* --- targets by type --- */

static void check_ns_target(struct build *b, uint32_t rec)
{
    struct text text;
    const uint8_t *name = target_of(b, rec);
    struct target t = find_target(b, name);
    dname_print(name, text.name);
    if (t.node != BUILD_NONE)
        b->nodes[t.node].flags |= BUILD_USED;
    if (t.place == PLACE_DELEGATED && (t.node == BUILD_NONE || !has_glue(b, t.node)))
        diag_error(b->d, build_loc(b, rec),
                   "name server \"%s\" is in delegated space and has no A or AAAA here (glue); "
                   "without it nobody can find the server",
                   text.name);
    else if (t.place == PLACE_MISSING || (t.place == PLACE_HERE && !has_address(b, t)))
        diag_strict_warn(b->d, build_loc(b, rec),
                         "name server \"%s\" of this zone has no address%s", text.name,
                         t.node != BUILD_NONE && has(b, t.node, RRTYPE_CNAME)
                             ? " but a CNAME, which resolvers refuse (RFC 2181 section 10.3)"
                             : "");
}

static void check_host_target(struct build *b, uint32_t rec)
{
    struct text text;
    const uint8_t *name = target_of(b, rec);
    if (*name == 0) /* "." says that there is no such service (RFC 7505, RFC 2782) */
        return;
    struct target t = find_target(b, name);
    if ((t.place == PLACE_HERE || t.place == PLACE_MISSING) && !has_address(b, t))
        diag_strict_warn(b->d, build_loc(b, rec), "target \"%s\" of %s has no address in this zone",
                         dname_print(name, text.name), type_of(b, rec, &text));
}

static void check_ptr_target(struct build *b, uint32_t rec)
{
    struct text text;
    const uint8_t *name = target_of(b, rec);
    if (find_target(b, name).place != PLACE_OUTSIDE)
        diag_strict_warn(b->d, build_loc(b, rec),
                         "PTR to \"%s\" in its own zone; is a final dot missing?",
                         dname_print(name, text.name));
}

/* CNAMEs within the zone, one behind another. */
struct chain {
    uint32_t nodes[CHAIN_MAX + 1];
    unsigned count;
    bool is_circle; /* the last one leads to one of them */
};

/* The node that a CNAME of `node` leads to in this zone, or BUILD_NONE. */
static uint32_t behind_cname(const struct build *b, uint32_t node)
{
    uint32_t rec = build_find_rec(b, node, RRTYPE_CNAME);
    if (rec == BUILD_NONE)
        return BUILD_NONE;
    struct target t = find_target(b, target_of(b, rec));
    return t.place == PLACE_HERE && has(b, t.node, RRTYPE_CNAME) ? t.node : BUILD_NONE;
}

static void follow_cnames(const struct build *b, uint32_t node, struct chain *c)
{
    c->count = 0;
    c->is_circle = false;
    for (; node != BUILD_NONE && c->count <= CHAIN_MAX; node = behind_cname(b, node)) {
        for (unsigned i = 0; i < c->count; i++)
            c->is_circle |= c->nodes[i] == node;
        if (c->is_circle)
            return;
        c->nodes[c->count++] = node;
    }
}

/* A circle, as names from its first CNAME on; a chain that is too long; else NULL. From the heap.
 */
static char *chain_fault(const struct build *b, const struct chain *c)
{
    struct text text;
    struct buf what = {0};
    const char *start = name_of(b, c->nodes[0], &text);
    if (!c->is_circle && c->count <= CHAIN_MAX)
        return NULL;
    if (!c->is_circle) {
        buf_printf(&what, "more than %u CNAMEs follow one another from \"%s\"", CHAIN_MAX, start);
        return buf_take(&what);
    }
    buf_printf(&what, "CNAMEs go in a circle: %s", start);
    for (unsigned i = 0; i < c->count; i++) {
        uint32_t rec = build_find_rec(b, c->nodes[i], RRTYPE_CNAME);
        buf_printf(&what, " -> %s", dname_print(target_of(b, rec), text.name));
    }
    return buf_take(&what);
}

static void check_chain(struct build *b, uint32_t node, uint32_t rec)
{
    struct chain c;
    follow_cnames(b, node, &c);
    char *fault = chain_fault(b, &c);
    if (fault && b->options->gdnsd)
        diag_error(b->d, build_loc(b, rec), "%s", fault);
    else if (fault)
        diag_strict_warn(b->d, build_loc(b, rec), "%s", fault);
    mem_free(fault);
}

static void check_cname_target(struct build *b, uint32_t node, uint32_t rec)
{
    struct text text;
    const uint8_t *name = target_of(b, rec);
    struct target t = find_target(b, name);
    if (t.place == PLACE_MISSING || (t.place == PLACE_HERE && b->nodes[t.node].first == BUILD_NONE))
        diag_strict_warn(b->d, build_loc(b, rec),
                         "CNAME to \"%s\", which this zone has no data for",
                         dname_print(name, text.name));
    check_chain(b, node, rec);
}

static void check_target(struct build *b, uint32_t node, uint32_t rec)
{
    switch (b->recs[rec].type) {
    case RRTYPE_NS: check_ns_target(b, rec); break;
    case RRTYPE_MX:
    case RRTYPE_SRV: check_host_target(b, rec); break;
    case RRTYPE_PTR: check_ptr_target(b, rec); break;
    case RRTYPE_CNAME: check_cname_target(b, node, rec); break;
    }
}

/* --- what may stand together at a name --- */

/* RFC 4035 section 2.5: what a signed zone has beside a CNAME. */
static bool may_be_beside_cname(uint16_t type)
{
    return type == RRTYPE_RRSIG || type == RRTYPE_NSEC || type == RRTYPE_KEY;
}

/* The first record of the node that `rec`, a CNAME or DYNC, does not allow. */
static uint32_t other_than(const struct build *b, uint32_t node, uint32_t rec)
{
    bool is_cname = b->recs[rec].type == RRTYPE_CNAME;
    uint32_t r = b->nodes[node].first;
    while (r == rec || (r != BUILD_NONE && is_cname && may_be_beside_cname(b->recs[r].type)))
        r = b->recs[r].next;
    return r;
}

static void refuse_pair(struct build *b, uint32_t node, uint32_t rec, uint32_t other,
                        const char *why)
{
    struct text text, other_text;
    diag_error(b->d, build_loc(b, rec), "%s at \"%s\" and %s at " AT_FMT ": %s",
               type_of(b, rec, &text), name_of(b, node, &text), type_of(b, other, &other_text),
               AT_ARG(b, other), why);
}

/* CNAME and DYNC: nothing else at the name, but for signatures of a CNAME. */
static bool check_alone(struct build *b, uint32_t node, uint16_t type)
{
    uint32_t rec = build_find_rec(b, node, type);
    if (rec == BUILD_NONE)
        return false;
    uint32_t other = other_than(b, node, rec);
    if (other != BUILD_NONE)
        refuse_pair(b, node, rec, other,
                    type == RRTYPE_CNAME ? "a CNAME stands alone at its name"
                                         : "a DYNC stands alone at its name");
    return true;
}

/* RFC 6672 sections 2.3 and 2.4. */
static void check_dname(struct build *b, uint32_t node)
{
    uint32_t dname = build_find_rec(b, node, RRTYPE_DNAME);
    if (dname == BUILD_NONE)
        return;
    uint32_t second = b->recs[dname].next, ns = build_find_rec(b, node, RRTYPE_NS);
    if (second != BUILD_NONE && b->recs[second].type == RRTYPE_DNAME)
        refuse_pair(b, node, dname, second, "a name has one DNAME");
    if (node != 0 && ns != BUILD_NONE)
        refuse_pair(b, node, dname, ns, "a DNAME belongs into the zone that NS delegates to");
}

static void check_dyna(struct build *b, uint32_t node)
{
    uint32_t dyn = build_find_rec(b, node, RRTYPE_DYNA);
    if (dyn == BUILD_NONE)
        return;
    uint32_t other = b->recs[dyn].next;
    if (other == BUILD_NONE || b->recs[other].type != RRTYPE_DYNA)
        other = build_find_rec(b, node, RRTYPE_A);
    if (other == BUILD_NONE)
        other = build_find_rec(b, node, RRTYPE_AAAA);
    if (other != BUILD_NONE)
        refuse_pair(b, node, dyn, other, "one DYNA gives all addresses of its name");
}

static void check_exclusive(struct build *b, uint32_t node)
{
    if (check_alone(b, node, RRTYPE_CNAME) || check_alone(b, node, RRTYPE_DYNC))
        return;
    check_dname(b, node);
    check_dyna(b, node);
}

/* --- sizes --- */

/* gdnsd's room for one answer; it counts the question, with the longest name where the owner is a
 * wildcard or a delegation, and all options beside the records. */
#define GDNSD_ANSWER_MAX 16376u

/* More name servers than this help nobody, and their addresses may not fit a referral. */
#define NS_MAX 64u

#define HEADER_BYTES   12u
#define QUESTION_FIXED 4u
#define OPTIONS_BYTES  101u /* OPT, cookie, client subnet, keepalive and padding */

static size_t answer_max(const struct build *b, uint32_t node)
{
    const struct build_node *n = &b->nodes[node];
    bool any_name = n->flags & (NODE_WILD | NODE_CUT | NODE_BELOW_CUT);
    size_t name_len = any_name ? DNAME_MAX : n->name_len;
    return b->options->gdnsd
               ? GDNSD_ANSWER_MAX - HEADER_BYTES - QUESTION_FIXED - OPTIONS_BYTES - name_len
               : BLOCK_MAX;
}

static void check_sizes(struct build *b, uint32_t node)
{
    struct text text;
    unsigned types = 0, count = 0;
    uint32_t first = b->nodes[node].first;
    if (first == b->nodes[node].last && first != BUILD_NONE && b->recs[first].rdata_len < 1024)
        return; /* nothing that is refused below */
    for (uint32_t r = b->nodes[node].first; r != BUILD_NONE; types++) {
        size_t bytes = block_plain_bytes(b, node, r, &count);
        if (bytes > answer_max(b, node))
            diag_error(b->d, build_loc(b, r),
                       "\"%s\" has too much data: %u %s records of %zu bytes, and no answer holds "
                       "more than %zu",
                       name_of(b, node, &text), count, type_of(b, r, &text), bytes,
                       answer_max(b, node));
        if (b->recs[r].type == RRTYPE_NS && count > NS_MAX)
            diag_error(b->d, build_loc(b, r), "\"%s\" has %u NS records; at most %u",
                       name_of(b, node, &text), count, NS_MAX);
        for (; count > 0; count--)
            r = b->recs[r].next;
    }
    if (types > UINT8_MAX)
        diag_error(b->d, build_loc(b, b->nodes[node].first), "\"%s\" has %u types; at most 255",
                   name_of(b, node, &text), types);
}

/* --- the apex --- */

static void check_soa(struct build *b, const char *path)
{
    struct text text;
    uint32_t first = build_find_rec(b, 0, RRTYPE_SOA);
    if (first == BUILD_NONE) {
        diag_error(b->d, (struct diag_loc){path, 0, 0}, "zone \"%s\" has no SOA record at its apex",
                   name_of(b, 0, &text));
        return;
    }
    uint32_t second = b->recs[first].next;
    if (second != BUILD_NONE && b->recs[second].type == RRTYPE_SOA)
        diag_error(b->d, build_loc(b, second), "a second SOA; the first is at " AT_FMT,
                   AT_ARG(b, first));
    soa_settle(b, first);
}

static bool is_name_server(const struct build *b, const uint8_t *name)
{
    uint32_t r = build_find_rec(b, 0, RRTYPE_NS);
    for (; r != BUILD_NONE && b->recs[r].type == RRTYPE_NS; r = b->recs[r].next)
        if (dname_equal(target_of(b, r), name))
            return true;
    return false;
}

static void check_apex_ns(struct build *b, const char *path)
{
    struct text text;
    uint32_t ns = build_find_rec(b, 0, RRTYPE_NS), soa = build_find_rec(b, 0, RRTYPE_SOA);
    if (ns == BUILD_NONE) {
        diag_error(b->d, (struct diag_loc){path, 0, 0}, "zone \"%s\" has no NS record at its apex",
                   name_of(b, 0, &text));
        return;
    }
    if (b->recs[ns].next == BUILD_NONE || b->recs[b->recs[ns].next].type != RRTYPE_NS)
        diag_strict_warn(b->d, build_loc(b, ns),
                         "zone \"%s\" has only one NS record; two are wanted",
                         name_of(b, 0, &text));
    if (soa != BUILD_NONE && !is_name_server(b, soa_read(b, soa).mname))
        diag_strict_warn(b->d, build_loc(b, soa), "SOA's primary \"%s\" is none of the zone's NS",
                         dname_print(soa_read(b, soa).mname, text.name));
}

/* --- delegations --- */

static bool is_kept(const struct build_node *n, uint16_t type)
{
    bool at_cut = n->flags & NODE_CUT;
    return type == RRTYPE_A || type == RRTYPE_AAAA ||
           (at_cut && (type == RRTYPE_NS || type == RRTYPE_DS));
}

/* What gdnsd refuses is hidden here as everything below a cut is. */
static void tell_hidden(struct build *b, uint32_t node, uint32_t rec, const char *what)
{
    struct text text, cut_text;
    uint32_t cut = b->nodes[node].cut, ns = build_find_rec(b, cut, RRTYPE_NS);
    const char *fmt = "%s \"%s\" inside delegation \"%s\" at " AT_FMT;
    if (b->options->gdnsd)
        diag_error(b->d, build_loc(b, rec), fmt, what, name_of(b, node, &text),
                   name_of(b, cut, &cut_text), AT_ARG(b, ns));
    else
        diag_strict_warn(b->d, build_loc(b, rec), fmt, what, name_of(b, node, &text),
                         name_of(b, cut, &cut_text), AT_ARG(b, ns));
}

static void tell_occluded(struct build *b, uint32_t node, uint32_t rec)
{
    struct text text, cut_text;
    const struct build_node *n = &b->nodes[node];
    uint32_t cut_ns = build_find_rec(b, n->cut, RRTYPE_NS);
    if (b->recs[rec].type == RRTYPE_NS)
        tell_hidden(b, node, rec, "delegation");
    else
        diag_strict_warn(b->d, build_loc(b, rec),
                         "%s at \"%s\" is never served: \"%s\" is delegated at " AT_FMT,
                         type_of(b, rec, &text), name_of(b, node, &text),
                         name_of(b, n->cut, &cut_text), AT_ARG(b, cut_ns));
}

/* Take out what a DNAME hides; freeze leaves the name itself out. */
static void hide_redirected(struct build *b, uint32_t node)
{
    struct text text, dname_text;
    struct build_node *n = &b->nodes[node];
    uint32_t dname = build_find_rec(b, n->cut, RRTYPE_DNAME);
    const char *above = name_of(b, n->cut, &dname_text);
    for (uint32_t r = n->first; r != BUILD_NONE; r = b->recs[r].next)
        diag_strict_warn(b->d, build_loc(b, r),
                         "%s at \"%s\" is never served: \"%s\" has a DNAME at " AT_FMT,
                         type_of(b, r, &text), name_of(b, node, &text), above, AT_ARG(b, dname));
    n->first = BUILD_NONE;
}

/* Take out what a delegation hides. */
static void hide_occluded(struct build *b, uint32_t node)
{
    uint32_t *link = &b->nodes[node].first;
    while (*link != BUILD_NONE) {
        struct build_rec *r = &b->recs[*link];
        if (is_kept(&b->nodes[node], r->type)) {
            link = &r->next;
            continue;
        }
        tell_occluded(b, node, *link);
        *link = r->next;
    }
}

/* Discouraged, not barred (RFC 4592 section 4.2). */
static void tell_wild_ns(struct build *b, uint32_t node, uint32_t ns)
{
    struct text text;
    const char *fmt = "NS at the wildcard \"%s\" delegates no other name; delegate each one";
    if (b->options->gdnsd)
        diag_error(b->d, build_loc(b, ns), fmt, name_of(b, node, &text));
    else
        diag_strict_warn(b->d, build_loc(b, ns), fmt, name_of(b, node, &text));
}

static void check_cut(struct build *b, uint32_t node)
{
    const struct build_node *n = &b->nodes[node];
    uint32_t cut_ns = build_find_rec(b, n->cut, RRTYPE_NS);
    bool is_wild = n->flags & NODE_WILD;
    if (is_wild && (n->flags & NODE_CUT))
        tell_wild_ns(b, node, cut_ns);
    else if (is_wild && n->first != BUILD_NONE)
        tell_hidden(b, node, n->first, "wildcard");
    hide_occluded(b, node);
}

/* --- outside the zone, and glue --- */

static void check_outside(struct build *b, uint32_t node)
{
    struct text text, zone;
    for (uint32_t r = b->nodes[node].first; r != BUILD_NONE; r = b->recs[r].next) {
        if (!rrtype_is_address(b->recs[r].type))
            diag_error(b->d, build_loc(b, r), "%s at \"%s\" is outside the zone \"%s\"",
                       type_of(b, r, &text), name_of(b, node, &text), name_of(b, 0, &zone));
    }
}

static uint32_t glue_of(const struct build *b, uint32_t node)
{
    uint32_t a = build_find_rec(b, node, RRTYPE_A);
    return a != BUILD_NONE ? a : build_find_rec(b, node, RRTYPE_AAAA);
}

static void tell_outside_glue(struct build *b, uint32_t node)
{
    struct text text, zone;
    uint32_t glue = glue_of(b, node);
    bool is_used = b->nodes[node].flags & BUILD_USED;
    if (glue != BUILD_NONE)
        diag_strict_warn(b->d, build_loc(b, glue), "%s at \"%s\" is outside the zone \"%s\": %s",
                         type_of(b, glue, &text), name_of(b, node, &text), name_of(b, 0, &zone),
                         is_used ? "it serves as glue only"
                                 : "it would serve as glue only, and no NS names it");
}

static void check_glue_used(struct build *b, uint32_t node)
{
    struct text text;
    const struct build_node *n = &b->nodes[node];
    if (n->flags & BUILD_OUTSIDE)
        tell_outside_glue(b, node);
    else if (!(n->flags & BUILD_USED) && n->cut != BUILD_NONE && has_glue(b, node))
        diag_strict_warn(b->d, build_loc(b, glue_of(b, node)),
                         "glue for \"%s\" is of no use: no NS names it", name_of(b, node, &text));
}

static void check_node(struct build *b, uint32_t node)
{
    struct text text;
    if (b->nodes[node].flags & BUILD_REDIRECTED) {
        hide_redirected(b, node);
        return;
    }
    if (b->nodes[node].flags & BUILD_HAS_ALONE)
        check_exclusive(b, node);
    if (b->nodes[node].cut != BUILD_NONE)
        check_cut(b, node);
    for (uint32_t r = b->nodes[node].first; r != BUILD_NONE; r = b->recs[r].next) {
        if (b->recs[r].type == RRTYPE_SOA && node != 0)
            diag_error(b->d, build_loc(b, r), "SOA at \"%s\", which is not the zone's apex",
                       name_of(b, node, &text));
        check_target(b, node, r);
    }
}

void check_zone(struct build *b, const char *path)
{
    check_soa(b, path);
    check_apex_ns(b, path);
    for (uint32_t i = 0; i < b->node_count; i++) {
        if (b->nodes[i].flags & BUILD_OUTSIDE)
            check_outside(b, i);
        else
            check_node(b, i);
        check_sizes(b, i);
    }
    for (uint32_t i = 0; i < b->node_count; i++)
        check_glue_used(b, i);
}
