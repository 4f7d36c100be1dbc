/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/fakesvc.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define CONNS_MAX   1024
#define REQUEST_MAX 4096

struct conn {
    int fd;
    enum fakesvc_mode mode;
    unsigned value;
    int64_t next_byte_ms;
    char request[REQUEST_MAX];
    size_t request_len;
    bool answering;
    char *reply; /* what is still to be sent, from reply_sent on */
    size_t reply_len, reply_sent;
};

struct fakesvc {
    struct sockaddr_storage addr;
    socklen_t addr_len;
    int listener; /* -1 = refusing */
    int wake;
    pthread_t thread;
    struct conn *conns[CONNS_MAX];
    size_t conn_count;
    _Atomic unsigned connections, requests, resets;
    pthread_mutex_t lock; /* of everything below */
    pthread_cond_t applied;
    bool stop, changed;
    enum fakesvc_mode mode;
    unsigned value;
    char *bytes;
    size_t bytes_len;
    char last_request[REQUEST_MAX];
};

static void die(const char *what)
{
    perror(what);
    abort();
}

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- listener ------------------------------------------------------------------------------ */

static void port_set(struct fakesvc *f, uint16_t port)
{
    if (f->addr.ss_family == AF_INET)
        ((struct sockaddr_in *)(void *)&f->addr)->sin_port = htons(port);
    else
        ((struct sockaddr_in6 *)(void *)&f->addr)->sin6_port = htons(port);
}

static void parse_addr(struct fakesvc *f, const char *addr)
{
    struct sockaddr_in *v4 = (struct sockaddr_in *)(void *)&f->addr;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)(void *)&f->addr;
    if (inet_pton(AF_INET, addr, &v4->sin_addr) == 1) {
        v4->sin_family = AF_INET;
        f->addr_len = sizeof *v4;
    } else if (inet_pton(AF_INET6, addr, &v6->sin6_addr) == 1) {
        v6->sin6_family = AF_INET6;
        f->addr_len = sizeof *v6;
    } else {
        fprintf(stderr, "fakesvc: %s is no address\n", addr);
        abort();
    }
}

