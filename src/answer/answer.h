/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * answer.h: query + snapshot -> response.
 *
 * For a batch the three steps are run one after another over all requests, so that the memory a
 * later step needs is on its way while the others are worked on:
 *
 *   answer_parse      bytes -> question, hashes; prefetch the zone index
 *   answer_find       zone of the name;          prefetch its table
 *   answer_write      look-up, response over the query or into another buffer
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
};

struct request {
    struct query query;
    const struct zone *zone;
    bool v6_client;
};

void answer_parse(struct request *rq, const struct snapshot *s, const uint8_t *msg, size_t len);
void answer_find(struct request *rq, const struct snapshot *s);
size_t answer_write(struct answerer *a, struct request *rq, const struct snapshot *s, uint8_t *out,
                    size_t cap);

/* All three for one request. */
size_t answer_one(struct answerer *a, struct request *rq, const struct snapshot *s,
                  const uint8_t *msg, size_t len, uint8_t *out, size_t cap);

#endif
