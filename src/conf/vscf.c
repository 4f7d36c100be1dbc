/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "conf/vscf.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "conf/lex.h"
#include "conf/source.h"
#include "conf/vnode.h"

/* One file that is being read; the innermost include is current. */
struct reading {
    struct lex lex;
    struct source_id id;
    struct reading *includer; /* NULL: the top file */
    unsigned depth;
};

struct parser {
    struct vtree *tree;
    struct diag *d;
    const struct source_calls *files;
    struct reading *now;
    unsigned nest_depth;
    unsigned file_count;  /* included so far */
    unsigned fault_count; /* found and passed over: the tree is refused in the end */
};

struct items {
    const struct th_conf **nodes;
    size_t count, cap;
};

static int parse_value(struct parser *ps, const struct th_conf **out);
static int include_value(struct parser *ps, const struct th_conf **out);
static int include_pairs(struct parser *ps, struct vhash_draft *draft);

static int refuse_next(struct parser *ps, const char *expected)
{
    char q[QUOTE_BYTES];
    const struct lex *l = &ps->now->lex;
    bool is_comma = lex_peek(l) == ',';
    return diag_error(ps->d, lex_loc(l), "read %s, expected %s%s", lex_describe(l, q), expected,
                      is_comma ? "; one comma may follow a value, none may stand alone" : "");
}

static int refuse_unclosed(struct parser *ps, struct vplace open, const char *what,
                           const char *closer)
{
    return diag_error(ps->d, (struct diag_loc){open.file->name, open.line, open.col},
                      "the %s that starts here is not closed before the end of the file; "
                      "expected \"%s\"",
                      what, closer);
}

static void pass_comma(struct lex *l)
{
    lex_skip_blank(l);
    (void)lex_take(l, ","); /* optional */
    lex_skip_blank(l);
}

static int enter(struct parser *ps)
{
    if (ps->nest_depth == VSCF_NEST_MAX)
        return diag_error(ps->d, lex_loc(&ps->now->lex),
                          "arrays and hashes are nested deeper than %d", VSCF_NEST_MAX);
    ps->nest_depth++;
    return 0;
}

static void items_add(struct items *items, const struct th_conf *n)
{
    if (items->count == items->cap) {
        items->cap = items->cap ? items->cap * 2 : 8;
        items->nodes = mem_grow(items->nodes, items->cap, sizeof(const struct th_conf *));
    }
    items->nodes[items->count++] = n;
}

/* Values up to and with the "]". */
static int parse_items(struct parser *ps, struct vplace open, struct items *items)
{
    struct lex *l = &ps->now->lex;
    lex_skip_blank(l);
    while (!lex_take(l, "]")) {
        const struct th_conf *n;
        if (lex_peek(l) == LEX_END)
            return refuse_unclosed(ps, open, "array", "]");
        int e = parse_value(ps, &n);
        if (e)
            return e;
        items_add(items, n);
        pass_comma(l);
    }
    return 0;
}

static int parse_array(struct parser *ps, const struct th_conf **out)
{
    struct items items = {0};
    struct vplace place = lex_place(&ps->now->lex);
    int e = enter(ps);
    if (e)
        return e;
    (void)lex_take(&ps->now->lex, "["); /* the caller saw it */
    e = parse_items(ps, place, &items);
    if (e == 0)
        *out = vnode_new_array(ps->tree, place, items.nodes, items.count);
    mem_free(items.nodes);
    ps->nest_depth--;
    return e;
}

static int parse_text(struct parser *ps, const struct th_conf **out)
{
    struct lex_text t;
    struct vplace place = lex_place(&ps->now->lex);
    int e = lex_text(&ps->now->lex, ps->d, &t);
    if (e == 0)
        *out = vnode_new_text(ps->tree, place, t.raw, t.raw_len);
    return e;
}

