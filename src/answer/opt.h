/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * opt.h: the OPT record of a response and its options (RFC 6891 section 6.1.2), in gdnsd's order:
 *
 *   ECS, cookie, keepalive, NSID, extended error, padding
 *
 * Room for all but the last two is kept free before the sections are written; those two are added
 * where they still fit, so that they never cost a record.
 * Thread rule: [worker]; for this folder.
 */
#ifndef ANSWER_OPT_H
#define ANSWER_OPT_H

#include <stddef.h>
#include <stdint.h>

struct response;

/* Bytes to keep free for the record; 0: the query had none, so the response has none. */
size_t opt_reserve(const struct response *r);
/* Append the record to a message of r->enc.len bytes that may become `limit` bytes long. */
void opt_write(struct response *r, size_t limit);

#endif
