/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cookie.h: DNS cookies (RFC 7873): a client that shows the server cookie we gave it has the
 * address it writes in its packets.
 *
 *   layout    server cookie                                         valid
 *   RFC 9018  version 1, 3 reserved, time (4), SipHash-2-4 (8)      an hour; made anew after half
 *   gdnsd     SipHash-2-4 (8) under a key of the hour               until the end of the next hour
 *
 * Both are verified whenever their keys are known, so that servers of either kind agree while a
 * fleet changes over; `gdnsd` only decides which is made.  The keys of RFC 9018 are written in a
 * file (the first makes, all verify: section 5's roll-over), or else derived from the primary key.
 *
 * Life: cookie_keys_new -> part of a snapshot, reference-counted -> cookie_keys_unref.
 * Thread rule: keys are immutable, [any]; struct cookie_hours belongs to one [worker].
 */
#ifndef ANSWER_COOKIE_H
#define ANSWER_COOKIE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <thresh/types.h>
#include "base/attrs.h"
#include "wire/edns.h"

#define COOKIE_PRIMARY_BYTES 32u
#define COOKIE_SECRET_BYTES  16u
/* RFC 9018 section 5 needs two: the active one and its successor or predecessor. */
#define COOKIE_SECRETS_MAX 4u
/* Of a response: the client's 8 bytes and ours. */
#define COOKIE_ANSWER_MAX 24u

struct cookie_secret {
    uint8_t bytes[COOKIE_SECRET_BYTES];
};

struct cookie_config {
    const uint8_t *primary; /* COOKIE_PRIMARY_BYTES; NULL = none: gdnsd's kind is unknown */
    const struct cookie_secret *secrets; /* none: derived from the primary key */
    size_t secret_count;
    bool gdnsd; /* make gdnsd's kind; needs a primary key */
};

struct cookie_keys;

/* Copies what it is given. config has a primary key or a secret. */
struct cookie_keys *cookie_keys_new(const struct cookie_config *config);
struct cookie_keys *cookie_keys_ref(struct cookie_keys *k);
void cookie_keys_unref(struct cookie_keys *k); /* NULL is allowed */

enum cookie_state {
    COOKIE_NONE, /* no cookie option */
    COOKIE_INIT, /* a client cookie alone */
    COOKIE_BAD,  /* a server cookie that is not ours, or too old, or another client's */
    COOKIE_OK,
};

/* A worker's own: gdnsd's keys of the last, this and the next hour. All zero at first. */
struct cookie_hours {
    uint64_t keys_id; /* of what they were derived from */
    uint64_t hour;    /* since 1970 */
    uint8_t key[3][COOKIE_SECRET_BYTES];
};

/* Who asks, with what, when. */
struct cookie_ask {
    const struct edns *opt; /* has a cookie */
    const struct th_addr *client;
    uint64_t now_s; /* since 1970 */
};

/* Judge the cookie of a query. */
enum cookie_state cookie_check(const struct cookie_keys *k, struct cookie_hours *h,
                               const struct cookie_ask *ask);
/* Bytes that cookie_answer writes. */
size_t cookie_answer_len(const struct cookie_keys *k);
/* The data of the response's option: the client's cookie and a server cookie. state: what
 * cookie_check said; a young valid cookie is given back as it is (RFC 9018 section 4.3). */
void cookie_answer(const struct cookie_keys *k, struct cookie_hours *h,
                   const struct cookie_ask *ask, enum cookie_state state,
                   uint8_t out[COOKIE_ANSWER_MAX]);

#endif
