/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * server.h: the control socket: a Unix stream socket in run_dir that speaks gdnsd's protocol.
 *
 *   client --8 bytes--> I info, S stats, E states, Z reload zones, X stop, W why it was refused,
 *                       N zones, z reload zones (these, by force), C and c: challenges,
 *                       O orders of administrators
 *          <--8 bytes-- A (and data), F failed, L later, U unknown
 *
 * It knows nothing of the daemon: what it shows and does comes through struct ctl_calls.
 *
 * Life: ctl_server_open (lock, bind) -> requests -> ctl_server_close.  Clients that are slow or
 * talk nonsense are dropped; nobody holds the loop.
 * Thread rule: [main], on main's loop.
 */
#ifndef CTL_SERVER_H
#define CTL_SERVER_H

#include <ev.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/attrs.h"
#include "base/buf.h"
#include "base/diag.h"

struct ctl_request; /* a client that waits for its answer */

struct ctl_reload {
    const char *const *names; /* of zones; borrowed for the call */
    size_t count;             /* 0 = all */
    bool force;
};

/* What an administrator says of items, as it came. */
struct ctl_order {
    const char *state; /* UP DOWN DRAIN MAINT CLEAR */
    const char *glob;
    const char *ttl;    /* seconds; "": none */
    const char *life;   /* seconds; "": the usual time */
    const char *reason; /* may be "" */
    uint32_t uid;       /* of the client, by the kernel's word */
    bool force, dry_run;
};

struct ctl_calls {
    void *arg;
    uint32_t version; /* major << 16 | minor << 8 | patch, as `I` tells it */
    void (*stats)(void *arg, struct buf *out);
    void (*states)(void *arg, struct buf *out);
    /* Start a reload; ctl_request_done when it has ended. Several requests may wait at once. */
    void (*reload_zones)(void *arg, const struct ctl_reload *what, struct ctl_request *r);
    /* Make the list of zones; ctl_request_done with it, or with false. */
    void (*zones)(void *arg, struct ctl_request *r);
    /* Text of what the last refused reload was refused for; empty if it was not. */
    void (*why)(void *arg, struct buf *out);
    /* Challenges as they came, `count` by the client's word; false: refused, nothing is taken. */
    bool (*add_challenges)(void *arg, const uint8_t *data, size_t len, unsigned count);
    void (*flush_challenges)(void *arg);
    /* Obey, or refuse; out: what is done, or why not, a line each. */
    bool (*order)(void *arg, const struct ctl_order *o, struct buf *out);
    /* What is in force, as JSON. */
    void (*orders)(void *arg, struct buf *out);
    /* Called once, however many ask. */
    void (*stop)(void *arg);
};

struct ctl_server;

/* Clients at a time; more wait in the listener's queue until one has gone. Each holds at most one
 * reply: at 10,000 items the states of 100 clients are about 80 MiB. */
#define CTL_CLIENTS_MAX 100
/* As gdnsd's. Every tool of this protocol answers in milliseconds. */
#define CTL_TIMEOUT_MS 37000

/* Takes RUN_DIR/control.lock (flock; ERR_EXISTS: somebody runs) and listens on
 * RUN_DIR/control.sock, mode 0600. run_dir is made (0700) where missing, its parent is not.
 * ERR_REFUSED: anything else, the reason is in d. */
int ctl_server_open(struct ev_loop *loop, const char *run_dir, const struct ctl_calls *calls,
                    struct diag *d, struct ctl_server **out) must_check;
/* Answer a waiting client; ok = 'A', else 'F', and the text if that request is answered with one
 * (gdnsd's are not). The client may be gone: that is no error. */
void ctl_request_done(struct ctl_request *r, bool ok, const char *text, size_t len);
/* Time that a client has for sending a request, and for reading the reply; for new clients. */
void ctl_server_set_timeout(struct ctl_server *s, uint32_t timeout_ms);
/* The lock is given up, then clients that asked to stop see the end of their connection. Requests
 * that still wait are answered by ctl_request_done all the same (which then only frees them). */
void ctl_server_close(struct ctl_server *s);

#endif
