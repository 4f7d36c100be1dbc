/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dial.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct meaning {
    enum th_verdict verdict;
    enum th_cause cause;
};

static const struct meaning their_refusal = {TH_PROBE_DOWN, TH_CAUSE_REFUSED};
static const struct meaning their_reset = {TH_PROBE_DOWN, TH_CAUSE_RESET};
static const struct meaning unreachable = {TH_PROBE_DOWN, TH_CAUSE_UNREACHABLE};
static const struct meaning our_trouble = {TH_PROBE_NOTRUN, TH_CAUSE_LOCAL};

/* at_once: the call itself failed, so nobody but our own system can have said so. */
static struct meaning meaning_of(int err, bool at_once)
{
    switch (err) {
    case ECONNREFUSED: return their_refusal;
    case ECONNRESET:
    case EPIPE: return their_reset;
    case EHOSTUNREACH:
    case ETIMEDOUT: return unreachable;
    case EADDRNOTAVAIL:
    case EMFILE:
    case ENFILE:
    case ENOBUFS:
    case ENOMEM: return our_trouble;
    default: return at_once ? our_trouble : unreachable; /* ENETUNREACH: no route, or an ICMP */
    }
}

static void end_with(struct dial *d, const char *what, int err, bool at_once)
{
    char text[80], reason[64];
    struct meaning m = meaning_of(err, at_once);
    snprintf(text, sizeof text, "%s: %s", what, strerror_r(err, reason, sizeof reason));
    dial_end(d, m.verdict, m.cause, text);
}

void dial_end_error(struct dial *d, const char *what, int err)
{
    end_with(d, what, err, false);
}

static void set_connected(struct dial *d)
{
    d->connected = true;
    d->host->probe_connected(d->target);
}

static void on_io(void *arg, unsigned events)
{
    struct dial *d = arg;
    if (!d->connected) {
        int err = 0;
        socklen_t len = sizeof err;
        if (getsockopt(d->fd, SOL_SOCKET, SO_ERROR, &err, &len) < 0)
            err = errno;
        if (err) {
            dial_end_error(d, "connect", err);
            return;
        }
        set_connected(d);
    }
    d->on_ready(d->arg, events);
}

int dial_init(struct dial *d, const struct th_host *host, struct th_target *target,
              const struct th_addr *addr, uint16_t port)
{
    *d = (struct dial){.host = host, .target = target, .addr = *addr, .port = port, .fd = -1};
    d->io = host->io_open(target, on_io, d);
    return d->io ? 0 : -1;
}

static int connect_to(int fd, const struct th_addr *addr, uint16_t port)
{
    if (addr->family == 4) {
        struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port)};
        memcpy(&v4.sin_addr, addr->bytes, 4);
        return connect(fd, (struct sockaddr *)&v4, sizeof v4);
    }
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    memcpy(&v6.sin6_addr, addr->bytes, 16);
    return connect(fd, (struct sockaddr *)&v6, sizeof v6);
}

void dial_start(struct dial *d)
{
    d->connected = false;
    d->fd = d->host->io_socket(d->target, &d->addr, SOCK_STREAM);
    if (d->fd < 0) {
        end_with(d, "socket", errno, true);
        return;
    }
    if (connect_to(d->fd, &d->addr, d->port) == 0) {
        set_connected(d);
        d->on_ready(d->arg, TH_IO_WRITE);
    } else if (errno == EINPROGRESS) {
        dial_watch(d, TH_IO_WRITE);
    } else {
        end_with(d, "connect", errno, true);
    }
}

void dial_watch(struct dial *d, unsigned events)
{
    d->host->io_watch(d->io, d->fd, events);
}

/* What has come and was not read would turn close()'s FIN into a reset, which busy servers log as
 * an error. Bounded: a peer that sends without end gets its reset. */
static void read_rest(int fd)
{
    char rest[4096];
    for (int i = 0; i < 4; i++)
        if (recv(fd, rest, sizeof rest, MSG_DONTWAIT) < (ssize_t)sizeof rest)
            return;
}

void dial_hang_up(struct dial *d)
{
    if (d->fd < 0)
        return;
    d->host->io_watch(d->io, d->fd, 0);
    if (d->connected)
        read_rest(d->fd);
    close(d->fd);
    d->fd = -1;
}

void dial_end(struct dial *d, enum th_verdict v, enum th_cause cause, const char *text)
{
    dial_hang_up(d);
    d->host->probe_done(d->target, v, cause, text);
}

void dial_fini(struct dial *d)
{
    dial_hang_up(d);
    d->host->io_close(d->io);
}
