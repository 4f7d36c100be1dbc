/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/snapshot.h"

#include "base/mem.h"

struct snapshot *snapshot_new(struct zone_set *zones, struct plugs *plugs,
                              const struct answer_options *options)
{
    struct snapshot *s = mem_new(struct snapshot);
    s->zones = zone_set_ref(zones);
    s->plugs = plugs_ref(plugs);
    s->options = *options;
    return s;
}

void snapshot_free(struct snapshot *s)
{
    if (!s)
        return;
    zone_set_unref(s->zones);
    plugs_unref(s->plugs);
    mem_free(s);
}
