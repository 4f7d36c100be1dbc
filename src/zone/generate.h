/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * generate.h: $GENERATE, many records from one line, as BIND writes it.
 *
 *   $GENERATE 1-3 host$ A 192.0.2.$          host1 A 192.0.2.1, host2 ..., host3 ...
 *   $GENERATE 0-10/5 p${8,3,x} TXT x$        p008, p00d, p012
 *
 *   start-stop[/step] name [ttl] [class] type rdata
 *
 * $ is the number; ${offset[,width[,base]]} the number plus offset, with zeros up to width, as d o
 * x X, or n N (hexadecimal digits from the right with dots between them, dots counted in width);
 * \$ and $$ are a dollar sign.  If rdata is one string in quotes, its content is the rdata.
 *
 * Thread rule: one thread at a time [loader].
 */
#ifndef ZONE_GENERATE_H
#define ZONE_GENERATE_H

#include "zone/parse.h"

/* p->t is the token behind $GENERATE; leaves it at the line's end. */
int generate_read(struct parse *p) must_check;

#endif