static int parse_arrow(struct parser *ps, const struct th_conf *key)
{
    char q[QUOTE_BYTES], read[QUOTE_BYTES];
    struct lex *l = &ps->now->lex;
    lex_skip_blank(l);
    if (!lex_take(l, "=>") && !lex_take(l, "="))
        return diag_error(ps->d, vnode_loc(key),
                          "key %s: read %s, expected \"=>\" or \"=\"; several values are written "
                          "as an array: [ a, b ]",
                          quote_text(q, vnode_text(key), vnode_text_len(key)),
                          lex_describe(l, read));
    lex_skip_blank(l);
    return 0;
}

static int parse_key(struct parser *ps, const struct th_conf **out)
{
    if (!lex_is_text(&ps->now->lex))
        return refuse_next(ps, "a key, as in key => value");
    int e = parse_text(ps, out);
    if (e)
        return e;
    if (!vnode_is_plain(*out))
        return diag_error(ps->d, vnode_loc(*out), "a key cannot hold a NUL byte");
    return 0;
}

static void report_duplicate(struct parser *ps, const struct th_conf *key,
                             const struct th_conf *earlier)
{
    char q[QUOTE_BYTES];
    struct diag_loc first = vnode_loc(earlier);
    ps->fault_count++;
    (void)diag_error(ps->d, vnode_loc(key),
                     "duplicate key %s; the first is at %s:%u:%u: remove one",
                     quote_text(q, vnode_text(key), vnode_text_len(key)), first.file, first.line,
                     first.col); /* reading goes on, the tree is refused in the end */
}

static int parse_pair(struct parser *ps, struct vhash_draft *draft)
{
    const struct th_conf *key, *value, *earlier;
    int e = parse_key(ps, &key);
    if (e == 0)
        e = parse_arrow(ps, key);
    if (e == 0)
        e = parse_value(ps, &value);
    if (e == 0 && vhash_draft_put(draft, key, value, &earlier) == ERR_EXISTS)
        report_duplicate(ps, key, earlier);
    return e;
}

/* Pairs up to `closer`, which stays; the file may also end there. */
static int parse_pairs(struct parser *ps, int closer, struct vhash_draft *draft)
{
    struct lex *l = &ps->now->lex;
    lex_skip_blank(l);
    while (lex_peek(l) != closer && lex_peek(l) != LEX_END) {
        int e = lex_peek(l) == '$' ? include_pairs(ps, draft) : parse_pair(ps, draft);
        if (e)
            return e;
        pass_comma(l);
    }
    return 0;
}

static int parse_hash(struct parser *ps, const struct th_conf **out)
{
    struct vhash_draft draft = {0};
    struct lex *l = &ps->now->lex;
    struct vplace place = lex_place(l);
    int e = enter(ps);
    if (e)
        return e;
    (void)lex_take(l, "{"); /* the caller saw it */
    e = parse_pairs(ps, '}', &draft);
    if (e == 0 && !lex_take(l, "}"))
        e = refuse_unclosed(ps, place, "hash", "}");
    if (e == 0)
        *out = vnode_new_hash(ps->tree, place, &draft);
    vhash_draft_fini(&draft);
    ps->nest_depth--;
    return e;
}

static int parse_value(struct parser *ps, const struct th_conf **out)
{
    const struct lex *l = &ps->now->lex;
    int c = lex_peek(l);
    if (c == '[')
        return parse_array(ps, out);
    if (c == '{')
        return parse_hash(ps, out);
    if (c == '$')
        return include_value(ps, out);
    if (lex_is_text(l))
        return parse_text(ps, out);
    return refuse_next(ps, "a value: a text, [ an array ], { a hash } or $include{path}");
}

