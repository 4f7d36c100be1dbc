/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The configuration language under any bytes.  Includes never reach the file system: the input is
 * cut at bytes 0x1e into a top file and up to 9 others, named 1 to 9; `*` names all of them.
 *
 *   a = $include{1} <1e> [ x $include{2} ] <1e> y = z
 *
 * What parses is walked, looked up, and read by a table of every type, strict and lax.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thresh/types.h>

#include "base/attrs.h"
#include "base/err.h"
#include "base/mem.h"
#include "conf/schema.h"
#include "conf/source.h"
#include "conf/vscf.h"
#include "fuzz/fuzz.h"

enum { PART_MAX = 10 };

struct parts {
    const char *text[PART_MAX];
    size_t len[PART_MAX];
    unsigned count;
};

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void cut(struct parts *p, const char *text, size_t len)
{
    for (;;) {
        const char *end = p->count + 1 < PART_MAX ? memchr(text, 0x1e, len) : NULL;
        p->text[p->count] = text;
        p->len[p->count++] = end ? (size_t)(end - text) : len;
        if (!end)
            return;
        len -= (size_t)(end + 1 - text);
        text = end + 1;
    }
}

static int list_parts(void *arg, const char *dir, const char *path, struct source_names *out)
{
    const struct parts *p = arg;
    (void)dir; /* all parts lie in one folder */
    if (*path != '*') {
        source_names_add(out, path);
        return 0;
    }
    for (unsigned i = 1; i < p->count; i++)
        source_names_add(out, (const char[]){(char)('0' + i), '\0'});
    return 0;
}

static int read_part(void *arg, const char *path, struct source *out)
{
    const struct parts *p = arg;
    unsigned i = (unsigned)(*path - '0');
    if (i < 1 || i >= p->count || path[1]) {
        errno = ENOENT;
        return ERR_IO;
    }
    *out = (struct source){mem_alloc(p->len[i]), p->len[i], {0, i}};
    if (p->len[i])
        memcpy(out->text, p->text[i], p->len[i]);
    return 0;
}

struct all {
    bool flag;
    uint32_t number, delay_ms, ttl_s;
    double thresh;
    const char *name;
    struct th_addr addr;
    int mode;
    struct th_list listen;
    const struct th_conf *any;
};

static const struct th_key keys[] = {
    {.name = "b", .type = TH_BOOL, .offset = offsetof(struct all, flag)},
    {.name = "u", .type = TH_UINT, .offset = offsetof(struct all, number), .max = 100},
    {.name = "d", .type = TH_DURATION, .offset = offsetof(struct all, delay_ms), .max = 100},
    {.name = "t", .type = TH_TTL, .offset = offsetof(struct all, ttl_s), .max = 86400},
    {.name = "f", .type = TH_FLOAT, .offset = offsetof(struct all, thresh), .max = 1},
    {.name = "s", .type = TH_STRING, .offset = offsetof(struct all, name), .max = 20},
    {.name = "a", .type = TH_ADDR, .offset = offsetof(struct all, addr)},
    {.name = "e", .type = TH_ENUM, .offset = offsetof(struct all, mode), .choices = "up|down"},
    {.name = "l", .type = TH_LIST, .offset = offsetof(struct all, listen), .max = 4},
    {.name = "any", .type = TH_ANY, .offset = offsetof(struct all, any)},
    {0},
};

/* What is read is within what was asked for. */
static void read_hash(const struct th_conf *hash)
{
    struct diag d = {0};
    struct all a = {.name = ""};
    int e = schema_read(keys, hash, "fuzz", SCHEMA_REFUSE_REST, &a, &d);
    require((e == 0) == !diag_failed(&d));
    require(a.number <= 100 && a.delay_ms <= 100000 && a.ttl_s <= 86400);
    require(a.thresh >= 0 && a.thresh <= 1 && strlen(a.name) <= 20 && a.mode <= 1);
    require(a.listen.count <= 4);
    for (size_t i = 0; i < a.listen.count; i++)
        require(strcmp(a.listen.items[i], vnode_text(a.listen.nodes[i])) == 0);
    diag_fini(&d);
}

static void walk(const struct th_conf *n)
{
    require(vnode_loc(n).line >= 1 && vnode_loc(n).col >= 1);
    switch (vnode_kind(n)) {
    case VNODE_TEXT:
        require(vnode_text(n)[vnode_text_len(n)] == '\0');
        require(strlen(vnode_raw(n)) >= vnode_text_len(n));
        return;
    case VNODE_ARRAY:
        for (size_t i = 0; i < vnode_list_count(n); i++)
            walk(vnode_list_at(n, i));
        return;
    case VNODE_HASH:
        for (size_t i = 0; i < vnode_pair_count(n); i++) {
            require(vnode_find(n, vnode_pair_key(n, i)) == vnode_pair_at(n, i));
            walk(vnode_pair_at(n, i));
        }
        read_hash(n);
        return;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct diag d = {0};
    struct vtree *t = NULL;
    struct parts parts = {0};
    cut(&parts, (const char *)data, size);
    const struct source_calls files = {list_parts, read_part, &parts};
    const struct vscf_input in = {parts.text[0], parts.len[0], "0", &files};
    int e = vscf_parse_input(&in, &d, &t);
    require(e == 0 ? !diag_failed(&d) : diag_failed(&d) && !t);
    if (e == 0) {
        walk(vtree_root(t));
        vtree_set_lax(t, true);
        walk(vtree_root(t));
    }
    vtree_free(t);
    diag_fini(&d);
    return 0;
}
