/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stream.h: what the bytes of a TCP connection mean: a PROXY header where the listener wants one,
 * then DNS messages with their lengths in front (RFC 7766), DSO messages among them (RFC 8490).
 *
 *   bytes --> [PROXY header] --> every whole message is answered, one write for many answers;
 *                                what is left is held
 *
 * Everything is read into, and answered from, buffers that the connections of a thread share.
 * Thread rule: [worker], its own.
 */
#ifndef NET_STREAM_H
#define NET_STREAM_H

#include "answer/answer.h"
#include "net/conn.h"
#include "net/listen.h"

/* The longest query: a name of 255 bytes and generous EDNS options. What claims to be longer is
 * not a DNS client. */
#define STREAM_QUERY_MAX 4096u
/* Read from one connection in one turn of the loop: one that always has more does not starve the
 * others. Room for the longest query, so that each turn gets on. */
#define STREAM_IN_BYTES (2 * (STREAM_QUERY_MAX + 2))
/* Room for the answers of one write: a burst of common ones, or one of the largest. */
#define STREAM_OUT_BYTES (2 * (ANSWER_TCP_MAX + 2))

/* What the streams of a thread share; the pool's connections are its. */
struct stream {
    struct conn_pool pool;
    struct answerer answerer;
    struct request request;
    const struct listen_spec *spec;
    struct snapshot *const *snapshot;
    bool stopping; /* clients are asked to go */
    uint8_t in[STREAM_IN_BYTES], out[STREAM_OUT_BYTES];
};

void stream_init(struct stream *s, const struct listen_spec *spec, struct snapshot *const *snapshot,
                 struct ev_loop *loop, struct counters *counters);
/* A connection was accepted. */
void stream_open(struct stream *s, int fd, const struct th_addr *peer);
/* Ask every client to go: those with a DSO session at once, others with their next answer. */
void stream_stop(struct stream *s);

#endif
