/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bare.h: the answer layer alone: no sockets, no plugins; for unit tests and the fuzzer.
 *
 *   struct bare b;
 *   bare_open(&b);
 *   struct snapshot *s = bare_load(&b, "example.org", text, &options, true);   NULL: see b.d
 *   answer_one(&b.a, &rq, s, ...);
 *   snapshot_free(s);
 *   bare_close(&b);
 *
 * What cannot fail aborts.  Thread rule: one thread.
 */
#ifndef T_LIB_BARE_H
#define T_LIB_BARE_H

#include "answer/answer.h"
#include "base/diag.h"
#include "plug/host.h"
#include "zone/load.h"

struct bare {
    struct th_host host;
    struct plugs *plugs;
    struct answer_options options; /* 1,232 bytes of UDP, all else off; yours to change */
    struct snapshot_parts parts;   /* of the next snapshot: cookies, rrl, challenges are yours */
    struct answerer a;             /* with counters of its own; UDP until a.tcp is set */
    struct diag d;                 /* what bare_load told */
};

void bare_open(struct bare *b);
/* A snapshot of one zone from its text; NULL: the zone was refused. */
struct snapshot *bare_load(struct bare *b, const char *name, const char *text,
                           const struct zone_options *options, bool cname_chain);
void bare_close(struct bare *b);

#endif
