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

/* What led to the state after: this result and those that counted before. */
static void fill_counts(struct monitor_result *r, const struct flap_conf *c, struct flap before,
                        struct flap after)
{
    r->fail = after.fail;
    r->succ = after.succ;
    r->rise = after.rise;
    r->counted = 1 + (after.down ? before.fail : before.succ);
    r->among = after.down && c->mode == FLAP_WINDOW && before.known ? c->window : r->counted;
}

/* An item's first round is over with its first state, but not before two results where they are
 * confirmed; what cannot be probed holds nobody up. */
static bool ends_first_round(struct th_target *t, enum th_verdict v)
{
    const struct flap *f = &t->slot->flap;
    if (t->attempted || (!f->known && f->seen == 1 && v != TH_PROBE_NOTRUN))
        return false;
    t->attempted = true;
    return true;
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
    const struct flap before = s->flap;
    s->flap = flap_step(c, before, &(struct flap_result){a->verdict, a->cause, a->at});
    attempt_publish(m, s, c);
    r.after = slot_real(s);
    fill_counts(&r, c, before, s->flap);
    r.first = s->flap.known && !before.known;
    copy_text(r.text, sizeof r.text, a->text ? a->text : "");
    bool rounded = ends_first_round(t, a->verdict);
    if (s->flap.known)
        settle(m, s, rounded);
    else if (rounded)
        generation_count(m, s, false, true);
    if (a->verdict == TH_PROBE_NOTRUN)
        note_notrun(m, s, a);
    results_push(m->results, &r);
}
