/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plugs.h: one generation of plugins: instances, service types, resources, what they watch, and
 * the prepared answers that queries copy.  A part of the snapshot.
 *
 *   config --open--> instances --resource()--> resources --watch()--> watches
 *                                    |                                   |
 *                        bind "multifo!web" -> handle              slot (monitor)
 *                                    |                                   |
 *                         prepared answer  <----- resolve() ------- a slot changed
 *
 * A handle is the number of a resource in its generation; DYNA records hold it.
 *
 * Life: plugs_open [loader] -> monitor attaches, prepares -> published in a snapshot -> retired ->
 * monitor detaches -> plugs_unref frees.
 * Thread rule: immutable after open, but for the marks [monitor] and the prepared pointers
 * (written by [monitor], read by [worker] under RCU).
 */
#ifndef PLUG_PLUGS_H
#define PLUG_PLUGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <thresh/plugin.h>
#include "base/attrs.h"
#include "base/clock.h"
#include "base/diag.h"
#include "conf/vtree.h"
#include "health/service.h"
#include "plug/prepared.h"

struct plugs;

/* What service types and resources get where they say nothing (the `profile` option). */
struct plug_options {
    uint32_t interval_ms, timeout_ms; /* timeout_ms 0: half the interval (compat) */
    uint32_t fast_interval_ms;        /* 0: the interval (compat) */
    uint32_t up_thresh, ok_thresh, down_thresh;
    enum flap_mode flap_mode;
    enum flap_init init;
    bool derived_ttl;
    bool gdnsd;                             /* compat => gdnsd3: ranges and wording */
    const struct th_plugin *const *builtin; /* NULL-terminated: the plugins that exist */
    const struct th_host *host;
};

/* service_types and plugins: the hashes of the configuration, or NULL. 0 and *out (one reference),
 * or negative with all reasons in d. */
int plugs_open(const struct th_conf *service_types, const struct th_conf *plugins,
               const struct plug_options *options, struct diag *d, struct plugs **out) must_check;
struct plugs *plugs_ref(struct plugs *p);
void plugs_unref(struct plugs *p);

/* "plugin" "resource" of a DYNA record -> handle. Pure look-up, may run beside queries. */
int plugs_bind(const struct plugs *p, const char *plugin, const char *resource, struct diag_loc loc,
               struct diag *d, uint32_t *handle) must_check;

size_t plugs_watch_count(const struct plugs *p);
struct watch *plugs_watch_at(struct plugs *p, size_t i);
size_t plugs_service_count(const struct plugs *p);
const struct service *plugs_service_at(const struct plugs *p, size_t i);
size_t plugs_resource_count(const struct plugs *p);
/* "multifo!web" */
const char *plugs_resource_name(const struct plugs *p, uint32_t handle);

/* [monitor] The word of watch `index` changed: what depends on it has to be prepared again. */
void plugs_mark(struct plugs *p, uint32_t index);
/* [monitor] Prepare marked resources, in dependency order, until none is left or `until` passed.
 * True if some are left. */
bool plugs_prepare(struct plugs *p, struct mono until);
/* [monitor] Prepare everything; after attach, before the generation is published. */
void plugs_prepare_all(struct plugs *p);

/* [monitor] A resource has come to be drained with all its members, or no longer is. */
struct plugs_drain {
    const char *resource; /* "multifo!web" */
    bool is_drained;
    unsigned answered; /* addresses, all the same */
};
typedef void plugs_drain_fn(void *arg, const struct plugs_drain *d);
/* [monitor] Who is to be told, while preparing; before anything is prepared. */
void plugs_on_drain(struct plugs *p, plugs_drain_fn *fn, void *arg);

/* [worker] The prepared answer; valid until the thread goes offline. Never NULL once attached. */
const struct prepared *plugs_prepared(const struct plugs *p, uint32_t handle);

#endif
