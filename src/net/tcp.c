/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tcp.c: the tcp worker: one libev loop, one listening socket, its connections (RFC 7766).
 *
 *   acceptable --> a connection (stream.h); one too many: the most idle one is reset
 *   idle timer --> those that are idle for too long are reset
 *   stop       --> accept no more, ask clients to go, wait a while for them
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "net/stream.h"
#include "net/worker.h"

/* Accepted in one turn of the loop, so that a flood of connects does not starve those we have. */
#define ACCEPT_MAX 64
/* Idle connections are looked for this often. */
#define IDLE_TICK_S 0.25
/* What clients have left to end their business at a stop; gdnsd's. */
#define STOP_MS 5000

struct tcp_worker {
    struct worker *w;
    struct ev_loop *loop;
    ev_io acceptable;
    ev_timer idle_timer;
    ev_async stop;
    ev_prepare all_gone; /* once stopping */
    struct mono stopped_at;
    struct stream stream;
};

/* clients are told tcp_timeout and go by themselves; we cut off at twice that (gdnsd's rule) */
static int64_t idle_limit_ms(const struct tcp_worker *t)
{
    return 2 * (int64_t)t->w->spec->tcp_timeout_ms;
}

static void admit(struct tcp_worker *t, int fd, const struct sockaddr_storage *ss)
{
    struct netaddr peer = {0};
    if (fd < 0)
        return;
    if (netaddr_from_sockaddr((const struct sockaddr *)ss, &peer) != 0) {
        close(fd); /* neither IPv4 nor IPv6, on a socket that is one of them: cannot be */
        return;
    }
    stream_open(&t->stream, fd, &peer.addr);
    if (t->stream.pool.count >= t->w->spec->tcp_clients_per_thread)
        conn_close(conn_most_idle(&t->stream.pool), COUNTER_TCP_CLOSE_S_KILL);
}

static bool lacks_room(int e)
{
    return e == EMFILE || e == ENFILE || e == ENOBUFS || e == ENOMEM;
}

/* Connections that are given up for one newcomer. One is enough unless somebody else is quicker. */
#define MAKE_ROOM_MAX 8

/* No descriptor left: the most idle connection gives its own. False = nothing to give. */
static bool make_room(struct tcp_worker *t)
{
    struct conn *first = conn_most_idle(&t->stream.pool);
    counter_add(&t->w->counters, COUNTER_TCP_ACCEPTFAIL, 1);
    if (first)
        conn_close(first, COUNTER_TCP_CLOSE_S_KILL);
    return first != NULL;
}

/* Descriptors from files_max on are not for clients: probes need them even in a flood. The kernel
 * gives the lowest number that is free, so a high one tells that all below are taken. What one
 * connection gave up may be taken by a probe or another thread before we have it: then the next
 * gives its own. Returns the connection with a number below, or -1: it was closed. */
static int keep_reserve(struct tcp_worker *t, int fd)
{
    int max = t->w->spec->files_max;
    for (unsigned i = 0; max && fd >= max && i < MAKE_ROOM_MAX && make_room(t); i++) {
        int lower = fcntl(fd, F_DUPFD_CLOEXEC, 0);
        if (lower >= 0) {
            close(fd);
            fd = lower;
        }
    }
    if (!max || fd < max)
        return fd;
    close(fd); /* others take whatever is given up */
    return -1;
}

/* False = to go on now would fail again at once. */
static bool accept_some(struct tcp_worker *t)
{
    for (unsigned i = 0; i < ACCEPT_MAX; i++) {
        struct sockaddr_storage peer;
        socklen_t len = sizeof peer;
        int fd = accept4(t->w->fd, (struct sockaddr *)&peer, &len, SOCK_NONBLOCK | SOCK_CLOEXEC);
        int e = errno;
        if (fd >= 0)
            admit(t, keep_reserve(t, fd), &peer);
        else if (lacks_room(e) ? !make_room(t) : e != ECONNABORTED && e != EINTR)
            return e == EAGAIN || e == EWOULDBLOCK;
    }
    return true;
}

