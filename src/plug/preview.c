/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plug/preview.h"

#include "plug/part.h"
#include "plug/resolve.h"

struct preview {
    struct plugs *plugs;
    struct preview_states states;
    struct prepared **answers; /* by handle; NULL: not asked for yet */
};

struct preview *preview_new(struct plugs *p, const struct preview_states *states)
{
    struct preview *v = mem_new(struct preview);
    v->plugs = p;
    v->states = *states;
    v->answers = mem_array(p->resource_count, sizeof(struct prepared *));
    return v;
}

void preview_free(struct preview *v)
{
    for (uint32_t h = 0; h < v->plugs->resource_count; h++)
        prepared_free(v->answers[h]);
    mem_free(v->answers);
    mem_free(v);
}

struct th_word preview_word(const struct preview *v, uint32_t watch)
{
    return v->states.word(v->states.arg, watch);
}

struct mono preview_drained(const struct preview *v, uint32_t watch)
{
    if (!th_word_has(preview_word(v, watch), TH_DRAIN))
        return (struct mono){0};
    return v->states.drained(v->states.arg, watch);
}

/* Through a reference this calls itself, as deep as graph.c allows. */
const struct prepared *preview_answer(struct preview *v, uint32_t handle)
{
    if (v->answers[handle])
        return v->answers[handle];
    struct resolve_scratch *out = mem_new(struct resolve_scratch);
    struct th_ctx ctx = {v->plugs, out, v};
    struct th_word word = resolve_run(&ctx, handle);
    v->answers[handle] = prepared_new(word, out->v4, out->n4, out->v6, out->n6);
    mem_free(out);
    return v->answers[handle];
}

static void note_above(const struct plugs *p, uint32_t handle, uint8_t *affected)
{
    const struct list32 *above = &p->resources[handle].dependants;
    for (uint32_t i = 0; i < above->count; i++) {
        uint32_t h = above->v[i];
        if (affected[h] == AFFECTED_NOT) {
            affected[h] = AFFECTED_ABOVE;
            note_above(p, h, affected);
        }
    }
}

void plugs_affected(const struct plugs *p, uint32_t watch, uint8_t *affected)
{
    const struct list32 *direct = &p->watchers[watch];
    for (uint32_t i = 0; i < direct->count; i++) {
        uint32_t h = direct->v[i];
        if (affected[h] == AFFECTED_NOT)
            note_above(p, h, affected);
        affected[h] = AFFECTED_DIRECTLY;
    }
}

uint32_t plugs_resource_watch_count(const struct plugs *p, uint32_t handle)
{
    return p->resources[handle].watches.count;
}

uint32_t plugs_resource_watch_at(const struct plugs *p, uint32_t handle, uint32_t i)
{
    return p->resources[handle].watches.v[i];
}
