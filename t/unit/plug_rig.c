/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit/plug_rig.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "conf/vscf.h"
#include "lib/upward.h"
#include "plug/host.h"

extern const struct th_plugin th_plugin_multifo;

/* ---- a monitor plugin that is only there to be named -------------------------------------- */

static int nop_service_open(const struct th_host *host, struct th_env *env, const char *name,
                            const void *conf, const struct th_conf *at, struct th_diag *d,
                            void **service)
{
    (void)host, (void)env, (void)name, (void)conf, (void)at, (void)d;
    *service = NULL;
    return 0;
}

static const struct th_key nop_keys[] = {{.name = "port", .type = TH_UINT, .min = 1, .max = 65535},
                                         {0}};
static const struct th_monitor nop_monitor = {
    .service_keys = nop_keys, .service_size = 4, .service_open = nop_service_open};
static const struct th_plugin nop = {TH_PLUGIN_HEAD, .name = "nop", .version = "1",
                                     .monitor = &nop_monitor};

static const struct th_plugin *const builtin[] = {&th_plugin_multifo, &th_plugin_upward, &nop,
                                                  NULL};

/* ---- a generation with slots of its own ---------------------------------------------------- */

int rig_open(struct rig *r, const char *text, bool lax)
{
    *r = (struct rig){.options = {.interval_ms = 5000,
                                  .timeout_ms = 2000,
                                  .up_thresh = 2,
                                  .ok_thresh = 2,
                                  .down_thresh = 3,
                                  .builtin = builtin}};
    plug_host_fill(&r->host);
    r->options.host = &r->host;
    ck_assert_int_eq(vscf_parse_mem(text, strlen(text), "conf", &r->d, &r->tree), 0);
    vtree_set_lax(r->tree, lax);
    const struct th_conf *root = vtree_root(r->tree);
    int e = plugs_open(vnode_find(root, "service_types"), vnode_find(root, "plugins"), &r->options,
                       &r->d, &r->plugs);
    if (e)
        return e;
    size_t count = plugs_watch_count(r->plugs);
    r->slots = mem_array(count, sizeof *r->slots);
    for (size_t i = 0; i < count; i++) {
        slot_set_word(&r->slots[i], th_word_up());
        plugs_watch_at(r->plugs, i)->slot = &r->slots[i];
    }
    plugs_prepare_all(r->plugs);
    return 0;
}

void rig_close(struct rig *r)
{
    plugs_unref(r->plugs);
    vtree_free(r->tree);
    diag_fini(&r->d);
    mem_free(r->slots);
}

void rig_need(struct rig *r, const char *text)
{
    if (rig_open(r, text, false) != 0)
        ck_abort_msg("refused: %s", r->d.count ? r->d.entries[0].text : "?");
}

size_t find_watch(struct rig *r, const char *desc)
{
    for (size_t i = 0; i < plugs_watch_count(r->plugs); i++)
        if (strcmp(plugs_watch_at(r->plugs, i)->desc, desc) == 0)
            return i;
    ck_abort_msg("nothing watches %s", desc);
    return 0;
}

void set_state(struct rig *r, const char *desc, bool down)
{
    size_t i = find_watch(r, desc);
    slot_set_word(&r->slots[i], down ? th_word_down(TH_TTL_MAX) : th_word_up());
    plugs_mark(r->plugs, (uint32_t)i);
    ck_assert(!plugs_prepare(r->plugs, mono_add_ms(mono_now(), 1000)));
}

const struct prepared *answer(struct rig *r, const char *name)
{
    uint32_t handle;
    char plugin[32];
    const char *bang = strchr(name, '!');
    (void)snprintf(plugin, sizeof plugin, "%.*s", (int)(bang - name), name);
    ck_assert_int_eq(plugs_bind(r->plugs, plugin, bang + 1, DIAG_NOWHERE, &r->d, &handle), 0);
    return plugs_prepared(r->plugs, handle);
}

bool says(const struct diag *d, const char *part)
{
    for (size_t i = 0; i < d->count; i++)
        if (strstr(d->entries[i].text, part))
            return true;
    return false;
}