static void on_acceptable(struct ev_loop *loop, ev_io *io, int events)
{
    (void)events;
    if (!accept_some(io->data))
        ev_io_stop(loop, io); /* would be readable again at once; the idle timer restarts it */
}

static bool is_stopping(const struct tcp_worker *t)
{
    return t->stream.stopping;
}

static void close_idle(struct tcp_worker *t, struct mono now)
{
    struct conn *c;
    while ((c = conn_most_idle(&t->stream.pool)) &&
           mono_diff_ms(now, c->busy_at) >= idle_limit_ms(t))
        conn_close(c, COUNTER_TCP_CLOSE_S_OK);
}

static void on_idle_timer(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct tcp_worker *t = timer->data;
    struct mono now = mono_now();
    (void)events;
    close_idle(t, now);
    if (!is_stopping(t))
        ev_io_start(loop, &t->acceptable); /* if it was paused */
    else if (mono_diff_ms(now, t->stopped_at) >= STOP_MS)
        ev_break(loop, EVBREAK_ALL);
}

static void on_all_gone(struct ev_loop *loop, ev_prepare *p, int events)
{
    const struct tcp_worker *t = p->data;
    (void)events;
    if (t->stream.pool.count == 0)
        ev_break(loop, EVBREAK_ALL);
}

/* Closing the socket resets whoever waits in its queue. As many as we may have, so that a flood has
 * an end. */
static void accept_rest(struct tcp_worker *t)
{
    for (unsigned n = 0; n < t->w->spec->tcp_clients_per_thread; n += ACCEPT_MAX)
        (void)accept_some(t);
}

/* Who has connected already is still served; the socket is closed, so that new clients turn to
 * another server at once instead of waiting for us. */
static void on_stop(struct ev_loop *loop, ev_async *a, int events)
{
    struct tcp_worker *t = a->data;
    (void)events;
    if (is_stopping(t))
        return;
    accept_rest(t);
    ev_io_stop(loop, &t->acceptable);
    close(t->w->fd);
    t->w->fd = -1;
    t->stopped_at = mono_now();
    stream_stop(&t->stream);
    ev_prepare_start(loop, &t->all_gone);
}

struct tcp_worker *tcp_worker_new(struct worker *w)
{
    struct tcp_worker *t = mem_aligned(CACHE_LINE, sizeof *t);
    t->w = w;
    t->loop = ev_loop_new(EVFLAG_AUTO | EVFLAG_NOSIGMASK);
    stream_init(&t->stream, w->spec, w->snapshot, t->loop, &w->counters);
    ev_io_init(&t->acceptable, on_acceptable, w->fd, EV_READ);
    ev_timer_init(&t->idle_timer, on_idle_timer, IDLE_TICK_S, IDLE_TICK_S);
    ev_async_init(&t->stop, on_stop);
    ev_prepare_init(&t->all_gone, on_all_gone);
    t->acceptable.data = t->idle_timer.data = t->stop.data = t->all_gone.data = t;
    ev_async_start(t->loop, &t->stop);
    return t;
}

void tcp_worker_stop(struct tcp_worker *t)
{
    ev_async_send(t->loop, &t->stop);
}

void tcp_worker_free(struct tcp_worker *t)
{
    if (!t)
        return;
    ev_loop_destroy(t->loop);
    mem_free(t);
}

void *tcp_worker_run(void *worker)
{
    struct worker *w = worker;
    struct tcp_worker *t = w->tcp_worker;
    struct conn *c;
    rcu_thread_begin();
    rcu_loop(t->loop);
    ev_io_start(t->loop, &t->acceptable);
    ev_timer_start(t->loop, &t->idle_timer);
    ev_run(t->loop, 0);
    while ((c = conn_most_idle(&t->stream.pool)))
        conn_close(c, COUNTER_TCP_CLOSE_S_ERR);
    rcu_thread_end();
    return NULL;
}
