/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chaos.h: questions of class CH about the server itself: its version and its name (RFC 4892).
 * Thread rule: [worker]; for this folder.
 */
#ifndef ANSWER_CHAOS_H
#define ANSWER_CHAOS_H

struct response;

/* The answer to a QUERY_CHAOS; sets rcode and aa. */
void chaos_write(struct response *r);

#endif
