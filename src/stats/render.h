/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * render.h: statistics and states as JSON.  Layout, keys and order are gdnsd's byte for byte, since
 * operators' scripts may cut it by line; only names are escaped here (gdnsd writes them raw).
 *
 *   {                                  {
 *   <TAB>"uptime": 17,                 <TAB>"192.0.2.1/web": {"state": "DOWN!", "real_state":
 * "UP"}, <TAB>"stats": {                    <TAB>"metafo/m/d1": {"state": "NA", "real_state": "NA"}
 *   <TAB><TAB>"noerror": 4,            }
 *   ...
 *
 * Thread rule: [main].
 */
#ifndef STATS_RENDER_H
#define STATS_RENDER_H

#include <stdbool.h>
#include <stdint.h>
#include <thresh/types.h>
#include "base/buf.h"
#include "stats/counters.h"

/* `sum` as counters_sum fills it. */
/* gdnsd: without the groups that it does not have. */
void render_stats(const uint64_t sum[COUNTER_COUNT], uint64_t uptime_s, bool gdnsd,
                  struct buf *out);

struct render_state {
    const char *desc;     /* "192.0.2.1/web"; any bytes */
    struct th_word state; /* as answers see it: TH_FORCED shows as "!", DRAIN before DOWN */
    struct th_word real;  /* as the probes see it */
    bool is_virtual;      /* a name for something made of others: NA unless forced */
};

/* Fill *out with the next item; false = there is none. */
typedef bool render_next_fn(void *arg, struct render_state *out);

void render_states(render_next_fn *next, void *arg, struct buf *out);

#endif
