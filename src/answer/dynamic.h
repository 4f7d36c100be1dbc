/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dynamic.h: the TTL of a dynamic answer.
 *
 * The record says MAX and MIN.  TTL_HALVE: base is MAX, or max(MIN, MAX/2, 1) once if anything
 * that was tried is DOWN; the word's own TTL (TH_TTL_MAX unless forced) may lower it further.
 * TTL_DERIVED: the word's TTL.  Both end between MIN and MAX.
 * Thread rule: [any], pure.
 */
#ifndef ANSWER_DYNAMIC_H
#define ANSWER_DYNAMIC_H

#include <thresh/types.h>
#include "answer/snapshot.h"

uint32_t dynamic_ttl(enum ttl_policy policy, const struct zone_dyn *d, struct th_word w);

#endif
