/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit/fake_monitor.h"

#include <check.h>
#include <string.h>

#include "base/mem.h"

struct fake_target {
    const struct th_host *host;
    struct fake *fake;
    struct th_target *t;
    uint8_t id;
    bool running;
};

static int fake_open(const struct th_host *host, void *service, struct th_target *t,
                     const struct th_addr *addr, void **out)
{
    struct fake *fake = service;
    if (fake->refuse_open)
        return -1;
    struct fake_target *f = mem_new(struct fake_target);
    *f = (struct fake_target){host, fake, t, addr->bytes[3], false};
    fake->opened++;
    *out = f;
    return 0;
}

static void fake_close(void *target)
{
    struct fake_target *f = target;
    ck_assert(!f->running);
    f->fake->closed++;
    mem_free(f);
}

static void fake_start(void *target)
{
    struct fake_target *f = target;
    int verdict = f->fake->verdict[f->id];
    struct mono until = mono_add_ms(mono_now(), f->fake->burn_ms);
    while (mono_now().ns < until.ns)
        ;
    f->fake->starts++;
    ck_assert(!f->running);
    if (verdict == HANG) {
        if (f->fake->connects)
            f->host->probe_connected(f->t);
        f->running = true;
        if (++f->fake->running > f->fake->running_max)
            f->fake->running_max = (int)f->fake->running;
        return;
    }
    f->host->probe_done(f->t, (enum th_verdict)verdict,
                        verdict == TH_PROBE_DOWN ? TH_CAUSE_REFUSED : TH_CAUSE_NONE, "as told");
    f->host->probe_done(f->t, TH_PROBE_DOWN, TH_CAUSE_NONE, "twice"); /* ignored */
}

static void fake_cancel(void *target)
{
    struct fake_target *f = target;
    ck_assert(f->running);
    f->running = false;
    f->fake->running--;
    f->fake->cancels++;
}

static const struct th_monitor fake_monitor = {.target_open = fake_open,
                                               .target_close = fake_close,
                                               .probe_start = fake_start,
                                               .probe_cancel = fake_cancel};
static const struct th_plugin fake_plugin = {TH_PLUGIN_HEAD, .name = "fake", .version = "1",
                                             .monitor = &fake_monitor};

struct service fake_service(struct fake *fake, uint32_t interval_ms, uint32_t timeout_ms)
{
    return (struct service){.kind = SERVICE_PROBED,
                            .name = "fake",
                            .plugin = &fake_plugin,
                            .instance = fake,
                            .flap = {.mode = FLAP_CONSECUTIVE,
                                     .up_thresh = 2,
                                     .ok_thresh = 2,
                                     .down_thresh = 3,
                                     .interval_ms = interval_ms},
                            .timeout_ms = timeout_ms,
                            .identity = 1};
}

void fake_set(struct fake *fake, int verdict)
{
    for (int i = 0; i < 256; i++)
        fake->verdict[i] = verdict;
}

void fake_init(struct fake *fake, enum th_verdict v)
{
    memset(fake, 0, sizeof *fake);
    fake_set(fake, (int)v);
}

struct counter_wanted {
    _Atomic int *counter;
    int wanted;
};

static bool counter_reached(void *arg)
{
    struct counter_wanted *c = arg;
    return *c->counter >= c->wanted;
}

void fake_wait(struct rig *r, _Atomic int *counter, int wanted)
{
    struct counter_wanted c = {counter, wanted};
    rig_wait(r, counter_reached, &c);
}
