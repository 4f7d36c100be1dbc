/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * forcings.h: what administrators say of monitored items, as main holds it; for forcings.c and
 * commands.c.  Everybody else: daemon.h.
 *
 * Thread rule: [main].
 */
#ifndef DAEMON_FORCINGS_H
#define DAEMON_FORCINGS_H

#include "daemon/daemon.h"
#include "health/admin.h"

struct forcings {
    char *path; /* of admin_state */
    ev_stat stat;
    ev_timer quiet;
    char *kept_path;        /* of overrides */
    ev_timer expiry;        /* of the command that ends first */
    struct admin *file;     /* rules of admin_state */
    struct admin *commands; /* rules of commands */
    struct admin *rules;    /* both: in force */
};

/* The rules of file and commands together. */
struct admin *forcings_join(const struct admin *file, const struct admin *commands) must_check;
/* They are in force from now on; each item that this changes is logged. How many. */
size_t forcings_enforce(struct daemon *m);

/* commands.c: read what earlier commands ordered. Negative with the reason in m->diag. */
int commands_open(struct daemon *m) must_check;

#endif
