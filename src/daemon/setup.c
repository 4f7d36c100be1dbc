/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "daemon/setup.h"

#include "base/err.h"
#include "base/mem.h"
#include "conf/schema.h"
#include "conf/vscf.h"
#include "monitor/monitor.h"
#include "plug/host.h"

/* The sections a configuration may have. */
struct sections {
    const struct th_conf *options, *service_types, *plugins;
};

static const struct th_key section_keys[] = {
    {.name = "options",
     .type = TH_ANY,
     .offset = offsetof(struct sections, options),
     .help = "how the server runs"},
    {.name = "service_types",
     .type = TH_ANY,
     .offset = offsetof(struct sections, service_types),
     .help = "how addresses are probed"},
    {.name = "plugins",
     .type = TH_ANY,
     .offset = offsetof(struct sections, plugins),
     .help = "resources that DYNA records name"},
    {0},
};

static int read_tree(const char *path, bool gdnsd, struct diag *d, struct vtree **out)
{
    int e = vscf_parse_file(path, d, out);
    if (e != ERR_NOTFOUND)
        return e;
    if (!gdnsd)
        return diag_error(d, (struct diag_loc){path, 0, 0},
                          "no such file; a configuration is needed, if only an empty one");
    diag_warn(d, DIAG_NOWHERE, "No config file at '%s', using defaults", path);
    return vscf_parse_mem("", 0, path, d, out);
}

static int read_sections(struct setup *s, const struct cmdline *c,
                         const struct th_plugin *const *builtin, struct diag *d)
{
    struct sections sections = {0};
    const struct th_conf *root = vtree_root(s->tree);
    if (vnode_kind(root) != VNODE_HASH)
        return diag_error(d, vnode_loc(root),
                          "the top level must be NAME => { ... } sections, not "
                          "an array");
    int e = schema_read(section_keys, root, "configuration", SCHEMA_REFUSE_REST, &sections, d);
    bool gdnsd = c->gdnsd || options_wants_gdnsd(sections.options);
    vtree_set_lax(s->tree, gdnsd);
    int failed = options_read(sections.options, gdnsd, c->strict, d, &s->options);
    e = failed ? failed : e;
    plug_host_fill(&s->host);
    monitor_host_fill(&s->host);
    s->host.gdnsd = gdnsd;
    s->options.plug.host = &s->host;
    s->options.plug.builtin = builtin;
    if (failed) /* what plugins would say under wrong options may be wrong itself */
        return e;
    failed = plugs_open(sections.service_types, sections.plugins, &s->options.plug, d, &s->plugs);
    return failed ? failed : e;
}

int setup_config(const struct cmdline *c, const struct th_plugin *const *builtin, struct diag *d,
                 struct setup *out)
{
    *out = (struct setup){.zones_dir = mem_printf("%s/zones", c->config_dir)};
    char *path = mem_printf("%s/config", c->config_dir);
    int e = read_tree(path, c->gdnsd, d, &out->tree);
    mem_free(path);
    if (!e)
        e = read_sections(out, c, builtin, d);
    if (e)
        setup_fini(out);
    return e;
}

static int bind_record(void *arg, const struct zone_bind_ask *ask, struct diag *d, uint32_t *handle)
{
    return plugs_bind(arg, ask->plugin, ask->resource, ask->loc, d, handle);
}

int setup_reload(const struct setup *s, const struct zone_reload *r, struct diag *d,
                 struct zone_set **out)
{
    struct zone_options o = s->options.zone;
    struct zone_reload full = *r;
    o.bind = bind_record;
    o.bind_arg = s->plugs;
    full.dir = s->zones_dir;
    full.options = &o;
    return zone_reload(&full, d, out);
}

int setup_zones(const struct setup *s, struct diag *d, struct zone_set **out)
{
    return setup_reload(s, &(struct zone_reload){0}, d, out);
}

void setup_fini(struct setup *s)
{
    plugs_unref(s->plugs);
    options_fini(&s->options);
    vtree_free(s->tree);
    mem_free(s->zones_dir);
    *s = (struct setup){0};
}
