/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tcp_connect: a TCP connection to a port is accepted, or not (thresh-plugin-tcp_connect(8)).
 * The kernel of the target accepts for its process: a port whose process hangs is UP.
 */
#include <stdlib.h>

#include <thresh/plugin.h>

#include "lib/dial.h"

struct tcp_conf {
    uint32_t port;
};

static const struct th_key service_keys[] = {
    {.name = "port",
     .type = TH_UINT,
     .offset = offsetof(struct tcp_conf, port),
     .min = 1,
     .max = 65535,
     .flags = TH_KEY_REQUIRED,
     .help = "port that is connected to"},
    {0},
};

struct tcp_service {
    uint16_t port;
};

struct tcp_target {
    struct dial dial;
};

static int service_open(const struct th_host *host, struct th_env *env, const char *name,
                        const void *conf, const struct th_conf *at, struct th_diag *d,
                        void **service)
{
    const struct tcp_conf *c = conf;
    if (host->gdnsd && c->port > 65534)
        return host->error(d, at,
                           "service type %s: port %u is above 65534, the limit under "
                           "compat => gdnsd3",
                           name, (unsigned)c->port);
    struct tcp_service *s = host->alloc(env, sizeof *s);
    s->port = (uint16_t)c->port;
    *service = s;
    return 0;
}

static void on_connected(void *arg, unsigned events)
{
    struct tcp_target *t = arg;
    (void)events;
    dial_end(&t->dial, TH_PROBE_UP, TH_CAUSE_NONE, "connected");
}

static int target_open(const struct th_host *host, void *service, struct th_target *target,
                       const struct th_addr *addr, void **out)
{
    const struct tcp_service *s = service;
    struct tcp_target *t = calloc(1, sizeof *t);
    if (!t || dial_init(&t->dial, host, target, addr, s->port) != 0) {
        free(t);
        return -1;
    }
    dial_on_ready(&t->dial, on_connected, t);
    *out = t;
    return 0;
}

static void target_close(void *target)
{
    struct tcp_target *t = target;
    dial_fini(&t->dial);
    free(t);
}

static void probe_start(void *target)
{
    dial_start(&((struct tcp_target *)target)->dial);
}

static void probe_cancel(void *target)
{
    dial_hang_up(&((struct tcp_target *)target)->dial);
}

static const struct th_monitor monitor = {.service_keys = service_keys,
                                          .service_size = sizeof(struct tcp_conf),
                                          .service_open = service_open,
                                          .target_open = target_open,
                                          .target_close = target_close,
                                          .probe_start = probe_start,
                                          .probe_cancel = probe_cancel,
                                          .flags = TH_MONITOR_CONNECTS};

TH_PLUGIN(tcp_connect) = {TH_PLUGIN_HEAD, .name = "tcp_connect", .version = "1",
                          .monitor = &monitor};
