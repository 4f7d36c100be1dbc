/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * preview.h: what resources would answer if items had other states: dry runs, and the check that
 * an order has an effect.  Nothing that is served changes.
 *
 *   plugs_affected(p, watch, affected);           who would change, and whom that changes
 *   struct preview *v = preview_new(p, &states);
 *   preview_answer(v, handle)->v4 ...             resolved when it is asked for, with what it needs
 *   preview_free(v);
 *
 * Thread rule: [main], once the generation is attached; beside the monitor.
 */
#ifndef PLUG_PREVIEW_H
#define PLUG_PREVIEW_H

#include "plug/plugs.h"

/* The states that might be, by index of a watch. */
struct preview_states {
    struct th_word (*word)(void *arg, uint32_t watch);
    struct mono (*drained)(void *arg, uint32_t watch); /* since when; asked if it has TH_DRAIN */
    void *arg;
};

struct preview;

struct preview *preview_new(struct plugs *p, const struct preview_states *states);
void preview_free(struct preview *v);
/* Lives as long as v. */
const struct prepared *preview_answer(struct preview *v, uint32_t handle);
struct th_word preview_word(const struct preview *v, uint32_t watch);
struct mono preview_drained(const struct preview *v, uint32_t watch); /* {0}: it is not drained */

enum { AFFECTED_NOT, AFFECTED_ABOVE, AFFECTED_DIRECTLY };
/* Note in affected[handle] which resources depend on the watch: directly, or by what they refer to.
 * Never lowers what is there. */
void plugs_affected(const struct plugs *p, uint32_t watch, uint8_t *affected);
/* What a resource watches itself: indexes of watches. */
uint32_t plugs_resource_watch_count(const struct plugs *p, uint32_t handle);
uint32_t plugs_resource_watch_at(const struct plugs *p, uint32_t handle, uint32_t i);

#endif