/* False if the port is taken. */
static bool listener_try(struct fakesvc *f)
{
    int on = 1;
    f->listener = socket(f->addr.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (f->listener < 0)
        die("fakesvc: socket");
    setsockopt(f->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(f->listener, (struct sockaddr *)&f->addr, f->addr_len) == 0 &&
        listen(f->listener, 1024) == 0)
        return true;
    close(f->listener);
    f->listener = -1;
    return false;
}

static void listener_open(struct fakesvc *f)
{
    if (f->listener < 0 && !listener_try(f))
        die("fakesvc: bind");
}

/* A port below the kernel's own choices: while the listener is closed, nobody's outgoing
 * connection may take it, least of all a probe that then connects to itself. */
static void listener_open_any(struct fakesvc *f)
{
    for (int i = 0; i < 1000; i++) {
        uint16_t random;
        if (getrandom(&random, sizeof random, 0) < 0)
            die("fakesvc: getrandom");
        port_set(f, (uint16_t)(20000 + random % 12000));
        if (listener_try(f))
            return;
    }
    die("fakesvc: no free port");
}

static void listener_close(struct fakesvc *f)
{
    if (f->listener >= 0)
        close(f->listener);
    f->listener = -1;
}

/* ---- connections --------------------------------------------------------------------------- */

static void conn_close(struct fakesvc *f, size_t i)
{
    struct conn *c = f->conns[i];
    close(c->fd);
    free(c->reply);
    free(c);
    f->conns[i] = f->conns[--f->conn_count];
}

static void reply_set(struct conn *c, const void *bytes, size_t len)
{
    c->answering = true;
    c->reply = malloc(len + 1);
    if (!c->reply)
        die("fakesvc: malloc");
    memcpy(c->reply, bytes, len);
    c->reply_len = len;
    c->next_byte_ms = now_ms();
}

static void reply_status(struct conn *c, unsigned status)
{
    char text[128];
    int n = snprintf(text, sizeof text,
                     "HTTP/1.1 %u %s\r\nContent-Length: 3\r\nConnection: close\r\n\r\nok\n", status,
                     status == 200 ? "OK" : "Other");
    reply_set(c, text, (size_t)n);
}

/* Sends what may be sent now; after the last byte its side is ended. */
static void reply_send(struct conn *c)
{
    bool drips = c->mode == FAKESVC_DRIP;
    while (c->reply && c->reply_sent < c->reply_len) {
        if (drips && now_ms() < c->next_byte_ms)
            return;
        size_t n = drips ? 1 : c->reply_len - c->reply_sent;
        ssize_t sent = send(c->fd, c->reply + c->reply_sent, n, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0)
            return;
        c->reply_sent += (size_t)sent;
        c->next_byte_ms = now_ms() + c->value;
    }
    if (c->reply && c->mode != FAKESVC_SAY_AND_WAIT)
        shutdown(c->fd, SHUT_WR);
    free(c->reply);
    c->reply = NULL;
}

static void on_request(struct fakesvc *f, struct conn *c)
{
    pthread_mutex_lock(&f->lock);
    memcpy(f->last_request, c->request, c->request_len + 1);
    switch (c->mode) {
    case FAKESVC_OK:
    case FAKESVC_DRIP: reply_status(c, 200); break;
    case FAKESVC_STATUS: reply_status(c, c->value); break;
    case FAKESVC_SAY:
    case FAKESVC_SAY_AND_WAIT: reply_set(c, f->bytes ? f->bytes : "", f->bytes_len); break;
    case FAKESVC_REFUSE:
    case FAKESVC_SILENT:
    case FAKESVC_EOF:
    case FAKESVC_RESET:
    case FAKESVC_GARBAGE: break;
    }
    pthread_mutex_unlock(&f->lock);
    f->requests++;
}

/* False: the peer has ended the connection. */
static bool conn_read(struct fakesvc *f, struct conn *c)
{
    char *end = c->request + c->request_len;
    size_t room = REQUEST_MAX - 1 - c->request_len;
    char spare[512];
    ssize_t n = room ? recv(c->fd, end, room, 0) : recv(c->fd, spare, sizeof spare, 0);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return true;
    if (n < 0)
        f->resets += errno == ECONNRESET;
    if (n <= 0)
        return false;
    if (room)
        c->request_len += (size_t)n;
    c->request[c->request_len] = '\0';
    if (!c->answering && strstr(c->request, "\r\n\r\n")) {
        c->answering = true;
        on_request(f, c);
    }
    return true;
}

static void conn_greet(struct conn *c)
{
    static const char garbage[] = "SSH-2.0-OpenSSH_9.2\r\n";
    if (c->mode == FAKESVC_GARBAGE)
        reply_set(c, garbage, sizeof garbage - 1);
    if (c->mode == FAKESVC_EOF)
        shutdown(c->fd, SHUT_WR);
}

static void on_accept(struct fakesvc *f)
{
    int fd = accept4(f->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0)
        return;
    f->connections++;
    struct conn *c = calloc(1, sizeof *c);
    if (!c || f->conn_count == CONNS_MAX)
        die("fakesvc: too many connections");
    pthread_mutex_lock(&f->lock);
    *c = (struct conn){.fd = fd, .mode = f->mode, .value = f->value};
    pthread_mutex_unlock(&f->lock);
    f->conns[f->conn_count++] = c;
    if (c->mode == FAKESVC_RESET) {
        struct linger at_once = {1, 0};
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
        conn_close(f, f->conn_count - 1);
        return;
    }
    conn_greet(c);
}

/* ---- the thread ---------------------------------------------------------------------------- */

/* Take over what the test set. True = stop. */
static bool apply(struct fakesvc *f)
{
    uint64_t count;
    if (read(f->wake, &count, sizeof count) < 0 && errno != EAGAIN)
        die("fakesvc: read");
    pthread_mutex_lock(&f->lock);
    bool stop = f->stop;
    if (f->mode == FAKESVC_REFUSE || stop) {
        listener_close(f);
        while (f->conn_count)
            conn_close(f, f->conn_count - 1);
    } else {
        listener_open(f);
    }
    f->changed = false;
    pthread_cond_broadcast(&f->applied);
    pthread_mutex_unlock(&f->lock);
    return stop;
}

static int next_drip_ms(const struct fakesvc *f)
{
    int64_t wait = -1, now = now_ms();
    for (size_t i = 0; i < f->conn_count; i++) {
        const struct conn *c = f->conns[i];
        if (!c->reply || c->mode != FAKESVC_DRIP)
            continue;
        int64_t left = c->next_byte_ms > now ? c->next_byte_ms - now : 0;
        if (wait < 0 || left < wait)
            wait = left;
    }
    return (int)wait;
}

static void serve(struct fakesvc *f, const struct pollfd *fds)
{
    for (size_t i = f->conn_count; i-- > 0;) { /* backwards: closing moves the last one here */
        struct conn *c = f->conns[i];
        bool open = !(fds[i + 2].revents & (POLLIN | POLLHUP | POLLERR)) || conn_read(f, c);
        reply_send(c);
        if (!open)
            conn_close(f, i);
    }
}

static void *run(void *arg)
{
    struct fakesvc *f = arg;
    static _Thread_local struct pollfd fds[CONNS_MAX + 2];
    for (;;) {
        fds[0] = (struct pollfd){f->wake, POLLIN, 0};
        fds[1] = (struct pollfd){f->listener, POLLIN, 0}; /* a negative one is passed over */
        for (size_t i = 0; i < f->conn_count; i++) {
            const struct conn *c = f->conns[i];
            bool sending = c->reply && c->mode != FAKESVC_DRIP;
            fds[i + 2] = (struct pollfd){c->fd, (short)(POLLIN | (sending ? POLLOUT : 0)), 0};
        }
        if (poll(fds, f->conn_count + 2, next_drip_ms(f)) < 0 && errno != EINTR)
            die("fakesvc: poll");
        serve(f, fds);
        if (f->listener >= 0 && (fds[1].revents & POLLIN))
            on_accept(f);
        if ((fds[0].revents & POLLIN) && apply(f))
            return NULL;
    }
}

/* ---- calls --------------------------------------------------------------------------------- */

struct fakesvc *fakesvc_start(const char *addr, uint16_t port)
{
    struct fakesvc *f = calloc(1, sizeof *f);
    if (!f)
        die("fakesvc: calloc");
    f->listener = -1;
    parse_addr(f, addr);
    port_set(f, port);
    if (port)
        listener_open(f);
    else
        listener_open_any(f);
    f->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (f->wake < 0)
        die("fakesvc: eventfd");
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->applied, NULL);
    if (pthread_create(&f->thread, NULL, run, f) != 0)
        die("fakesvc: pthread_create");
    return f;
}

