/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * build.h: a zone while it is read: owners, each with a list of its records in the order of the
 * file, and for each record where it was written.
 *
 *   nodes[0] "example."      first -> rec 0 SOA -> rec 1 NS -> last
 *   nodes[1] "www.example."  first -> rec 2 A
 *
 *   parse adds -> build_finish sorts, drops duplicates, adds empty non-terminals, finds cuts
 *         -> check_zone -> freeze_zone makes the struct zone
 *
 * One struct build serves all zones that a thread loads, one after another: build_start empties it
 * and keeps its memory.  Nodes, records and bytes are numbers into growing arrays, never pointers.
 *
 * Thread rule: one thread at a time [loader].
 */
#ifndef ZONE_BUILD_H
#define ZONE_BUILD_H

#include <sys/stat.h>
#include "base/attrs.h"
#include "base/clock.h"
#include "base/diag.h"
#include "wire/dname.h"
#include "wire/rrtype.h"
#include "zone/load.h"

#define BUILD_NONE      UINT32_MAX
#define BUILD_FILES_MAX UINT16_MAX
/* Of names and rdata: places among them are 32-bit numbers, and one record more has to fit. */
#define BUILD_BYTES_MAX ((size_t)UINT32_MAX - (1u << 20))

enum {
    BUILD_HAS_NS = 256, /* the first five are set by build_finish */
    BUILD_HAS_DNAME = 512,
    BUILD_HAS_ALONE = 8192,  /* CNAME, DNAME, DYNA or DYNC: not every type may stand beside it */
    BUILD_REDIRECTED = 1024, /* below a DNAME: occluded (RFC 6672 section 2.4), not in the zone */
    BUILD_OUTSIDE = 2048,    /* the owner is not in the zone: out-of-zone glue */
    BUILD_USED = 4096,       /* an NS names it: its glue is needed */
    /* below them: the flags of struct node */
};

struct build_rec {
    uint32_t next; /* of the same owner, or BUILD_NONE */
    uint32_t ttl_s;
    uint32_t line;
    uint32_t rdata_at; /* in bytes; names in it are lower case */
    uint16_t rdata_len, type, file;
};

struct build_node {
    uint64_t hash;
    uint32_t name_at;     /* in bytes */
    uint32_t first, last; /* records */
    uint32_t parent;      /* BUILD_NONE: the apex, or outside */
    uint32_t cut, wild;   /* nodes, as in struct node; cut: of a redirected one, the DNAME's */
    uint32_t place;       /* number in the frozen zone */
    uint8_t name_len, labels;
    uint16_t flags;
};

struct build {
    struct build_node *nodes; /* nodes[0] is the apex */
    struct build_rec *recs;
    uint8_t *bytes;
    uint64_t *index;           /* open addressing: upper half of the hash, node number + 1 */
    char **files;              /* paths for messages: "zones/a", "zones/a:3 -> inc/b" */
    struct zone_file *sources; /* what was read, the zone's own file first; paths are owned */
    struct wall started;       /* when reading began */
    uint32_t *scratch;
    uint8_t *room; /* UINT16_MAX bytes: the rdata of the record that is being read */
    size_t node_count, node_cap, rec_count, rec_cap, byte_count, byte_cap, index_cap, file_count,
        file_cap, scratch_cap, source_count, source_cap;
    uint64_t seed;
    const struct zone_options *options;
    struct diag *d;
};

/* Begin the zone `apex`; size_hint: bytes of its text. */
void build_start(struct build *b, const uint8_t *apex, size_t size_hint);
void build_fini(struct build *b);

/* Number of a file's path, which is copied; at most BUILD_FILES_MAX. */
uint16_t build_file(struct build *b, const char *path);
/* Remember that `path` was read, and what fstat said of it; NULL = it is no file. */
void build_add_source(struct build *b, const char *path, const struct stat *st);
/* The node of an owner name, made if it is new; hash: dname_hash(name, b->seed). */
uint32_t build_owner(struct build *b, const uint8_t *name, size_t len, uint64_t hash);
/* Say that the name with this hash will be asked for soon. */
void build_prefetch(const struct build *b, uint64_t hash);
/* BUILD_NONE = there is no such node. */
uint32_t build_find(const struct build *b, const uint8_t *name);
/* Append a record; rec->rdata_at is set, `rdata` copied. */
void build_add(struct build *b, uint32_t node, struct build_rec rec, const uint8_t *rdata);
/* Append the records of another build of the same apex and seed, `lines` further down in the file.
 * false = nothing was: there might be more than BUILD_BYTES_MAX. */
bool build_append(struct build *b, const struct build *from, unsigned lines) must_check;

/* When everything is read. Faults go to b->d; the build is whole all the same. */
void build_finish(struct build *b);

static inline const uint8_t *build_name(const struct build *b, uint32_t node)
{
    return b->bytes + b->nodes[node].name_at;
}

static inline const uint8_t *build_rdata(const struct build *b, uint32_t rec)
{
    return b->bytes + b->recs[rec].rdata_at;
}

static inline struct diag_loc build_loc(const struct build *b, uint32_t rec)
{
    const struct build_rec *r = &b->recs[rec];
    return (struct diag_loc){b->files[r->file], r->line, 0};
}

/* DYNA or DYNC. */
static inline bool build_is_dynamic(uint16_t type)
{
    return type == RRTYPE_DYNA || type == RRTYPE_DYNC;
}

/* First record of a type at a node, or BUILD_NONE; once build_finish has sorted them. */
uint32_t build_find_rec(const struct build *b, uint32_t node, uint16_t type);

#endif
