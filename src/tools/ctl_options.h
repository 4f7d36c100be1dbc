/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ctl_options.h: threshctl's command line, and where the daemon's socket is.
 *
 *   threshctl -c /etc/x -t 10 Reload-Zones   ->   config_dir, timeout_s, ACTION_RELOAD_ZONES
 *   options.run_dir of /etc/x/config         ->   run_dir
 *
 * Thread rule: the tool has one thread.
 */
#ifndef TOOLS_CTL_OPTIONS_H
#define TOOLS_CTL_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include "base/attrs.h"
#include "base/diag.h"

/* Exit codes, gdnsd's: scripts tell "not running" from "failed" by them. */
enum ctl_exit { CTL_EXIT_OK = 0, CTL_EXIT_NO_DAEMON = 1, CTL_EXIT_USAGE = 2, CTL_EXIT_FAILED = 42 };

#define ACTIONS(X)                                                                                 \
    X(STATUS, "status", "show version and process id of the running daemon")                       \
    X(STATS, "stats", "print the counters as JSON")                                                \
    X(STATES, "states", "print the state of every monitored item as JSON")                         \
    X(ZONES, "zones", "print serial, records, hash, file and load time of every zone as JSON")     \
    X(RELOAD_ZONES, "reload-zones", "read changed zone files; a bad one changes nothing")          \
    X(FORCE, "force", "UP|DOWN GLOB: take these items for UP or DOWN, whatever probes find")       \
    X(DRAIN, "drain", "GLOB: give these items no new clients")                                     \
    X(MAINT, "maint", "GLOB: the same, and do not probe them")                                     \
    X(CLEAR, "clear", "GLOB: end such commands")                                                   \
    X(OVERRIDES, "overrides", "print what is forced, by whom and until when, as JSON")             \
    X(ACME, "acme-dns-01", "answer ACME challenges: NAME PAYLOAD, again and again")                \
    X(ACME_FLUSH, "acme-dns-01-flush", "forget all ACME challenges")                               \
    X(STOP, "stop", "stop the daemon and wait until it has gone")

enum action {
#define ACTION_ENUM(name, word, help) ACTION_##name,
    ACTIONS(ACTION_ENUM)
#undef ACTION_ENUM
};

struct ctl_options {
    bool gdnsd; /* started as gdnsdctl */
    bool debug, help;
    const char *config_dir;
    bool config_dir_is_given;
    unsigned timeout_s;
    enum action action; /* not with help */
    /* of reload-zones: only these zones, NULL-terminated in argv; what guards refuse too */
    char *const *zones;
    size_t zone_count;
    bool force;
    /* of force, drain, maint, clear; force too: what would have no effect */
    const char *state, *glob;
    const char *reason;     /* may be "" */
    uint32_t ttl_s, life_s; /* UINT32_MAX: not given */
    bool dry_run;
    /* of acme-dns-01: names and payloads in turn */
    char *const *challenges;
    size_t challenge_count; /* pairs, at least one */
};

/* 0, or ERR_SYNTAX with the reasons in d. Texts are borrowed from argv. */
int ctl_options_parse(int argc, char **argv, struct diag *d, struct ctl_options *out) must_check;
/* To stdout when asked for, to stderr when it explains an error. */
void ctl_options_print_help(const struct ctl_options *o, bool to_stdout);
/* *run_dir is the caller's (mem_free). No configuration file: the default. ERR_REFUSED with the
 * reasons in d; warnings too are in d. */
int ctl_options_run_dir(const struct ctl_options *o, struct diag *d, char **run_dir) must_check;

#endif
