/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/ctl_link.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/err.h"
#include "base/log.h"

/* No daemon has this much to tell: ten million items. A server that says more is no server. */
#define RECEIVE_MAX (1u << 30)

int deadline_left_ms(struct mono deadline)
{
    int64_t ns = deadline.ns - mono_now().ns;
    int64_t ms = (ns + 999999) / 1000000; /* up: a wait of 0 would end before the deadline */
    if (ns <= 0)
        return 0;
    return ms > INT_MAX ? INT_MAX : (int)ms;
}

int link_not_done(const struct proto_header *ack)
{
    switch ((enum proto_ack)ack->key) {
    case PROTO_OK: return 0;
    case PROTO_LATER: log_debug("the daemon is busy: it says later"); return ERR_BUSY;
    case PROTO_FAILED:
        log_error("the daemon could not do it; its log says why");
        return ERR_REFUSED;
    case PROTO_DENIED: log_error("the daemon does not allow it"); return ERR_REFUSED;
    case PROTO_UNKNOWN: log_error("the daemon does not know this command"); return ERR_REFUSED;
    }
    log_error("the daemon's answer has the unknown key 0x%02x", ack->key);
    return ERR_REFUSED;
}

/* 0: the socket is ready (or broken: the next call will say how). */
static int wait_for(const struct link *l, short events)
{
    struct pollfd p = {.fd = l->fd, .events = events};
    for (;;) {
        int left_ms = deadline_left_ms(l->deadline);
        if (!left_ms)
            return ERR_BUSY;
        int n = poll(&p, 1, left_ms);
        if (n > 0)
            return 0;
        if (n < 0 && errno != EINTR)
            return ERR_BUSY;
    }
}

static int connect_error(const char *path)
{
    switch (errno) {
    case ENOENT:
    case ECONNREFUSED: return ERR_NOTFOUND;
    case EAGAIN:
    case EINTR: return ERR_BUSY;
    }
    log_error("cannot connect to %s: %s", path, strerror(errno));
    return ERR_REFUSED;
}

int link_open(const char *path, struct mono deadline, struct link *out)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof a.sun_path) {
        log_error("%s: a socket's path has at most %zu bytes", path, sizeof a.sun_path - 1);
        return ERR_REFUSED;
    }
    memcpy(a.sun_path, path, strlen(path) + 1);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        log_error("cannot make a socket: %s", strerror(errno));
        return ERR_REFUSED;
    }
    *out = (struct link){fd, deadline};
    if (connect(fd, (const struct sockaddr *)&a, sizeof a) == 0)
        return 0;
    int e = connect_error(path);
    link_close(out);
    return e;
}

static int send_all(struct link *l, const uint8_t *bytes, size_t len)
{
    for (size_t sent = 0; sent < len;) {
        int e = wait_for(l, POLLOUT);
        if (e)
            return e;
        ssize_t n = send(l->fd, bytes + sent, len - sent, MSG_NOSIGNAL);
        if (n > 0)
            sent += (size_t)n;
        else if (errno != EAGAIN && errno != EINTR)
            return ERR_BUSY;
    }
    return 0;
}

/* Exactly len bytes. */
static int receive_all(struct link *l, size_t len, struct buf *out)
{
    const size_t piece = 65536; /* room follows what has come, not what was announced */
    while (len) {
        int e = wait_for(l, POLLIN);
        if (e)
            return e;
        size_t room = len < piece ? len : piece;
        ssize_t n = recv(l->fd, buf_reserve(out, room), room, 0);
        if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
            return ERR_BUSY;
        if (n > 0) {
            out->len += (size_t)n;
            len -= (size_t)n;
        }
    }
    return 0;
}

int link_ask(struct link *l, enum proto_request key, struct proto_header *ack)
{
    return link_send(l, &(struct proto_header){.key = (uint8_t)key}, NULL, ack);
}

int link_send(struct link *l, const struct proto_header *h, const char *data,
              struct proto_header *ack)
{
    uint8_t request[PROTO_HEADER_BYTES];
    struct buf answer = {0};
    proto_print(h, request);
    int e = send_all(l, request, sizeof request);
    if (!e && h->d)
        e = send_all(l, (const uint8_t *)data, h->d);
    if (!e)
        e = receive_all(l, PROTO_HEADER_BYTES, &answer);
    if (!e)
        proto_parse((const uint8_t *)answer.data, ack);
    buf_fini(&answer);
    return e;
}

int link_receive(struct link *l, uint32_t len, struct buf *out)
{
    if (len > RECEIVE_MAX) {
        log_error("the daemon announces %u bytes, more than the %u allowed", len, RECEIVE_MAX);
        return ERR_REFUSED;
    }
    return receive_all(l, len, out);
}

int link_wait_end(struct link *l)
{
    char c[64];
    for (;;) {
        int e = wait_for(l, POLLIN);
        if (e)
            return e;
        ssize_t n = recv(l->fd, c, sizeof c, 0);
        if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
            return 0;
    }
}

void link_close(struct link *l)
{
    (void)close(l->fd); /* all that mattered has been received */
    l->fd = -1;
}
