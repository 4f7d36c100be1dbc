/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io.c: the probing calls of the plugin API, over the monitor's loop. */
#include <errno.h>
#include <ev.h>
#include <fcntl.h>
#include <sys/socket.h>

#include "base/mem.h"
#include "monitor/monitor.h"
#include "monitor/sched.h"

struct th_io {
    struct ev_loop *loop;
    ev_io watcher;
    void (*ready)(void *arg, unsigned events);
    void *arg;
};

static void on_ready(struct ev_loop *loop, ev_io *w, int revents)
{
    struct th_io *io = container_of(w, struct th_io, watcher);
    unsigned events =
        (revents & EV_READ ? TH_IO_READ : 0u) | (revents & EV_WRITE ? TH_IO_WRITE : 0u);
    (void)loop;
    io->ready(io->arg, events);
}

static struct th_io *io_open(struct th_target *t, void (*ready)(void *arg, unsigned events),
                             void *arg)
{
    struct th_io *io = mem_new(struct th_io);
    io->loop = t->sched->loop;
    io->ready = ready;
    io->arg = arg;
    ev_init(&io->watcher, on_ready);
    /* Before timers: an answer that is here already is read before its deadline is looked at,
     * so a late turn of ours is not their timeout. */
    ev_set_priority(&io->watcher, 1);
    return io;
}

static void io_watch(struct th_io *io, int fd, unsigned events)
{
    int wanted = (events & TH_IO_READ ? EV_READ : 0) | (events & TH_IO_WRITE ? EV_WRITE : 0);
    ev_io_stop(io->loop, &io->watcher);
    if (!wanted)
        return;
    ev_io_set(&io->watcher, fd, wanted);
    ev_io_start(io->loop, &io->watcher);
}

static void io_close(struct th_io *io)
{
    ev_io_stop(io->loop, &io->watcher);
    mem_free(io);
}

static int io_socket(struct th_target *t, const struct th_addr *to, int type)
{
    (void)t;
    int family = to->family == 4 ? AF_INET : AF_INET6;
    return socket(family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

void monitor_host_fill(struct th_host *host)
{
    host->io_open = io_open;
    host->io_watch = io_watch;
    host->io_close = io_close;
    host->io_socket = io_socket;
    host->probe_connected = target_connected;
    host->probe_done = target_done;
}
