/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * part.h: the inside of struct plugs, shared by the files of this folder alone.
 *
 * Resources are numbered in the order of their announcement (handle).  `order` lists handles so
 * that whatever a resource refers to stands before it; marks are bits over positions in that
 * order, so preparing from the lowest bit upward sees every change once.
 */
#ifndef PLUG_PART_H
#define PLUG_PART_H

#include <stdatomic.h>
#include <string.h>

#include "base/hashmap.h"
#include "base/mem.h"
#include "plug/plugs.h"

/* One plugin in use. */
struct th_env {
    struct plugs *plugs;
    const struct th_plugin *plugin;
    void *instance; /* of the resolver */
    const struct th_conf *conf;
    uint32_t *handles; /* id -> handle */
    uint32_t handle_count, handle_cap;
    bool open;
};

/* "plugin!resource" as written, resolved once every plugin is open. */
struct reference {
    const char *target;
    struct diag_loc loc;
    uint32_t handle;
};

struct list32 { /* a growing list of numbers */
    uint32_t *v;
    uint32_t count, cap;
};

struct resource {
    struct th_env *env;
    const char *name;  /* "multifo!web" */
    uint32_t id;       /* the plugin's */
    uint32_t position; /* in plugs.order */
    struct diag_loc loc;
    struct list32 watches;    /* indexes it depends on */
    struct list32 refs;       /* indexes into plugs.references */
    struct list32 dependants; /* handles of resources that refer to this one */
};

struct plugs {
    _Atomic unsigned refs;
    struct arena arena;
    const struct th_host *host;
    const struct th_plugin *const *builtin;
    struct th_env **envs;
    uint32_t env_count;
    struct service *services;
    uint32_t service_count;
    struct hashmap service_index; /* name -> services[] */
    struct resource *resources;
    uint32_t resource_count, resource_cap;
    struct hashmap resource_index; /* "plugin!resource" -> handle */
    struct watch *watches;
    uint32_t watch_count, watch_cap;
    struct hashmap watch_index; /* "address/service" -> watches[] */
    struct list32 *watchers;    /* per watch: handles that depend on it */
    struct reference *references;
    uint32_t reference_count, reference_cap;
    uint32_t *order;               /* position -> handle */
    uint64_t *marks;               /* bit per position */
    uint32_t mark_words, mark_low; /* no bit is set in words below mark_low */
    struct prepared **prepared;    /* by handle, RCU; apart from resources, as queries read it */
    struct resolve_scratch *scratch;
    plugs_drain_fn *on_drain; /* may be NULL */
    void *on_drain_arg;
};

void list32_add(struct list32 *l, uint32_t value);
void list32_fini(struct list32 *l);

/* service.c: read service_types into p->services. */
int services_open(struct plugs *p, const struct th_conf *types, const struct plug_options *o,
                  struct diag *d);
void services_close(struct plugs *p);
/* find or make the watch of (service, addr); ERR_REFUSED with d if there is no such service. */
int watches_get(struct plugs *p, const char *service, const struct th_addr *addr,
                struct diag_loc loc, struct diag *d, uint32_t *index);

/* graph.c: resolve references, refuse cycles and too deep chains, set order and dependants. */
int graph_build(struct plugs *p, struct diag *d);

/* resolve.c */
void resolve_init(struct plugs *p);
void resolve_fini(struct plugs *p);

const struct th_plugin *plugs_find_builtin(const struct plugs *p, const char *name);

#endif
