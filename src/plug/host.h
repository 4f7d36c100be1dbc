/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * host.h: fills the plugin API's table of calls: configuration, resources, references, resolving.
 * The probing calls are the monitor's (monitor_host_fill).
 * Thread rule: [main], once, before any plugin is opened.
 */
#ifndef PLUG_HOST_H
#define PLUG_HOST_H

#include <thresh/plugin.h>

void plug_host_fill(struct th_host *host);

#endif
