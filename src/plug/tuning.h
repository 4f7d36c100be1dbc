/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tuning.h: the keys that every service type has beside those of its plugin: when is probed, and
 * what the results come to.  None of them says what is probed: changing them keeps the state.
 *
 *   web => { plugin => http_status, interval => 2, fall_mode => "window 3/5", url_path => / }
 *            ^^^^^^                 ^^^^^^^^^^^^^  ^^^^^^^^^^^^^^^^^^^^^^^^^ here; url_path: the
 * plugin's
 *
 * Thread rule: [loader].
 */
#ifndef PLUG_TUNING_H
#define PLUG_TUNING_H

#include "plug/plugs.h"

/* What schema_read fills after tuning_keys. */
struct tuning {
    const char *plugin;
    uint32_t up_thresh, ok_thresh, down_thresh;
    uint32_t interval_ms, fast_interval_ms, down_interval_ms, timeout_ms, connect_timeout_ms;
    const struct th_conf *fall_mode, *damp;
    struct th_list hard_fail;
    int init; /* enum flap_init */
    double jitter;
};

extern const struct th_key tuning_keys[];

struct tuning tuning_defaults(const struct plug_options *o);
/* Check `t`, read from the hash `conf`, and fill s->flap and the times of s. 0, or ERR_REFUSED with
 * all reasons in d. */
int tuning_read(const struct tuning *t, const struct th_conf *conf, const struct plug_options *o,
                struct diag *d, struct service *s) must_check;

#endif
