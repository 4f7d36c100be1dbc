/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * daemon.h: a real threshd in a folder of its own, on 127.0.0.1 and ::1.
 *
 *   static const struct daemon_conf conf = {
 *       .options = "ttl_policy => derived",
 *       .sections = "plugins => { multifo => { web => [ 192.0.2.1 ] } }",
 *       .zones = (const struct daemon_zone[]){{"e2e.example", "@ SOA ..."}, {0}},
 *   };
 *   struct test_daemon d;
 *   daemon_start(&d, &conf);                      returns when it answers
 *   ... 127.0.0.1 and ::1, port d.port ...
 *   daemon_stop(&d);                              over the control socket: its exit code must be 0,
 *                                                 which a sanitizer build's leaks would change
 *
 * What goes wrong fails the test, with the daemon's log in the message.
 */
#ifndef T_LIB_DAEMON_H
#define T_LIB_DAEMON_H

#include <stdint.h>
#include "lib/program.h"

#define THRESHD      TH_BUILDDIR "/threshd"
#define THRESHCTL    TH_BUILDDIR "/threshctl"
#define THRESHD_TEST TH_BUILDDIR "/t/e2e/threshd_test" /* one plugin more: upward */

struct daemon_zone {
    const char *name, *text;
};

struct daemon_conf {
    const char *program;  /* NULL: THRESHD */
    const char *listen;   /* with dns_port the port; NULL: 127.0.0.1 and ::1, each with the port */
    const char *options;  /* lines for `options`, NULL: none */
    const char *sections; /* other sections, NULL: none */
    const struct daemon_zone *zones; /* ends with name NULL; NULL: an empty folder */
};

struct test_daemon {
    char dir[SCRATCH_PATH]; /* holds config, zones/, run/, state/ */
    uint16_t port;
    const char *program_path;
    struct program program;
};

/* A new folder with everything that daemon_launch needs. */
void daemon_setup(struct test_daemon *d, const struct daemon_conf *c);
/* Start it in its folder and return at once. */
void daemon_launch(struct test_daemon *d);
/* Wait until it answers; false if it has ended instead. */
bool daemon_await(struct test_daemon *d);
/* All three; a port that somebody took meanwhile is replaced. */
void daemon_start(struct test_daemon *d, const struct daemon_conf *c);
void daemon_stop(struct test_daemon *d);
/* By a signal; returns how it ended (program.h). */
int daemon_kill(struct test_daemon *d, int signal_number);
/* What it has logged so far, from the heap. */
char *daemon_log(const struct test_daemon *d);
void daemon_await_log(struct test_daemon *d, const char *text);

/* Send one request to the control socket; true if it is granted. *data, if not NULL: the text that
 * comes with it, from the heap. */
bool daemon_control(const struct test_daemon *d, char key, char **data);
/* `threshctl -c DIR WORDS...`, NULL at the end; its exit code. *out, *err, if not NULL: what it
 * wrote, from the heap. */
#define DAEMON_WORDS 12
int daemon_ctl(const struct test_daemon *d, const char *const *words, char **out, char **err);
/* A number of the statistics; group: "stats", "udp" or "tcp". */
unsigned long daemon_counter(const struct test_daemon *d, const char *group, const char *key);
/* Wait until it is `value` at least. */
void daemon_await_counter(const struct test_daemon *d, const char *group, const char *key,
                          unsigned long value);

#endif
