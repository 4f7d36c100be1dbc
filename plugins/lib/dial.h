/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dial.h: the TCP connection of one probe, for monitor plugins: connect, tell when connected, end
 * with a verdict.
 *
 *   target_open    dial_init(&t->dial, ..., on_ready, t)
 *   probe_start    dial_start -> on_ready(t, TH_IO_WRITE) once connected
 *                             \-> or ended with the verdict that the error deserves
 *   on_ready       ... dial_watch ... dial_end(verdict)
 *   probe_cancel   dial_hang_up
 *   target_close   dial_fini
 *
 * What an error says (DESIGN: our fault never looks like theirs):
 *
 *   refused, reset, unreachable as told by the network     DOWN
 *   no descriptor, no port, no memory, no route of ours    NOTRUN
 *
 * Thread rule: [monitor].
 */
#ifndef PLUGINS_LIB_DIAL_H
#define PLUGINS_LIB_DIAL_H

#include <netinet/in.h>
#include <thresh/plugin.h>

struct dial {
    const struct th_host *host;
    struct th_target *target;
    struct th_addr addr;
    uint16_t port;
    bool connected;
    int fd; /* -1 = none */
    struct th_io *io;
    void (*on_ready)(void *arg, unsigned events);
    void *arg;
};

/* 0, or negative: no memory. */
int dial_init(struct dial *d, const struct th_host *host, struct th_target *target,
              const struct th_addr *addr, uint16_t port);
/* Both are set before the first start: what is called when connected and for each event after. */
static inline void dial_on_ready(struct dial *d, void (*on_ready)(void *arg, unsigned events),
                                 void *arg)
{
    d->on_ready = on_ready;
    d->arg = arg;
}
void dial_start(struct dial *d);
/* TH_IO_READ, TH_IO_WRITE. */
void dial_watch(struct dial *d, unsigned events);
/* Hang up and end the attempt. `text` is for people. */
void dial_end(struct dial *d, enum th_verdict v, enum th_cause cause, const char *text);
/* End the attempt because `what` (connect, send, receive) failed with `err` on a connected socket.
 */
void dial_end_error(struct dial *d, const char *what, int err);
/* Close without a verdict. */
void dial_hang_up(struct dial *d);
void dial_fini(struct dial *d);

#endif
