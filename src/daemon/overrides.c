/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "daemon/overrides.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "conf/schema.h"
#include "conf/vscf.h"
#include "daemon/admin_file.h"
#include "daemon/keep.h"

struct both_clocks both_now(void)
{
    return (struct both_clocks){wall_now(), mono_now()};
}

/* ---- lists ---------------------------------------------------------------------------------- */

struct admin *overrides_with(const struct admin *rules, const struct admin_rule *rule)
{
    struct admin *a = admin_new();
    for (size_t i = 0; i < admin_count(rules); i++)
        if (strcmp(admin_at(rules, i)->glob, rule->glob) != 0)
            admin_add(a, admin_at(rules, i));
    admin_add(a, rule);
    return a;
}

struct admin *overrides_without(const struct admin *rules, const char *glob)
{
    struct admin *a = admin_new();
    for (size_t i = 0; i < admin_count(rules); i++) {
        const char *other = admin_at(rules, i)->glob;
        if (strcmp(other, glob) != 0 && !admin_matches(glob, other))
            admin_add(a, admin_at(rules, i));
    }
    return a;
}

struct mono override_end(const struct admin_rule *rule)
{
    return (struct mono){rule->at.ns + (rule->until.ns - rule->since.ns)};
}

struct admin *overrides_lasting(const struct admin *rules, struct mono now)
{
    struct admin *a = admin_new();
    for (size_t i = 0; i < admin_count(rules); i++)
        if (override_end(admin_at(rules, i)).ns > now.ns)
            admin_add(a, admin_at(rules, i));
    return a;
}

/* ---- reading -------------------------------------------------------------------------------- */

struct entry {
    const char *glob, *state, *author, *reason;
    double since, until; /* seconds since 1970 */
};

#define AT(field) .offset = offsetof(struct entry, field)
/* the year 2255: nanoseconds since 1970 still fit 64 bits */
#define SECONDS_MAX 9e9
static const struct th_key entry_keys[] = {
    {.name = "glob", .type = TH_STRING, AT(glob), .flags = TH_KEY_REQUIRED},
    {.name = "state", .type = TH_STRING, AT(state), .flags = TH_KEY_REQUIRED},
    {.name = "author", .type = TH_STRING, AT(author), .def = ""},
    {.name = "reason", .type = TH_STRING, AT(reason), .def = ""},
    {.name = "since", .type = TH_FLOAT, AT(since), .max = SECONDS_MAX, .flags = TH_KEY_REQUIRED},
    {.name = "until", .type = TH_FLOAT, AT(until), .max = SECONDS_MAX, .flags = TH_KEY_REQUIRED},
    {0},
};
#undef AT

static struct wall wall_of(double s)
{
    return (struct wall){(int64_t)(s * 1000 + 0.5) * 1000000}; /* written with milliseconds */
}

/* When it began on this boot's monotonic clock; what a wrong clock wrote as of the future began
 * now. */
static struct mono mono_of(struct wall since, struct both_clocks now)
{
    int64_t ago_ns = now.wall.ns - since.ns;
    return (struct mono){now.mono.ns - (ago_ns > 0 ? ago_ns : 0)};
}

static int read_entry(const struct th_conf *node, struct both_clocks now, struct diag *d,
                      struct admin *out)
{
    struct entry e = {0};
    schema_defaults(entry_keys, &e);
    if (vnode_kind(node) != VNODE_HASH)
        return diag_error(d, vnode_loc(node), "each rule must be { ... }");
    int failed = schema_read(entry_keys, node, "override", SCHEMA_REFUSE_REST, &e, d);
    if (failed)
        return failed;
    struct admin_rule r = {.glob = e.glob,
                           .origin = ADMIN_COMMAND,
                           .author = e.author,
                           .reason = e.reason,
                           .since = wall_of(e.since),
                           .until = wall_of(e.until)};
    r.at = mono_of(r.since, now);
    failed = admin_file_parse_state(e.state, vnode_loc(node), false, d, &r);
    if (failed)
        return failed;
    if (r.until.ns > now.wall.ns)
        admin_add(out, &r);
    return 0;
}

int overrides_read(const char *path, struct both_clocks now, struct diag *d, struct admin *out)
{
    struct vtree *tree = NULL;
    int e = vscf_parse_file(path, d, &tree);
    if (e)
        return e == ERR_NOTFOUND ? e : ERR_REFUSED;
    const struct th_conf *root = vtree_root(tree);
    if (vnode_kind(root) != VNODE_ARRAY)
        e = diag_error(d, vnode_loc(root), "the file must be [ { glob => ... }, ... ]");
    for (size_t i = 0; !e && i < vnode_list_count(root); i++)
        e = read_entry(vnode_list_at(root, i), now, d, out);
    vtree_free(tree);
    return e ? ERR_REFUSED : 0;
}

/* ---- writing -------------------------------------------------------------------------------- */

/* Any bytes between quotes: what is no plain character becomes \DDD. */
static void add_quoted(struct buf *b, const char *text)
{
    buf_adds(b, "\"");
    for (const char *p = text; *p; p++) {
        unsigned char c = (unsigned char)*p;
        if (c >= ' ' && c < 127 && c != '"' && c != '\\')
            buf_add(b, p, 1);
        else
            buf_printf(b, "\\%03u", c);
    }
    buf_adds(b, "\"");
}

static void add_seconds(struct buf *b, const char *key, struct wall t)
{
    int64_t ms = t.ns / 1000000;
    buf_printf(b, " %s => %lld.%03lld", key, (long long)(ms / 1000), (long long)(ms % 1000));
}

static void add_entry(struct buf *b, const struct admin_rule *r)
{
    buf_adds(b, "    { glob => ");
    add_quoted(b, r->glob);
    buf_printf(b, " state => %s", admin_state_name(r->state));
    if (r->ttl_s != TH_TTL_MAX)
        buf_printf(b, "/%u", (unsigned)r->ttl_s);
    buf_adds(b, " author => ");
    add_quoted(b, r->author);
    buf_adds(b, " reason => ");
    add_quoted(b, r->reason);
    add_seconds(b, "since", r->since);
    add_seconds(b, "until", r->until);
    buf_adds(b, " },\n");
}

int overrides_write(const char *path, const struct admin *rules)
{
    struct buf b = {0};
    buf_adds(&b, "# written by threshd: see threshctl overrides\n[\n");
    for (size_t i = 0; i < admin_count(rules); i++)
        add_entry(&b, admin_at(rules, i));
    buf_adds(&b, "]\n");
    int e = keep_file(path, b.data, b.len, 0644);
    int saved = errno;
    buf_fini(&b);
    errno = saved;
    return e;
}
