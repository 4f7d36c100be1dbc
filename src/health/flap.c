/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "health/flap.h"

enum flap_effect { EFFECT_NONE, EFFECT_SUCCESS, EFFECT_FAILURE };

static enum flap_effect effect_of(enum th_verdict v)
{
    switch (v) {
    case TH_PROBE_UP: return EFFECT_SUCCESS;
    case TH_PROBE_DRAIN: return EFFECT_SUCCESS; /* it answered */
    case TH_PROBE_DOWN: return EFFECT_FAILURE;
    case TH_PROBE_TIMEOUT: return EFFECT_FAILURE;
    case TH_PROBE_NOTRUN: return EFFECT_NONE;
    }
    return EFFECT_NONE;
}

struct flap flap_clear(struct flap f)
{
    return (struct flap){.known = f.known, .down = f.down};
}

/* A state is reached: counting begins anew, only falls are remembered. */
static struct flap settled(struct flap f, bool down)
{
    f.known = true;
    f.down = down;
    f.seen = 0;
    f.fail = f.succ = f.rise = 0;
    f.recent = 0;
    return f;
}

/* ---- damping ------------------------------------------------------------------------------- */

static struct flap remember_fall(struct flap f, struct mono at)
{
    if (f.fall_count < FLAP_FALLS_MAX)
        f.fall_count++;
    for (unsigned i = f.fall_count - 1u; i > 0; i--)
        f.falls[i] = f.falls[i - 1];
    f.falls[0] = at;
    return f;
}

static unsigned falls_within(struct flap f, uint32_t window_ms)
{
    unsigned n = 0;
    while (n < f.fall_count && mono_diff_ms(f.falls[0], f.falls[n]) < window_ms)
        n++;
    return n;
}

static uint32_t damped_thresh(const struct flap_conf *c, struct flap f)
{
    unsigned n = falls_within(f, c->damp.window_ms);
    uint64_t thresh = c->up_thresh;
    for (unsigned i = c->damp.falls; i <= n; i++)
        thresh *= 2;
    return thresh < c->damp.max_thresh ? (uint32_t)thresh : c->damp.max_thresh;
}

static uint32_t rise_thresh(const struct flap_conf *c, struct flap f)
{
    return f.rise ? f.rise : c->up_thresh;
}

bool flap_is_damped(const struct flap_conf *c, struct flap f)
{
    return f.down && f.succ >= c->up_thresh;
}

/* ---- one result ---------------------------------------------------------------------------- */

static struct flap fallen(const struct flap_conf *c, struct flap f, struct mono at)
{
    f = settled(f, true);
    if (c->damp.falls == 0)
        return f;
    f = remember_fall(f, at);
    uint32_t thresh = damped_thresh(c, f);
    f.rise = thresh > c->up_thresh ? thresh : 0;
    return f;
}

static struct flap slide(const struct flap_conf *c, struct flap f, bool failed)
{
    uint64_t mask = c->window < FLAP_WINDOW_MAX ? (UINT64_C(1) << c->window) - 1 : UINT64_MAX;
    f.recent = (f.recent << 1 | failed) & mask;
    f.fail = (uint32_t)__builtin_popcountll(f.recent);
    return f;
}

static struct flap count_failure(const struct flap_conf *c, struct flap f)
{
    f.succ = 0;
    if (c->mode == FLAP_WINDOW)
        return slide(c, f, true);
    f.fail++;
    return f;
}

static struct flap count_success(const struct flap_conf *c, struct flap f)
{
    f.succ++;
    switch (c->mode) {
    case FLAP_CONSECUTIVE: f.fail = 0; break;
    case FLAP_CUMULATIVE: f.fail = f.succ >= c->ok_thresh ? 0 : f.fail; break;
    case FLAP_WINDOW: f = slide(c, f, false); break;
    }
    return f;
}

static struct flap fail_while_up(const struct flap_conf *c, struct flap f, struct mono at)
{
    f = count_failure(c, f);
    return f.fail >= c->down_thresh ? fallen(c, f, at) : f;
}

static struct flap succeed_while_up(const struct flap_conf *c, struct flap f)
{
    if (f.fail == 0)
        return settled(f, false);
    f = count_success(c, f);
    if (f.fail == 0 || c->mode != FLAP_CUMULATIVE)
        f.succ = 0; /* counts towards nothing */
    return f;
}

static struct flap step_down(const struct flap_conf *c, struct flap f, bool failed)
{
    f.succ = failed ? 0 : f.succ + 1;
    return f.succ >= rise_thresh(c, f) ? settled(f, false) : f;
}

/* Nothing is known: two equal results decide, or from the second on the thresholds. */
static struct flap confirm(const struct flap_conf *c, struct flap f, bool failed)
{
    f = failed ? count_failure(c, f) : count_success(c, f);
    if (f.seen == 0) {
        f.seen = 1;
        return f;
    }
    bool is_second = f.seen == 1;
    f.seen = 2;
    if (f.succ >= c->up_thresh || (is_second && f.succ == 2))
        return settled(f, false);
    if (f.fail >= c->down_thresh || (is_second && f.fail == 2))
        return settled(f, true);
    return f;
}

