/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "net/stream.h"

#include "net/dso.h"
#include "net/proxy.h"
#include "wire/rrtype.h"

_Static_assert(PROXY_HEADER_MAX < STREAM_IN_BYTES, "a header that is not whole leaves room");

static struct stream *stream_of(struct conn *c)
{
    return container_of(c->pool, struct stream, pool);
}

static void count(struct stream *s, enum counter c)
{
    counter_add(s->answerer.counters, c, 1);
}

/* ---- messages ------------------------------------------------------------------------------ */

static struct dso_terms dso_terms(const struct stream *s)
{
    return (struct dso_terms){.inactivity_ms = s->stopping ? 0 : s->spec->tcp_timeout_ms,
                              .pad = s->spec->tcp_pad};
}

/* A request that answer.h does not see. */
static void count_request(struct stream *s, const struct conn *c, enum counter rcode)
{
    count(s, rcode);
    if (c->client.family == 6)
        count(s, COUNTER_V6);
}

/* Returns the reply's length, 0 = abort the connection. */
static size_t answer_dso(struct conn *c, const uint8_t *msg, size_t len, uint8_t *out)
{
    struct stream *s = stream_of(c);
    enum dso_verdict v = s->spec->dso ? dso_parse(msg, len) : DSO_NOTIMP;
    const struct dso_terms terms = dso_terms(s);
    switch (v) {
    case DSO_KEEPALIVE:
        if (!c->dso)
            count(s, COUNTER_TCP_DSO_ESTAB);
        c->dso = true;
        break;
    case DSO_TYPENI: count(s, COUNTER_TCP_DSO_TYPENI); break;
    case DSO_FORMERR: count_request(s, c, COUNTER_FORMERR); break;
    case DSO_NOTIMP: count_request(s, c, COUNTER_NOTIMP); break;
    case DSO_FATAL: count(s, COUNTER_TCP_DSO_PROTOERR); return 0;
    }
    return dso_reply(v, msg, &terms, out);
}

/* RFC 8490 section 7.1.2: inside a session the EDNS option is an error. */
static bool breaks_session(const struct conn *c, const struct query *q)
{
    return c->dso && (q->opt.seen & EDNS_SEEN_KEEPALIVE);
}

/* Returns the answer's length, 0 = abort the connection. */
static size_t answer_query(struct conn *c, const uint8_t *msg, size_t len, uint8_t *out)
{
    struct stream *s = stream_of(c);
    struct request *rq = &s->request;
    const struct snapshot *now = rcu_load(s->snapshot);
    rq->client = c->client;
    s->answerer.send_keepalive = !c->dso;
    answer_parse(&s->answerer, rq, now, msg, len);
    if (breaks_session(c, &rq->query)) {
        count(s, COUNTER_TCP_DSO_PROTOERR);
        rq->query.verdict = QUERY_DROP;
    }
    answer_find(rq, now);
    answer_look(rq, now);
    return answer_write(&s->answerer, rq, now, out, ANSWER_TCP_MAX);
}

/* What was done with some of the bytes. */
struct progress {
    size_t used, out_len;
    bool answered; /* a query, which makes the connection busy; DSO messages do not */
    bool abort;
};

static void answer_message(struct conn *c, const uint8_t *msg, size_t len, struct progress *p)
{
    struct stream *s = stream_of(c);
    uint8_t *out = s->out + p->out_len;
    bool is_dso = dso_is_request(msg, len);
    size_t n = is_dso ? answer_dso(c, msg, len, out + 2) : answer_query(c, msg, len, out + 2);
    p->abort = n == 0;
    if (p->abort)
        return;
    out[0] = (uint8_t)(n >> 8);
    out[1] = (uint8_t)n;
    p->out_len += n + 2;
    p->used += 2 + len;
    p->answered |= !is_dso;
}

/* Answer whole messages in bytes[0..len-1] while `out` has room for the largest answer. */
static struct progress answer_some(struct conn *c, const uint8_t *bytes, size_t len)
{
    struct stream *s = stream_of(c);
    struct progress p = {0};
    while (!p.abort && len - p.used >= 2 && STREAM_OUT_BYTES - p.out_len >= ANSWER_TCP_MAX + 2) {
        const uint8_t *at = bytes + p.used;
        size_t n = (size_t)at[0] << 8 | at[1];
        if (n < DNS_HEADER || n > STREAM_QUERY_MAX) {
            count(s, COUNTER_TCP_RECVFAIL);
            p.abort = true;
        } else if (len - p.used - 2 < n) {
            break;
        } else {
            answer_message(c, at + 2, n, &p);
        }
    }
    return p;
}

