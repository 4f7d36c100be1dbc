/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "net/conn.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"

/* The least that is taken to hold bytes: a common query. */
#define HELD_MIN 64u

/* ---- lists --------------------------------------------------------------------------------- */

static void list_init(struct conn_link *head)
{
    head->prev = head->next = head;
}

static void list_remove(struct conn_link *l)
{
    l->prev->next = l->next;
    l->next->prev = l->prev;
    list_init(l);
}

static void list_append(struct conn_link *head, struct conn_link *l)
{
    l->prev = head->prev;
    l->next = head;
    head->prev->next = l;
    head->prev = l;
}

static bool list_is_empty(const struct conn_link *head)
{
    return head->next == head;
}

/* ---- life ---------------------------------------------------------------------------------- */

void conn_pool_init(struct conn_pool *p, struct ev_loop *loop, struct counters *counters,
                    conn_ready_fn on_ready)
{
    *p = (struct conn_pool){.loop = loop, .counters = counters, .on_ready = on_ready};
    list_init(&p->idle);
    list_init(&p->holders);
}

static void on_io(struct ev_loop *loop, ev_io *io, int events)
{
    struct conn *c = io->data;
    (void)loop;
    c->pool->on_ready(c, events);
}

/* Wait for EV_READ or EV_WRITE. */
static void await(struct conn *c, int events)
{
    ev_io_stop(c->pool->loop, &c->io);
    ev_io_set(&c->io, c->io.fd, events);
    ev_io_start(c->pool->loop, &c->io);
}

struct conn *conn_open(struct conn_pool *p, int fd, const struct th_addr *client)
{
    struct conn *c = mem_new(struct conn);
    c->pool = p;
    c->client = *client;
    c->busy_at = mono_now();
    list_append(&p->idle, &c->idle);
    list_init(&c->holder);
    ev_io_init(&c->io, on_io, fd, EV_READ);
    c->io.data = c;
    ev_io_start(p->loop, &c->io);
    p->count++;
    counter_add(p->counters, COUNTER_TCP_CONNS, 1);
    return c;
}

static void held_free(struct conn *c, struct bytes_held *h)
{
    c->pool->memory -= h->cap;
    mem_free(h->bytes);
    *h = (struct bytes_held){0};
    if (!c->in.cap && !c->out.cap)
        list_remove(&c->holder);
}

void conn_close(struct conn *c, enum counter why)
{
    struct conn_pool *p = c->pool;
    const struct linger none = {.l_onoff = 1, .l_linger = 0};
    counter_add(p->counters, why, 1);
    ev_io_stop(p->loop, &c->io);
    if (why != COUNTER_TCP_CLOSE_C)
        (void)setsockopt(c->io.fd, SOL_SOCKET, SO_LINGER, &none, sizeof none); /* else FIN */
    close(c->io.fd);
    held_free(c, &c->in);
    held_free(c, &c->out);
    list_remove(&c->idle);
    p->count--;
    mem_free(c);
}

void conn_fail(struct conn *c, enum counter what)
{
    counter_add(c->pool->counters, what, 1);
    conn_close(c, COUNTER_TCP_CLOSE_S_ERR);
}

void conn_busy(struct conn *c)
{
    c->busy_at = mono_now();
    list_remove(&c->idle);
    list_append(&c->pool->idle, &c->idle);
}

struct conn *conn_most_idle(const struct conn_pool *p)
{
    return list_is_empty(&p->idle) ? NULL : container_of(p->idle.next, struct conn, idle);
}

struct conn *conn_next(struct conn_pool *p)
{
    struct conn *c = conn_most_idle(p);
    if (c) {
        list_remove(&c->idle);
        list_append(&p->idle, &c->idle);
    }
    return c;
}

/* ---- memory -------------------------------------------------------------------------------- */

/* Whoever has held memory for the longest time gives it up. False = that was c. */
static bool shrink(struct conn *c)
{
    struct conn_pool *p = c->pool;
    bool here = true;
    while (here && p->memory > CONN_MEMORY_MAX) {
        struct conn *first = container_of(p->holders.next, struct conn, holder);
        here = first != c;
        conn_close(first, COUNTER_TCP_CLOSE_S_KILL);
    }
    return here;
}

static void held_reserve(struct conn *c, struct bytes_held *h, size_t bytes)
{
    uint32_t cap = h->cap ? h->cap : HELD_MIN;
    if (!c->in.cap && !c->out.cap)
        list_append(&c->pool->holders, &c->holder);
    while (cap < bytes)
        cap *= 2;
    if (cap == h->cap)
        return;
    h->bytes = mem_grow(h->bytes, cap, 1);
    c->pool->memory += cap - h->cap;
    h->cap = cap;
}

/* ---- bytes --------------------------------------------------------------------------------- */

static bool is_later(int e)
{
    return e == EAGAIN || e == EWOULDBLOCK || e == EINTR;
}

size_t conn_held(const struct conn *c, uint8_t *room)
{
    if (c->in.to)
        memcpy(room, c->in.bytes, c->in.to);
    return c->in.to;
}

enum conn_read conn_read(struct conn *c, uint8_t *room, size_t cap, size_t *len)
{
    *len = conn_held(c, room);
    ssize_t n = recv(c->io.fd, room + *len, cap - *len, 0);
    if (n == 0)
        return CONN_EOF;
    if (n < 0 && is_later(errno))
        return CONN_NOTHING;
    if (n < 0) {
        conn_fail(c, COUNTER_TCP_RECVFAIL);
        return CONN_GONE;
    }
    *len += (size_t)n;
    return CONN_BYTES;
}

void conn_hold(struct conn *c, const uint8_t *bytes, size_t len)
{
    if (len == 0) {
        held_free(c, &c->in);
        return;
    }
    held_reserve(c, &c->in, len);
    memcpy(c->in.bytes, bytes, len);
    c->in.to = (uint32_t)len;
    (void)shrink(c); /* nothing is done behind it */
}

bool conn_is_sending(const struct conn *c)
{
    return c->out.cap != 0;
}

static bool wait_to_send(struct conn *c, const uint8_t *bytes, size_t len)
{
    struct bytes_held *h = &c->out;
    bool first = h->cap == 0;
    held_reserve(c, h, h->to + len);
    memcpy(h->bytes + h->to, bytes, len);
    h->to += (uint32_t)len;
    if (first)
        await(c, EV_WRITE);
    return shrink(c);
}

bool conn_send(struct conn *c, const uint8_t *bytes, size_t len)
{
    size_t sent = 0;
    if (!conn_is_sending(c)) {
        ssize_t n = send(c->io.fd, bytes, len, MSG_NOSIGNAL);
        if (n < 0 && !is_later(errno)) {
            conn_fail(c, COUNTER_TCP_SENDFAIL);
            return false;
        }
        sent = n > 0 ? (size_t)n : 0;
    }
    return sent == len || wait_to_send(c, bytes + sent, len - sent);
}

bool conn_flush(struct conn *c)
{
    struct bytes_held *h = &c->out;
    ssize_t n = send(c->io.fd, h->bytes + h->from, h->to - h->from, MSG_NOSIGNAL);
    if (n < 0 && !is_later(errno))
        conn_fail(c, COUNTER_TCP_SENDFAIL);
    if (n < 0)
        return false;
    h->from += (uint32_t)n;
    if (h->from < h->to)
        return false;
    held_free(c, h);
    await(c, EV_READ);
    return true;
}
