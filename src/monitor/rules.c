/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rules.c: what an administrator's rules make of what the probes found. */
#include "monitor/inside.h"

/* Members that one command drained have the same time; a drain that goes on keeps its time. */
static void note_drain(struct slot *s, struct th_word before, struct th_word after)
{
    if (!th_word_has(after, TH_DRAIN) || th_word_has(before, TH_DRAIN))
        return;
    bool is_by_rule = s->rule && s->rule->state >= ADMIN_DRAIN;
    slot_set_drained(s, is_by_rule ? s->rule->at : mono_now());
}

void rules_publish(struct monitor *m, struct slot *s)
{
    struct th_word before = slot_word(s), after = admin_apply(s->rule, slot_real(s));
    if (after.bits == before.bits)
        return;
    note_drain(s, before, after);
    slot_set_word(s, after);
    for (uint32_t i = 0; i < s->user_count; i++)
        plugs_mark(s->users[i].plugs, s->users[i].watch);
    m->dirty = true;
}

void rules_attach(struct monitor *m, struct slot *s)
{
    s->rule = admin_find(m->rules, s->desc);
    rules_publish(m, s);
}

static void attach(void *monitor, struct slot *s)
{
    rules_attach(monitor, s);
}

void rules_set(struct monitor *m, struct admin *rules)
{
    struct admin *old = m->rules;
    m->rules = rules;
    registry_each(m->registry, attach, m);
    admin_unref(old);
}
