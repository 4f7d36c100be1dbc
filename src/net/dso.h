/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dso.h: DNS Stateful Operations (RFC 8490): what a DSO message asks for, and what is replied.
 *
 *   message --dso_parse--> a verdict --dso_reply--> bytes to send (none after DSO_FATAL)
 *                                     dso_notice    a Keepalive that nobody asked for
 *
 * We speak Keepalive alone (section 7.1).  A session may last: its keepalive interval is infinite,
 * its inactivity timeout is the listener's tcp_timeout, and 0 asks the client to go (section
 * 6.6.1).
 * Thread rule: pure, [any].
 */
#ifndef NET_DSO_H
#define NET_DSO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest reply: one padded to a block (RFC 8467 section 4.1). */
#define DSO_REPLY_MAX 468

enum dso_verdict {
    DSO_KEEPALIVE, /* a Keepalive request: a session, if there was none */
    DSO_TYPENI,    /* a request that we do not know (section 5.4.5) */
    DSO_FORMERR,   /* records in it (section 5.4) */
    DSO_NOTIMP,    /* never parsed: for a listener without DSO */
    DSO_FATAL,     /* the connection must be aborted (section 5.3) */
};

struct dso_terms {
    uint32_t inactivity_ms;
    bool pad;
};

/* Is this DNS message a DSO request or unidirectional message? Responses are not: we ask nothing.
 * len: at least a DNS header's. */
bool dso_is_request(const uint8_t *msg, size_t len);
/* msg: one of these. */
enum dso_verdict dso_parse(const uint8_t *msg, size_t len);
/* Write the reply to msg; returns its length. v: not DSO_FATAL. */
size_t dso_reply(enum dso_verdict v, const uint8_t *msg, const struct dso_terms *t,
                 uint8_t out[DSO_REPLY_MAX]);
/* A unidirectional Keepalive, for established sessions. */
size_t dso_notice(const struct dso_terms *t, uint8_t out[DSO_REPLY_MAX]);

#endif
