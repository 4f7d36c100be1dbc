/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tcp.c: the tcp worker: one libev loop, one listening socket, its connections (RFC 7766).
 *
 *   readable --> read what is there --> answer every whole message --> one write
 *                                           |
 *              the peer does not read: what is left waits in `unsent`; until it is gone nothing
 *              more is read from that connection
 *
 * Connections stand in a list, the most idle one first.  A connection is busy only when it has
 * asked something and got its answer: dribbled bytes do not count.  One timer looks at the head of
 * the list; when the limit of connections is reached, the head is reset to make room.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "net/worker.h"

/* The longest query: a name of 255 bytes and generous EDNS options. What claims to be longer is
 * not a DNS client. */
#define QUERY_MAX 4096
/* Room for the answers of one read: a burst of common ones, or one of the largest. */
#define OUT_BYTES (2 * (ANSWER_TCP_MAX + 2))
/* Accepted in one turn of the loop, so that a flood of connects does not starve those we have. */
#define ACCEPT_MAX 64
/* Reads of one connection per turn: one that always has more does not starve the others. */
#define READ_MAX 4

struct connection {
    struct connection *prev, *next; /* in worker->idle, the most idle first */
    struct tcp_worker *t;
    ev_io readable, writable;
    struct mono busy_at;
    struct th_addr client;
    uint32_t have;   /* bytes in `in` */
    uint8_t *unsent; /* heap, NULL = nothing waits */
    size_t unsent_len, unsent_at;
    uint8_t in[2 + QUERY_MAX];
};

struct tcp_worker {
    struct worker *w;
    struct answerer answerer;
    struct ev_loop *loop;
    ev_io acceptable;
    ev_timer idle_timer;
    ev_prepare check_stop;
    struct connection idle; /* list head */
    unsigned connection_count;
    int64_t idle_limit_ms;
    struct request request;
    uint8_t out[OUT_BYTES];
};

static void count(struct tcp_worker *t, enum counter c)
{
    counter_add(t->answerer.counters, c, 1);
}

static void unlink_connection(struct connection *c)
{
    c->prev->next = c->next;
    c->next->prev = c->prev;
}

static void link_as_busy(struct connection *c)
{
    struct connection *head = &c->t->idle;
    c->busy_at = mono_now();
    c->prev = head->prev;
    c->next = head;
    head->prev->next = c;
    head->prev = c;
}

static void connection_busy(struct connection *c)
{
    unlink_connection(c);
    link_as_busy(c);
}

/* reset: the peer gets an RST at once instead of a FIN, and nothing of ours lingers. */
static void connection_close(struct connection *c, enum counter why, bool reset)
{
    struct tcp_worker *t = c->t;
    const struct linger none = {.l_onoff = 1, .l_linger = 0};
    count(t, why);
    ev_io_stop(t->loop, &c->readable);
    ev_io_stop(t->loop, &c->writable);
    if (reset)
        (void)setsockopt(c->readable.fd, SOL_SOCKET, SO_LINGER, &none, sizeof none); /* else FIN */
    close(c->readable.fd);
    unlink_connection(c);
    t->connection_count--;
    mem_free(c->unsent);
    mem_free(c);
}

/* Send out[0..len-1]; what the socket does not take now waits. False = the connection is gone. */
static bool connection_send(struct connection *c, const uint8_t *bytes, size_t len)
{
    ssize_t n = send(c->readable.fd, bytes, len, MSG_NOSIGNAL);
    if (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
        count(c->t, COUNTER_TCP_SENDFAIL);
        connection_close(c, COUNTER_TCP_CLOSE_S_ERR, true);
        return false;
    }
    size_t sent = n > 0 ? (size_t)n : 0;
    if (sent < len) {
        c->unsent_len = len - sent;
        c->unsent_at = 0;
        c->unsent = mem_alloc(c->unsent_len);
        memcpy(c->unsent, bytes + sent, c->unsent_len);
        ev_io_stop(c->t->loop, &c->readable);
        ev_io_start(c->t->loop, &c->writable);
    }
    return true;
}

static size_t message_len(const uint8_t *p)
{
    return (size_t)p[0] << 8 | p[1];
}

enum progress { PROGRESS_OK, PROGRESS_BAD };

