/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plug/plugs.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "plug/part.h"

void list32_add(struct list32 *l, uint32_t value)
{
    if (l->count == l->cap) {
        l->cap = l->cap ? l->cap * 2 : 4;
        l->v = mem_grow(l->v, l->cap, sizeof *l->v);
    }
    l->v[l->count++] = value;
}

void list32_fini(struct list32 *l)
{
    mem_free(l->v);
    *l = (struct list32){0};
}

const struct th_plugin *plugs_find_builtin(const struct plugs *p, const char *name)
{
    for (size_t i = 0; p->builtin[i]; i++)
        if (strcmp(p->builtin[i]->name, name) == 0)
            return p->builtin[i];
    return NULL;
}

static int refuse_plugin(const struct plugs *p, const char *name, const char *why,
                         struct diag_loc loc, struct diag *d)
{
    struct buf known = {0};
    for (size_t i = 0; p->builtin[i]; i++)
        if (p->builtin[i]->resolver)
            buf_printf(&known, "%s%s", known.len ? ", " : "", p->builtin[i]->name);
    int e = diag_error(d, loc, "%s \"%s\"; plugins that answer are %s", why, name,
                       known.data ? known.data : "none");
    buf_fini(&known);
    return e;
}

static int open_one(struct plugs *p, const struct th_conf *plugins, size_t i, struct diag *d)
{
    const char *name = vnode_pair_key(plugins, i);
    const struct th_conf *conf = vnode_pair_at(plugins, i);
    const struct th_plugin *plugin = plugs_find_builtin(p, name);
    if (!plugin || plugin->abi_major != TH_ABI_MAJOR)
        return refuse_plugin(p, name, "no such plugin", vnode_pair_loc(plugins, i), d);
    if (!plugin->resolver)
        return refuse_plugin(p, name, "nothing to configure here for plugin",
                             vnode_pair_loc(plugins, i), d);
    if (vnode_kind(conf) != VNODE_HASH)
        return diag_error(d, vnode_loc(conf), "plugins: %s must be { ... }", name);
    struct th_env *env = arena_new(&p->arena, struct th_env);
    *env = (struct th_env){.plugs = p, .plugin = plugin, .conf = conf};
    p->envs[p->env_count++] = env;
    return plugin->resolver->open(p->host, env, conf, (struct th_diag *)d, &env->instance);
}

static int open_all(struct plugs *p, const struct th_conf *plugins, struct diag *d)
{
    size_t count = plugins ? vnode_pair_count(plugins) : 0;
    p->envs = mem_array(count, sizeof(struct th_env *));
    if (plugins && vnode_kind(plugins) != VNODE_HASH)
        return diag_error(d, vnode_loc(plugins), "plugins must be { NAME => { ... } }");
    int e = 0;
    for (size_t i = 0; i < count; i++) {
        int failed = open_one(p, plugins, i, d);
        e = failed ? failed : e;
    }
    return e;
}

int plugs_open(const struct th_conf *service_types, const struct th_conf *plugins,
               const struct plug_options *options, struct diag *d, struct plugs **out)
{
    struct plugs *p = mem_new(struct plugs);
    atomic_init(&p->refs, 1);
    arena_init(&p->arena, 0);
    p->host = options->host;
    p->builtin = options->builtin;
    int e = services_open(p, service_types, options, d);
    int failed = open_all(p, plugins, d);
    e = failed ? failed : e;
    if (!e)
        e = graph_build(p, d);
    if (e) {
        plugs_unref(p);
        return e;
    }
    resolve_init(p);
    *out = p;
    return 0;
}

struct plugs *plugs_ref(struct plugs *p)
{
    atomic_fetch_add(&p->refs, 1);
    return p;
}

static void resource_fini(struct resource *r)
{
    list32_fini(&r->watches);
    list32_fini(&r->refs);
    list32_fini(&r->dependants);
}

void plugs_unref(struct plugs *p)
{
    if (!p || atomic_fetch_sub(&p->refs, 1) != 1)
        return;
    for (uint32_t i = 0; i < p->env_count; i++) {
        struct th_env *env = p->envs[i];
        if (env->instance && env->plugin->resolver->close)
            env->plugin->resolver->close(env->instance);
        mem_free(env->handles);
    }
    mem_free(p->envs);
    for (uint32_t i = 0; i < p->resource_count; i++)
        resource_fini(&p->resources[i]);
    resolve_fini(p);
    services_close(p);
    mem_free(p->resources);
    mem_free(p->watches);
    mem_free(p->references);
    mem_free(p->order);
    hashmap_fini(&p->resource_index);
    hashmap_fini(&p->watch_index);
    arena_fini(&p->arena);
    mem_free(p);
}

static const struct th_env *find_env(const struct plugs *p, const char *plugin)
{
    for (uint32_t i = 0; i < p->env_count; i++)
        if (strcmp(p->envs[i]->plugin->name, plugin) == 0)
            return p->envs[i];
    return NULL;
}

int plugs_bind(const struct plugs *p, const char *plugin, const char *resource, struct diag_loc loc,
               struct diag *d, uint32_t *handle)
{
    struct buf key = {0};
    buf_printf(&key, "%s!%s", plugin, resource);
    int e = hashmap_find(&p->resource_index, key.data, key.len, handle);
    buf_fini(&key);
    if (!e)
        return 0;
    const struct th_plugin *known = plugs_find_builtin(p, plugin);
    if (!known || !known->resolver)
        return refuse_plugin(p, plugin, "no such plugin", loc, d);
    if (!find_env(p, plugin))
        return diag_error(d, loc,
                          "plugin %s has no resource \"%s\": it is not in the plugins "
                          "section of the configuration",
                          plugin, resource);
    return diag_error(d, loc, "plugin %s has no resource \"%s\"", plugin, resource);
}

size_t plugs_watch_count(const struct plugs *p)
{
    return p->watch_count;
}

struct watch *plugs_watch_at(struct plugs *p, size_t i)
{
    return &p->watches[i];
}

size_t plugs_service_count(const struct plugs *p)
{
    return p->service_count;
}

const struct service *plugs_service_at(const struct plugs *p, size_t i)
{
    return &p->services[i];
}

size_t plugs_resource_count(const struct plugs *p)
{
    return p->resource_count;
}

const char *plugs_resource_name(const struct plugs *p, uint32_t handle)
{
    return p->resources[handle].name;
}
