/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ctl_actions.h: what threshctl does once it knows where the daemon is.
 *
 *   connect --> ask --> print             JSON to stdout, lines to stderr
 *      ^         |
 *      +-- 1 s --+  broken connection, or the daemon says "later"; until the time is over
 */
#ifndef TOOLS_CTL_ACTIONS_H
#define TOOLS_CTL_ACTIONS_H

#include "base/clock.h"
#include "tools/ctl_options.h"

enum ctl_exit ctl_action_run(const struct ctl_options *o, const char *run_dir,
                             struct mono deadline);

#endif
