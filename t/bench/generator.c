/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * generator.c: sends queries over UDP as fast as they are answered and checks every reply.
 *
 *   generator [-c CORE] [-s SOCKETS] [-w WINDOW] [-n COUNT] [-t SECONDS] ADDR:PORT LIST
 *   {"sent": 170112, "received": 170112, "bad": 0, "lost": 0, "seconds": 0.500, ...}
 *
 * A closed loop: each socket ("flow") keeps up to WINDOW queries under way, so the server always
 * finds full batches and is never overrun.  Free slots are filled as one datagram train
 * (UDP_SEGMENT), which makes the generator cheaper per query than any server: the server is the
 * limit.  The loop does not sleep: waking it would be charged to the server.
 *
 *   id of a message = how often the slot was used (8 bits), slot (8 bits)
 *
 * A reply is good if its id is under way, it has QR and no TC, repeats the question, and has the
 * rcode and the number of answers that the list says.  Exit 0; 1 if one was bad or none came; 2
 * if it could not run.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/netaddr.h"
#include "bench/queries.h"

/* The kernel splits a train into at most 64 datagrams (UDP_MAX_SEGMENTS of older kernels). */
#define TRAIN_MAX 64
/* A slot number has 8 bits. */
#define WINDOW_MAX  256
#define FLOWS_MAX   64
#define REPLY_BYTES 4096
#define INBOX       32
/* A flow that hears nothing for so long gets a new socket and its queries count as lost; a busy
 * machine may well keep a server from running for some tenths of a second. */
#define LOST_MS 1000
/* Bad replies that are described; the rest are counted. */
#define BAD_SHOWN 5

struct setup {
    struct netaddr server;
    int core; /* -1: any */
    unsigned flow_count, window;
    uint64_t query_count;
    double seconds;
};

struct slot {
    uint32_t query;
    uint8_t use_count;
    bool busy;
};

struct flow {
    int fd;
    unsigned free_count;
    uint8_t free[WINDOW_MAX]; /* the first free_count are slots to use */
    struct slot slots[WINDOW_MAX];
    struct mono heard;
};

struct tally {
    uint64_t sent, received, bad, lost, query_bytes, reply_bytes;
};

struct inbox {
    struct mmsghdr messages[INBOX];
    struct iovec iov[INBOX];
    uint8_t bytes[INBOX][REPLY_BYTES];
};

struct generator {
    struct setup setup;
    struct queries queries;
    size_t next_query;
    struct tally tally;
    struct inbox inbox;
    struct flow flows[FLOWS_MAX];
    uint8_t train[TRAIN_MAX * QUERY_BYTES];
};

static _Noreturn void give_up(const char *what)
{
    fprintf(stderr, "generator: %s: %s\n", what, strerror(errno));
    exit(2);
}

/* ---- flows --------------------------------------------------------------------------------- */

static int open_socket(const struct netaddr *server)
{
    struct sockaddr_storage ss;
    socklen_t len = netaddr_to_sockaddr(server, &ss);
    int fd = socket(ss.ss_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&ss, len) != 0)
        give_up("socket");
    return fd;
}

static void flow_open(struct flow *f, const struct setup *s)
{
    f->fd = open_socket(&s->server);
    f->free_count = s->window;
    for (unsigned i = 0; i < s->window; i++) {
        f->free[i] = (uint8_t)i;
        f->slots[i].busy = false;
    }
    f->heard = mono_now();
}

static unsigned flow_busy(const struct flow *f, const struct setup *s)
{
    return s->window - f->free_count;
}

/* The replies that are still to come reach a port that is closed. */
static void flow_lose(struct generator *g, struct flow *f)
{
    g->tally.lost += flow_busy(f, &g->setup);
    close(f->fd);
    flow_open(f, &g->setup);
}

/* ---- sending ------------------------------------------------------------------------------- */

/* How many of the next queries, at most `max`, have the length of the first of them. */
static unsigned train_length(const struct generator *g, unsigned max)
{
    const struct queries *q = &g->queries;
    unsigned n = 1;
    while (n < max && g->next_query + n < q->count &&
           q->list[g->next_query + n].len == q->list[g->next_query].len)
        n++;
    return n;
}

static void put_query(struct generator *g, struct flow *f, unsigned i)
{
    const struct bench_query *q = &g->queries.list[g->next_query + i];
    uint8_t slot = f->free[--f->free_count], *to = g->train + (size_t)i * q->len;
    struct slot *s = &f->slots[slot];
    *s = (struct slot){(uint32_t)(g->next_query + i), (uint8_t)(s->use_count + 1), true};
    memcpy(to, g->queries.bytes + q->at, q->len);
    to[0] = s->use_count;
    to[1] = slot;
}

