/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plug/resolve.h"

#include <string.h>

#include "health/registry.h"
#include "plug/part.h"
#include "plug/preview.h"

static struct th_word ctx_slot(struct th_ctx *ctx, th_slot s)
{
    if (ctx->preview)
        return preview_word(ctx->preview, s);
    const struct slot *slot = ctx->plugs->watches[s].slot;
    if (!slot) /* not attached: nothing is known, which counts as UP */
        return th_word_make(TH_PENDING, TH_TTL_MAX, TH_WEIGHT_MAX);
    return slot_word(slot);
}

static int64_t ctx_drained_since(struct th_ctx *ctx, th_slot s)
{
    if (ctx->preview)
        return preview_drained(ctx->preview, s).ns / 1000000;
    const struct slot *slot = ctx->plugs->watches[s].slot;
    if (!slot || !th_word_has(slot_word(slot), TH_DRAIN))
        return 0;
    return slot_drained(slot).ns / 1000000;
}

static const struct prepared *ctx_ref(struct th_ctx *ctx, th_ref r)
{
    uint32_t handle = ctx->plugs->references[r].handle;
    if (ctx->preview)
        return preview_answer(ctx->preview, handle);
    /* the order of preparation puts what is referred to first, so it is there and current */
    return ctx->plugs->prepared[handle];
}

static struct th_word ctx_try_ref(struct th_ctx *ctx, th_ref r)
{
    return prepared_word(ctx_ref(ctx, r));
}

static void push_bytes(struct resolve_scratch *out, unsigned family, const uint8_t *bytes)
{
    if (family == 4 && out->n4 < TH_ADDRS_MAX)
        memcpy(out->v4 + 4 * out->n4++, bytes, 4);
    else if (family == 6 && out->n6 < TH_ADDRS_MAX)
        memcpy(out->v6 + 16 * out->n6++, bytes, 16);
}

static void ctx_push(struct th_ctx *ctx, const struct th_addr *addr)
{
    push_bytes(ctx->out, addr->family, addr->bytes);
}

static void ctx_keep_ref(struct th_ctx *ctx, th_ref r)
{
    const struct prepared *from = ctx_ref(ctx, r);
    for (unsigned i = 0; i < from->v4.count; i++)
        push_bytes(ctx->out, 4, addrset_at(&from->v4, i));
    for (unsigned i = 0; i < from->v6.count; i++)
        push_bytes(ctx->out, 6, addrset_at(&from->v6, i));
}

void resolve_host_fill(struct th_host *host)
{
    host->slot = ctx_slot;
    host->drained_since = ctx_drained_since;
    host->try_ref = ctx_try_ref;
    host->keep_ref = ctx_keep_ref;
    host->push = ctx_push;
}

static void mark(struct plugs *p, uint32_t handle)
{
    uint32_t position = p->resources[handle].position, word = position / 64;
    p->marks[word] |= 1ull << (position % 64);
    if (word < p->mark_low)
        p->mark_low = word;
}

struct th_word resolve_run(struct th_ctx *ctx, uint32_t handle)
{
    const struct resource *r = &ctx->plugs->resources[handle];
    ctx->out->n4 = ctx->out->n6 = 0;
    return r->env->plugin->resolver->resolve(r->env->instance, r->id, ctx);
}

static void tell_drain(struct plugs *p, uint32_t handle, const struct prepared *old,
                       struct th_word word)
{
    bool was = old && th_word_has(prepared_word(old), TH_DRAIN), is = th_word_has(word, TH_DRAIN);
    if (was == is || !p->on_drain)
        return;
    const struct plugs_drain d = {p->resources[handle].name, is, p->scratch->n4 + p->scratch->n6};
    p->on_drain(p->on_drain_arg, &d);
}

void plugs_on_drain(struct plugs *p, plugs_drain_fn *fn, void *arg)
{
    p->on_drain = fn;
    p->on_drain_arg = arg;
}

