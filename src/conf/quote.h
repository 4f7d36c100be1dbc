/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * quote.h: a person's text inside a message: control characters become \DDD, so that one message
 * stays one line, and a long text is cut.
 *
 *   char q[QUOTE_BYTES];
 *   diag_error(d, loc, "read %s", quote_text(q, text, len));      read "192.0.2.1"
 *
 * Thread rule: [any].
 */
#ifndef CONF_QUOTE_H
#define CONF_QUOTE_H

#include <stddef.h>

/* 120 bytes show any sane name and path; each may become \DDD; quotes, "..." and NUL. */
#define QUOTE_TEXT_MAX 120
#define QUOTE_BYTES    (QUOTE_TEXT_MAX * 4 + 8)

/* The text with quotes around it; returns buf. */
const char *quote_text(char buf[QUOTE_BYTES], const char *text, size_t len);

#endif
