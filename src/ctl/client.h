/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * client.h: one connection to the control socket; for server.c only.
 *
 *      8 bytes read                 reply made               all of it sent
 *   READING --------> owner.header ------------> SENDING ---------------------> READING
 *                         |  client_wait            ^          (after client_hold: HELD)
 *                         +-----------> WAITING ----+ client_reply
 *
 *   READING, SENDING   end after the time limit, counted from where they began: a byte now and then
 *                      does not lengthen it
 *   WAITING, HELD      last as long as the daemon needs; a client that has gone is noticed within
 *                      the time limit
 *
 * Nothing is read while a reply is owed, so a client holds at most one reply.
 *
 * Life: client_open -> owner.header ... -> owner.gone (client_close, the peer, or the time limit).
 * Thread rule: [main].
 */
#ifndef CTL_CLIENT_H
#define CTL_CLIENT_H

#include <ev.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/buf.h"
#include "ctl/proto.h"

struct client;
struct ctl_request;

struct client_owner {
    void *arg;
    /* A request; called last of all, so that it may end in client_close. false: close it. */
    bool (*header)(void *arg, struct client *c, const struct proto_header *h);
    /* The data that client_take waited for is in c->data; likewise. */
    bool (*data)(void *arg, struct client *c);
    /* The client is freed after this. */
    void (*gone)(void *arg, struct client *c);
    uint32_t timeout_ms;
};

enum client_state { CLIENT_READING, CLIENT_SENDING, CLIENT_WAITING, CLIENT_HELD };

struct client {
    struct client *prev, *next;  /* the owner's list */
    struct ctl_request *request; /* the owner's; NULL unless WAITING */
    struct proto_header asked;   /* what client_take was called for */
    struct buf data;             /* emptied by client.c when owner.data has returned */
    /* private to client.c */
    const struct client_owner *owner;
    struct ev_loop *loop;
    ev_io io;
    ev_timer timer;
    enum client_state state;
    bool hold;
    uint8_t in[PROTO_HEADER_BYTES];
    size_t in_len;
    uint32_t take_len; /* of data that is still to come */
    struct buf out;
    size_t sent_len;
};

/* fd is non-blocking and becomes the client's; owner outlives it. */
struct client *client_open(struct ev_loop *loop, int fd, const struct client_owner *owner);
void client_close(struct client *c);
/* Answer without data: key, v and d as given. Never closes. */
void client_reply(struct client *c, const struct proto_header *h);
/* Answer 'A' with the text that `print` makes. */
void client_reply_text(struct client *c, void (*print)(void *arg, struct buf *out), void *arg);
/* Answer with a text: h->d is set to its length. */
void client_reply_bytes(struct client *c, const struct proto_header *h, const char *text,
                        size_t len);
/* Who it is: the user id of the process that connected, by the kernel's word; UINT32_MAX: unknown.
 */
uint32_t client_uid(const struct client *c);
/* Read h->d bytes of data, more than 0, then call owner.data. */
void client_take(struct client *c, const struct proto_header *h);
void client_wait(struct client *c);
/* Keep the connection open, unread, once what is owed is sent. */
void client_hold(struct client *c);

#endif