/* The whole current file: an array, or pairs. */
static int parse_file_value(struct parser *ps, const struct th_conf **out)
{
    struct vhash_draft draft = {0};
    struct lex *l = &ps->now->lex;
    struct vplace place = lex_place(l);
    int e;
    lex_skip_blank(l);
    if (lex_peek(l) != '[') {
        e = parse_pairs(ps, LEX_END, &draft);
        if (e == 0)
            *out = vnode_new_hash(ps->tree, place, &draft);
        vhash_draft_fini(&draft);
        return e;
    }
    e = parse_array(ps, out);
    if (e)
        return e;
    lex_skip_blank(l);
    return lex_peek(l) == LEX_END ? 0 : refuse_next(ps, "end of file after the array");
}

static int refuse_loop(struct parser *ps, struct diag_loc loc, const char *path)
{
    struct buf chain = {0};
    const struct reading *files[VSCF_INCLUDE_MAX + 1];
    unsigned count = 0;
    for (const struct reading *r = ps->now; r; r = r->includer)
        files[count++] = r;
    while (count)
        buf_printf(&chain, "%s -> ", files[--count]->lex.file->name);
    int e = diag_error(ps->d, loc, "a file includes itself: %s%s", chain.data, path);
    buf_fini(&chain);
    return e;
}

static int refuse_source(struct diag *d, struct diag_loc loc, const char *path, int e)
{
    char q[QUOTE_BYTES];
    const char *why = e == ERR_IO        ? strerror(errno)
                      : e == ERR_REFUSED ? "not a regular file"
                                         : "larger than 1 GiB";
    return diag_error(d, loc, "cannot read %s: %s", quote_text(q, path, strlen(path)), why);
}

/* The file is the current one, or one of those around it. */
static bool is_being_read(const struct parser *ps, struct source_id id)
{
    for (const struct reading *r = ps->now; r; r = r->includer)
        if (r->id.dev == id.dev && r->id.ino == id.ino && id.ino)
            return true;
    return false;
}

/* What is read from one included file: a value, or pairs for the hash around. One is NULL. */
struct wanted {
    const struct th_conf **value;
    struct vhash_draft *pairs;
};

static int parse_included(struct parser *ps, struct wanted w)
{
    const struct lex *l = &ps->now->lex;
    if (w.value)
        return parse_file_value(ps, w.value);
    lex_skip_blank(&ps->now->lex);
    if (lex_peek(l) == '[')
        return refuse_next(ps, "pairs: this file is included where a key may stand, so it cannot "
                               "be an array");
    return parse_pairs(ps, LEX_END, w.pairs);
}

static int include_file(struct parser *ps, struct diag_loc loc, const char *path, struct wanted w)
{
    struct source s;
    if (ps->now->depth == VSCF_INCLUDE_MAX)
        return diag_error(ps->d, loc, "includes are nested deeper than %d", VSCF_INCLUDE_MAX);
    if (ps->file_count++ == VSCF_FILES_MAX)
        return diag_error(ps->d, loc, "more than %d files are included", VSCF_FILES_MAX);
    int e = ps->files->read(ps->files->arg, path, &s);
    if (e)
        return refuse_source(ps->d, loc, path, e);
    if (is_being_read(ps, s.id)) {
        e = refuse_loop(ps, loc, path);
    } else {
        struct reading r = {.id = s.id, .includer = ps->now, .depth = ps->now->depth + 1};
        lex_init(&r.lex, vtree_add_file(ps->tree, path), s.text, s.len);
        ps->now = &r;
        e = parse_included(ps, w);
        ps->now = r.includer;
    }
    mem_free(s.text);
    return e;
}

/* Read `$include{path}`; *path is for mem_free. */
static int parse_include_path(struct parser *ps, char **path)
{
    struct lex_text t;
    struct lex *l = &ps->now->lex;
    struct diag_loc loc = lex_loc(l);
    if (!lex_take(l, "$include{"))
        return diag_error(ps->d, loc,
                          "an unquoted \"$\" here can only start $include{path}; write "
                          "\\$ or quote the text");
    lex_skip_blank(l);
    if (!lex_is_text(l))
        return refuse_next(ps, "the path of a file in $include{path}");
    int e = lex_text(l, ps->d, &t);
    if (e)
        return e;
    if (t.raw_len == 0 || memchr(t.raw, '\0', t.raw_len))
        return diag_error(ps->d, loc, "the path in $include{path} is empty or holds a NUL byte");
    lex_skip_blank(l);
    if (!lex_take(l, "}"))
        return refuse_next(ps, "\"}\" after the path in $include{path}");
    *path = mem_printf("%.*s", (int)t.raw_len, t.raw);
    return 0;
}

