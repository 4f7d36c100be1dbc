/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit/probe_rig.h"

#include <check.h>
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/netaddr.h"

static int host_error(struct th_diag *d, const struct th_conf *at, const char *fmt, ...)
{
    struct probe *p = (struct probe *)(void *)d;
    va_list args;
    (void)at;
    va_start(args, fmt);
    vsnprintf(p->message, sizeof p->message, fmt, args);
    va_end(args);
    return -1;
}

static void *host_alloc(struct th_env *env, size_t size)
{
    struct probe *p = (struct probe *)(void *)env;
    ck_assert_int_lt(p->alloc_count, PROBE_ALLOCS);
    return p->allocs[p->alloc_count++] = mem_alloc(size);
}

static void *field(struct probe *p, const char *key, enum th_type type)
{
    for (const struct th_key *k = p->plugin->monitor->service_keys; k->name; k++) {
        if (strcmp(k->name, key) == 0) {
            ck_assert_int_eq(k->type, type);
            return (char *)p->conf + k->offset;
        }
    }
    ck_abort_msg("no key %s", key);
}

void probe_set_uint(struct probe *p, const char *key, uint32_t value)
{
    *(uint32_t *)field(p, key, TH_UINT) = value;
}

void probe_set_text(struct probe *p, const char *key, const char *value)
{
    *(const char **)field(p, key, TH_STRING) = value;
}

void probe_set_list(struct probe *p, const char *key, const char *const *items, size_t count)
{
    *(struct th_list *)field(p, key, TH_LIST) = (struct th_list){.items = items, .count = count};
}

void probe_init(struct probe *p, const struct th_plugin *plugin, bool gdnsd)
{
    memset(p, 0, sizeof *p);
    p->plugin = plugin;
    p->host = (struct th_host){.abi_major = TH_ABI_MAJOR,
                               .abi_minor = TH_ABI_MINOR,
                               .size = sizeof p->host,
                               .error = host_error,
                               .alloc = host_alloc,
                               .gdnsd = gdnsd};
    p->conf = mem_alloc(plugin->monitor->service_size);
    for (const struct th_key *k = plugin->monitor->service_keys; k->name; k++) {
        if (k->def && k->type == TH_UINT)
            probe_set_uint(p, k->name, (uint32_t)strtoul(k->def, NULL, 10));
        if (k->def && k->type == TH_STRING)
            probe_set_text(p, k->name, k->def);
    }
}

int probe_open(struct probe *p)
{
    p->message[0] = '\0';
    return p->plugin->monitor->service_open(&p->host, (struct th_env *)(void *)p, "svc", p->conf,
                                            NULL, (struct th_diag *)(void *)p,
                                            &p->service.instance);
}

void probe_start(struct probe *p, const char *addr, uint32_t interval_ms, uint32_t timeout_ms)
{
    struct th_addr a;
    p->service = (struct service){.kind = SERVICE_PROBED,
                                  .name = "svc",
                                  .plugin = p->plugin,
                                  .instance = p->service.instance,
                                  .flap = {.mode = FLAP_CONSECUTIVE,
                                           .up_thresh = 1,
                                           .ok_thresh = 1,
                                           .down_thresh = 1,
                                           .interval_ms = interval_ms},
                                  .timeout_ms = timeout_ms,
                                  .connect_timeout_ms = p->connect_timeout_ms,
                                  .identity = 1};
    ck_assert_int_eq(netaddr_parse_addr(addr, &a), 0);
    p->plugs = rig_plugs_of(&p->service, &a, 1);
    rig_start(&p->rig, &(struct monitor_options){.host = &p->host});
    rig_attach(&p->rig, p->plugs, 0);
}

const struct monitor_result *probe_result(struct probe *p)
{
    rig_next_result(&p->rig);
    return &p->rig.last;
}

const struct monitor_result *probe_until(struct probe *p, enum th_verdict verdict)
{
    do
        rig_next_result(&p->rig);
    while (p->rig.last.verdict != verdict);
    return &p->rig.last;
}

void probe_fini(struct probe *p)
{
    for (int i = 0; i < p->alloc_count; i++)
        mem_free(p->allocs[i]);
    mem_free(p->conf);
}

void probe_stop(struct probe *p)
{
    rig_stop(&p->rig);
    rig_plugs_free(p->plugs);
    probe_fini(p);
}

unsigned probe_fd_count(void)
{
    unsigned n = 0;
    DIR *d = opendir("/proc/self/fd");
    ck_assert_ptr_nonnull(d);
    while (readdir(d))
        n++;
    closedir(d);
    return n;
}
