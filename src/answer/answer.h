/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * answer.h: query + snapshot -> response.
 *
 * For a batch each step is run over all requests before the next, so that what a step needs from
 * memory is on its way while the others are worked on; several requests then miss the cache at the
 * same time instead of one after another:
 *
 *   answer_parse   bytes -> question, hashes
 *   answer_find    the zone of the name;               prefetch its table
 *   answer_peek    a glance at the table;              prefetch the node
 *   answer_look    the name's node and rrset;          prefetch what will be copied
 *   answer_write   the response, over the query or into another buffer
 *
 * answer_write returns the response's length, or 0 for "send nothing".  It builds into
 * `out[0..cap-1]`, which may be the query's own bytes; if the response fits the client's limit but
 * not cap it returns ANSWER_NEEDS_ROOM and has changed nothing that a second call, with more
 * room, needs.
 *
 * Thread rule: [worker], with an answerer of its own, online for RCU.  No malloc, lock, system
 * call or log.
 */
#ifndef ANSWER_ANSWER_H
#define ANSWER_ANSWER_H

#include <stddef.h>
#include <stdint.h>
#include "answer/lookup.h"
#include "answer/snapshot.h"
#include "base/prng.h"
#include "stats/counters.h"
#include "wire/query.h"

#define ANSWER_NEEDS_ROOM SIZE_MAX
#define ANSWER_TCP_MAX    65535u

/* A worker's own. */
struct answerer {
    struct prng prng;
    struct counters *counters;
    bool tcp;
    bool v6_listener; /* which of the two EDNS limits holds */
    bool pad;         /* responses to queries with EDNS are padded (RFC 8467) */
    bool send_keepalive;
    uint16_t keepalive_100ms; /* idle time that TCP clients are granted (RFC 7828) */
    struct cookie_hours cookie_hours;
};

struct request {
    struct query query;
    const struct zone *zone;         /* NULL: not ours */
    struct lookup lookup;            /* of the question's name, if zone */
    const struct prepared *prepared; /* of LOOKUP_DYN */
    struct th_addr client;           /* who asks; set by the caller before answer_parse */
};

void answer_parse(const struct answerer *a, struct request *rq, const struct snapshot *s,
                  const uint8_t *msg, size_t len);
void answer_find(struct request *rq, const struct snapshot *s);
void answer_peek(const struct request *rq);
void answer_look(struct request *rq, const struct snapshot *s);
size_t answer_write(struct answerer *a, struct request *rq, const struct snapshot *s, uint8_t *out,
                    size_t cap);

/* All of them for one request. */
size_t answer_one(struct answerer *a, struct request *rq, const struct snapshot *s,
                  const uint8_t *msg, size_t len, uint8_t *out, size_t cap);

#endif
