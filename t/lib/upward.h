/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * upward.h: a resolver for tests that shows the word another resource passes upward.
 *
 *   upward => { w => "multifo!web" }
 *
 *   A     127.0.0.1 while the word is UP, 127.0.0.2 while it is DOWN
 *   AAAA  the addresses of the resource referred to (IPv6)
 */
#ifndef T_LIB_UPWARD_H
#define T_LIB_UPWARD_H

#include <thresh/plugin.h>

extern const struct th_plugin th_plugin_upward;

#endif
