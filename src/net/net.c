/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "net/net.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "net/worker.h"

struct net {
    struct listen_spec *specs;
    struct worker **workers;
    size_t count, cap;
};

static int add_worker(struct net *n, const struct listen_spec *spec, bool tcp,
                      struct snapshot *const *snapshot, struct diag *d)
{
    int fd = tcp ? listen_tcp(spec, d) : listen_udp(spec, d);
    if (fd < 0)
        return fd;
    struct worker *w = mem_aligned(CACHE_LINE, sizeof *w);
    w->spec = spec;
    w->snapshot = snapshot;
    w->fd = fd;
    w->tcp = tcp;
    if (n->count == n->cap) {
        n->cap = n->cap ? n->cap * 2 : 8;
        n->workers = mem_grow(n->workers, n->cap, sizeof(struct worker *));
    }
    n->workers[n->count++] = w;
    return 0;
}

static int open_spec(struct net *n, const struct listen_spec *spec,
                     struct snapshot *const *snapshot, struct diag *d)
{
    int e = 0;
    for (unsigned i = 0; i < spec->udp_threads && !e; i++)
        e = add_worker(n, spec, false, snapshot, d);
    for (unsigned i = 0; i < spec->tcp_threads && !e; i++)
        e = add_worker(n, spec, true, snapshot, d);
    return e;
}

int net_open(const struct listen_spec *specs, size_t count, struct snapshot *const *snapshot,
             struct diag *d, struct net **out)
{
    struct net *n = mem_new(struct net);
    int e = 0;
    n->specs = mem_array(count, sizeof *specs);
    if (count)
        memcpy(n->specs, specs, count * sizeof *specs);
    for (size_t i = 0; i < count; i++) { /* all before the first: theirs may overlap each other */
        int failed = listen_check_free(&n->specs[i], d);
        e = failed ? failed : e;
    }
    for (size_t i = 0; i < count && !e; i++) {
        int failed = open_spec(n, &n->specs[i], snapshot, d);
        e = failed ? failed : e;
    }
    if (e) {
        net_close(n);
        return e;
    }
    *out = n;
    return 0;
}

static void on_wake_signal(int number)
{
    (void)number;
}

int net_start(struct net *n, struct diag *d)
{
    struct sigaction wake = {.sa_handler = on_wake_signal}; /* no SA_RESTART: it must interrupt */
    sigset_t all, saved, only_wake;
    sigfillset(&all);
    sigemptyset(&only_wake);
    sigaddset(&only_wake, WORKER_SIGNAL);
    (void)sigaction(WORKER_SIGNAL, &wake, NULL); /* cannot fail for a valid signal */
    pthread_sigmask(SIG_SETMASK, &all, &saved);
    pthread_sigmask(SIG_UNBLOCK, &only_wake, NULL);
    int e = 0;
    for (size_t i = 0; i < n->count && !e; i++) {
        struct worker *w = n->workers[i];
        if (w->tcp)
            w->tcp_worker = tcp_worker_new(w);
        e = pthread_create(&w->thread, NULL, w->tcp ? tcp_worker_run : udp_worker_run, w);
        w->started = e == 0;
    }
    pthread_sigmask(SIG_SETMASK, &saved, NULL);
    if (!e)
        return 0;
    (void)diag_error(d, DIAG_NOWHERE, "cannot start a thread: %s", strerror(e)); /* ERR_IO below */
    return ERR_IO;
}

/* A signal may arrive between a worker's look at the flag and its system call: repeat. */
static void join_udp(struct worker *w)
{
    const struct timespec pause = {0, 1000000};
    while (!atomic_load(&w->stopped)) {
        pthread_kill(w->thread, WORKER_SIGNAL);
        nanosleep(&pause, NULL);
    }
    pthread_join(w->thread, NULL);
}

static void ask_to_stop(struct worker *w)
{
    if (w->tcp)
        tcp_worker_stop(w->tcp_worker);
    else
        atomic_store(&w->stopping, true);
}

static void worker_close(struct worker *w)
{
    if (w->started && w->tcp)
        pthread_join(w->thread, NULL);
    else if (w->started)
        join_udp(w);
    tcp_worker_free(w->tcp_worker);
    if (w->fd >= 0)
        close(w->fd);
}

void net_close(struct net *n)
{
    if (!n)
        return;
    for (size_t i = 0; i < n->count; i++)
        if (n->workers[i]->started)
            ask_to_stop(n->workers[i]);
    for (size_t i = 0; i < n->count; i++) /* these end at once, the others have clients */
        if (!n->workers[i]->tcp)
            worker_close(n->workers[i]);
    for (size_t i = 0; i < n->count; i++) {
        if (n->workers[i]->tcp)
            worker_close(n->workers[i]);
        mem_free(n->workers[i]);
    }
    mem_free(n->workers);
    mem_free(n->specs);
    mem_free(n);
}

void net_sum_counters(const struct net *n, uint64_t sum[COUNTER_COUNT])
{
    for (size_t i = 0; i < n->count; i++) {
        uint64_t own[COUNTER_COUNT] = {0}, requests = 0;
        counters_sum(&n->workers[i]->counters, own);
        for (int c = COUNTER_NOERROR; c <= COUNTER_DROPPED; c++)
            requests += own[c];
        own[n->workers[i]->tcp ? COUNTER_TCP_REQS : COUNTER_UDP_REQS] = requests;
        for (int c = 0; c < COUNTER_COUNT; c++)
            sum[c] += own[c];
    }
}