/* Resolve one resource and publish what changed; true if anything did. */
static bool prepare_one(struct plugs *p, uint32_t handle)
{
    struct resolve_scratch *out = p->scratch;
    struct th_ctx ctx = {.plugs = p, .out = out};
    struct th_word word = resolve_run(&ctx, handle);
    struct prepared *old = p->prepared[handle];
    tell_drain(p, handle, old, word);
    if (old && prepared_same_addrs(old, out->v4, out->n4, out->v6, out->n6)) {
        bool changed = prepared_word(old).bits != word.bits;
        atomic_store_explicit(&old->word, word.bits, memory_order_relaxed);
        return changed;
    }
    struct prepared *new = prepared_new(word, out->v4, out->n4, out->v6, out->n6);
    rcu_publish(&p->prepared[handle], new);
    if (old)
        prepared_retire(old);
    return true;
}

static void prepare_position(struct plugs *p, uint32_t position)
{
    uint32_t handle = p->order[position];
    const struct list32 *dependants = &p->resources[handle].dependants;
    if (prepare_one(p, handle))
        for (uint32_t i = 0; i < dependants->count; i++)
            mark(p, dependants->v[i]);
}

void plugs_mark(struct plugs *p, uint32_t index)
{
    const struct list32 *l = &p->watchers[index];
    for (uint32_t i = 0; i < l->count; i++)
        mark(p, l->v[i]);
}

/* Resolving a resource costs about a microsecond: looking at the clock each 16 keeps within
 * some 20 us of the limit. */
#define CLOCK_EVERY 16

bool plugs_prepare(struct plugs *p, struct mono until)
{
    unsigned done = 0;
    for (; p->mark_low < p->mark_words; p->mark_low++) {
        while (p->marks[p->mark_low]) {
            unsigned bit = (unsigned)__builtin_ctzll(p->marks[p->mark_low]);
            p->marks[p->mark_low] &= ~(1ull << bit);
            prepare_position(p, p->mark_low * 64 + bit);
            if (++done % CLOCK_EVERY == 0 && mono_now().ns >= until.ns)
                return true;
        }
    }
    return false;
}

void plugs_prepare_all(struct plugs *p)
{
    for (uint32_t i = 0; i < p->resource_count; i++)
        prepare_position(p, i);
    memset(p->marks, 0, p->mark_words * sizeof *p->marks);
    p->mark_low = p->mark_words;
}

const struct prepared *plugs_prepared(const struct plugs *p, uint32_t handle)
{
    return rcu_load(&p->prepared[handle]);
}

static void index_watchers(struct plugs *p)
{
    p->watchers = mem_array(p->watch_count, sizeof *p->watchers);
    for (uint32_t h = 0; h < p->resource_count; h++) {
        const struct list32 *w = &p->resources[h].watches;
        for (uint32_t i = 0; i < w->count; i++) {
            struct list32 *l = &p->watchers[w->v[i]];
            if (!l->count || l->v[l->count - 1] != h) /* one resource asks in a row */
                list32_add(l, h);
        }
    }
}

void resolve_init(struct plugs *p)
{
    p->scratch = mem_new(struct resolve_scratch);
    p->prepared = mem_array(p->resource_count, sizeof(struct prepared *));
    p->mark_words = (p->resource_count + 63) / 64;
    p->marks = mem_array(p->mark_words, sizeof *p->marks);
    p->mark_low = p->mark_words;
    index_watchers(p);
}

void resolve_fini(struct plugs *p)
{
    for (uint32_t h = 0; p->prepared && h < p->resource_count; h++)
        prepared_free(p->prepared[h]);
    mem_free(p->prepared);
    for (uint32_t i = 0; p->watchers && i < p->watch_count; i++)
        list32_fini(&p->watchers[i]);
    mem_free(p->watchers);
    mem_free(p->marks);
    mem_free(p->scratch);
}
