/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scan.h: the text of a zone file -> tokens.  Knows comments, quotes, parentheses and escapes, and
 * nothing of records.
 *
 *   www 300 IN A ( 192.0.2.1 ) ; text        WORD WORD WORD WORD WORD EOL
 *
 * Tokens point into the text; an escape is left as written (token.escaped) and read by whoever
 * knows what the token is.  Inside parentheses a line end is a blank; EOL or EOF ends every record.
 *
 * Life: scan_on(text) -> scan_next ... until TOKEN_EOF.  Thread rule: one thread at a time
 * [loader].
 */
#ifndef ZONE_SCAN_H
#define ZONE_SCAN_H

#include <stdbool.h>
#include <stddef.h>

enum token_kind {
    TOKEN_WORD,
    TOKEN_QUOTED, /* without its quotes */
    TOKEN_EOL,
    TOKEN_EOF,
    TOKEN_BAD, /* scan.fault says why; the scanner went on behind the line's end */
};

struct token {
    enum token_kind kind;
    bool escaped; /* has a backslash */
    const char *at;
    size_t len;
    unsigned line, col;
};

static inline bool token_is_value(const struct token *t)
{
    return t->kind == TOKEN_WORD || t->kind == TOKEN_QUOTED;
}

struct scan {
    const char *p, *end;
    const char *line_start;
    unsigned line;
    unsigned open_line, open_col; /* where the open parenthesis is; line 0 = none is open */
    const char *fault;            /* of the last TOKEN_BAD, a whole sentence */
};

struct scan scan_on(const char *text, size_t len);
/* Does the text continue with a blank? Asked where a record begins: it has no owner then. */
bool scan_at_blank(const struct scan *s);
void scan_next(struct scan *s, struct token *t);
/* Skip to the end of the record that a fault was found in; t is the last token read of it. */
void scan_skip_record(struct scan *s, struct token *t);

#endif
