/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * net.h: all listening sockets and the threads that serve them.
 *
 *   listen_spec x threads --net_open--> bound sockets --net_start--> udp and tcp workers
 *                                                     --net_stop---> all joined, sockets closed
 *
 * Every worker reads the snapshot through one RCU pointer, once per batch.
 * Thread rule: [main].
 */
#ifndef NET_NET_H
#define NET_NET_H

#include "answer/snapshot.h"
#include "net/listen.h"
#include "stats/counters.h"

struct net;

/* Bind everything, or nothing: negative with reasons in d. snapshot: where workers find it. */
int net_open(const struct listen_spec *specs, size_t count, struct snapshot *const *snapshot,
             struct diag *d, struct net **out) must_check;
/* ERR_IO if a thread cannot be started; net_close then. */
int net_start(struct net *n, struct diag *d) must_check;
/* Stops and joins whatever runs, closes the sockets, frees. Waits for TCP clients to go, 5 s at
 * most. */
void net_close(struct net *n);
/* Sums of all workers. */
void net_sum_counters(const struct net *n, uint64_t sum[COUNTER_COUNT]);

#endif
