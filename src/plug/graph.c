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

struct visited {
    uint8_t state;  /* enum visit */
    uint8_t depth;  /* references below it, on its longest chain */
    uint32_t below; /* the next handle on that chain */
};

struct walk {
    struct plugs *plugs;
    struct diag *diag;
    struct visited *visited; /* per handle */
    uint32_t path[DEPTH_MAX + 2];
    unsigned path_len;
    uint32_t placed; /* filled positions of plugs->order */
};

static int refuse_circle(const struct walk *w, uint32_t handle)
{
    struct buf b = {0};
    for (unsigned i = 0; i < w->path_len; i++)
        buf_printf(&b, "%s -> ", w->plugs->resources[w->path[i]].name);
    int e = diag_error(w->diag, w->plugs->resources[w->path[0]].loc,
                       "resources refer to each other in a circle: %s%s", b.data,
                       w->plugs->resources[handle].name);
    buf_fini(&b);
    return e;
}

static int refuse_depth(const struct walk *w, uint32_t handle)
{
    struct buf b = {0};
    buf_adds(&b, w->plugs->resources[handle].name);
    for (uint32_t h = handle; w->visited[h].depth; h = w->visited[h].below)
        buf_printf(&b, " -> %s", w->plugs->resources[w->visited[h].below].name);
    int e = diag_error(w->diag, w->plugs->resources[handle].loc,
                       "resources refer to each other more than %d deep: %s", DEPTH_MAX, b.data);
    buf_fini(&b);
    return e;
}

static int walk_from(struct walk *w, uint32_t handle);

/* Everything `handle` refers to, and how deep that goes. */
static int walk_refs(struct walk *w, uint32_t handle)
{
    struct plugs *p = w->plugs;
    struct visited *v = &w->visited[handle];
    const struct list32 *refs = &p->resources[handle].refs;
    for (uint32_t i = 0; i < refs->count; i++) {
        uint32_t to = p->references[refs->v[i]].handle;
        int e = walk_from(w, to);
        if (e)
            return e;
        if (w->visited[to].depth >= v->depth) {
            v->depth = (uint8_t)(w->visited[to].depth + 1);
            v->below = to;
        }
        if (v->depth > DEPTH_MAX)
            return refuse_depth(w, handle);
    }
    return 0;
}

static int walk_from(struct walk *w, uint32_t handle)
{
    struct plugs *p = w->plugs;
    struct visited *v = &w->visited[handle];
    if (v->state == VISIT_DONE)
        return 0;
    if (v->state == VISIT_OPEN)
        return refuse_circle(w, handle);
    if (w->path_len == array_len(w->path)) {
        return diag_error(w->diag, p->resources[w->path[0]].loc,
                          "\"%s\" refers to other resources more than %d deep",
                          p->resources[w->path[0]].name, DEPTH_MAX);
    }
    v->state = VISIT_OPEN;
    w->path[w->path_len++] = handle;
    int e = walk_refs(w, handle);
    w->path_len--;
    v->state = VISIT_DONE;
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
    struct walk w = {
        .plugs = p, .diag = d, .visited = mem_array(p->resource_count, sizeof *w.visited)};
    p->order = mem_array(p->resource_count, sizeof *p->order);
    for (uint32_t h = 0; h < p->resource_count && !e; h++)
        e = walk_from(&w, h);
    mem_free(w.visited);
    return e;
}