/* Answer whole messages in `in` while `out` has room for the largest answer. */
static enum progress answer_some(struct connection *c, size_t *used, size_t *out_len)
{
    struct tcp_worker *t = c->t;
    const struct snapshot *s = rcu_load(t->w->snapshot);
    while (c->have - *used >= 2 && OUT_BYTES - *out_len >= ANSWER_TCP_MAX + 2) {
        const uint8_t *p = c->in + *used;
        size_t len = message_len(p);
        if (len < DNS_HEADER || len > QUERY_MAX)
            return PROGRESS_BAD;
        if (c->have - *used - 2 < len)
            break;
        uint8_t *reply = t->out + *out_len;
        t->request.client = c->client;
        size_t n = answer_one(&t->answerer, &t->request, s, p + 2, len, reply + 2, ANSWER_TCP_MAX);
        if (n == 0)
            return PROGRESS_BAD; /* a response sent to us */
        reply[0] = (uint8_t)(n >> 8);
        reply[1] = (uint8_t)n;
        *out_len += n + 2;
        *used += 2 + len;
    }
    return PROGRESS_OK;
}

static void consume(struct connection *c, size_t used)
{
    c->have -= (uint32_t)used;
    memmove(c->in, c->in + used, c->have);
}

/* Answer what has come in. False = the connection is gone. */
static bool connection_answer(struct connection *c)
{
    for (;;) {
        size_t used = 0, out_len = 0;
        enum progress p = answer_some(c, &used, &out_len);
        consume(c, used);
        if (out_len) {
            connection_busy(c);
            if (!connection_send(c, c->t->out, out_len))
                return false;
        }
        if (p == PROGRESS_BAD) {
            count(c->t, COUNTER_TCP_RECVFAIL);
            connection_close(c, COUNTER_TCP_CLOSE_S_ERR, true);
            return false;
        }
        if (!used || c->unsent)
            return true;
    }
}

/* The peer will send no more; what it asked has been answered, since nothing is read while
 * anything is unsent. */
static void connection_eof(struct connection *c)
{
    bool clean = c->have == 0;
    if (!clean)
        count(c->t, COUNTER_TCP_RECVFAIL);
    connection_close(c, clean ? COUNTER_TCP_CLOSE_C : COUNTER_TCP_CLOSE_S_ERR, !clean);
}

static void connection_read(struct connection *c)
{
    for (unsigned i = 0; i < READ_MAX; i++) {
        size_t room = sizeof c->in - c->have;
        ssize_t n = recv(c->readable.fd, c->in + c->have, room, 0);
        if (n == 0) {
            connection_eof(c);
            return;
        }
        if (n < 0) {
            if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)
                return;
            count(c->t, COUNTER_TCP_RECVFAIL);
            connection_close(c, COUNTER_TCP_CLOSE_S_ERR, true);
            return;
        }
        c->have += (uint32_t)n;
        if (!connection_answer(c) || c->unsent || (size_t)n < room)
            return;
    }
}

static void on_readable(struct ev_loop *loop, ev_io *io, int events)
{
    (void)loop;
    (void)events;
    connection_read(io->data);
}

static void on_writable(struct ev_loop *loop, ev_io *io, int events)
{
    struct connection *c = io->data;
    (void)events;
    ssize_t n = send(io->fd, c->unsent + c->unsent_at, c->unsent_len - c->unsent_at, MSG_NOSIGNAL);
    if (n < 0) {
        if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)
            return;
        count(c->t, COUNTER_TCP_SENDFAIL);
        connection_close(c, COUNTER_TCP_CLOSE_S_ERR, true);
        return;
    }
    c->unsent_at += (size_t)n;
    if (c->unsent_at < c->unsent_len)
        return;
    mem_free(c->unsent);
    c->unsent = NULL;
    ev_io_stop(loop, &c->writable);
    connection_busy(c);
    ev_io_start(loop, &c->readable);
    (void)connection_answer(c); /* what was read before the peer stopped reading */
}

static void connection_open(struct tcp_worker *t, int fd, const struct th_addr *client)
{
    struct connection *c = mem_new(struct connection);
    c->t = t;
    c->client = *client;
    ev_io_init(&c->readable, on_readable, fd, EV_READ);
    ev_io_init(&c->writable, on_writable, fd, EV_WRITE);
    c->readable.data = c->writable.data = c;
    link_as_busy(c);
    t->connection_count++;
    count(t, COUNTER_TCP_CONNS);
    ev_io_start(t->loop, &c->readable);
    if (t->connection_count >= t->w->spec->tcp_clients_per_thread)
        connection_close(t->idle.next, COUNTER_TCP_CLOSE_S_KILL, true);
}

