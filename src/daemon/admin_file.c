/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "daemon/admin_file.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "conf/schema_parse.h"
#include "conf/vscf.h"

/* As strtoul with base 10 reads it; a sign is none. */
static int parse_ttl_lax(const char *text, uint32_t *out)
{
    char *end;
    if (!isdigit((unsigned char)text[0]))
        return ERR_SYNTAX;
    unsigned long v = strtoul(text, &end, 10);
    if (*end || v > UINT32_MAX)
        return ERR_SYNTAX;
    *out = (uint32_t)v;
    return 0;
}

static int refuse_state(const char *text, struct diag_loc at, bool gdnsd, struct diag *d)
{
    return diag_error(
        d, at, "read \"%s\", allowed: %s, alone or followed by /TTL, a TTL of 0 to %u seconds",
        text, gdnsd ? "UP, DOWN" : "UP, DOWN, DRAIN, MAINT", (unsigned)TH_TTL_MAX);
}

int admin_file_parse_state(const char *text, struct diag_loc at, bool gdnsd, struct diag *d,
                           struct admin_rule *out)
{
    const int last = gdnsd ? ADMIN_DOWN : ADMIN_MAINT;
    for (int s = ADMIN_UP; s <= last; s++) {
        const char *name = admin_state_name((enum admin_state)s);
        size_t len = strlen(name);
        if (strncasecmp(text, name, len) != 0 || (text[len] && text[len] != '/'))
            continue;
        const char *ttl = text + len + 1;
        out->state = (enum admin_state)s;
        out->ttl_s = TH_TTL_MAX;
        if (!text[len])
            return 0;
        int e =
            gdnsd ? parse_ttl_lax(ttl, &out->ttl_s) : schema_parse_uint(ttl, false, &out->ttl_s);
        return e || out->ttl_s > TH_TTL_MAX ? refuse_state(text, at, gdnsd, d) : 0;
    }
    return refuse_state(text, at, gdnsd, d);
}

static int read_pair(const struct admin_file *f, const struct th_conf *root, size_t i,
                     struct diag *d, struct admin *out)
{
    const struct th_conf *value = vnode_pair_at(root, i);
    const char *text = vnode_text(value);
    struct admin_rule rule = {.glob = vnode_pair_key(root, i),
                              .origin = ADMIN_FILE,
                              .author = "",
                              .reason = "",
                              .since = f->since,
                              .at = f->at};
    int match = fnmatch(rule.glob, "", 0);
    if (match != 0 && match != FNM_NOMATCH)
        return diag_error(d, vnode_pair_loc(root, i), "\"%s\" is no pattern that can be used",
                          rule.glob);
    if (!text)
        return diag_error(d, vnode_loc(value), "\"%s\" must be one state, not { ... } or [ ... ]",
                          rule.glob);
    int e = admin_file_parse_state(text, vnode_loc(value), f->gdnsd, d, &rule);
    if (!e)
        admin_add(out, &rule);
    return e;
}

static int read_root(const struct admin_file *f, const struct th_conf *root, struct diag *d,
                     struct admin *out)
{
    int e = 0;
    if (vnode_kind(root) != VNODE_HASH)
        return diag_error(d, vnode_loc(root), "the file must be GLOB => STATE pairs, not an array");
    for (size_t i = 0; i < vnode_pair_count(root); i++) {
        int failed = read_pair(f, root, i, d, out);
        e = failed ? failed : e;
    }
    return e;
}

int admin_file_read(const struct admin_file *f, struct diag *d, struct admin *out)
{
    struct vtree *tree = NULL;
    int e = vscf_parse_file(f->path, d, &tree);
    if (!e && !f->is_syntax_only)
        e = read_root(f, vtree_root(tree), d, out);
    if (tree)
        vtree_free(tree);
    return e == ERR_NOTFOUND || !e ? e : ERR_REFUSED;
}
