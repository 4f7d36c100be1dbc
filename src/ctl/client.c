/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ctl/client.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/attrs.h"
#include "base/mem.h"

static int state_events(enum client_state state)
{
    switch (state) {
    case CLIENT_READING: return EV_READ;
    case CLIENT_SENDING: return EV_WRITE;
    case CLIENT_WAITING:
    case CLIENT_HELD: break;
    }
    return 0;
}

static void enter(struct client *c, enum client_state state)
{
    int events = state_events(state);
    c->state = state;
    ev_timer_again(c->loop, &c->timer);
    ev_io_stop(c->loop, &c->io);
    ev_io_modify(&c->io, events);
    if (events)
        ev_io_start(c->loop, &c->io);
}

static bool is_passing(int e)
{
    return e == EAGAIN || e == EINTR;
}

/* One send: a client that reads as fast as we write must not hold the loop. false: broken. */
static bool send_some(struct client *c)
{
    ssize_t n = send(c->io.fd, c->out.data + c->sent_len, c->out.len - c->sent_len, MSG_NOSIGNAL);
    if (n < 0)
        return is_passing(errno);
    c->sent_len += (size_t)n;
    if (c->sent_len < c->out.len)
        return true;
    buf_fini(&c->out);
    c->sent_len = 0;
    enter(c, c->hold ? CLIENT_HELD : CLIENT_READING);
    return true;
}

static void reply_start(struct client *c)
{
    enter(c, CLIENT_SENDING);
    (void)send_some(c); /* if it is broken the watcher will say so, when nobody holds c */
}

void client_reply(struct client *c, const struct proto_header *h)
{
    proto_print(h, (uint8_t *)buf_reserve(&c->out, PROTO_HEADER_BYTES));
    c->out.len += PROTO_HEADER_BYTES;
    reply_start(c);
}

void client_reply_text(struct client *c, void (*print)(void *arg, struct buf *out), void *arg)
{
    (void)buf_reserve(&c->out, PROTO_HEADER_BYTES); /* written when the length is known */
    c->out.len = PROTO_HEADER_BYTES;
    print(arg, &c->out);
    size_t len = c->out.len - PROTO_HEADER_BYTES;
    struct proto_header h = {.key = PROTO_OK, .d = (uint32_t)len};
    if (len > UINT32_MAX) {
        buf_clear(&c->out);
        h = (struct proto_header){.key = PROTO_FAILED};
        client_reply(c, &h);
        return;
    }
    proto_print(&h, (uint8_t *)c->out.data);
    reply_start(c);
}

void client_reply_bytes(struct client *c, const struct proto_header *h, const char *text,
                        size_t len)
{
    struct proto_header head = *h;
    head.d = len > UINT32_MAX ? 0 : (uint32_t)len;
    proto_print(&head, (uint8_t *)buf_reserve(&c->out, PROTO_HEADER_BYTES));
    c->out.len += PROTO_HEADER_BYTES;
    buf_add(&c->out, text, head.d);
    reply_start(c);
}

uint32_t client_uid(const struct client *c)
{
    struct ucred who;
    socklen_t len = sizeof who;
    if (getsockopt(c->io.fd, SOL_SOCKET, SO_PEERCRED, &who, &len) != 0)
        return UINT32_MAX;
    return who.uid;
}

void client_take(struct client *c, const struct proto_header *h)
{
    c->asked = *h;
    c->take_len = h->d;
}

void client_wait(struct client *c)
{
    enter(c, CLIENT_WAITING);
}

void client_hold(struct client *c)
{
    c->hold = true;
    if (c->state != CLIENT_SENDING)
        enter(c, CLIENT_HELD);
}

/* Room follows what has come, not what was announced. */
static ssize_t read_data(struct client *c)
{
    size_t room = c->take_len < 4096 ? c->take_len : 4096;
    ssize_t n = recv(c->io.fd, buf_reserve(&c->data, room), room, 0);
    if (n > 0) {
        c->data.len += (size_t)n;
        c->take_len -= (uint32_t)n;
    }
    return n;
}

/* A header may come in pieces. */
static ssize_t read_header(struct client *c)
{
    ssize_t n = recv(c->io.fd, c->in + c->in_len, sizeof c->in - c->in_len, 0);
    if (n > 0)
        c->in_len += (size_t)n;
    return n;
}

static void hand_header(struct client *c)
{
    struct proto_header h;
    proto_parse(c->in, &h);
    c->in_len = 0;
    if (!c->owner->header(c->owner->arg, c, &h))
        client_close(c);
}

static void hand_data(struct client *c)
{
    bool keep = c->owner->data(c->owner->arg, c);
    buf_fini(&c->data);
    if (!keep)
        client_close(c);
}

static void on_readable(struct client *c)
{
    bool takes = c->take_len > 0;
    ssize_t n = takes ? read_data(c) : read_header(c);
    if (n == 0 || (n < 0 && !is_passing(errno)))
        client_close(c);
    else if (takes && !c->take_len)
        hand_data(c);
    else if (c->in_len == sizeof c->in)
        hand_header(c);
}

static void on_io(struct ev_loop *loop, ev_io *io, int events)
{
    (void)loop;
    struct client *c = container_of(io, struct client, io);
    if (events & EV_READ)
        on_readable(c);
    else if (!send_some(c))
        client_close(c);
}

static bool has_gone(const struct client *c)
{
    /* HUP: both directions are shut; a client may end its own and still wait for the answer */
    struct pollfd p = {.fd = c->io.fd};
    return poll(&p, 1, 0) == 1 && (p.revents & (POLLHUP | POLLERR));
}

static void on_timer(struct ev_loop *loop, ev_timer *t, int events)
{
    (void)loop;
    (void)events;
    struct client *c = container_of(t, struct client, timer);
    switch (c->state) {
    case CLIENT_READING:
    case CLIENT_SENDING: client_close(c); return;
    case CLIENT_WAITING:
    case CLIENT_HELD:
        if (has_gone(c))
            client_close(c);
        return;
    }
}

struct client *client_open(struct ev_loop *loop, int fd, const struct client_owner *owner)
{
    struct client *c = mem_new(struct client);
    c->loop = loop;
    c->owner = owner;
    ev_io_init(&c->io, on_io, fd, EV_READ);
    ev_timer_init(&c->timer, on_timer, 0., owner->timeout_ms / 1000.);
    enter(c, CLIENT_READING);
    return c;
}

void client_close(struct client *c)
{
    if (c->state == CLIENT_SENDING)
        (void)send_some(c); /* a last try, for the acknowledgement of a stop */
    ev_io_stop(c->loop, &c->io);
    ev_timer_stop(c->loop, &c->timer);
    c->owner->gone(c->owner->arg, c);
    (void)close(c->io.fd); /* nothing to be told to anybody */
    buf_fini(&c->out);
    buf_fini(&c->data);
    mem_free(c);
}
