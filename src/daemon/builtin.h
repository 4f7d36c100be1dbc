/* SPDX-License-Identifier: GPL-3.0-or-later */
/* builtin.h: the plugins linked into this program; builtin.c is generated from BUILTIN_PLUGINS
 * (plugins/local.mk). */
#ifndef DAEMON_BUILTIN_H
#define DAEMON_BUILTIN_H

#include <thresh/plugin.h>

extern const struct th_plugin *const builtin_plugins[]; /* NULL-terminated */

#endif
