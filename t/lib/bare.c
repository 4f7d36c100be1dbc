/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/bare.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void bare_open(struct bare *b)
{
    static const struct th_plugin *const none[] = {NULL};
    struct plug_options po = {.up_thresh = 1, .builtin = none};
    *b = (struct bare){0};
    plug_host_fill(&b->host);
    po.host = &b->host;
    if (plugs_open(NULL, NULL, &po, &b->d, &b->plugs) != 0)
        abort();
    b->a.counters = mem_aligned(CACHE_LINE, sizeof *b->a.counters);
    prng_init_from(&b->a.prng, 1);
    b->options =
        (struct answer_options){.max_edns_v4 = 1232, .max_edns_v6 = 1232, .advertised_udp = 1232};
    b->parts = (struct snapshot_parts){.plugs = b->plugs, .options = &b->options};
}

struct snapshot *bare_load(struct bare *b, const char *name, const char *text,
                           const struct zone_options *options, bool cname_chain)
{
    struct zone_set *zones = NULL;
    diag_fini(&b->d);
    if (zone_load_text(name, text, strlen(text), options, &b->d, &zones) != 0)
        return NULL;
    b->options.cname_chain = cname_chain;
    b->parts.zones = zones;
    struct snapshot *s = snapshot_new(&b->parts);
    zone_set_unref(zones);
    return s;
}

void bare_close(struct bare *b)
{
    plugs_unref(b->plugs);
    mem_free(b->a.counters);
    diag_fini(&b->d);
}
