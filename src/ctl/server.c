/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ctl/server.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "ctl/client.h"
#include "ctl/proto.h"
#include "ctl/rundir.h"

/* After a failed accept (no descriptors left): the listener stays readable, so without a pause the
 * loop would spin. */
#define ACCEPT_PAUSE_S 1.

struct ctl_request {
    struct client *client; /* NULL: gone */
    bool wants_text;
};

struct ctl_server {
    struct ev_loop *loop;
    struct ctl_calls calls;
    struct client_owner owner;
    int lock_fd;
    ev_io accept_io;
    ev_timer accept_pause;
    struct client *clients;
    unsigned client_count;
    bool is_stopping;
};

static struct ctl_request *request_new(struct client *c, bool wants_text)
{
    struct ctl_request *r = mem_new(struct ctl_request);
    r->client = c;
    r->wants_text = wants_text;
    c->request = r;
    client_wait(c);
    return r;
}

static void wait_for_reload(struct ctl_server *s, struct client *c)
{
    s->calls.reload_zones(s->calls.arg, &(struct ctl_reload){0}, request_new(c, false));
}

static void wait_for_zones(struct ctl_server *s, struct client *c)
{
    s->calls.zones(s->calls.arg, request_new(c, true));
}

/* false: its data would be more than anybody needs. */
static bool take_names(struct ctl_server *s, struct client *c, const struct proto_header *h)
{
    const struct ctl_reload all = {.force = h->v & PROTO_FORCE};
    if (h->d > PROTO_NAMES_MAX)
        return false;
    if (h->d)
        client_take(c, h);
    else
        s->calls.reload_zones(s->calls.arg, &all, request_new(c, true));
    return true;
}

/* The names have come, a NUL behind each. */
static bool serve_names(struct ctl_server *s, struct client *c)
{
    const char *at = c->data.data, *end = at + c->data.len;
    if (end[-1] != '\0')
        return false;
    const char **names = mem_array(c->data.len, sizeof *names);
    struct ctl_reload what = {.names = names, .force = c->asked.v & PROTO_FORCE};
    for (; at < end; at += strlen(at) + 1)
        names[what.count++] = at;
    s->calls.reload_zones(s->calls.arg, &what, request_new(c, true));
    mem_free(names);
    return true;
}

/* false: no client of this protocol sends that. */
static bool take_challenges(struct client *c, const struct proto_header *h)
{
    if (h->v < 1 || h->v > PROTO_CHALLENGES_COUNT || h->d < 1 || h->d > PROTO_CHALLENGES_MAX)
        return false;
    client_take(c, h);
    return true;
}

static bool serve_challenges(struct ctl_server *s, struct client *c)
{
    bool ok = s->calls.add_challenges(s->calls.arg, (const uint8_t *)c->data.data, c->data.len,
                                      c->asked.v);
    client_reply(c, &(struct proto_header){.key = ok ? PROTO_OK : PROTO_FAILED});
    return true;
}

/* false: no client of this protocol sends that. */
static bool take_order(struct ctl_server *s, struct client *c, const struct proto_header *h)
{
    if (h->d > PROTO_ORDER_MAX)
        return false;
    if (h->d)
        client_take(c, h);
    else
        client_reply_text(c, s->calls.orders, s->calls.arg);
    return true;
}

/* The words of an order have come, a NUL behind each. */
static bool serve_order(struct ctl_server *s, struct client *c)
{
    const char *words[PROTO_ORDER_WORDS], *at = c->data.data, *end = at + c->data.len;
    size_t count = 0;
    if (end[-1] != '\0')
        return false;
    for (; at < end; at += strlen(at) + 1) {
        if (count == PROTO_ORDER_WORDS)
            return false;
        words[count++] = at;
    }
    if (count != PROTO_ORDER_WORDS)
        return false;
    const struct ctl_order o = {.state = words[0],
                                .glob = words[1],
                                .ttl = words[2],
                                .life = words[3],
                                .reason = words[4],
                                .uid = client_uid(c),
                                .force = c->asked.v & PROTO_FORCE,
                                .dry_run = c->asked.v & PROTO_DRY_RUN};
    struct buf out = {0};
    bool ok = s->calls.order(s->calls.arg, &o, &out);
    client_reply_bytes(c, &(struct proto_header){.key = ok ? PROTO_OK : PROTO_FAILED}, out.data,
                       out.len);
    buf_fini(&out);
    return true;
}

/* The data behind a request has come. */
static bool serve_data(void *arg, struct client *c)
{
    if (c->asked.key == PROTO_CHALLENGES)
        return serve_challenges(arg, c);
    return c->asked.key == PROTO_ORDER ? serve_order(arg, c) : serve_names(arg, c);
}

static void acknowledge_stop(struct ctl_server *s, struct client *c)
{
    client_reply(c, &(struct proto_header){.key = PROTO_OK});
    client_hold(c);
    if (s->is_stopping)
        return;
    s->is_stopping = true;
    s->calls.stop(s->calls.arg);
}

