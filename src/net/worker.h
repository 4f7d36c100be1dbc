/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * worker.h: what the udp and the tcp worker have in common; for this folder.
 * Thread rule: the fields are set before the thread starts; `stopping` is an atomic flag.
 */
#ifndef NET_WORKER_H
#define NET_WORKER_H

#include <pthread.h>
#include <stdatomic.h>
#include "answer/answer.h"
#include "net/listen.h"

/* Wakes a thread out of a system call; the handler does nothing. */
#define WORKER_SIGNAL SIGUSR2

struct worker {
    struct counters counters; /* on its own cache lines, first */
    const struct listen_spec *spec;
    struct snapshot *const *snapshot;
    int fd;
    bool tcp, started;
    pthread_t thread;
    atomic_bool stopping, stopped;
};

void *udp_worker_run(void *worker);
void *tcp_worker_run(void *worker);

#endif
