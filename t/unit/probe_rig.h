/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * probe_rig.h: one monitor plugin under the real monitor, configured without configuration files.
 *
 *   struct probe p;
 *   probe_init(&p, &th_plugin_http_status, gdnsd);        conf holds the keys' defaults
 *   probe_set_uint(&p, "port", 8080);
 *   ck_assert_int_eq(probe_open(&p), 0);                  else p.message says why
 *   probe_start(&p, "127.0.0.1", interval_ms, timeout_ms);
 *   r = probe_result(&p);                                 the next result
 *   probe_stop(&p);
 */
#ifndef T_UNIT_PROBE_RIG_H
#define T_UNIT_PROBE_RIG_H

#include "lib/fakesvc.h"
#include "unit/monitor_rig.h"

#define PROBE_ALLOCS 8

struct probe {
    const struct th_plugin *plugin;
    struct th_host host;
    void *conf;
    struct service service;
    uint32_t connect_timeout_ms; /* set before probe_start; 0: as the timeout */
    struct plugs *plugs;
    struct rig rig;
    char message[256]; /* the last error */
    void *allocs[PROBE_ALLOCS];
    int alloc_count;
};

extern const struct th_plugin th_plugin_http_status, th_plugin_tcp_connect;

void probe_init(struct probe *p, const struct th_plugin *plugin, bool gdnsd);
void probe_set_uint(struct probe *p, const char *key, uint32_t value);
void probe_set_text(struct probe *p, const char *key, const char *value);
void probe_set_list(struct probe *p, const char *key, const char *const *items, size_t count);
int probe_open(struct probe *p);
void probe_start(struct probe *p, const char *addr, uint32_t interval_ms, uint32_t timeout_ms);
/* The first result that comes from now on. */
const struct monitor_result *probe_result(struct probe *p);
/* Behaviour was switched: results until one has `verdict`. */
const struct monitor_result *probe_until(struct probe *p, enum th_verdict verdict);
void probe_stop(struct probe *p);
/* Without probe_start. */
void probe_fini(struct probe *p);
/* Descriptors this process has open. */
unsigned probe_fd_count(void);

#endif
