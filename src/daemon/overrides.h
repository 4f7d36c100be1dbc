/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * overrides.h: the rules that came by command, and the file that keeps them over a restart.
 *
 *   [
 *       { glob => "192.0.2.*", state => "DRAIN/30", author => "alice", reason => "new kernel",
 *         since => 1764551651.250, until => 1764638051.250 },
 *   ]
 *
 * A list is never changed: each order makes a new one. While we run, a rule ends by monotonic time:
 * clock steps neither shorten nor lengthen it.
 * Thread rule: [main].
 */
#ifndef DAEMON_OVERRIDES_H
#define DAEMON_OVERRIDES_H

#include "base/attrs.h"
#include "base/diag.h"
#include "health/admin.h"

/* A moment by both clocks. */
struct both_clocks {
    struct wall wall;
    struct mono mono;
};
struct both_clocks both_now(void);

/* Append the file's rules that have not ended to *out. 0, ERR_NOTFOUND and nothing in d, or
 * ERR_REFUSED. */
int overrides_read(const char *path, struct both_clocks now, struct diag *d,
                   struct admin *out) must_check;
/* Replace the file: it is the old or the new one at any time, also after a crash. 0, or ERR_IO and
 * errno. */
int overrides_write(const char *path, const struct admin *rules) must_check;

/* The list with this rule as its last, and no other of the same glob. */
struct admin *overrides_with(const struct admin *rules, const struct admin_rule *rule) must_check;
/* The list without rules whose glob is `glob`, or is matched by it. */
struct admin *overrides_without(const struct admin *rules, const char *glob) must_check;
/* The list without rules that have ended. */
struct admin *overrides_lasting(const struct admin *rules, struct mono now) must_check;
struct mono override_end(const struct admin_rule *rule);

#endif
