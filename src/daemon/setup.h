/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * setup.h: a configuration folder -> options, a generation of plugins, a zone set.  What checkconf
 * checks and what start starts from are the same calls.
 *
 * Life: setup_config -> setup_zones (any number of times) -> setup_fini.
 * Thread rule: [main]; setup_zones [loader] too, as long as the setup is not freed.
 */
#ifndef DAEMON_SETUP_H
#define DAEMON_SETUP_H

#include "daemon/cmdline.h"
#include "daemon/options.h"

struct setup {
    char *zones_dir;
    struct vtree *tree;
    struct th_host host;
    struct options options;
    struct plugs *plugs;
};

/* Reads DIR/config and opens the plugins. Negative with all reasons in d. */
int setup_config(const struct cmdline *c, const struct th_plugin *const *builtin, struct diag *d,
                 struct setup *out) must_check;
/* Loads DIR/zones, bound to the setup's plugins. */
int setup_zones(const struct setup *s, struct diag *d, struct zone_set **out) must_check;
/* The same for what r says but for dir and options, which are the setup's. */
int setup_reload(const struct setup *s, const struct zone_reload *r, struct diag *d,
                 struct zone_set **out) must_check;
void setup_fini(struct setup *s);

#endif
