/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fakesvc.h: a fake HTTP or TCP service in a thread, whose behaviour a test switches at run time.
 *
 *   struct fakesvc *f = fakesvc_start("127.0.0.11", 0);       port 0: any, see fakesvc_port
 *   fakesvc_set(f, FAKESVC_STATUS, 503);
 *   fakesvc_set(f, FAKESVC_REFUSE, 0);                        the listener is closed
 *   fakesvc_set(f, FAKESVC_OK, 0);                            and opened again, same port
 *   fakesvc_stop(f);
 *
 * fakesvc_set returns when the new behaviour is in force.  Connections under way keep what they
 * began with, except that REFUSE closes them.  Failing system calls end the program with a line
 * on stderr: a test can do nothing about them.
 * Thread rule: one test thread calls; fakesvc_connections and fakesvc_requests are [any].
 */
#ifndef T_LIB_FAKESVC_H
#define T_LIB_FAKESVC_H

#include <stddef.h>
#include <stdint.h>

enum fakesvc_mode {
    FAKESVC_OK,      /* a whole 200 response to a request */
    FAKESVC_STATUS,  /* the same with another status: value */
    FAKESVC_REFUSE,  /* connection refused */
    FAKESVC_SILENT,  /* accepts, reads, says nothing */
    FAKESVC_EOF,     /* accepts and ends its side at once */
    FAKESVC_RESET,   /* accepts and resets */
    FAKESVC_GARBAGE, /* speaks first, and not HTTP */
    FAKESVC_DRIP,    /* a 200 response, one byte every `value` milliseconds */
    FAKESVC_SAY,     /* the bytes of fakesvc_set_bytes to a request, then the end of its side */
    FAKESVC_SAY_AND_WAIT, /* the same, but its side stays open */
};

struct fakesvc;

struct fakesvc *fakesvc_start(const char *addr, uint16_t port);
void fakesvc_stop(struct fakesvc *f);
uint16_t fakesvc_port(const struct fakesvc *f);
void fakesvc_set(struct fakesvc *f, enum fakesvc_mode mode, unsigned value);
/* Then fakesvc_set(f, FAKESVC_SAY, 0). The bytes are copied. */
void fakesvc_set_bytes(struct fakesvc *f, const void *bytes, size_t len);
unsigned fakesvc_connections(const struct fakesvc *f); /* accepted so far */
unsigned fakesvc_requests(const struct fakesvc *f);    /* complete ones */
/* Connections that the client ended with a reset instead of a FIN. */
unsigned fakesvc_resets(const struct fakesvc *f);
/* The newest complete request, NUL-terminated; its length. */
size_t fakesvc_last_request(struct fakesvc *f, char *out, size_t size);

#endif
