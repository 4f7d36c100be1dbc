/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * conn.h: one TCP connection as a socket with what waits for it: life, limits, memory.  What its
 * bytes mean is stream.h's.
 *
 *   conn_open --> readable --on_io--> conn_read ... conn_send ... conn_hold --> ... conn_close
 *                    ^                                |
 *                    `-- conn_flush <--writable-------'  the peer does not read: what is left
 *                                                        waits, and nothing more is read
 *
 * A connection of a pool stands in one or two lists:
 *
 *   idle       all of them, the most idle first.  Busy is who asked something and got its answer;
 *              dribbled bytes, in or out, do not count, so that slow peers meet the same time limit
 *              as silent ones.
 *   holders    those that hold memory (a message not yet whole, an answer not yet taken), the one
 *              that has done so for the longest time first.  Together they hold at most
 *              CONN_MEMORY_MAX; then the first is reset.
 *
 * An idle connection is this struct and nothing else.
 * Thread rule: a pool and its connections belong to one [worker].
 */
#ifndef NET_CONN_H
#define NET_CONN_H

#include <ev.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <thresh/types.h>
#include "base/attrs.h"
#include "base/clock.h"
#include "stats/counters.h"

/* Bytes that the connections of one pool may hold together: several thousand half-sent queries, or
 * more than a hundred peers that leave as many answers as one turn can make. */
#define CONN_MEMORY_MAX (16u << 20)

struct conn_link {
    struct conn_link *prev, *next;
};

struct bytes_held { /* from the heap; `to` bytes, those before `from` are done with */
    uint8_t *bytes;
    uint32_t from, to, cap;
};

struct conn {
    struct conn_link idle, holder;
    struct conn_pool *pool;
    ev_io io;
    struct mono busy_at;
    struct th_addr client;
    bool awaits_proxy;     /* its PROXY header has not come yet */
    bool dso;              /* a DSO session is established (RFC 8490) */
    struct bytes_held in;  /* read, and not yet a whole message (or not yet answered) */
    struct bytes_held out; /* to be sent */
};

/* What a connection does when its socket is ready. */
typedef void (*conn_ready_fn)(struct conn *c, int events);

struct conn_pool {
    struct ev_loop *loop;
    struct counters *counters;
    conn_ready_fn on_ready;
    struct conn_link idle, holders; /* heads */
    unsigned count;
    size_t memory;
};

void conn_pool_init(struct conn_pool *p, struct ev_loop *loop, struct counters *counters,
                    conn_ready_fn on_ready);
/* Takes fd. */
struct conn *conn_open(struct conn_pool *p, int fd, const struct th_addr *client);
/* why: one of COUNTER_TCP_CLOSE_*; all but CLOSE_C reset, so that nothing of ours lingers. */
void conn_close(struct conn *c, enum counter why);
/* A failure of the socket, counted as `what`. */
void conn_fail(struct conn *c, enum counter what);
void conn_busy(struct conn *c);
/* NULL = there is none. */
struct conn *conn_most_idle(const struct conn_pool *p);
/* The same, which goes to the end of the list without being busy: as many calls as there are
 * connections see each of them, whatever ends meanwhile. */
struct conn *conn_next(struct conn_pool *p);

enum conn_read { CONN_BYTES, CONN_NOTHING, CONN_EOF, CONN_GONE };
/* What is held, then what the socket has, into room[0..cap-1]; cap is more than is ever held.
 * *len: all of it. After CONN_NOTHING and CONN_EOF that is what was held. */
enum conn_read conn_read(struct conn *c, uint8_t *room, size_t cap, size_t *len) must_check;
/* What is held, without reading more. */
size_t conn_held(const struct conn *c, uint8_t *room);
/* Keep these bytes, and none else, for the next time. The connection may be gone. */
void conn_hold(struct conn *c, const uint8_t *bytes, size_t len);
/* What the socket does not take at once waits behind what waits already; until all of it is gone
 * the connection is not read. False = the connection is gone. */
bool conn_send(struct conn *c, const uint8_t *bytes, size_t len);
bool conn_is_sending(const struct conn *c);
/* When writable: send what waits. True = all of it is gone, and the connection is still there. */
bool conn_flush(struct conn *c) must_check;

#endif
