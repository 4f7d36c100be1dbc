/* SPDX-License-Identifier: GPL-3.0-or-later */
/* service.c: service_types of the configuration, and what is watched under them. */
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/netaddr.h"
#include "conf/schema.h"
#include "plug/part.h"
#include "plug/tuning.h"

/* A hash of everything that decides what is probed: plugin and its keys, not those of tuning. */
static uint64_t identity_of(uint64_t h, const struct th_conf *c)
{
    const char *text = vnode_text(c);
    if (text)
        return hash_bytes(h, text, vnode_text_len(c) + 1);
    size_t pairs = vnode_pair_count(c);
    for (size_t i = 0; i < pairs; i++) {
        const char *key = vnode_pair_key(c, i);
        if (!schema_find(tuning_keys, key))
            h = identity_of(hash_bytes(h, key, strlen(key) + 1), vnode_pair_at(c, i));
    }
    for (size_t i = 0; vnode_kind(c) == VNODE_ARRAY && i < vnode_list_count(c); i++)
        h = identity_of(h + 1, vnode_list_at(c, i));
    return h;
}

/* keys of tuning and the plugin's in one table, so that a misspelt one is found in either */
static struct th_key *joined_keys(struct plugs *p, const struct th_monitor *m, size_t plugin_at)
{
    size_t own = 0, common = 0;
    while (tuning_keys[common].name)
        common++;
    while (m->service_keys && m->service_keys[own].name)
        own++;
    struct th_key *keys = arena_array(&p->arena, common + own + 1, struct th_key);
    memcpy(keys, tuning_keys, common * sizeof *keys);
    for (size_t i = 0; i < own; i++) {
        keys[common + i] = m->service_keys[i];
        keys[common + i].offset += plugin_at;
    }
    return keys;
}

static void list_monitors(const struct plugs *p, struct buf *out)
{
    for (size_t i = 0; p->builtin[i]; i++)
        if (p->builtin[i]->monitor)
            buf_printf(out, "%s%s", out->len ? ", " : "", p->builtin[i]->name);
}

static const struct th_plugin *find_monitor(struct plugs *p, const char *name,
                                            const struct th_conf *at, struct diag *d)
{
    const struct th_plugin *plugin = plugs_find_builtin(p, name);
    if (plugin && plugin->monitor)
        return plugin;
    struct buf known = {0};
    list_monitors(p, &known);
    (void)diag_error(d, vnode_loc(at), "%s \"%s\"; monitors are %s", /* NULL says it failed */
                     plugin ? "plugin without monitoring" : "no such plugin", name,
                     known.data ? known.data : "none");
    buf_fini(&known);
    return NULL;
}

static int service_open(struct plugs *p, struct service *s, const struct th_conf *conf,
                        const struct plug_options *o, struct diag *d)
{
    const struct th_conf *named = vnode_find(conf, "plugin");
    if (!named || !vnode_text(named))
        return diag_error(d, vnode_loc(conf), "service type \"%s\" needs plugin => NAME", s->name);
    s->plugin = find_monitor(p, vnode_text(named), named, d);
    if (!s->plugin)
        return ERR_REFUSED;
    const struct th_monitor *m = s->plugin->monitor;
    struct tuning *c = arena_alloc(&p->arena, sizeof *c + m->service_size, _Alignof(max_align_t));
    *c = tuning_defaults(o);
    struct th_key *keys = joined_keys(p, m, sizeof *c);
    struct buf what = {0};
    buf_printf(&what, "service type %s", s->name);
    if (m->service_keys)
        schema_defaults(m->service_keys, c + 1);
    int e = schema_read(keys, conf, what.data, SCHEMA_REFUSE_REST, c, d);
    buf_fini(&what);
    if (!e)
        e = tuning_read(c, conf, o, d, s);
    if (e)
        return e;
    s->identity = identity_of(hash_bytes(0, s->plugin->name, strlen(s->plugin->name)), conf);
    struct th_env *env = arena_new(&p->arena, struct th_env);
    *env = (struct th_env){.plugs = p, .plugin = s->plugin};
    return m->service_open(p->host, env, s->name, c + 1, conf, (struct th_diag *)d, &s->instance);
}

