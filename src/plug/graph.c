/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * graph.c: which resource refers to which.  A depth-first walk puts what is referred to first and
 * refuses cycles, and chains that are longer than a person can follow, with the whole path.
 */
#include "base/buf.h"
#include "base/err.h"
#include "plug/part.h"

/* DESIGN: deeper than this is a mistake; it also bounds the recursion below. */
#define DEPTH_MAX 8

enum visit { VISIT_NEW, VISIT_OPEN, VISIT_DONE };

struct walk {
    struct plugs *plugs;
    struct diag *diag;
    uint8_t *visit;                 /* enum visit per handle */
    uint32_t path[DEPTH_MAX + 1];
    unsigned depth;
    uint32_t placed;                /* filled positions of plugs->order */
};

static char *path_text(const struct walk *w, uint32_t last)
{
    struct buf b = {0};
    for (unsigned i = 0; i < w->depth; i++)
        buf_printf(&b, "%s -> ", w->plugs->resources[w->path[i]].name);
    buf_adds(&b, w->plugs->resources[last].name);
    return buf_take(&b);
}

static int refuse(const struct walk *w, uint32_t handle, const char *what)
{
    char *path = path_text(w, handle);
    int e = diag_error(w->diag, w->plugs->resources[w->path[0]].loc, "%s: %s", what, path);
    mem_free(path);
    return e;
}

static int walk_from(struct walk *w, uint32_t handle)
{
    struct plugs *p = w->plugs;
    if (w->visit[handle] == VISIT_DONE)
        return 0;
    if (w->visit[handle] == VISIT_OPEN)
        return refuse(w, handle, "resources refer to each other in a circle");
    if (w->depth > DEPTH_MAX)
        return refuse(w, handle, "resources refer to each other more than 8 deep");
    w->visit[handle] = VISIT_OPEN;
    w->path[w->depth++] = handle;
    int e = 0;
    const struct list32 *refs = &p->resources[handle].refs;
    for (uint32_t i = 0; i < refs->count && !e; i++)
        e = walk_from(w, p->references[refs->v[i]].handle);
    w->depth--;
    w->visit[handle] = VISIT_DONE;
    p->resources[handle].position = w->placed;
    p->order[w->placed++] = handle;
    return e;
}

static int resolve_references(struct plugs *p, struct diag *d)
{
    int e = 0;
    for (uint32_t h = 0; h < p->resource_count; h++) {
        const struct list32 *refs = &p->resources[h].refs;
        for (uint32_t i = 0; i < refs->count; i++) {
            struct reference *r = &p->references[refs->v[i]];
            if (hashmap_find(&p->resource_index, r->target, strlen(r->target), &r->handle) != 0) {
                e = diag_error(d, r->loc, "\"%s\" refers to \"%s\", which is not defined",
                               p->resources[h].name, r->target);
                continue;
            }
            list32_add(&p->resources[r->handle].dependants, h);
        }
    }
    return e;
}

int graph_build(struct plugs *p, struct diag *d)
{
    int e = resolve_references(p, d);
    if (e)
        return e;
    struct walk w = {.plugs = p, .diag = d, .visit = mem_array(p->resource_count, 1)};
    p->order = mem_array(p->resource_count, sizeof *p->order);
    for (uint32_t h = 0; h < p->resource_count && !e; h++)
        e = walk_from(&w, h);
    mem_free(w.visit);
    return e;
}
