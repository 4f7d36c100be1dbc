/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zone.h: one loaded zone: nodes (owner names) in one open-addressing table of full-name hashes,
 * each with its rrsets, which are stored as the bytes of their answers.
 *
 *   zone "example."                       node "www.example."
 *     table --hash[2]--> node               sets[0]  A     block: C00C A IN ttl 4 192.0.2.1 ...
 *     apex  -----------> node "example."    sets[1]  TXT   block: C00C TXT IN ttl ...
 *                                           cut      NULL, or the node of the delegation above it
 *                                           wild     NULL, or the child "*"
 *
 * Empty non-terminals are nodes without sets; "*" is a node like others that its parent points to.
 *
 * A *block* is the answer section for a question that asks this exact name: owner pointer C00C,
 * names in rdata compressed against the question at offset 12 and against each other.  `plain` is
 * the same RRs with rdata uncompressed, from which the encoder builds every other answer; where
 * nothing in the rdata compresses it is the block itself.  Address sets are bare addresses
 * (wire/addrset) instead.
 *
 * The root is the exception.  Its owner in a message is the byte 0, never a pointer, so the RRs of
 * blocks at the owner "." begin with one zero byte instead of C0 0C.  Answers for
 * the owner "." are always encoded from `plain` and from the addresses, never copied.
 *
 * At a cut only NS, DS, A and AAAA are kept, below it only A and AAAA: what a referral needs.
 * Names below a DNAME are not in the zone at all: their closest encloser is the DNAME's owner.  A
 * node's last rrset, if it is of addresses, is stored without the unused tail of the union: copy
 * rrsets by pointer only.
 *
 * Life: the loader builds a zone (zone/load), it is immutable, zone_unref frees it.
 * Thread rule: built by [loader]; look-ups [worker], [any].
 */
#ifndef ZONE_ZONE_H
#define ZONE_ZONE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/clock.h"
#include "wire/addrset.h"
#include "wire/dname.h"
#include "wire/rrtype.h"
#include "zone/ready.h"

struct rrset {
    uint16_t type, count;
    uint32_t ttl_s;
    union {
        struct addrset addrs; /* A, AAAA */
        struct {
            union {
                const uint8_t *block;
                const struct ready *ready; /* rrset_is_ready: made for no name of its own */
            };
            const uint8_t *plain;
            uint16_t block_len, plain_len; /* an answer that cannot fit 65535 bytes is refused */
        } rrs;
    };
};

/* A file that a zone was read from, and what fstat said of it then: it has changed when any of this
 * differs. All 0 = the text was no file. */
struct zone_file {
    const char *path;
    uint64_t dev, inode, size;
    int64_t mtime_ns, ctime_ns;
};

/* A DYNA or DYNC record: what to ask the host, and between what the TTL may move. */
struct zone_dyn {
    uint32_t handle; /* given by the loader's callback */
    uint32_t ttl_max_s, ttl_min_s;
};

enum {
    NODE_CUT = 1,       /* NS here, and it is not the apex */
    NODE_BELOW_CUT = 2, /* glue or occluded: answered by a referral from `cut` */
    NODE_WILD = 4,      /* leftmost label is "*" */
};

struct node {
    const uint8_t *name;        /* wire, lower case */
    const struct rrset *sets;   /* by type, ascending */
    const struct node *cut;     /* the delegation at or above this node, or NULL */
    const struct node *wild;    /* the child "*", or NULL */
    const struct zone_dyn *dyn; /* DYNA or DYNC, or NULL */
    uint32_t hash_hi;           /* upper half of the name's hash, compared before the name */
    uint8_t name_len;
    uint8_t labels;
    uint8_t set_count;
    uint8_t flags;
};

/* What look-ups and reloads read comes first: three cache lines. */
struct zone {
    uint8_t apex_len, apex_labels;
    uint8_t flags_used; /* of all nodes */
    uint32_t neg_ttl_s; /* of the SOA in negative answers (RFC 2308 section 3) */
    const struct node *apex_node;
    struct zone_table *table;
    struct zone_table *glue;      /* names outside the zone that its NS records need; may be NULL */
    const struct ready *negative; /* SOA of negative answers, for the apex; may be NULL */
    const struct rrset *soa;      /* of the apex */
    uint64_t depths[2];           /* bit d: some node has d labels */
    uint64_t seed;                /* of the hashes of its names */
    const char *file;             /* path it was read from */
    const struct zone_file *files; /* that one first, then every included file, each once */
    size_t file_count;
    struct wall loaded;    /* when reading it began */
    uint64_t content_hash; /* of all records (zone/digest): equal content, equal hash, anywhere */
    size_t node_count, rr_count;
    void *ready_memory; /* where `negative` and other ready parts are */
    uint32_t serial;
    _Atomic unsigned refs;
    struct arena *arena;
    uint8_t apex[DNAME_MAX];
};

/* Is the set's block a ready part (zone/ready)? Of a cut's NS always, and of a wildcard's sets
 * whose rdata compresses; it may be NULL. */
static inline bool rrset_is_ready(const struct node *n, const struct rrset *s)
{
    if (n->flags & NODE_WILD)
        return !rrtype_is_address(s->type) && s->rrs.block != s->rrs.plain;
    return (n->flags & NODE_CUT) && s->type == RRTYPE_NS;
}

struct zone_match {
    const struct node *node; /* the name itself, else its closest encloser; never NULL */
    bool exact;
};

/* q is at or below the apex and was hashed with the zone set's seed to at least the zone's depth.
 */
struct zone_match zone_find(const struct zone *z, const struct qname *q);
/* NULL = no such type at the node. */
const struct rrset *node_find_set(const struct node *n, uint16_t type);
/* Look a stored name up (glue, CNAME targets); NULL = not there. [any] */
const struct node *zone_find_name(const struct zone *z, const uint8_t *name, uint64_t seed);
/* The node whose A and AAAA sets go with an NS target in a referral (RFC 9471): delegated space of
 * this zone, or out-of-zone glue. NULL = no such node, or an authoritative name. [any] */
const struct node *zone_find_glue(const struct zone *z, const uint8_t *name, uint64_t seed);
/* Prefetch what zone_find will touch first for q. */
void zone_prefetch(const struct zone *z, const struct qname *q);
/* Once that has arrived: prefetch the node itself. */
void zone_peek(const struct zone *z, const struct qname *q);

struct zone *zone_ref(struct zone *z);
/* Frees the zone with its last reference. [loader] */
void zone_unref(struct zone *z);

#endif
