/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ctl_order.h: threshctl force, drain, maint, clear: what an administrator says of items.
 *
 *   drain '192.0.2.*' --for 2h      ->      DRAIN, the glob, "", "7200", ""
 */
#ifndef TOOLS_CTL_ORDER_H
#define TOOLS_CTL_ORDER_H

#include "tools/ctl_link.h"
#include "tools/ctl_options.h"

int ctl_order(struct link *l, const struct ctl_options *o) must_check;

#endif
