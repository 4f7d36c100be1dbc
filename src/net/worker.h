/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * worker.h: what the udp and the tcp worker have in common; for this folder.
 * Thread rule: the fields are set before the thread starts; `stopping` is an atomic flag.  A udp
 * worker is stopped by the flag and a signal, a tcp worker by tcp_worker_stop, and takes its time.
 */
#ifndef NET_WORKER_H
#define NET_WORKER_H

#include <pthread.h>
#include <stdatomic.h>
#include "answer/answer.h"
#include "net/listen.h"

struct tcp_worker;

/* Wakes a udp worker out of a system call; the handler does nothing. */
#define WORKER_SIGNAL SIGUSR2

struct worker {
    struct counters counters; /* on its own cache lines, first */
    const struct listen_spec *spec;
    struct snapshot *const *snapshot;
    int fd;                        /* -1 = closed by the worker */
    struct tcp_worker *tcp_worker; /* of a tcp worker that was started */
    bool tcp, started;
    pthread_t thread;
    atomic_bool stopping, stopped;
};

void *udp_worker_run(void *worker);

/* [main] */
struct tcp_worker *tcp_worker_new(struct worker *w);
/* It accepts no more, asks its clients to go and ends when they have gone, after 5 s at most. */
void tcp_worker_stop(struct tcp_worker *t);
/* After the thread has ended. */
void tcp_worker_free(struct tcp_worker *t);
/* The thread; `worker` is a struct worker. */
void *tcp_worker_run(void *worker);

#endif
