/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "monitor/inside.h"

void attempt_publish(struct monitor *m, struct slot *s, const struct flap_conf *c)
{
    struct th_word word = flap_word(c, s->flap);
    if (word.bits == slot_word(s).bits)
        return;
    slot_set_word(s, word);
    for (uint32_t i = 0; i < s->user_count; i++)
        plugs_mark(s->users[i].plugs, s->users[i].watch);
    m->dirty = true;
}

static void note_notrun(struct monitor *m, const struct slot *s, const struct attempt *a)
{
    if (m->notrun_attempts++ == 0)
        snprintf(m->notrun_text, sizeof m->notrun_text, "%s: %s", s->desc, a->text);
}

static void copy_text(char *to, size_t size, const char *from)
{
    size_t len = strnlen(from, size - 1);
    memcpy(to, from, len);
    to[len] = '\0';
}

void attempt_ended(void *monitor, struct th_target *t, const struct attempt *a)
{
    struct monitor *m = monitor;
    struct slot *s = t->slot;
    const struct flap_conf *c = &t->service->flap;
    struct monitor_result r = {.slot = s,
                               .at = a->at,
                               .verdict = a->verdict,
                               .cause = a->cause,
                               .latency_us = a->latency_us,
                               .before = slot_word(s)};
    bool was_known = s->flap.known;
    s->flap = flap_step(c, s->flap, a->verdict);
    attempt_publish(m, s, c);
    r.after = slot_word(s);
    r.fail = s->flap.fail;
    r.succ = s->flap.succ;
    r.needed = s->flap.down ? c->down_thresh : c->up_thresh;
    r.first = s->flap.known && !was_known;
    copy_text(r.text, sizeof r.text, a->text ? a->text : "");
    if (r.first || a->initial)
        generation_count(m, s, r.first, a->initial);
    if (a->verdict == TH_PROBE_NOTRUN)
        note_notrun(m, s, a);
    results_push(m->results, &r);
}