static bool serve(void *arg, struct client *c, const struct proto_header *h)
{
    struct ctl_server *s = arg;
    struct proto_header info = {PROTO_OK, s->calls.version, (uint32_t)getpid()};
    switch ((enum proto_request)h->key) {
    case PROTO_INFO: client_reply(c, &info); return true;
    case PROTO_STATS: client_reply_text(c, s->calls.stats, s->calls.arg); return true;
    case PROTO_STATES: client_reply_text(c, s->calls.states, s->calls.arg); return true;
    case PROTO_WHY: client_reply_text(c, s->calls.why, s->calls.arg); return true;
    case PROTO_RELOAD_ZONES: wait_for_reload(s, c); return true;
    case PROTO_RELOAD_NAMED: return take_names(s, c, h);
    case PROTO_ORDER: return take_order(s, c, h);
    case PROTO_ZONES: wait_for_zones(s, c); return true;
    case PROTO_STOP: acknowledge_stop(s, c); return true;
    case PROTO_CHALLENGES: return take_challenges(c, h);
    case PROTO_CHALLENGES_FLUSH:
        s->calls.flush_challenges(s->calls.arg);
        client_reply(c, &(struct proto_header){.key = PROTO_OK});
        return true;
    }
    client_reply(c, &(struct proto_header){.key = PROTO_UNKNOWN});
    return true;
}

void ctl_request_done(struct ctl_request *r, bool ok, const char *text, size_t len)
{
    const struct proto_header h = {.key = ok ? PROTO_OK : PROTO_FAILED};
    if (r->client) {
        r->client->request = NULL;
        client_reply_bytes(r->client, &h, text, r->wants_text ? len : 0);
    }
    mem_free(r);
}

static void forget(void *arg, struct client *c)
{
    struct ctl_server *s = arg;
    if (c->request)
        c->request->client = NULL;
    if (c->prev)
        c->prev->next = c->next;
    else
        s->clients = c->next;
    if (c->next)
        c->next->prev = c->prev;
    s->client_count--;
    if (!ev_is_active(&s->accept_pause) && s->accept_io.fd >= 0)
        ev_io_start(s->loop, &s->accept_io);
}

static void admit(struct ctl_server *s, int fd)
{
    struct client *c = client_open(s->loop, fd, &s->owner);
    c->next = s->clients;
    if (c->next)
        c->next->prev = c;
    s->clients = c;
    if (++s->client_count == CTL_CLIENTS_MAX)
        ev_io_stop(s->loop, &s->accept_io);
}

static void on_accept(struct ev_loop *loop, ev_io *io, int events)
{
    (void)events;
    struct ctl_server *s = io->data;
    int fd = accept4(io->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0) {
        admit(s, fd);
    } else if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) {
        log_error("control: accept failed: error=\"%s\" pause_s=%.0f", strerror(errno),
                  ACCEPT_PAUSE_S);
        ev_io_stop(loop, io);
        ev_timer_set(&s->accept_pause, ACCEPT_PAUSE_S, 0.);
        ev_timer_start(loop, &s->accept_pause);
    }
}

static void on_pause_over(struct ev_loop *loop, ev_timer *t, int events)
{
    (void)events;
    struct ctl_server *s = t->data;
    if (s->client_count < CTL_CLIENTS_MAX)
        ev_io_start(loop, &s->accept_io);
}

static struct ctl_server *server_new(struct ev_loop *loop, const struct ctl_calls *calls)
{
    struct ctl_server *s = mem_new(struct ctl_server);
    s->loop = loop;
    s->calls = *calls;
    s->owner = (struct client_owner){s, serve, serve_data, forget, CTL_TIMEOUT_MS};
    ev_init(&s->accept_io, on_accept);
    s->accept_io.data = s;
    ev_init(&s->accept_pause, on_pause_over);
    s->accept_pause.data = s;
    return s;
}

int ctl_server_open(struct ev_loop *loop, const char *run_dir, const struct ctl_calls *calls,
                    struct diag *d, struct ctl_server **out)
{
    int lock_fd = -1, listen_fd = -1;
    int e = rundir_make(run_dir, d);
    if (!e)
        e = rundir_lock(run_dir, d, &lock_fd);
    if (!e)
        e = rundir_listen(run_dir, d, &listen_fd);
    if (e) {
        if (lock_fd >= 0)
            (void)close(lock_fd); /* the lock was not used */
        return e;
    }
    struct ctl_server *s = server_new(loop, calls);
    s->lock_fd = lock_fd;
    ev_io_set(&s->accept_io, listen_fd, EV_READ);
    ev_io_start(loop, &s->accept_io);
    *out = s;
    return 0;
}

void ctl_server_set_timeout(struct ctl_server *s, uint32_t timeout_ms)
{
    s->owner.timeout_ms = timeout_ms;
}

void ctl_server_close(struct ctl_server *s)
{
    ev_io_stop(s->loop, &s->accept_io);
    ev_timer_stop(s->loop, &s->accept_pause);
    (void)close(s->accept_io.fd); /* both hold no data; whoever waits for the end of a */
    (void)close(s->lock_fd);      /* connection may start the next daemon at once */
    s->accept_io.fd = -1;
    while (s->clients)
        client_close(s->clients);
    mem_free(s);
}
