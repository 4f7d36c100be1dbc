/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * daemon.h: the running server: main's loop and everything that hangs on it.
 *
 *   config --> monitor starts, first round --ready--> snapshot --> sockets --> serving
 *   Z, SIGHUP --> loader reads zones --> main swaps the snapshot --> loader frees the old one
 *   X, TERM, INT --> workers end --> monitor ends --> everything is freed
 *
 * Thread rule: [main]; struct daemon is main's alone, but for `current`, which workers read.
 */
#ifndef DAEMON_DAEMON_H
#define DAEMON_DAEMON_H

#include "base/mbox.h"
#include "ctl/server.h"
#include "daemon/loader.h"
#include "daemon/setup.h"
#include "monitor/monitor.h"
#include "net/net.h"

struct reload;

struct daemon {
    struct ev_loop *loop;
    struct mbox mbox;
    struct setup setup;
    struct loader *loader;
    struct monitor *monitor;
    struct net *net;
    struct ctl_server *ctl;
    struct snapshot *current;     /* RCU */
    struct zone_set *first_zones; /* loaded at start, until they are published */
    struct reload *reload;        /* reload.c: what runs and who waits */
    char *why;                    /* reasons of the last refused reload; NULL = none */
    struct mono started;
    int files; /* descriptors we may have */
    ev_signal signals[3];
    int end_signal; /* the signal that ended us, 0 = none */
    bool failed;    /* could not start: exit 42 */
    bool closing;   /* late mail starts nothing any more */
    struct diag diag;
};

/* The whole program; returns its exit code. builtin: NULL-terminated. */
int daemon_main(int argc, char **argv, const struct th_plugin *const *builtin);

/* reload.c */
void reload_request(struct daemon *m, struct ctl_request *r); /* r NULL: nobody waits (SIGHUP) */
void reload_fini(struct daemon *m);
/* Publish `zones` (one reference moves in) and retire what was served before. */
void snapshot_swap(struct daemon *m, struct zone_set *zones);

/* events.c: one log line per transition */
void events_result(void *arg, const struct monitor_result *r);

/* views.c: what the control socket shows */
void view_stats(void *arg, struct buf *out);
void view_states(void *arg, struct buf *out);
void view_why(void *arg, struct buf *out);

#endif
