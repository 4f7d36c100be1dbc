/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * service.h: a service type as configuration defines it, and what is watched under it.
 *
 *   service_types => { web => { plugin => http_status, interval => 2s } }      struct service
 *   multifo: 192.0.2.1 under web                                               struct watch
 *
 * Life: made by plug (configuration) with a generation of plugins, read by the monitor.
 * Thread rule: immutable after loading, except watch.slot, which the monitor sets at attach before
 * anybody else sees the generation.
 */
#ifndef HEALTH_SERVICE_H
#define HEALTH_SERVICE_H

#include <thresh/plugin.h>
#include "health/flap.h"

enum service_kind {
    SERVICE_PROBED,
    SERVICE_UP,   /* the built-in `up`: always UP */
    SERVICE_DOWN, /* the built-in `down` */
};

struct service {
    enum service_kind kind;
    const char *name;
    const struct th_plugin *plugin; /* its monitor part; NULL for up and down */
    void *instance;                 /* of service_open */
    struct flap_conf flap;
    uint32_t timeout_ms, connect_timeout_ms; /* connect: 0 = timeout_ms */
    double jitter;                           /* share of the interval, 0 to 0.5 */
    uint64_t identity; /* hash of what is probed (plugin and its keys); tuning is not in it */
};

struct slot;

/* One address under one service type, shared by every resource that asks for it. */
struct watch {
    const struct service *service;
    struct th_addr addr;
    const char *desc;  /* "192.0.2.1/web": in logs, states, admin_state */
    struct slot *slot; /* NULL until attached */
};

#endif
