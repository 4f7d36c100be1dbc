/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * udp.c: the udp worker: blocking recvmmsg, a pass over the batch for each step of answer.h,
 * one sendmmsg.
 *
 * Replies are built over the queries.  A reply that is larger than a receive buffer uses the one
 * `large` buffer of the worker; a second one in the same batch first sends what is there.
 */
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "base/mem.h"
#include "net/worker.h"

/* Wide enough to hide cache misses of one request behind the work on others; above 8 the saved
 * system calls no longer count. */
#define BATCH 32
/* What we advertise; also the largest reply that is built in place. */
#define BUFFER_BYTES 1232
/* 64 bytes more than 2 KiB, so that buffers do not fall into the same cache sets. */
#define BUFFER_STRIDE (2048 + 64)
/* The largest max_edns_response. */
#define LARGE_BYTES 16384
/* Room for one PKTINFO of either family. */
#define CONTROL_BYTES 64

struct udp_worker {
    struct worker *w;
    struct answerer answerer;
    bool pktinfo;
    unsigned out_count;
    bool large_used;
    struct mmsghdr in[BATCH], out[BATCH];
    struct iovec in_iov[BATCH], out_iov[BATCH];
    struct sockaddr_storage peer[BATCH];
    cache_aligned char control[BATCH][CONTROL_BYTES];
    struct request requests[BATCH];
    uint8_t *buffers; /* BATCH x BUFFER_STRIDE */
    uint8_t large[LARGE_BYTES];
};

static uint8_t *buffer(struct udp_worker *u, unsigned i)
{
    return u->buffers + (size_t)i * BUFFER_STRIDE;
}

static void init_messages(struct udp_worker *u)
{
    for (unsigned i = 0; i < BATCH; i++) {
        u->in_iov[i] = (struct iovec){buffer(u, i), BUFFER_BYTES};
        u->in[i].msg_hdr = (struct msghdr){.msg_name = &u->peer[i],
                                           .msg_namelen = sizeof u->peer[i],
                                           .msg_iov = &u->in_iov[i],
                                           .msg_iovlen = 1};
        u->out[i].msg_hdr = (struct msghdr){.msg_iov = &u->out_iov[i], .msg_iovlen = 1};
    }
}

/* The kernel writes lengths into the headers it fills; put back what the next call may use. */
static void reset_message(struct udp_worker *u, unsigned i)
{
    u->in[i].msg_hdr.msg_namelen = sizeof u->peer[i];
    if (u->pktinfo) {
        u->in[i].msg_hdr.msg_control = u->control[i];
        u->in[i].msg_hdr.msg_controllen = CONTROL_BYTES;
    }
}

/* The reply leaves from the address that was asked, by whatever interface routing says; a
 * link-local address is only valid together with its interface. */
static void free_interface(struct msghdr *m)
{
    for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c)) {
        if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_PKTINFO) {
            struct in_pktinfo *info = (struct in_pktinfo *)CMSG_DATA(c);
            info->ipi_ifindex = 0;
        } else if (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_PKTINFO) {
            struct in6_pktinfo *info = (struct in6_pktinfo *)CMSG_DATA(c);
            if (!IN6_IS_ADDR_LINKLOCAL(&info->ipi6_addr))
                info->ipi6_ifindex = 0;
        }
    }
}

static void queue_reply(struct udp_worker *u, unsigned i, uint8_t *bytes, size_t len)
{
    struct msghdr *from = &u->in[i].msg_hdr, *to = &u->out[u->out_count].msg_hdr;
    to->msg_name = from->msg_name;
    to->msg_namelen = from->msg_namelen;
    if (u->pktinfo) {
        to->msg_control = from->msg_control;
        to->msg_controllen = from->msg_controllen;
        free_interface(to);
    }
    u->out_iov[u->out_count++] = (struct iovec){bytes, len};
}

/* Replies never wait: one that the socket cannot take is counted and left out. */
static void flush(struct udp_worker *u)
{
    unsigned at = 0;
    while (at < u->out_count) {
        int n = sendmmsg(u->w->fd, u->out + at, u->out_count - at, MSG_DONTWAIT);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            counter_add(u->answerer.counters, COUNTER_UDP_SENDFAIL, 1);
            n = 1;
        }
        at += (unsigned)n;
    }
    u->out_count = 0;
    u->large_used = false;
}

/* Who asks. False = nobody that a reply could be sent to: port 0. */
static bool read_client(const struct sockaddr_storage *from, struct request *rq)
{
    struct netaddr peer;
    if (netaddr_from_sockaddr((const struct sockaddr *)from, &peer) != 0)
        return false;
    rq->client = peer.addr;
    return peer.port != 0;
}

static void answer_message(struct udp_worker *u, unsigned i, const struct snapshot *s)
{
    struct request *rq = &u->requests[i];
    size_t len = answer_write(&u->answerer, rq, s, buffer(u, i), BUFFER_BYTES);
    if (len == ANSWER_NEEDS_ROOM) {
        if (u->large_used)
            flush(u);
        u->large_used = true;
        len = answer_write(&u->answerer, rq, s, u->large, LARGE_BYTES);
        queue_reply(u, i, u->large, len);
    } else if (len) {
        queue_reply(u, i, buffer(u, i), len);
    }
}

static void answer_batch(struct udp_worker *u, unsigned count, const struct snapshot *s)
{
    for (unsigned i = 0; i < count; i++) {
        struct request *rq = &u->requests[i];
        bool can_reply = read_client(&u->peer[i], rq);
        answer_parse(&u->answerer, rq, s, buffer(u, i), u->in[i].msg_len);
        if (!can_reply)
            rq->query.verdict = QUERY_DROP;
    }
    for (unsigned i = 0; i < count; i++)
        answer_find(&u->requests[i], s);
    for (unsigned i = 0; i < count; i++)
        answer_peek(&u->requests[i]);
    for (unsigned i = 0; i < count; i++)
        answer_look(&u->requests[i], s);
    for (unsigned i = 0; i < count; i++)
        answer_message(u, i, s);
    flush(u);
    for (unsigned i = 0; i < count; i++)
        reset_message(u, i);
}

static void serve(struct udp_worker *u)
{
    while (!atomic_load_explicit(&u->w->stopping, memory_order_relaxed)) {
        rcu_offline();
        int n = recvmmsg(u->w->fd, u->in, BATCH, MSG_WAITFORONE, NULL);
        rcu_online();
        if (n > 0)
            answer_batch(u, (unsigned)n, rcu_load(u->w->snapshot));
        else if (errno != EINTR)
            counter_add(u->answerer.counters, COUNTER_UDP_RECVFAIL, 1);
    }
}

void *udp_worker_run(void *worker)
{
    struct worker *w = worker;
    struct udp_worker *u = mem_aligned(CACHE_LINE, sizeof *u);
    u->w = w;
    u->pktinfo = listen_is_any(&w->spec->addr);
    u->buffers = mem_aligned(CACHE_LINE, (size_t)BATCH * BUFFER_STRIDE);
    u->answerer.counters = &w->counters;
    u->answerer.v6_listener = w->spec->addr.addr.family == 6;
    prng_init(&u->answerer.prng);
    init_messages(u);
    for (unsigned i = 0; i < BATCH; i++)
        reset_message(u, i);
    rcu_thread_begin();
    serve(u);
    rcu_thread_end();
    mem_free(u->buffers);
    mem_free(u);
    atomic_store(&w->stopped, true);
    return NULL;
}
