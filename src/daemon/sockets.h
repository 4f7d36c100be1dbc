/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sockets.h: the option `listen` and the keys of sockets, which stand globally and for one address;
 * a part of options.h's work.
 *
 *   struct socket_keys (global) + `listen` --sockets_read--> struct listen_spec of each address
 *
 * Thread rule: [main].
 */
#ifndef DAEMON_SOCKETS_H
#define DAEMON_SOCKETS_H

#include "daemon/options.h"

/* At most this many threads of a kind per address: more only cost memory. */
#define THREADS .type = TH_UINT, .min = 1, .max = 1024, .unit = "threads"
/* Below 4 KiB a socket holds no burst; gdnsd's ceiling is kept. */
#define SOCKET_BUFFER                                                                              \
    .type = TH_UINT, .min = 4096, .max = 1048576, .unit = "bytes", .choices = "system", .def = ""
#define SOCKET_AT(field) .offset = offsetof(struct socket_keys, field)

/* Keys that stand globally and for one address of `listen`. */
struct socket_keys {
    uint32_t udp_threads, tcp_threads, tcp_clients_per_thread, tcp_timeout_ms;
    uint32_t tcp_backlog, tcp_fastopen;
    uint32_t udp_rcvbuf, udp_sndbuf;
};

/* clang-format off */
#define TCP_SOCKET_KEYS                                                                            \
    {.name = "tcp_threads", THREADS, SOCKET_AT(tcp_threads), .def = "2",                           \
     .help = "TCP threads per address"},                                                           \
    {.name = "tcp_clients_per_thread", .type = TH_UINT, SOCKET_AT(tcp_clients_per_thread),         \
     .min = 16, .max = 65535, .unit = "connections", .def = "256",                                 \
     .help = "when reached, the most idle connection is reset"},                                   \
    {.name = "tcp_timeout", .type = TH_DURATION, SOCKET_AT(tcp_timeout_ms), .min = 5, .max = 1800, \
     .def = "37",                                                                                  \
     .help = "idle time granted to TCP clients; they are cut off after twice that"},               \
    {.name = "tcp_backlog", .type = TH_UINT, SOCKET_AT(tcp_backlog), .min = 0, .max = 65535,       \
     .unit = "connections", .def = "0",                                                            \
     .help = "connections waiting to be accepted; 0: as many as the system allows"},               \
    {.name = "tcp_fastopen", .type = TH_UINT, SOCKET_AT(tcp_fastopen), .min = 0, .max = 1048576,   \
     .unit = "connections", .def = "256",                                                          \
     .help = "TCP fast-open requests that may wait; 0: no fast open"}

#define UDP_SOCKET_KEYS                                                                            \
    {.name = "udp_threads", THREADS, .choices = "auto", SOCKET_AT(udp_threads), .def = "auto",     \
     .help = "UDP threads per address; auto: one per processor"},                                  \
    {.name = "udp_rcvbuf", SOCKET_BUFFER, SOCKET_AT(udp_rcvbuf),                                   \
     .help = "receive buffer of each UDP socket, as far as the system allows"},                    \
    {.name = "udp_sndbuf", SOCKET_BUFFER, SOCKET_AT(udp_sndbuf),                                   \
     .help = "send buffer of each UDP socket, as far as the system allows"}
/* clang-format on */

/* What holds for every address that says nothing else. */
struct sockets_rules {
    const struct socket_keys *keys;
    uint16_t port;
    bool dso;
};

/* conf: the value of `listen`, or NULL. Fills o->listen. */
int sockets_read(const struct th_conf *conf, const struct sockets_rules *rules, struct diag *d,
                 struct options *o) must_check;

#endif