/* Called with the lock held; returns with it released. */
static void tell(struct fakesvc *f)
{
    uint64_t one = 1;
    f->changed = true;
    if (write(f->wake, &one, sizeof one) < 0)
        die("fakesvc: write");
    while (f->changed)
        pthread_cond_wait(&f->applied, &f->lock);
    pthread_mutex_unlock(&f->lock);
}

void fakesvc_set(struct fakesvc *f, enum fakesvc_mode mode, unsigned value)
{
    pthread_mutex_lock(&f->lock);
    f->mode = mode;
    f->value = value;
    tell(f);
}

void fakesvc_set_bytes(struct fakesvc *f, const void *bytes, size_t len)
{
    char *copy = malloc(len + 1);
    if (!copy)
        die("fakesvc: malloc");
    memcpy(copy, bytes, len);
    pthread_mutex_lock(&f->lock);
    free(f->bytes);
    f->bytes = copy;
    f->bytes_len = len;
    pthread_mutex_unlock(&f->lock);
}

void fakesvc_stop(struct fakesvc *f)
{
    if (!f)
        return;
    pthread_mutex_lock(&f->lock);
    f->stop = true;
    tell(f);
    pthread_join(f->thread, NULL);
    pthread_mutex_destroy(&f->lock);
    pthread_cond_destroy(&f->applied);
    close(f->wake);
    free(f->bytes);
    free(f);
}

uint16_t fakesvc_port(const struct fakesvc *f)
{
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)(const void *)&f->addr;
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)(const void *)&f->addr;
    return ntohs(f->addr.ss_family == AF_INET ? v4->sin_port : v6->sin6_port);
}

unsigned fakesvc_connections(const struct fakesvc *f)
{
    return f->connections;
}

unsigned fakesvc_requests(const struct fakesvc *f)
{
    return f->requests;
}

unsigned fakesvc_resets(const struct fakesvc *f)
{
    return f->resets;
}

size_t fakesvc_last_request(struct fakesvc *f, char *out, size_t size)
{
    pthread_mutex_lock(&f->lock);
    int n = snprintf(out, size, "%s", f->last_request);
    pthread_mutex_unlock(&f->lock);
    return (size_t)n;
}