static int parse_include(struct parser *ps, struct source_names *names)
{
    char *path = NULL, q[QUOTE_BYTES];
    struct diag_loc loc = lex_loc(&ps->now->lex);
    int e = parse_include_path(ps, &path);
    if (e)
        return e;
    const char *file = ps->now->lex.file->name, *slash = strrchr(file, '/');
    char *dir = mem_printf("%.*s", slash ? (int)(slash + 1 - file) : 0, file);
    if (ps->files->list(ps->files->arg, dir, path, names) != 0)
        e = diag_error(ps->d, loc, "cannot list %s: %s", quote_text(q, path, strlen(path)),
                       strerror(errno));
    mem_free(dir);
    mem_free(path);
    return e;
}

static int include_value(struct parser *ps, const struct th_conf **out)
{
    struct source_names names = {0};
    struct diag_loc loc = lex_loc(&ps->now->lex);
    int e = parse_include(ps, &names);
    if (e == 0 && names.count != 1)
        e = diag_error(ps->d, loc, "as a value exactly one file can be included, this names %zu",
                       names.count);
    if (e == 0)
        e = include_file(ps, loc, names.items[0], (struct wanted){.value = out});
    source_names_fini(&names);
    return e;
}

static int include_pairs(struct parser *ps, struct vhash_draft *draft)
{
    struct source_names names = {0};
    struct diag_loc loc = lex_loc(&ps->now->lex);
    int e = parse_include(ps, &names);
    for (size_t i = 0; e == 0 && i < names.count; i++)
        e = include_file(ps, loc, names.items[i], (struct wanted){.pairs = draft});
    source_names_fini(&names);
    return e;
}

static int parse_top(const struct vscf_input *in, struct source_id id, struct diag *d,
                     struct vtree **out)
{
    const struct th_conf *root;
    struct reading top = {.id = id};
    struct parser ps = {.tree = vtree_new(), .d = d, .files = in->files, .now = &top};
    lex_init(&top.lex, vtree_add_file(ps.tree, in->name), in->text, in->len);
    int e = parse_file_value(&ps, &root);
    if (e == 0 && ps.fault_count)
        e = ERR_REFUSED;
    if (e) {
        vtree_free(ps.tree);
        return e;
    }
    vtree_set_root(ps.tree, root);
    *out = ps.tree;
    return 0;
}

int vscf_parse_file(const char *path, struct diag *d, struct vtree **out)
{
    struct source s;
    int e = source_file_system.read(source_file_system.arg, path, &s);
    if (e == ERR_IO && errno == ENOENT)
        return ERR_NOTFOUND;
    if (e)
        return refuse_source(d, DIAG_NOWHERE, path, e);
    e = parse_top(&(struct vscf_input){s.text, s.len, path, &source_file_system}, s.id, d, out);
    mem_free(s.text);
    return e;
}

int vscf_parse_input(const struct vscf_input *in, struct diag *d, struct vtree **out)
{
    if (in->len > SOURCE_BYTES_MAX)
        return refuse_source(d, DIAG_NOWHERE, in->name, ERR_RANGE);
    return parse_top(in, (struct source_id){0}, d, out);
}

int vscf_parse_mem(const char *text, size_t len, const char *name, struct diag *d,
                   struct vtree **out)
{
    const struct vscf_input in = {text, len, name, &source_file_system};
    return vscf_parse_input(&in, d, out);
}