static bool send_train(const struct generator *g, const struct flow *f, unsigned count,
                       uint16_t len)
{
    union {
        char room[CMSG_SPACE(sizeof(uint16_t))];
        struct cmsghdr align;
    } control = {{0}};
    struct iovec iov = {(void *)(uintptr_t)g->train, (size_t)count * len};
    struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1};
    if (count > 1) {
        m.msg_control = control.room;
        m.msg_controllen = sizeof control.room;
        struct cmsghdr *c = CMSG_FIRSTHDR(&m);
        c->cmsg_level = SOL_UDP;
        c->cmsg_type = UDP_SEGMENT;
        c->cmsg_len = CMSG_LEN(sizeof len);
        memcpy(CMSG_DATA(c), &len, sizeof len);
    }
    ssize_t n;
    do /* ECONNREFUSED tells of an earlier datagram, this one is sent by the second call */
        n = sendmsg(f->fd, &m, 0);
    while (n < 0 && (errno == EINTR || errno == ECONNREFUSED));
    if (n < 0 && errno != EAGAIN && errno != ENOBUFS)
        give_up("sendmsg");
    return n >= 0;
}

/* One train; false if the socket is full: its queries count as sent and lost. */
static bool flow_send(struct generator *g, struct flow *f)
{
    uint64_t left = g->setup.query_count - g->tally.sent;
    unsigned max = f->free_count < TRAIN_MAX ? f->free_count : TRAIN_MAX;
    unsigned count = train_length(g, left < max ? (unsigned)left : max);
    uint16_t len = g->queries.list[g->next_query].len;
    for (unsigned i = 0; i < count; i++)
        put_query(g, f, i);
    g->next_query = (g->next_query + count) % g->queries.count;
    g->tally.sent += count;
    g->tally.query_bytes += (uint64_t)count * len;
    return send_train(g, f, count, len);
}

/* Half a window at least, so that trains are long. */
static void flow_fill(struct generator *g, struct flow *f)
{
    if (f->free_count * 2 < g->setup.window)
        return;
    if (flow_busy(f, &g->setup) == 0)
        f->heard = mono_now();
    while (f->free_count && g->tally.sent < g->setup.query_count)
        if (!flow_send(g, f))
            return;
}

/* ---- receiving ----------------------------------------------------------------------------- */

static void show_bad(const struct tally *t, const uint8_t *r, size_t len)
{
    if (t->bad > BAD_SHOWN)
        return;
    fprintf(stderr, "generator: bad reply: %zu bytes:", len);
    for (size_t i = 0; i < len && i < 64; i++)
        fprintf(stderr, " %02x", r[i]);
    fputc('\n', stderr);
}

/* The slot that the reply belongs to, NULL if none waits for this id. */
static struct slot *find_slot(const struct generator *g, struct flow *f, const uint8_t *r,
                              size_t len)
{
    if (len < QUERY_HEADER || r[1] >= g->setup.window)
        return NULL;
    struct slot *s = &f->slots[r[1]];
    return s->busy && s->use_count == r[0] ? s : NULL;
}

static bool is_right(const struct generator *g, const struct slot *s, const uint8_t *r, size_t len)
{
    const struct bench_query *q = &g->queries.list[s->query];
    bool qr = r[2] & 0x80, tc = r[2] & 0x02;
    return len >= (size_t)QUERY_HEADER + q->question_len && qr && !tc && (r[3] & 15) == q->rcode &&
           (r[6] << 8 | r[7]) == q->answer_count &&
           memcmp(r + QUERY_HEADER, g->queries.bytes + q->at + QUERY_HEADER, q->question_len) == 0;
}

static void take_reply(struct generator *g, struct flow *f, const uint8_t *r, size_t len)
{
    struct slot *s = find_slot(g, f, r, len);
    g->tally.received++;
    g->tally.reply_bytes += len;
    if (!s || !is_right(g, s, r, len)) {
        g->tally.bad++;
        show_bad(&g->tally, r, len);
    }
    if (s) {
        s->busy = false;
        f->free[f->free_count++] = r[1];
    }
}

