/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * flap.h: how probe results become a state.  Pure functions over small values: no clock, no I/O.
 *
 *   FLAP_CONSECUTIVE   UP -> DOWN after down_thresh failures in a row,
 *                      DOWN -> UP after up_thresh successes in a row
 *   FLAP_CUMULATIVE    gdnsd's rule: failures add up and are forgotten only after ok_thresh
 *                      successes in a row
 *
 * The first result decides alone.  NOTRUN changes nothing.
 *
 * TTL of the word: TH_TTL_MAX, or with `derived` the time until the state could change at the
 * earliest: interval x results still needed.
 * Thread rule: [any].
 */
#ifndef HEALTH_FLAP_H
#define HEALTH_FLAP_H

#include <stdbool.h>
#include <stdint.h>
#include <thresh/plugin.h>

enum flap_mode { FLAP_CONSECUTIVE, FLAP_CUMULATIVE };

struct flap_conf {
    enum flap_mode mode;
    uint32_t up_thresh, ok_thresh, down_thresh; /* 1..65535 */
    uint32_t interval_ms;
    bool derived_ttl;
};

struct flap {
    bool known; /* there was a result */
    bool down;
    uint32_t fail, succ;
};

struct flap flap_step(const struct flap_conf *c, struct flap f, enum th_verdict v);
/* PENDING while nothing is known (counts as UP), DOWN|ANY_DOWN or neither after that. */
struct th_word flap_word(const struct flap_conf *c, struct flap f);
bool flap_conf_equal(const struct flap_conf *a, const struct flap_conf *b);

#endif
