/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plug/host.h"

#include <stdarg.h>

#include "base/buf.h"
#include "base/err.h"
#include "conf/schema.h"
#include "plug/part.h"
#include "plug/resolve.h"

/* struct th_diag is struct diag under its public name */
static struct diag *diag_of(struct th_diag *d)
{
    return (struct diag *)d;
}

static struct diag_loc loc_of(const struct th_conf *at)
{
    return at ? vnode_loc(at) : DIAG_NOWHERE;
}

static enum th_conf_kind host_conf_kind(const struct th_conf *c)
{
    switch (vnode_kind(c)) {
    case VNODE_TEXT: return TH_CONF_TEXT;
    case VNODE_ARRAY: return TH_CONF_ARRAY;
    case VNODE_HASH: return TH_CONF_HASH;
    }
    return TH_CONF_TEXT;
}

static size_t host_conf_count(const struct th_conf *c)
{
    return vnode_kind(c) == VNODE_HASH ? vnode_pair_count(c) : vnode_list_count(c);
}

static const struct th_conf *host_conf_at(const struct th_conf *c, size_t i)
{
    return vnode_kind(c) == VNODE_HASH ? vnode_pair_at(c, i) : vnode_list_at(c, i);
}

static int host_conf_read(const struct th_key *keys, const struct th_conf *hash, const char *what,
                          int rest, void *out, struct th_diag *d)
{
    return schema_read(keys, hash, what, rest ? SCHEMA_LEAVE_REST : SCHEMA_REFUSE_REST, out,
                       diag_of(d));
}

static int host_conf_is_key(const struct th_key *keys, const char *name)
{
    return schema_find(keys, name) != NULL;
}

static int host_error(struct th_diag *d, const struct th_conf *at, const char *fmt, ...)
{
    struct buf text = {0};
    va_list ap;
    va_start(ap, fmt);
    buf_vprintf(&text, fmt, ap);
    va_end(ap);
    int e = diag_error(diag_of(d), loc_of(at), "%s", text.data ? text.data : "");
    buf_fini(&text);
    return e;
}

static void host_warn(struct th_diag *d, const struct th_conf *at, const char *fmt, ...)
{
    struct buf text = {0};
    va_list ap;
    va_start(ap, fmt);
    buf_vprintf(&text, fmt, ap);
    va_end(ap);
    diag_warn(diag_of(d), loc_of(at), "%s", text.data ? text.data : "");
    buf_fini(&text);
}

static void *host_alloc(struct th_env *env, size_t size)
{
    return arena_alloc(&env->plugs->arena, size, _Alignof(max_align_t));
}

static struct resource *resources_add(struct plugs *p)
{
    if (p->resource_count == p->resource_cap) {
        p->resource_cap = p->resource_cap ? p->resource_cap * 2 : 16;
        p->resources = mem_grow(p->resources, p->resource_cap, sizeof *p->resources);
    }
    struct resource *r = &p->resources[p->resource_count++];
    *r = (struct resource){0};
    return r;
}

static int host_resource(struct th_env *env, const char *name, const struct th_conf *at,
                         struct th_diag *d, uint32_t *id)
{
    struct plugs *p = env->plugs;
    struct buf full = {0};
    buf_printf(&full, "%s!%s", env->plugin->name, name);
    char *key = arena_strndup(&p->arena, full.data, full.len);
    size_t key_len = full.len;
    buf_fini(&full);
    if (hashmap_put(&p->resource_index, key, key_len, p->resource_count, NULL) == ERR_EXISTS)
        return diag_error(diag_of(d), loc_of(at), "resource \"%s\" is defined twice in plugin %s",
                          name, env->plugin->name);
    if (env->handle_count == env->handle_cap) {
        env->handle_cap = env->handle_cap ? env->handle_cap * 2 : 16;
        env->handles = mem_grow(env->handles, env->handle_cap, sizeof *env->handles);
    }
    *id = env->handle_count;
    env->handles[env->handle_count++] = p->resource_count;
    struct resource *r = resources_add(p);
    r->env = env;
    r->name = key;
    r->id = *id;
    r->loc = loc_of(at);
    return 0;
}

static int host_watch(struct th_env *env, uint32_t id, const char *service,
                      const struct th_addr *addr, const struct th_conf *at, struct th_diag *d,
                      th_slot *out)
{
    struct plugs *p = env->plugs;
    uint32_t index;
    int e = watches_get(p, service, addr, loc_of(at), diag_of(d), &index);
    if (e)
        return e;
    list32_add(&p->resources[env->handles[id]].watches, index);
    *out = index;
    return 0;
}

static int host_refer(struct th_env *env, uint32_t id, const char *target, const struct th_conf *at,
                      struct th_diag *d, th_ref *out)
{
    struct plugs *p = env->plugs;
    (void)d; /* whether the target exists is known when every plugin is open */
    if (p->reference_count == p->reference_cap) {
        p->reference_cap = p->reference_cap ? p->reference_cap * 2 : 16;
        p->references = mem_grow(p->references, p->reference_cap, sizeof *p->references);
    }
    p->references[p->reference_count] =
        (struct reference){arena_strdup(&p->arena, target), loc_of(at), 0};
    list32_add(&p->resources[env->handles[id]].refs, p->reference_count);
    *out = p->reference_count++;
    return 0;
}

void plug_host_fill(struct th_host *host)
{
    host->abi_major = TH_ABI_MAJOR;
    host->abi_minor = TH_ABI_MINOR;
    host->size = sizeof *host;
    host->conf_kind = host_conf_kind;
    host->conf_count = host_conf_count;
    host->conf_at = host_conf_at;
    host->conf_key_at = vnode_pair_key;
    host->conf_find = vnode_find;
    host->conf_text = vnode_text;
    host->conf_defaults = schema_defaults;
    host->conf_read = host_conf_read;
    host->conf_is_key = host_conf_is_key;
    host->conf_near = schema_near;
    host->conf_addr = schema_addr;
    host->error = host_error;
    host->warn = host_warn;
    host->alloc = host_alloc;
    host->resource = host_resource;
    host->watch = host_watch;
    host->refer = host_refer;
    resolve_host_fill(host);
}
