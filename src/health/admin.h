/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * admin.h: what an administrator says of monitored items: an ordered list of rules, each a glob
 * over descriptions and a state.  Pure: no clock, no files.
 *
 *   192.0.2.*        => DRAIN        file
 *   192.0.2.1/web    => DOWN/33      file        admin_find "192.0.2.1/web": the command, UP
 *   192.0.2.1/web    => UP           command     admin_find "192.0.2.2/web": DRAIN
 *
 * The last rule that matches counts; a command counts before the file.
 *
 *   UP DOWN       replace what probes found, TTL too
 *   DRAIN MAINT   keep it, and take the item out of answers as DESIGN has it
 *
 * Life: admin_new -> admin_add ... -> handed out by reference -> the last admin_unref frees.
 * Thread rule: admin_add by the maker alone, before anybody else sees the list; then [any].
 */
#ifndef HEALTH_ADMIN_H
#define HEALTH_ADMIN_H

#include <stdbool.h>
#include <stddef.h>
#include <thresh/types.h>
#include "base/clock.h"

/* From ADMIN_DRAIN on an item is drained. */
enum admin_state { ADMIN_UP, ADMIN_DOWN, ADMIN_DRAIN, ADMIN_MAINT };
enum admin_origin { ADMIN_FILE, ADMIN_COMMAND };

/* Texts are never NULL. */
struct admin_rule {
    const char *glob; /* fnmatch(3) without flags: "*" also matches "/" */
    enum admin_state state;
    uint32_t ttl_s; /* TH_TTL_MAX: none was given, nothing is limited */
    enum admin_origin origin;
    const char *author, *reason; /* of a command; else "" */
    struct wall since, until;    /* for people and files; until.ns 0: for ever */
    struct mono at;              /* when it began to hold: the newest drain is lifted first */
};

struct admin;

/* Empty, one reference. */
struct admin *admin_new(void);
/* The texts are copied. */
void admin_add(struct admin *a, const struct admin_rule *rule);
struct admin *admin_ref(struct admin *a);
void admin_unref(struct admin *a); /* NULL: nothing */

size_t admin_count(const struct admin *a);
const struct admin_rule *admin_at(const struct admin *a, size_t i);
/* The rule that counts for an item, or NULL. It lives as long as the list. */
const struct admin_rule *admin_find(const struct admin *a, const char *desc);
/* The state word that answers see. rule NULL: what is real. */
struct th_word admin_apply(const struct admin_rule *rule, struct th_word real);
/* Do both say the same of an item? Either may be NULL. */
bool admin_same(const struct admin_rule *a, const struct admin_rule *b);
bool admin_matches(const char *glob, const char *desc);
/* "UP" and its like. */
const char *admin_state_name(enum admin_state s);

#endif