static struct flap step_known(const struct flap_conf *c, struct flap f, bool failed, struct mono at)
{
    if (f.down)
        return step_down(c, f, failed);
    return failed ? fail_while_up(c, f, at) : succeed_while_up(c, f);
}

static struct flap step_pending(const struct flap_conf *c, struct flap f, bool failed,
                                struct mono at)
{
    switch (c->init) {
    case FLAP_INIT_FIRST: return settled(f, failed);
    case FLAP_INIT_UP: /* since a reload, or it would be known */
    case FLAP_INIT_DOWN: return step_known(c, flap_first(c), failed, at);
    case FLAP_INIT_LAST:
    case FLAP_INIT_CONFIRM: return confirm(c, f, failed);
    }
    return f;
}

struct flap flap_step(const struct flap_conf *c, struct flap f, const struct flap_result *r)
{
    enum flap_effect e = effect_of(r->verdict);
    if (e == EFFECT_NONE)
        return f;
    bool failed = e == EFFECT_FAILURE;
    if (failed && !f.down && (c->hard_causes >> r->cause & 1))
        return f.known ? fallen(c, f, r->at) : settled(f, true);
    return f.known ? step_known(c, f, failed, r->at) : step_pending(c, f, failed, r->at);
}

struct flap flap_first(const struct flap_conf *c)
{
    struct flap f = {0};
    bool known = c->init == FLAP_INIT_UP || c->init == FLAP_INIT_DOWN;
    return known ? settled(f, c->init == FLAP_INIT_DOWN) : f;
}

struct flap flap_restore(const struct flap_conf *c, struct flap f, bool down)
{
    return f.known || c->init != FLAP_INIT_LAST ? f : settled(f, down);
}

/* ---- what follows from a state ------------------------------------------------------------- */

enum flap_pace flap_pace(struct flap f)
{
    if (!f.known)
        return f.seen ? FLAP_PACE_FAST : FLAP_PACE_USUAL;
    if (f.down)
        return f.succ ? FLAP_PACE_FAST : FLAP_PACE_DOWN;
    return f.fail ? FLAP_PACE_FAST : FLAP_PACE_USUAL;
}

uint32_t flap_interval_ms(const struct flap_conf *c, enum flap_pace pace)
{
    uint32_t ms = 0;
    switch (pace) {
    case FLAP_PACE_FAST: ms = c->fast_interval_ms; break;
    case FLAP_PACE_DOWN: ms = c->down_interval_ms; break;
    case FLAP_PACE_USUAL: break;
    }
    return ms ? ms : c->interval_ms;
}

static uint64_t results_needed(const struct flap_conf *c, struct flap f)
{
    uint32_t thresh = f.down ? rise_thresh(c, f) : c->down_thresh, have = f.down ? f.succ : f.fail;
    if (!f.down && c->hard_causes)
        return 1;
    return thresh > have ? thresh - have : 1;
}

/* Whole seconds, rounded up: a TTL of 0 would say "ask again at once" to every resolver. */
static uint32_t derived_ttl_s(const struct flap_conf *c, struct flap f)
{
    uint64_t more = results_needed(c, f) - 1;
    uint64_t ms = flap_interval_ms(c, flap_pace(f)) + more * flap_interval_ms(c, FLAP_PACE_FAST);
    uint64_t ttl_s = (ms + 999) / 1000;
    if (ttl_s < 1)
        return 1;
    return ttl_s > TH_TTL_MAX ? TH_TTL_MAX : (uint32_t)ttl_s;
}

struct th_word flap_word(const struct flap_conf *c, struct flap f)
{
    if (!f.known)
        return th_word_make(TH_PENDING, TH_TTL_MAX, TH_WEIGHT_MAX);
    uint32_t ttl_s = c->derived_ttl ? derived_ttl_s(c, f) : TH_TTL_MAX;
    return th_word_make(f.down ? TH_DOWN | TH_ANY_DOWN : 0, ttl_s, TH_WEIGHT_MAX);
}

static bool counts_equal(const struct flap_conf *a, const struct flap_conf *b)
{
    return a->mode == b->mode && a->up_thresh == b->up_thresh && a->ok_thresh == b->ok_thresh &&
           a->down_thresh == b->down_thresh && a->window == b->window && a->init == b->init &&
           a->hard_causes == b->hard_causes;
}

static bool times_equal(const struct flap_conf *a, const struct flap_conf *b)
{
    return a->interval_ms == b->interval_ms && a->fast_interval_ms == b->fast_interval_ms &&
           a->down_interval_ms == b->down_interval_ms && a->derived_ttl == b->derived_ttl;
}

bool flap_conf_equal(const struct flap_conf *a, const struct flap_conf *b)
{
    return counts_equal(a, b) && times_equal(a, b) && a->damp.falls == b->damp.falls &&
           a->damp.window_ms == b->damp.window_ms && a->damp.max_thresh == b->damp.max_thresh;
}
