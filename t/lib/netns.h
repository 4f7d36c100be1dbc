/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * netns.h: a network of the program's own: nothing but `lo`, so that ports are free, tests may run
 * beside each other, and a mistake of a resolver reaches nobody.
 *
 *   int main(void) { netns_enter(); ... }         before any thread
 *   if (!netns_is_own()) return;                  what needs fd00::11, or a raw socket
 *
 * Inside, lo has 127.0.0.0/8, ::1 and fd00::11 to fd00::14. Where the system does not permit it,
 * netns_enter changes nothing and says so on stderr.
 */
#ifndef T_LIB_NETNS_H
#define T_LIB_NETNS_H

#include <stdbool.h>

void netns_enter(void);
bool netns_is_own(void);

#endif
