/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * status_line.h: finds the status code in the bytes of an HTTP/1 response, however they are cut.
 *
 *   "HTTP/1.1 100 Continue\r\n" "\r\n" "HTTP/1.1 200 OK\r\n" ...
 *    \___ STATUS_CODE 100 ___/         \_ STATUS_CODE 200 _/
 *         status_line_skip: its headers are passed over
 *
 *   struct status_line s;  status_line_init(&s, false);
 *   switch (status_line_feed(&s, bytes, n, &used)) ...
 *
 * The whole line is checked, up to its CR LF (RFC 9112 section 4).  As gdnsd: the first 13 bytes
 * alone, of which the last is the space behind the code.
 * Thread rule: plain values.
 */
#ifndef PLUGINS_LIB_STATUS_LINE_H
#define PLUGINS_LIB_STATUS_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of one response looked at. The status line stands first, so only interim responses and
 * their headers can come before it; servers cap headers at 8 KiB themselves. */
#define STATUS_LINE_LIMIT 8192u
#define STATUS_LINE_GDNSD 13u /* strlen("HTTP/1.x 200 ") */

enum status_event {
    STATUS_MORE, /* nothing to say yet */
    STATUS_CODE, /* code is known */
    STATUS_BAD,  /* not HTTP/1; `head` shows what it is */
};

struct status_line {
    bool gdnsd;
    bool skipping; /* headers of an interim response */
    bool cr;       /* the last byte was CR */
    uint16_t code;
    uint32_t seen;     /* bytes of the response */
    uint32_t line_len; /* of the current line, without CR LF */
    char head[33];     /* its beginning, printable */
};

void status_line_init(struct status_line *s, bool gdnsd);
/* *used: bytes consumed. With STATUS_CODE the rest begins behind the line. */
enum status_event status_line_feed(struct status_line *s, const char *bytes, size_t n,
                                   size_t *used);
/* The code was an interim one: go on to the next status line. */
void status_line_skip(struct status_line *s);

#endif
