/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zone/guard.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "wire/cursor.h"

static int refuse(bool force, struct diag *d, const struct zone *z, const char *what)
{
    char apex[DNAME_TEXT_MAX];
    struct diag_loc loc = {z->file, 0, 0};
    if (force)
        return diag_warn(d, loc, "zone \"%s\" will %s: forced", dname_print(z->apex, apex), what);
    return diag_error(d, loc,
                      "zone \"%s\" would %s; if that is meant: threshctl reload-zones --force",
                      dname_print(z->apex, apex), what);
}

static int check_size(const struct zone_options *o, bool force, const struct zone *was,
                      const struct zone *now, struct diag *d)
{
    if (now->rr_count >= was->rr_count ||
        (was->rr_count - now->rr_count) * 100 <= was->rr_count * (size_t)o->shrink_limit)
        return 0;
    struct buf what = {0};
    buf_printf(&what,
               "shrink from %zu to %zu records, by more than zones_shrink_limit %" PRIu32 "%%",
               was->rr_count, now->rr_count, o->shrink_limit);
    int e = refuse(force, d, now, what.data);
    buf_fini(&what);
    return e;
}

/* ---- name servers --------------------------------------------------------------------------- */

/* The node that answers for a name of the zone: itself, or the wildcard (RFC 4592); or NULL. */
static const struct node *find_owner(const struct zone *z, const uint8_t *name)
{
    struct qname q;
    qname_set(&q, name, z->seed, DNAME_LABELS_MAX);
    struct zone_match m = zone_find(z, &q);
    if (m.exact)
        return m.node;
    return m.node->cut || node_find_set(m.node, RRTYPE_DNAME) ? NULL : m.node->wild;
}

static bool has_address(const struct zone *z, const uint8_t *name)
{
    const struct node *n = find_owner(z, name);
    return n && (n->dyn || node_find_set(n, RRTYPE_A) || node_find_set(n, RRTYPE_AAAA));
}

struct servers {
    unsigned inside, addressed; /* name servers named in the zone; those of them with addresses */
};

/* The RRs of a set lie one after another: owner, type, class, TTL, length, rdata. */
static struct servers count_servers(const struct zone *z)
{
    struct servers s = {0};
    const struct rrset *ns = node_find_set(z->apex_node, RRTYPE_NS);
    if (!ns)
        return s;
    size_t owner_len = z->apex_labels ? 2 : 1;
    struct cursor c = cursor_on(ns->rrs.plain, ns->rrs.plain_len);
    for (unsigned i = 0; i < ns->count; i++) {
        (void)cursor_bytes(&c, owner_len + 8);
        uint16_t len = cursor_u16(&c);
        const uint8_t *target = cursor_bytes(&c, len);
        if (!target || !dname_is_in(target, z->apex))
            continue;
        s.inside++;
        s.addressed += has_address(z, target);
    }
    return s;
}

static int check_servers(bool force, const struct zone *was, const struct zone *now, struct diag *d)
{
    struct servers before = count_servers(was), after = count_servers(now);
    if (!before.addressed || !after.inside || after.addressed)
        return 0;
    return refuse(force, d, now, "lose the last address of its name servers");
}

/* ---- serial --------------------------------------------------------------------------------- */

/* RFC 1982 section 3.2. At a distance of 2^31 neither is the later one. */
static bool is_later(uint32_t serial, uint32_t than)
{
    uint32_t ahead = serial - than;
    return ahead != 0 && ahead < (uint32_t)1 << 31;
}

static void check_serial(const struct zone *was, const struct zone *now, struct diag *d)
{
    char apex[DNAME_TEXT_MAX];
    struct diag_loc loc = {now->file, 0, 0};
    if (was->content_hash == now->content_hash || is_later(now->serial, was->serial))
        return;
    dname_print(now->apex, apex);
    if (now->serial == was->serial)
        diag_warn(d, loc,
                  "zone \"%s\" has changed and still has serial %" PRIu32
                  "; whoever compares serials will not see it",
                  apex, now->serial);
    else
        diag_warn(d, loc,
                  "zone \"%s\": serial went back from %" PRIu32 " to %" PRIu32
                  "; whoever compares serials will not see the change",
                  apex, was->serial, now->serial);
}

int guard_check(const struct zone_options *o, bool force, const struct zone *was,
                const struct zone *now, struct diag *d)
{
    if (!o->shrink_limit)
        return 0;
    if (!now)
        return refuse(force, d, was, "be dropped, since its file has gone");
    int e = check_size(o, force, was, now, d);
    int failed = check_servers(force, was, now, d);
    check_serial(was, now, d);
    return e ? e : failed;
}
