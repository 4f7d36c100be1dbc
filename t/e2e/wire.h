/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wire.h: tables of what one message is answered with, each row with the text that decides it.
 *
 *   {"RFC 2308 2.1", "q:nope/A", "NXDOMAIN aa", "", SOA, "", NULL}
 *
 * Rows are written from the RFCs, never from what the server does.
 */
#ifndef T_E2E_WIRE_H
#define T_E2E_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct wire_row {
    const char *law;   /* the RFC and its section, or B...: a fault known of other servers */
    const char *query; /* words of lib/message.h; COOKIE: what this server gave, client part 61*8 */
    const char *head;  /* RCODE [aa] [tc] [q0] [udp|tcp] [v4|v6], or DROP; q0: no question in it */
    /* Records with ; between them, as ldns writes them but without class IN and relative to
     * e2e.example, which is @ itself; "*": any, "#N": N of them. */
    const char *answer, *authority, *additional;
    /* CODE=HEX (message_matches) words; NULL: no OPT; "*": any or none.  Keepalive over TCP goes
     * without saying. */
    const char *options;
};

struct wire_table {
    const char *what;
    const char *options; /* of the configuration, NULL: none */
    unsigned udp_size;   /* told in our OPT */
    bool has_circles;    /* of CNAMEs, in the zone */
    bool pads;           /* its listeners pad over TCP, and option 12 goes without saying */
    bool is_plain;       /* each row is asked again with OPT, and with a cookie: the same */
    const struct wire_row *rows;
    size_t row_count;
};

#define WIRE_TABLE(rows_) .rows = (rows_), .row_count = sizeof(rows_) / sizeof *(rows_)

#define SOA   "@ 300 SOA ns1 hostmaster 7 7200 900 1209600 300"
#define WWW_A "www 3600 A 192.0.2.10;www 3600 A 192.0.2.11"

/* The end of a row: sections and options. */
#define YES(answer)        "NOERROR aa", answer, "", "", NULL
#define NODATA             "NOERROR aa", "", SOA, "", NULL
#define NXDOMAIN           "NXDOMAIN aa", "", SOA, "", NULL
#define REFERRAL(ns, glue) "NOERROR", "", ns, glue, NULL
#define ONLY(head)         head, "", "", "", NULL
#define WITH(head, opt)    head, "", "", "", opt
#define WWW(opt)           "NOERROR aa", WWW_A, "", "", opt
#define ANY                "*"

extern const struct wire_table wire_header, wire_question, wire_names, wire_edns, wire_ecs,
    wire_cookie, wire_cookie_limit, wire_no_nsid, wire_answers, wire_chain, wire_sizes,
    wire_sizes_4096, wire_chaos, wire_chaos_off, wire_compat, wire_padding;

/* The zones they ask: e2e.example, child.e2e.example, low.example. */
void wire_put_zone(FILE *out, bool with_circles);
extern const char wire_child[], wire_low[];

#endif
