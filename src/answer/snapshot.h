/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * snapshot.h: everything a query is answered from, as one immutable struct of parts that are
 * reference-counted for themselves.  A change builds a new snapshot with one part replaced.
 *
 *   snapshot --> zones    (zone/set)      a zone-only reload replaces this part alone
 *            --> plugs    (plug/plugs)    the generation the zones' DYNA handles belong to
 *            --> cookies  (answer/cookie)  keys; NULL = cookies are off
 *            --> rrl      (answer/rrl)     accounts of response rate limiting; NULL = off
 *            --> challenges (answer/challenge) ACME challenges; NULL = none
 *            --> options  (answer_options)
 *
 * Thread rule: made and swapped by [main]; read by [worker] once per batch under RCU; freed by
 * [loader] after a grace period.
 */
#ifndef ANSWER_SNAPSHOT_H
#define ANSWER_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>
#include "answer/challenge.h"
#include "answer/cookie.h"
#include "answer/rrl.h"
#include "plug/plugs.h"
#include "wire/query.h"
#include "zone/set.h"

enum ttl_policy {
    TTL_HALVE,   /* MAX/2 once anything tried is DOWN (the multifo manual) */
    TTL_DERIVED, /* what health says, between MIN and MAX (gdnsd 3) */
};

#define ANSWER_NSID_MAX 128u /* bytes; gdnsd's */

/* A TXT string; len 0 = none. */
struct answer_text {
    uint8_t len, bytes[255];
};

struct answer_options {
    uint16_t max_edns_v4, max_edns_v6; /* bytes of a UDP response to an EDNS query, 512..16384 */
    uint16_t advertised_udp;           /* UDP payload size in our OPT */
    enum ttl_policy ttl_policy;
    bool cname_chain; /* follow CNAMEs inside the zone */
    bool gdnsd;       /* compat => gdnsd3 */
    bool ecs;         /* edns_client_subnet */
    bool ede_codes, ede_text;
    uint16_t max_nocookie; /* bytes of a UDP response to a client without a valid cookie; 0 = off */
    uint32_t challenge_ttl_s; /* of the records that answer ACME challenges */
    bool chaos;               /* answer in class CH */
    struct answer_text chaos_version, chaos_id;
    uint8_t nsid_len; /* 0 = no NSID */
    uint8_t nsid[ANSWER_NSID_MAX];
};

/* What a snapshot is made of. */
struct snapshot_parts {
    struct zone_set *zones;
    struct plugs *plugs;
    struct cookie_keys *cookies; /* NULL = cookies are passed over */
    struct rrl *rrl;             /* NULL = no limit */
    struct challenges *challenges;
    const struct answer_options *options;
};

struct snapshot {
    struct zone_set *zones;
    struct plugs *plugs;
    struct cookie_keys *cookies;
    struct rrl *rrl;
    struct challenges *challenges;
    struct query_rules rules; /* follows from the parts */
    struct answer_options options;
};

/* Takes a reference of each part. */
struct snapshot *snapshot_new(const struct snapshot_parts *parts);
/* Drops the references. [loader, after a grace period] */
void snapshot_free(struct snapshot *s);

#endif