/* Messages in `in` from `at` on, until the peer stops reading. What is left is held. */
static void stream_messages(struct conn *c, size_t at, size_t len)
{
    struct stream *s = stream_of(c);
    while (!conn_is_sending(c)) {
        struct progress p = answer_some(c, s->in + at, len - at);
        if (p.answered)
            conn_busy(c);
        if (p.out_len && !conn_send(c, s->out, p.out_len))
            return;
        if (p.abort) {
            conn_close(c, COUNTER_TCP_CLOSE_S_ERR);
            return;
        }
        if (!p.used)
            break;
        at += p.used;
    }
    conn_hold(c, s->in + at, len - at);
}

/* ---- the PROXY header ---------------------------------------------------------------------- */

enum proxied { PROXIED, PROXIED_LATER, PROXIED_NOT };

static enum proxied read_proxy(struct conn *c, size_t len, size_t *at)
{
    struct stream *s = stream_of(c);
    struct proxy_header h;
    enum proxy_verdict v = proxy_parse(s->in, len, &h);
    switch (v) {
    case PROXY_MORE: return PROXIED_LATER;
    case PROXY_BAD: return PROXIED_NOT;
    case PROXY_UNKNOWN:
        if (s->spec->proxy_strict)
            return PROXIED_NOT;
        break;
    case PROXY_CLIENT: c->client = h.source; break;
    case PROXY_LOCAL: break;
    }
    c->awaits_proxy = false;
    *at = h.len;
    return PROXIED;
}

/* `in` has len bytes of this connection. */
static void stream_bytes(struct conn *c, size_t len)
{
    size_t at = 0;
    switch (c->awaits_proxy ? read_proxy(c, len, &at) : PROXIED) {
    case PROXIED: stream_messages(c, at, len); break;
    case PROXIED_LATER: conn_hold(c, stream_of(c)->in, len); break;
    case PROXIED_NOT: conn_fail(c, COUNTER_TCP_PROXY_FAIL); break;
    }
}

/* ---- events -------------------------------------------------------------------------------- */

/* The peer will send no more; what it asked has been answered, since nothing is read while
 * anything is unsent. */
static void stream_eof(struct conn *c, size_t held)
{
    if (held)
        conn_fail(c, COUNTER_TCP_RECVFAIL);
    else
        conn_close(c, COUNTER_TCP_CLOSE_C);
}

static void stream_readable(struct conn *c)
{
    struct stream *s = stream_of(c);
    size_t len;
    switch (conn_read(c, s->in, sizeof s->in, &len)) {
    case CONN_BYTES: stream_bytes(c, len); break;
    case CONN_EOF: stream_eof(c, len); break;
    case CONN_NOTHING:
    case CONN_GONE: break;
    }
}

static void stream_writable(struct conn *c)
{
    if (!conn_flush(c))
        return;
    conn_busy(c);
    stream_bytes(c, conn_held(c, stream_of(c)->in)); /* read before the peer stopped reading */
}

static void on_ready(struct conn *c, int events)
{
    if (events & EV_WRITE)
        stream_writable(c);
    else
        stream_readable(c);
}

void stream_init(struct stream *s, const struct listen_spec *spec, struct snapshot *const *snapshot,
                 struct ev_loop *loop, struct counters *counters)
{
    conn_pool_init(&s->pool, loop, counters, on_ready);
    s->spec = spec;
    s->snapshot = snapshot;
    s->answerer.counters = counters;
    s->answerer.tcp = true;
    s->answerer.v6_listener = spec->addr.addr.family == 6;
    s->answerer.pad = spec->tcp_pad;
    s->answerer.keepalive_100ms = (uint16_t)(spec->tcp_timeout_ms / 100); /* at most 1,800 s */
    prng_init(&s->answerer.prng);
}

void stream_open(struct stream *s, int fd, const struct th_addr *peer)
{
    struct conn *c = conn_open(&s->pool, fd, peer);
    c->awaits_proxy = s->spec->tcp_proxy;
    if (c->awaits_proxy)
        count(s, COUNTER_TCP_PROXY);
}

/* RFC 8490 section 6.6.1: a timeout of 0 asks the client to go. */
static void send_notice(struct conn *c)
{
    struct stream *s = stream_of(c);
    const struct dso_terms terms = dso_terms(s);
    uint8_t bytes[2 + DSO_REPLY_MAX];
    size_t n = dso_notice(&terms, bytes + 2);
    bytes[0] = (uint8_t)(n >> 8);
    bytes[1] = (uint8_t)n;
    (void)conn_send(c, bytes, n + 2); /* the last thing */
}

void stream_stop(struct stream *s)
{
    s->stopping = true;
    s->answerer.keepalive_100ms = 0;
    for (unsigned left = s->pool.count; left; left--) { /* sending may end it, or another */
        struct conn *c = conn_next(&s->pool);
        if (c && c->dso)
            send_notice(c);
    }
}
