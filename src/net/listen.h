/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * listen.h: sockets of one listen address, opened and bound with all options set.
 *
 * One socket per thread: SO_REUSEPORT spreads clients over them.  A UDP socket bound to the
 * unspecified address reports which address was asked (PKTINFO), so that the reply leaves from it;
 * a socket on a specific address carries no ancillary data at all.
 *
 * Thread rule: [main].
 */
#ifndef NET_LISTEN_H
#define NET_LISTEN_H

#include <stdbool.h>
#include <stdint.h>
#include "base/attrs.h"
#include "base/diag.h"
#include "base/netaddr.h"

struct listen_spec {
    struct netaddr addr;
    unsigned udp_threads, tcp_threads;
    unsigned tcp_clients_per_thread;
    uint32_t tcp_timeout_ms;
    uint32_t tcp_backlog;            /* connections waiting to be accepted; 0 = SOMAXCONN */
    uint32_t tcp_fastopen;           /* fast-open requests waiting (RFC 7413); 0 = off */
    bool tcp_pad;                    /* pad responses: the bytes are encrypted further on */
    bool tcp_proxy;                  /* each connection begins with a PROXY header */
    bool proxy_strict;               /* which must name the client */
    bool dso;                        /* DNS Stateful Operations (RFC 8490) */
    uint32_t udp_rcvbuf, udp_sndbuf; /* bytes */
    int files_max;                   /* connections have descriptors below it; 0 = no limit */
    struct diag_loc loc;             /* where the configuration says so */
};

/* A bound descriptor, or negative with a reason in d. */
int listen_udp(const struct listen_spec *s, struct diag *d) must_check;
int listen_tcp(const struct listen_spec *s, struct diag *d) must_check;
/* SO_REUSEPORT would let us share an address with another server of the same user, and each client
 * get either: refuse if somebody is there. Before any socket of ours is open. */
int listen_check_free(const struct listen_spec *s, struct diag *d) must_check;
/* Is this the unspecified address (0.0.0.0, ::)? */
bool listen_is_any(const struct netaddr *a);

#endif
