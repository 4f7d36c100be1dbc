/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/snapshot.h"

#include "base/mem.h"

static unsigned edns_rules(const struct snapshot *s)
{
    return (s->options.gdnsd ? EDNS_RULE_GDNSD : 0) | (s->options.ecs ? 0 : EDNS_RULE_NO_ECS) |
           (s->cookies ? 0 : EDNS_RULE_NO_COOKIES);
}

struct snapshot *snapshot_new(const struct snapshot_parts *parts)
{
    struct snapshot *s = mem_new(struct snapshot);
    s->zones = zone_set_ref(parts->zones);
    s->plugs = plugs_ref(parts->plugs);
    s->cookies = cookie_keys_ref(parts->cookies);
    s->rrl = rrl_ref(parts->rrl);
    s->challenges = challenges_ref(parts->challenges);
    s->options = *parts->options;
    s->rules = (struct query_rules){s->zones->seed, s->zones->max_depth, edns_rules(s)};
    return s;
}

void snapshot_free(struct snapshot *s)
{
    if (!s)
        return;
    zone_set_unref(s->zones);
    plugs_unref(s->plugs);
    cookie_keys_unref(s->cookies);
    rrl_unref(s->rrl);
    challenges_unref(s->challenges);
    mem_free(s);
}
