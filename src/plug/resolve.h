/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * resolve.h: runs a plugin's resolve() and keeps what it chose.  Internal to this folder, but for
 * the calls that host.c puts into the API's table.
 * Thread rule: [monitor].
 */
#ifndef PLUG_RESOLVE_H
#define PLUG_RESOLVE_H

#include <thresh/plugin.h>

void resolve_host_fill(struct th_host *host);

#endif
