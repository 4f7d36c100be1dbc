/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * daemon.h: the running server: main's loop and everything that hangs on it.
 *
 *   config --> monitor starts, first round --ready--> snapshot --> sockets --> serving
 *   Z, z, SIGHUP, watch --> loader reads zones --> main swaps the snapshot --> loader frees the old
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

struct reloads;
struct watch_dirs;
struct live_challenges;
struct forcings;

struct daemon {
    struct ev_loop *loop;
    struct mbox mbox;
    struct setup setup;
    struct loader *loader;
    struct monitor *monitor;
    struct net *net;
    struct ctl_server *ctl;
    struct snapshot *current;    /* RCU */
    struct snapshot_parts parts; /* publish.c: what the next snapshot is made of; references */
    ev_stat cookie_files[2];
    struct zone_set *first_zones;       /* loaded at start, until they are published */
    struct reloads *reloads;            /* reload.c: what runs and what waits */
    struct watch_dirs *watch;           /* watch.c; NULL = zones are not watched */
    struct live_challenges *challenges; /* challenges.c; NULL = there never were any */
    struct forcings *forcings;          /* forcings.c: admin_state */
    char *why;                          /* reasons of the last refused reload; NULL = none */
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
enum reload_origin { RELOAD_ASKED, RELOAD_SIGNAL, RELOAD_WATCH };

/* Read zones again, all or those that are named. request NULL: nobody waits for it. */
void reload_request(struct daemon *m, enum reload_origin origin, const struct ctl_reload *what,
                    struct ctl_request *request);
/* Begin with what was asked for before the first zones were published. */
void reload_start(struct daemon *m);
void reload_fini(struct daemon *m);

/* publish.c: the snapshot */
/* The parts that the configuration alone makes; files of cookie keys are watched from now on.
 * Negative with the reason in m->diag.
 */
int publish_open(struct daemon *m) must_check;
/* Answer from `zones` (one reference moves in) and retire what was served before. */
void publish_zones(struct daemon *m, struct zone_set *zones);
/* Answer these challenges from now on (one reference moves in; NULL = none). */
void publish_challenges(struct daemon *m, struct challenges *c);
void publish_close(struct daemon *m);

/* watch.c: zones_watch */
/* Note changes from now on; before zones are read. A warning if that cannot be had. */
void watch_open(struct daemon *m);
/* Reload what has changed, now that zones are served, and from now on. */
void watch_start(struct daemon *m);
/* Other zones are served than before: files may not be included any more. */
void watch_zones_changed(struct watch_dirs *w);
/* Watch a file that a zone includes. */
void watch_add_file(struct watch_dirs *w, const char *path);
/* A reload was refused: look at all again after a while. */
void watch_retry(struct watch_dirs *w);
void watch_close(struct daemon *m);

/* challenges.c: ACME challenges, told through the control socket, live for acme_challenge_ttl */
bool challenges_add(void *arg, const uint8_t *data, size_t len, unsigned count);
void challenges_flush(void *arg);
void challenges_close(struct daemon *m);

/* forcings.c: what administrators say of monitored items */
/* Is what a start would read good? Warnings are logged. */
int forcings_check(const struct setup *s, struct diag *d) must_check;
/* Read and watch admin_state, and tell the monitor; before anything is attached to it. Negative
 * with the reason in m->diag. */
int forcings_open(struct daemon *m) must_check;
/* Log what is forced, now that the monitor has results. */
void forcings_start(struct daemon *m);
void forcings_close(struct daemon *m);
/* commands.c: the same by command; what is in force, as JSON */
bool commands_order(void *arg, const struct ctl_order *o, struct buf *out);
void commands_list(void *arg, struct buf *out);

/* events.c: one log line per transition */
enum { STATE_TEXT = 32 };
/* gdnsd's text of a state: UP/123, DOWN/MIN, UP/MAX, and DRAIN or MAINT likewise. */
const char *state_text(struct th_word w, char out[STATE_TEXT]);
void events_result(void *arg, const struct monitor_result *r);

/* views.c: what the control socket shows */
void view_stats(void *arg, struct buf *out);
void view_states(void *arg, struct buf *out);
void view_why(void *arg, struct buf *out);
/* On the loader, since there may be many. */
void view_zones(void *arg, struct ctl_request *r);

#endif
