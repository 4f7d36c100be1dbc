/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "monitor/inside.h"

void attempt_publish(struct monitor *m, struct slot *s, const struct flap_conf *c)
{
    slot_set_real(s, flap_word(c, s->flap));
    rules_publish(m, s);
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

/* Nobody has to wait for it any more. */
static void settle(struct monitor *m, struct slot *s, bool initial)
{
    bool is_new = !s->settled;
    s->settled = true;
    if (is_new || initial)
        generation_count(m, s, is_new, initial);
}

void attempt_ended(void *monitor, struct th_target *t, const struct attempt *a)
{
    struct monitor *m = monitor;
    struct slot *s = t->slot;
    if (a->skipped) {
        settle(m, s, a->initial);
        return;
    }
    const struct flap_conf *c = &t->service->flap;
    struct monitor_result r = {.slot = s,
                               .at = a->at,
                               .verdict = a->verdict,
                               .cause = a->cause,
                               .latency_us = a->latency_us,
                               .before = slot_real(s)};
    bool was_known = s->flap.known;
    s->flap = flap_step(c, s->flap, a->verdict);
    attempt_publish(m, s, c);
    r.after = slot_real(s);
    r.fail = s->flap.fail;
    r.succ = s->flap.succ;
    r.needed = s->flap.down ? c->down_thresh : c->up_thresh;
    r.first = s->flap.known && !was_known;
    copy_text(r.text, sizeof r.text, a->text ? a->text : "");
    if (s->flap.known)
        settle(m, s, a->initial);
    else if (a->initial)
        generation_count(m, s, false, true);
    if (a->verdict == TH_PROBE_NOTRUN)
        note_notrun(m, s, a);
    results_push(m->results, &r);
}
