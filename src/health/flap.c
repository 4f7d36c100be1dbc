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

static struct flap settled(bool down)
{
    return (struct flap){.known = true, .down = down};
}

static struct flap fail_while_up(const struct flap_conf *c, struct flap f)
{
    f.succ = 0;
    f.fail++;
    return f.fail >= c->down_thresh ? settled(true) : f;
}

static struct flap succeed_while_up(const struct flap_conf *c, struct flap f)
{
    if (f.fail == 0 || c->mode == FLAP_CONSECUTIVE)
        return settled(false);
    f.succ++;
    return f.succ >= c->ok_thresh ? settled(false) : f;
}

static struct flap succeed_while_down(const struct flap_conf *c, struct flap f)
{
    f.succ++;
    return f.succ >= c->up_thresh ? settled(false) : f;
}

struct flap flap_step(const struct flap_conf *c, struct flap f, enum th_verdict v)
{
    enum flap_effect e = effect_of(v);
    if (e == EFFECT_NONE)
        return f;
    bool failed = e == EFFECT_FAILURE;
    if (!f.known)
        return settled(failed);
    if (f.down)
        return failed ? settled(true) : succeed_while_down(c, f);
    return failed ? fail_while_up(c, f) : succeed_while_up(c, f);
}

/* Whole seconds, rounded up: a TTL of 0 would say "ask again at once" to every resolver. */
static uint32_t derived_ttl_s(const struct flap_conf *c, struct flap f)
{
    uint32_t thresh = f.down ? c->up_thresh : c->down_thresh, have = f.down ? f.succ : f.fail;
    uint64_t needed = thresh > have ? thresh - have : 1;
    uint64_t ttl_s = (c->interval_ms * needed + 999) / 1000;
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

bool flap_conf_equal(const struct flap_conf *a, const struct flap_conf *b)
{
    return a->mode == b->mode && a->up_thresh == b->up_thresh && a->ok_thresh == b->ok_thresh &&
           a->down_thresh == b->down_thresh && a->interval_ms == b->interval_ms &&
           a->derived_ttl == b->derived_ttl;
}
