/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * options.h: the `options` section: every key with type, unit, range and default, and the options
 * structs of the modules made from it.  The only file that knows them all.
 *
 * Life: options_read -> used by boot -> options_fini.  Thread rule: [main].
 */
#ifndef DAEMON_OPTIONS_H
#define DAEMON_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <thresh/conf.h>
#include "answer/snapshot.h"
#include "base/attrs.h"
#include "base/diag.h"
#include "net/listen.h"
#include "plug/plugs.h"
#include "zone/load.h"

/* Where keys of cookies come from; neither file: a key of our own, kept in run_dir. */
struct cookie_files {
    bool enabled;
    const char *key, *secret; /* NULL = not named */
    bool gdnsd;               /* make gdnsd's kind of cookies */
};

struct rate_limit {
    bool enabled;
    struct rrl_config config; /* exempt: heap, of the options */
};

struct options {
    bool gdnsd; /* compat => gdnsd3, or started as gdnsd */
    const char *run_dir, *state_dir;
    struct listen_spec *listen;
    size_t listen_count;
    uint32_t startup_wait_ms; /* 0: until the first round of probes has ended */
    bool zones_watch;
    struct zone_options zone; /* without bind */
    struct answer_options answer;
    struct cookie_files cookies;
    uint32_t challenge_life_s; /* acme_challenge_ttl */
    struct rate_limit rate_limit;
    struct plug_options plug; /* without builtin and host */
};

/* conf: the hash, or NULL for defaults alone. strict: -S. Texts live as long as conf's tree. */
int options_read(const struct th_conf *conf, bool gdnsd, bool strict, struct diag *d,
                 struct options *out) must_check;
void options_fini(struct options *o);
/* Is compatibility asked for by the configuration? Looked at before anything else is read. */
bool options_wants_gdnsd(const struct th_conf *conf);

/* Defaults: native and gdnsd's, for tests and documents; ends with name NULL. */
struct compat_row {
    const char *name, *native, *gdnsd;
};
extern const struct compat_row compat_rows[];
/* The key table with the defaults of one of the two. */
const struct th_key *options_keys(bool gdnsd, struct th_key *room, size_t room_count);

#endif
