/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * body.h: the sections of a response: what was looked up, written behind the question.
 * Thread rule: [worker]; for this folder.
 */
#ifndef ANSWER_BODY_H
#define ANSWER_BODY_H

#include "answer/answer.h"
#include "answer/encode.h"
#include "base/clock.h"

/* Why an answer is not what was hoped for, for people (RFC 8914); opt.c has the texts. */
enum answer_error {
    ANSWER_ERROR_NONE,
    ANSWER_ERROR_NOT_AUTHORITATIVE,
    ANSWER_ERROR_NOT_SUPPORTED,
    ANSWER_ERROR_STALE, /* the addresses were chosen by health data that is too old */
};

/* A response while it is made. */
struct response {
    struct answerer *a;
    const struct request *rq;
    const struct snapshot *s;
    struct encoder enc;
    uint16_t rcode;
    bool aa;
    uint8_t ecs_scope; /* how many bits of the client's address the answer depends on */
    enum cookie_state cookie;
    enum answer_error error;
};

/* What the cookie calls want to know. The query has a cookie. */
static inline struct cookie_ask response_cookie_ask(const struct response *r)
{
    return (struct cookie_ask){&r->rq->query.opt, &r->rq->client,
                               (uint64_t)wall_now().ns / 1000000000u};
}

/* The answer to rq->lookup and to what lies behind it; sets rcode and aa. */
void body_write(struct response *r);

#endif