static void flow_receive(struct generator *g, struct flow *f)
{
    int n = recvmmsg(f->fd, g->inbox.messages, INBOX, MSG_DONTWAIT, NULL);
    if (n < 0 && errno != EAGAIN && errno != EINTR && errno != ECONNREFUSED)
        give_up("recvmmsg");
    for (int i = 0; i < n; i++)
        take_reply(g, f, g->inbox.bytes[i], g->inbox.messages[i].msg_len);
    if (n > 0)
        f->heard = mono_now();
    else if (flow_busy(f, &g->setup) && mono_diff_ms(mono_now(), f->heard) > LOST_MS)
        flow_lose(g, f);
}

static void init_inbox(struct inbox *b)
{
    for (unsigned i = 0; i < INBOX; i++) {
        b->iov[i] = (struct iovec){b->bytes[i], REPLY_BYTES};
        b->messages[i].msg_hdr = (struct msghdr){.msg_iov = &b->iov[i], .msg_iovlen = 1};
    }
}

/* ---- the run ------------------------------------------------------------------------------- */

/* One turn over all flows; returns the queries under way. */
static unsigned turn(struct generator *g, bool sending)
{
    unsigned busy = 0;
    for (unsigned i = 0; i < g->setup.flow_count; i++) {
        struct flow *f = &g->flows[i];
        if (sending)
            flow_fill(g, f);
        if (flow_busy(f, &g->setup))
            flow_receive(g, f);
        busy += flow_busy(f, &g->setup);
    }
    return busy;
}

static double run(struct generator *g)
{
    struct mono start = mono_now();
    int64_t end_ns = start.ns + (int64_t)(g->setup.seconds * 1e9);
    init_inbox(&g->inbox);
    for (unsigned i = 0; i < g->setup.flow_count; i++)
        flow_open(&g->flows[i], &g->setup);
    while (g->tally.sent < g->setup.query_count && mono_now().ns < end_ns)
        (void)turn(g, true); /* what is under way matters below */
    while (turn(g, false))
        ;
    return (double)(mono_now().ns - start.ns) / 1e9;
}

static void print_tally(const struct tally *t, double seconds)
{
    printf("{\"sent\": %llu, \"received\": %llu, \"bad\": %llu, \"lost\": %llu, "
           "\"seconds\": %.6f, \"query_bytes\": %llu, \"reply_bytes\": %llu}\n",
           (unsigned long long)t->sent, (unsigned long long)t->received, (unsigned long long)t->bad,
           (unsigned long long)t->lost, seconds, (unsigned long long)t->query_bytes,
           (unsigned long long)t->reply_bytes);
}

static void pin(int core)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)core, &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0)
        give_up("core");
}

static _Noreturn void usage(void)
{
    fprintf(stderr,
            "usage: generator [-c CORE] [-s SOCKETS 1..%d] [-w WINDOW 1..%d] [-n COUNT] "
            "[-t SECONDS] ADDR:PORT LIST\n",
            FLOWS_MAX, WINDOW_MAX);
    exit(2);
}

static struct setup read_setup(int argc, char **argv)
{
    struct setup s = {
        .core = -1, .flow_count = 8, .window = 16, .query_count = 10000000, .seconds = 10};
    int option;
    while ((option = getopt(argc, argv, "c:s:w:n:t:")) != -1) {
        switch (option) {
        case 'c': s.core = atoi(optarg); break;
        case 's': s.flow_count = (unsigned)atoi(optarg); break;
        case 'w': s.window = (unsigned)atoi(optarg); break;
        case 'n': s.query_count = strtoull(optarg, NULL, 10); break;
        case 't': s.seconds = atof(optarg); break;
        default: usage();
        }
    }
    if (argc - optind != 2 || netaddr_parse_spec(argv[optind], 53, &s.server) != 0 ||
        s.flow_count - 1 >= FLOWS_MAX || s.window - 1 >= WINDOW_MAX)
        usage();
    return s;
}

int main(int argc, char **argv)
{
    struct generator *g = mem_new(struct generator);
    unsigned line;
    g->setup = read_setup(argc, argv);
    const char *list = argv[optind + 1];
    if (queries_read(list, &g->queries, &line) != 0) {
        fprintf(stderr, "generator: %s:%u: cannot be read as NAME TYPE RCODE ANSWERS\n", list,
                line);
        return 2;
    }
    if (g->setup.core >= 0)
        pin(g->setup.core);
    double seconds = run(g);
    print_tally(&g->tally, seconds);
    bool good = g->tally.received && !g->tally.bad;
    queries_fini(&g->queries);
    mem_free(g);
    return good ? 0 : 1;
}
