/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * flap.h: how probe results become a state.  Pure functions over small values: no clock, no I/O.
 *
 *              fall_mode (below), or one result of a hard cause
 *        UP  -------------------------------------------------->  DOWN
 *            <--------------------------------------------------
 *              up_thresh successes in a row; more while damped
 *
 *   FLAP_CONSECUTIVE   down_thresh failures in a row
 *   FLAP_CUMULATIVE    gdnsd's rule: failures add up to down_thresh and are forgotten only after
 *                      ok_thresh successes in a row
 *   FLAP_WINDOW        down_thresh failures among the last `window` results since it came UP
 *
 * Before the first state an item is PENDING.  What ends that is `init`:
 *
 *   FLAP_INIT_FIRST    the first result
 *   FLAP_INIT_CONFIRM  the first two if they are equal, else the thresholds, from then on
 *   FLAP_INIT_LAST     what was saved (flap_restore); as CONFIRM until that is handed in
 *   FLAP_INIT_UP, FLAP_INIT_DOWN   nothing has to: the item begins so
 *
 * A hard cause ends it at once, too.  NOTRUN changes nothing.
 *
 * Damping: an item that went DOWN `falls` times within `window_ms` needs twice up_thresh to come
 * back, one fall more and it needs four times, and so on, at most max_thresh.  It delays the way up
 * and nothing else.
 *
 * TTL of the word: TH_TTL_MAX, or with `derived` the time until the state could change at the
 * earliest: the next results still needed, each after the interval that the schedule has for it.
 * Thread rule: [any].
 */
#ifndef HEALTH_FLAP_H
#define HEALTH_FLAP_H

#include <stdbool.h>
#include <stdint.h>
#include <thresh/plugin.h>
#include "base/clock.h"

enum flap_mode { FLAP_CONSECUTIVE, FLAP_CUMULATIVE, FLAP_WINDOW };

enum flap_init {
    FLAP_INIT_FIRST,
    FLAP_INIT_UP,
    FLAP_INIT_DOWN,
    FLAP_INIT_LAST,
    FLAP_INIT_CONFIRM,
};

/* Results in a window: bits of a word. */
#define FLAP_WINDOW_MAX 64u

/* Falls that are remembered; beyond, the factor does not grow. 8 of them double 2^7 times at most,
 * more than any max_thresh in use. */
#define FLAP_FALLS_MAX 8u

struct flap_damp {
    uint32_t falls; /* 2..FLAP_FALLS_MAX; 0: no damping */
    uint32_t window_ms;
    uint32_t max_thresh;
};

struct flap_conf {
    enum flap_mode mode;
    uint32_t up_thresh, ok_thresh, down_thresh; /* 1..65535 */
    uint32_t interval_ms;
    bool derived_ttl;
    uint32_t fast_interval_ms, down_interval_ms; /* 0: interval_ms */
    uint32_t window;                             /* FLAP_WINDOW: down_thresh..FLAP_WINDOW_MAX */
    uint32_t hard_causes;                        /* bit per enum th_cause */
    enum flap_init init;
    struct flap_damp damp;
};

struct flap {
    bool known; /* there is a state */
    bool down;
    uint8_t seen;        /* while not known: results so far, at most 2 */
    uint8_t fall_count;  /* times in falls */
    uint32_t fail, succ; /* since the state last changed, as the mode counts */
    uint32_t rise;       /* DOWN: successes in a row that lead up; 0: up_thresh */
    uint64_t recent;     /* FLAP_WINDOW: bit per result, the newest lowest, 1 = failure */
    struct mono falls[FLAP_FALLS_MAX]; /* UP -> DOWN, the newest first */
};

struct flap_result {
    enum th_verdict verdict;
    enum th_cause cause;
    struct mono at;
};

/* How soon the next result is wanted. */
enum flap_pace {
    FLAP_PACE_FAST,  /* a verdict is under way: suspect, rising, or half confirmed */
    FLAP_PACE_USUAL, /* UP without a failure, or nothing known */
    FLAP_PACE_DOWN,  /* DOWN without a success */
};

/* An item nothing is known of. */
struct flap flap_first(const struct flap_conf *c);
/* The state that was saved, if init is LAST and nothing is known yet. */
struct flap flap_restore(const struct flap_conf *c, struct flap f, bool down);
struct flap flap_step(const struct flap_conf *c, struct flap f, const struct flap_result *r);
/* Other thresholds: the state stays, what was counted does not. */
struct flap flap_clear(struct flap f);
/* Would be UP by up_thresh, but damping asks for more. Who prepares answers may override it, never
 * to leave a set below its threshold. */
bool flap_is_damped(const struct flap_conf *c, struct flap f);
enum flap_pace flap_pace(struct flap f);
uint32_t flap_interval_ms(const struct flap_conf *c, enum flap_pace pace);
/* PENDING while nothing is known (counts as UP), DOWN|ANY_DOWN or neither after that. */
struct th_word flap_word(const struct flap_conf *c, struct flap f);
bool flap_conf_equal(const struct flap_conf *a, const struct flap_conf *b);

#endif