static void add_builtin(struct plugs *p, const char *name, enum service_kind kind)
{
    struct service *s = &p->services[p->service_count];
    *s = (struct service){.kind = kind, .name = name};
    (void)hashmap_put(&p->service_index, name, strlen(name), p->service_count++, NULL); /* new */
}

static int add_service(struct plugs *p, const struct th_conf *types, size_t i,
                       const struct plug_options *o, struct diag *d)
{
    const struct th_conf *conf = vnode_pair_at(types, i);
    struct service *s = &p->services[p->service_count];
    *s = (struct service){.name = arena_strdup(&p->arena, vnode_pair_key(types, i))};
    if (hashmap_put(&p->service_index, s->name, strlen(s->name), p->service_count, NULL) != 0)
        return diag_error(d, vnode_pair_loc(types, i),
                          "service type \"%s\" is built in and cannot be defined", s->name);
    p->service_count++;
    if (vnode_kind(conf) != VNODE_HASH)
        return diag_error(d, vnode_loc(conf), "service type \"%s\" must be { plugin => ... }",
                          s->name);
    return service_open(p, s, conf, o, d);
}

int services_open(struct plugs *p, const struct th_conf *types, const struct plug_options *o,
                  struct diag *d)
{
    size_t count = types ? vnode_pair_count(types) : 0;
    p->services = mem_array(count + 2, sizeof *p->services);
    add_builtin(p, "up", SERVICE_UP);
    add_builtin(p, "down", SERVICE_DOWN);
    if (types && vnode_kind(types) != VNODE_HASH)
        return diag_error(d, vnode_loc(types), "service_types must be { NAME => { ... } }");
    int e = 0;
    for (size_t i = 0; i < count; i++) {
        int failed = add_service(p, types, i, o, d);
        e = failed ? failed : e;
    }
    return e;
}

void services_close(struct plugs *p)
{
    for (uint32_t i = 0; i < p->service_count; i++) {
        struct service *s = &p->services[i];
        if (s->instance && s->plugin->monitor->service_close)
            s->plugin->monitor->service_close(s->instance);
    }
    mem_free(p->services);
    hashmap_fini(&p->service_index);
}

static int refuse_service(const struct plugs *p, const char *name, struct diag_loc loc,
                          struct diag *d)
{
    if (strcmp(name, "default") == 0)
        return diag_error(d, loc,
                          "service type \"default\" is not defined; what the manual calls "
                          "the default is \"up\"");
    const char **names = mem_array(p->service_count, sizeof *names);
    for (uint32_t i = 0; i < p->service_count; i++)
        names[i] = p->services[i].name;
    const char *near = schema_near_word(names, p->service_count, name);
    int e = diag_error(d, loc, "service type \"%s\" is not defined in service_types%s%s%s", name,
                       near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    mem_free(names);
    return e;
}

int watches_get(struct plugs *p, const char *service, const struct th_addr *addr,
                struct diag_loc loc, struct diag *d, uint32_t *index)
{
    uint32_t at;
    if (hashmap_find(&p->service_index, service, strlen(service), &at) != 0)
        return refuse_service(p, service, loc, d);
    char text[NETADDR_TEXT], *key;
    size_t addr_len = strlen(netaddr_print_addr(addr, text)), service_len = strlen(service);
    key = arena_alloc(&p->arena, addr_len + service_len + 2, 1);
    memcpy(key, text, addr_len);
    key[addr_len] = '/';
    memcpy(key + addr_len + 1, service, service_len);
    if (hashmap_put(&p->watch_index, key, addr_len + service_len + 1, p->watch_count, index) != 0)
        return 0; /* watched already */
    if (p->watch_count == p->watch_cap) {
        p->watch_cap = p->watch_cap ? p->watch_cap * 2 : 16;
        p->watches = mem_grow(p->watches, p->watch_cap, sizeof *p->watches);
    }
    p->watches[p->watch_count++] =
        (struct watch){.service = &p->services[at], .addr = *addr, .desc = key};
    return 0;
}
