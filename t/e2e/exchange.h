/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * exchange.h: tables of what is sent on a TCP connection, what comes back, and what is counted.
 *
 *   static const struct exchange rows[] = {
 *       {"keepalive", {{MESSAGE, BYTES(KEEPALIVE), BYTES(REPLY)}}, "conns close_c dso_estab"},
 *       {"no header", {{RAW, BYTES("GET /"), EXCHANGE_RESET}}, "conns close_s_err proxy_fail"}};
 */
#ifndef T_E2E_EXCHANGE_H
#define T_E2E_EXCHANGE_H

#include "lib/daemon.h"

#define BYTES(text)    text, sizeof(text) - 1
#define EXCHANGE_RESET NULL, 0

#define EXCHANGE_NOTHING NULL, 0

#define EXCHANGE_STEPS 4

enum exchange_how {
    MESSAGE,     /* its length goes in front */
    RAW,         /* sent as it is */
    RAW_UNHEARD, /* and no reply is due */
};

struct exchange {
    const char *name;
    struct exchange_step {
        enum exchange_how how;
        const char *sent;
        size_t sent_len;
        const char *want; /* NULL: reset; less than a header: how the reply begins */
        size_t want_len;
    } steps[EXCHANGE_STEPS]; /* up to the first with nothing to send */
    /* Words: keys of the statistics that went up, `key` or `key=N`; no other did but reqs, and
     * edns. */
    const char *counted;
};

/* One connection: do the steps, close, compare the counters. */
void exchange_run(const struct test_daemon *d, const struct exchange *row, bool v6);

#endif
