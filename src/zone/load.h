/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * load.h: a directory of zone files -> a zone set; all or nothing.
 *
 * File names are zone names (gdnsd's rules: '@' stands for '/', ROOT_ZONE for the root, escapes,
 * final dot optional, names that begin with a dot are skipped).  Faults of all files are collected;
 * one fault refuses the set.
 *
 * A reload starts from the previous set: only files that changed are parsed, the other zones are
 * the same zones, and a reload that finds no change gives the previous set itself.
 *
 *   zone_load_dir                                  every file
 *   zone_reload {previous}                         every file is looked at, changed ones are read
 *   zone_reload {previous, names "a.example"}      that zone alone; others may be broken
 *
 * Thread rule: [loader]; `threads` worker threads are started and joined inside.
 */
#ifndef ZONE_LOAD_H
#define ZONE_LOAD_H

#include "base/attrs.h"
#include "base/diag.h"
#include "zone/set.h"

/* What a DYNA or DYNC record asks for. */
struct zone_bind_ask {
    const char *plugin, *resource; /* resource: "" where the record has no '!' */
    const uint8_t *zone;           /* the apex, wire */
    bool is_dync;                  /* the record may be answered by a CNAME */
    struct diag_loc loc;
};

/* Resolve "plugin!resource" of a dynamic record to a handle; ERR_REFUSED with a reason in d.
 * Called from several threads at once. */
typedef int zone_bind_fn(void *arg, const struct zone_bind_ask *ask, struct diag *d,
                         uint32_t *handle);

/* A reverse zone of a /12. More is a slip of the finger that takes the memory of a large zone. */
#define GENERATE_MAX 1048576u

struct zone_options {
    uint32_t default_ttl_s;        /* where a zone has no $TTL */
    uint32_t max_ttl_s, min_ttl_s; /* clamped into, with a warning; max 0 = no limit */
    uint32_t max_ncache_ttl_s;     /* of negative answers; 0 = no limit */
    uint32_t generate_max;         /* records of one $GENERATE; 0 = GENERATE_MAX */
    uint32_t shrink_limit;         /* percent of a zone's records; 0 = no guard at all (guard.h) */
    unsigned threads;              /* that read files, or pieces of large ones */
    size_t piece_bytes;            /* of text read by one thread, for tests; 0 = as split.h says */
    bool strict;                   /* warnings about data are errors */
    bool gdnsd;                    /* compat => gdnsd3: its rules for $TTL, wording */
    uint64_t seed;                 /* of the hashes of names; 0 = a new secret one */
    zone_bind_fn *bind;            /* NULL = no dynamic record can be */
    void *bind_arg;
};

/* `dir` may be missing only if options->gdnsd. 0 and *out (one reference), or negative with d. */
int zone_load_dir(const char *dir, const struct zone_options *options, struct diag *d,
                  struct zone_set **out) must_check;

struct zone_reload {
    const char *dir;
    const struct zone_options *options; /* bind gives the same handles as it did for `previous` */
    struct zone_set *previous;          /* read from the same dir; its seed holds */
    const char *const *names;           /* of zones, or of their files */
    size_t name_count;                  /* 0 = the whole directory */
    bool force;                         /* guards only warn */
    /* Called for every zone that was read, once all are accepted; NULL = nobody asks. */
    void (*on_read)(void *arg, const struct zone *z);
    void *arg;
};

/* A file has changed if its device, inode, size, mtime or ctime differ, or those of a file that it
 * includes, or if it was so young when it was read that a later change might not show.
 * 0 and *out (one reference; r->previous itself if nothing changed), or negative with d. */
int zone_reload(const struct zone_reload *r, struct diag *d, struct zone_set **out) must_check;

/* One zone from memory, as set of one; for tests and tools. `name`: text, final dot optional. */
int zone_load_text(const char *name, const char *text, size_t len,
                   const struct zone_options *options, struct diag *d,
                   struct zone_set **out) must_check;

#endif
