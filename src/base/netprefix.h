/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * netprefix.h: a network: an address and how many of its first bits count.
 *
 *   192.0.2.0/24    2001:db8::/32    192.0.2.7 (all bits)
 *
 * Thread rule: plain values, [any].
 */
#ifndef BASE_NETPREFIX_H
#define BASE_NETPREFIX_H

#include <stdbool.h>
#include <thresh/types.h>
#include "base/attrs.h"

struct netprefix {
    struct th_addr addr; /* bits behind the prefix are zero */
    uint8_t bits;
};

/* ERR_SYNTAX: no address, or no number behind the slash; ERR_RANGE: more bits than the family has,
 * or set ones behind the prefix. */
int netprefix_parse(const char *text, struct netprefix *out) must_check;
bool netprefix_contains(const struct netprefix *p, const struct th_addr *a);
/* Clear all but the first `bits` bits of an address. */
void netprefix_mask(struct th_addr *a, unsigned bits);

#endif
