/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tcp_client.h: clients of a daemon over TCP, polite ones and others, as the tests of connections
 * need them.  What should not happen fails the test.
 */
#ifndef T_E2E_TCP_CLIENT_H
#define T_E2E_TCP_CLIENT_H

#include <ldns/ldns.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "lib/daemon.h"

/* e2e.example with `www` (an address) and `big` (a text). */
extern const struct daemon_zone tcp_zones[];

void start(struct test_daemon *d, const char *options);
int connect_to(const struct test_daemon *d, bool v6);
/* The same with a small receive buffer, and segments as of a real network: on `lo` they are so
 * large that the kernel takes megabytes for a peer that does not read. */
int connect_narrow(const struct test_daemon *d, bool v6);
/* A framed query whose id is `id`; returns its length. */
size_t put_query(uint8_t *out, const char *name, ldns_rr_type type, unsigned id);
size_t put_edns_query(uint8_t *out, unsigned id);
void send_all(int fd, const uint8_t *bytes, size_t len);
void expect_answer(int fd, unsigned id);
/* Ended by the daemon, with or without a reset. */
void expect_end(int fd);
void ask(int fd, unsigned id);
/* The tenths of seconds in the answer's keepalive option (RFC 7828); -1: it has none. */
int ask_keepalive(int fd);
/* Send this query again and again and read nothing, until the daemon takes no more; returns the
 * bytes that it took. */
size_t send_until_stuck(int fd, const uint8_t *query, size_t len, unsigned limit);
/* Raise the limit of descriptors as far as it goes; returns how many connections that allows. */
size_t descriptors_for_clients(void);

#endif
