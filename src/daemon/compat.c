/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compat.c: everything in which gdnsd 3.8 differs from us as an option's default, one row each.
 * What differs in behaviour (flap mode, number forms, $TTL, log wording) follows options.gdnsd and
 * is listed in docs/compat.md.
 */
#include "daemon/options.h"

const struct compat_row compat_rows[] = {
    /* option               native                       gdnsd 3.8 */
    {"run_dir", TH_RUNSTATEDIR "/thresh", TH_RUNSTATEDIR "/gdnsd"},
    {"state_dir", TH_LOCALSTATEDIR "/lib/thresh", TH_LOCALSTATEDIR "/lib/gdnsd"},
    {"udp_threads", "auto", "2"},
    {"udp_rcvbuf", "1048576", "system"},
    {"udp_sndbuf", "1048576", "system"},
    {"zones_default_ttl", "3600", "86400"},
    {"max_ncache_ttl", "900", "10800"},
    {"zones_shrink_limit", "25", "off"},
    {"chaos_response", "thresh", "gdnsd/3"},
    {"ttl_policy", "halve", "derived"},
    {"startup_wait", "8", "0"},
    {NULL, NULL, NULL},
};
