/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * body.h: the sections of a response: what was looked up, written behind the question.
 * Thread rule: [worker]; for this folder.
 */
#ifndef ANSWER_BODY_H
#define ANSWER_BODY_H

#include "answer/answer.h"
#include "answer/encode.h"

/* A response while it is made. */
struct response {
    struct answerer *a;
    const struct request *rq;
    const struct snapshot *s;
    struct encoder enc;
    uint16_t rcode;
    bool aa;
};

/* The answer to rq->lookup and to what lies behind it; sets rcode and aa. */
void body_write(struct response *r);

#endif
