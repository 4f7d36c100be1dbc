/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * echo.c: the limit of kernel sockets: what a server costs that does nothing with a query but
 * send it back as a reply of the wanted size.
 *
 *   echo [-c CORE] [-p PAD_BYTES] [-r RCODE] [-a ANSWERS] [-t SECONDS] [ADDR]
 *   port 40123
 *
 * Same calls, batch, buffers and socket sizes as src/net/udp.c, so that the difference between
 * the two is the work on DNS.  Listens on ADDR (127.0.0.1) at a port of the system's choice,
 * which is the first line it prints.  Ends by a signal, or after SECONDS.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"

#define BATCH         32
#define BUFFER_BYTES  1232
#define BUFFER_STRIDE (2048 + 64)
#define SOCKET_BYTES  1048576
#define HEADER        12

struct reply {
    size_t pad_bytes;
    uint8_t rcode;
    uint16_t answer_count;
};

struct echo {
    struct mmsghdr in[BATCH], out[BATCH];
    struct iovec in_iov[BATCH], out_iov[BATCH];
    struct sockaddr_storage peer[BATCH];
    uint8_t buffers[BATCH * BUFFER_STRIDE];
};

static void set_buffer(int fd, int option, int force_option)
{
    int value = SOCKET_BYTES;
    if (setsockopt(fd, SOL_SOCKET, force_option, &value, sizeof value) != 0)
        (void)setsockopt(fd, SOL_SOCKET, option, &value, sizeof value); /* as far as allowed */
}

/* Bound and announced, or -1. */
static int open_socket(const char *address)
{
    struct sockaddr_in a = {.sin_family = AF_INET};
    socklen_t len = sizeof a;
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || inet_pton(AF_INET, address, &a.sin_addr) != 1 ||
        bind(fd, (struct sockaddr *)&a, len) != 0 ||
        getsockname(fd, (struct sockaddr *)&a, &len) != 0)
        return -1;
    set_buffer(fd, SO_RCVBUF, SO_RCVBUFFORCE);
    set_buffer(fd, SO_SNDBUF, SO_SNDBUFFORCE);
    printf("port %u\n", ntohs(a.sin_port));
    fflush(stdout);
    return fd;
}

static void init_messages(struct echo *e)
{
    for (unsigned i = 0; i < BATCH; i++) {
        e->in_iov[i] = (struct iovec){e->buffers + (size_t)i * BUFFER_STRIDE, BUFFER_BYTES};
        e->in[i].msg_hdr = (struct msghdr){.msg_name = &e->peer[i],
                                           .msg_namelen = sizeof e->peer[i],
                                           .msg_iov = &e->in_iov[i],
                                           .msg_iovlen = 1};
        e->out[i].msg_hdr = (struct msghdr){.msg_iov = &e->out_iov[i], .msg_iovlen = 1};
    }
}

static size_t write_reply(uint8_t *m, size_t len, const struct reply *r)
{
    if (len < HEADER)
        return len;
    m[2] |= 0x84; /* QR AA */
    m[3] = r->rcode;
    m[6] = (uint8_t)(r->answer_count >> 8);
    m[7] = (uint8_t)r->answer_count;
    memset(m + len, 0, r->pad_bytes);
    return len + r->pad_bytes;
}

static void serve(struct echo *e, int fd, const struct reply *r)
{
    for (;;) {
        int n = recvmmsg(fd, e->in, BATCH, MSG_WAITFORONE, NULL);
        for (int i = 0; i < n; i++) {
            size_t len = write_reply(e->in_iov[i].iov_base, e->in[i].msg_len, r);
            e->out[i].msg_hdr.msg_name = e->in[i].msg_hdr.msg_name;
            e->out[i].msg_hdr.msg_namelen = e->in[i].msg_hdr.msg_namelen;
            e->out_iov[i] = (struct iovec){e->in_iov[i].iov_base, len};
        }
        if (n > 0)
            (void)sendmmsg(fd, e->out, (unsigned)n, MSG_DONTWAIT); /* the generator counts */
        for (int i = 0; i < n; i++)
            e->in[i].msg_hdr.msg_namelen = sizeof e->peer[i];
    }
}

static void pin(int core)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)core, &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0)
        perror("echo: core");
}

int main(int argc, char **argv)
{
    struct reply r = {0};
    unsigned seconds = 600;
    int option;
    while ((option = getopt(argc, argv, "c:p:r:a:t:")) != -1) {
        switch (option) {
        case 'c': pin(atoi(optarg)); break;
        case 'p': r.pad_bytes = (size_t)atoi(optarg); break;
        case 'r': r.rcode = (uint8_t)atoi(optarg); break;
        case 'a': r.answer_count = (uint16_t)atoi(optarg); break;
        case 't': seconds = (unsigned)atoi(optarg); break;
        default: return 2;
        }
    }
    if (r.pad_bytes > BUFFER_STRIDE - BUFFER_BYTES) {
        fprintf(stderr, "echo: at most %d bytes more than the query\n",
                BUFFER_STRIDE - BUFFER_BYTES);
        return 2;
    }
    alarm(seconds);
    int fd = open_socket(optind < argc ? argv[optind] : "127.0.0.1");
    if (fd < 0) {
        perror("echo: socket");
        return 2;
    }
    struct echo *e = mem_new(struct echo);
    init_messages(e);
    serve(e, fd, &r);
}
