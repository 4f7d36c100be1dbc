/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * queries.h: a list of queries made ready to send, and what each must be answered with.
 *
 *   # name                     type  rcode  answers
 *   n00017.static.example.     1     0      1
 *   x00017.static.example.     1     3      0
 *
 * Each becomes one message with id 0, one question of class IN and an OPT record (1232 bytes).
 * Life: queries_read -> read the fields, copy messages -> queries_fini.
 * Thread rule: belongs to one thread.
 */
#ifndef T_BENCH_QUERIES_H
#define T_BENCH_QUERIES_H

#include <stddef.h>
#include <stdint.h>
#include "base/attrs.h"

#define QUERY_HEADER 12
/* Header, longest name, type and class, OPT. */
#define QUERY_BYTES (QUERY_HEADER + 255 + 4 + 11)

struct bench_query {
    size_t at; /* of the message, in queries.bytes */
    uint16_t len, question_len;
    uint16_t answer_count; /* expected */
    uint8_t rcode;         /* expected */
};

struct queries {
    struct bench_query *list;
    uint8_t *bytes;
    size_t count, byte_count;
};

/* 0, or ERR_IO, or ERR_SYNTAX with *line set; an empty list is ERR_SYNTAX at line 0. */
int queries_read(const char *path, struct queries *out, unsigned *line) must_check;
void queries_fini(struct queries *q);

#endif