/* No descriptor left: the most idle connection gives its own. False = nothing to give. */
static bool make_room(struct tcp_worker *t)
{
    int saved = errno;
    count(t, COUNTER_TCP_ACCEPTFAIL);
    bool has_one = t->idle.next != &t->idle;
    if (has_one)
        connection_close(t->idle.next, COUNTER_TCP_CLOSE_S_KILL, true);
    errno = saved;
    return has_one;
}

static void on_acceptable(struct ev_loop *loop, ev_io *io, int events)
{
    struct tcp_worker *t = io->data;
    (void)events;
    for (unsigned i = 0; i < ACCEPT_MAX; i++) {
        struct sockaddr_storage peer;
        socklen_t peer_len = sizeof peer;
        int fd = accept4(io->fd, (struct sockaddr *)&peer, &peer_len, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd >= 0) {
            struct netaddr client;
            if (netaddr_from_sockaddr((const struct sockaddr *)&peer, &client) != 0)
                client.addr = t->w->spec->addr.addr; /* not of the socket's family: cannot be */
            connection_open(t, fd, &client.addr);
            continue;
        }
        if ((errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) &&
            make_room(t))
            continue;
        if (errno != EAGAIN && errno != EWOULDBLOCK && errno != ECONNABORTED && errno != EINTR)
            ev_io_stop(loop, io); /* would be readable again at once; the idle timer restarts it */
        return;
    }
}

static void on_idle_timer(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct tcp_worker *t = timer->data;
    struct mono now = mono_now();
    (void)events;
    ev_io_start(loop, &t->acceptable); /* if it was paused */
    while (t->idle.next != &t->idle && mono_diff_ms(now, t->idle.next->busy_at) >= t->idle_limit_ms)
        connection_close(t->idle.next, COUNTER_TCP_CLOSE_S_OK, true);
}

static void on_prepare(struct ev_loop *loop, ev_prepare *p, int events)
{
    struct tcp_worker *t = p->data;
    (void)events;
    if (atomic_load_explicit(&t->w->stopping, memory_order_relaxed))
        ev_break(loop, EVBREAK_ALL);
}

/* Idle connections are looked for this often. */
#define IDLE_TICK_S 0.25

static void tcp_worker_init(struct tcp_worker *t, struct worker *w)
{
    t->w = w;
    t->answerer.counters = &w->counters;
    t->answerer.tcp = t->answerer.send_keepalive = true;
    t->answerer.keepalive_100ms = (uint16_t)(w->spec->tcp_timeout_ms / 100);
    t->answerer.v6_listener = w->spec->addr.addr.family == 6;
    prng_init(&t->answerer.prng);
    t->idle.next = t->idle.prev = &t->idle;
    /* clients are told tcp_timeout and go by themselves; we cut off at twice that (gdnsd's rule) */
    t->idle_limit_ms = 2 * (int64_t)w->spec->tcp_timeout_ms;
    t->loop = ev_loop_new(EVFLAG_AUTO | EVFLAG_NOSIGMASK);
    ev_io_init(&t->acceptable, on_acceptable, w->fd, EV_READ);
    ev_timer_init(&t->idle_timer, on_idle_timer, IDLE_TICK_S, IDLE_TICK_S);
    ev_prepare_init(&t->check_stop, on_prepare);
    t->acceptable.data = t->idle_timer.data = t->check_stop.data = t;
}

void *tcp_worker_run(void *worker)
{
    struct worker *w = worker;
    struct tcp_worker *t = mem_aligned(CACHE_LINE, sizeof *t);
    tcp_worker_init(t, w);
    rcu_thread_begin();
    rcu_loop(t->loop);
    ev_io_start(t->loop, &t->acceptable);
    ev_timer_start(t->loop, &t->idle_timer);
    ev_prepare_start(t->loop, &t->check_stop);
    ev_run(t->loop, 0);
    while (t->idle.next != &t->idle)
        connection_close(t->idle.next, COUNTER_TCP_CLOSE_S_ERR, true);
    rcu_thread_end();
    ev_loop_destroy(t->loop);
    mem_free(t);
    atomic_store(&w->stopped, true);
    return NULL;
}
