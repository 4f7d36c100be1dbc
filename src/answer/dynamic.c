/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/dynamic.h"

static uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t base_ttl(enum ttl_policy policy, const struct zone_dyn *d, struct th_word w)
{
    switch (policy) {
    case TTL_HALVE:
        return th_word_has(w, TH_ANY_DOWN) ? greater(greater(d->ttl_min_s, d->ttl_max_s / 2), 1)
                                           : d->ttl_max_s;
    case TTL_DERIVED: break;
    }
    return TH_TTL_MAX;
}

uint32_t dynamic_ttl(enum ttl_policy policy, const struct zone_dyn *d, struct th_word w)
{
    uint32_t ttl = lesser(base_ttl(policy, d, w), th_word_ttl(w));
    return lesser(greater(ttl, d->ttl_min_s), d->ttl_max_s);
}
