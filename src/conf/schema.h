/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * schema.h: reads a hash of the configuration into a struct after a table of declared keys
 * (thresh/conf.h shows one).  The only place where texts become numbers, durations, addresses.
 *
 *   config:3:16: options: tcp_timeout: read "4000", allowed: a duration ..., 5 to 1800 seconds
 *   config:4:5: options: unknown key "tcp_timeuot"; did you mean "tcp_timeout"?
 *
 * Inheritance: fill a copy of the parent's struct; absent keys leave their field as it is.
 * Thread rule: [loader].
 */
#ifndef CONF_SCHEMA_H
#define CONF_SCHEMA_H

#include <stdbool.h>
#include <thresh/conf.h>
#include "base/attrs.h"
#include "base/diag.h"
#include "conf/schema_parse.h"

struct th_addr;

enum schema_rest { SCHEMA_REFUSE_REST, SCHEMA_LEAVE_REST };

/* Set every default of `keys` in *out. A default that does not fit its own row is a bug: assert.
 * A LIST has one text as default, or "" for an empty list; its `nodes` are NULL. ANY has none. */
void schema_defaults(const struct th_key *keys, void *out);
/* Fill *out from the hash. All faults of all keys are reported; 0, or ERR_REFUSED. `what` names the
 * hash in messages ("options", "service_types web"). */
int schema_read(const struct th_key *keys, const struct th_conf *hash, const char *what,
                enum schema_rest rest, void *out, struct diag *d) must_check;
const struct th_key *schema_find(const struct th_key *keys, const char *name);
/* The nearest known name, or NULL: at most a third of its length (at least 1) letters changed,
 * added, missing or swapped; letter case does not count. */
const char *schema_near(const struct th_key *keys, const char *name);
/* Same over plain words. */
const char *schema_near_word(const char *const *words, size_t count, const char *name);
/* One text as an address, strict or lax as its tree says. ERR_SYNTAX, silent. */
int schema_addr(const struct th_conf *text, struct th_addr *out) must_check;

#endif
