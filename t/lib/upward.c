/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/upward.h"

struct upward {
    const struct th_host *host;
    th_ref *refs; /* by id */
};

static int upward_open(const struct th_host *host, struct th_env *env, const struct th_conf *conf,
                       struct th_diag *d, void **instance)
{
    struct upward *u = host->alloc(env, sizeof *u);
    size_t count = host->conf_count(conf);
    u->host = host;
    u->refs = host->alloc(env, count * sizeof *u->refs);
    int e = 0;
    for (size_t i = 0; i < count && !e; i++) {
        const struct th_conf *value = host->conf_at(conf, i);
        uint32_t id;
        e = host->resource(env, host->conf_key_at(conf, i), value, d, &id);
        if (!e)
            e = host->refer(env, id, host->conf_text(value), value, d, &u->refs[id]);
    }
    *instance = u;
    return e;
}

static struct th_word upward_resolve(const void *instance, uint32_t id, struct th_ctx *ctx)
{
    const struct upward *u = instance;
    struct th_word w = u->host->try_ref(ctx, u->refs[id]);
    struct th_addr shown = {4, {127, 0, 0, th_word_has(w, TH_DOWN) ? 2 : 1}};
    u->host->push(ctx, &shown);
    u->host->keep_ref(ctx, u->refs[id]);
    return w;
}

static const struct th_resolver upward_resolver = {.open = upward_open, .resolve = upward_resolve};

TH_PLUGIN(upward) = {TH_PLUGIN_HEAD, .name = "upward", .version = "1",
                     .resolver = &upward_resolver};
