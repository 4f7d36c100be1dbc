/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zone/scan.h"

#include <stdint.h>
#include <string.h>

/* PLAIN is 0, so that several characters can be asked about at once. */
enum { PLAIN, BLANK, LF, COMMENT, QUOTE, OPEN, CLOSE, ESCAPE, CONTROL };

/* CR counts as a blank, so that CR LF ends a line as LF does. */
static const uint8_t classes[256] = {
    [0x00 ... 0x08] = CONTROL,
    ['\t'] = BLANK,
    ['\n'] = LF,
    [0x0b ... 0x0c] = CONTROL,
    ['\r'] = BLANK,
    [0x0e ... 0x1f] = CONTROL,
    [0x7f] = CONTROL,
    [' '] = BLANK,
    ['"'] = QUOTE,
    ['('] = OPEN,
    [')'] = CLOSE,
    [';'] = COMMENT,
    ['\\'] = ESCAPE,
};

static unsigned class_of(char c)
{
    return classes[(uint8_t)c];
}

struct scan scan_on(const char *text, size_t len)
{
    return (struct scan){.p = text, .end = text + len, .line_start = text, .line = 1};
}

bool scan_at_blank(const struct scan *s)
{
    return s->p < s->end && class_of(*s->p) == BLANK;
}

static void next_line(struct scan *s)
{
    s->line++;
    s->line_start = s->p;
}

static void skip_to_lf(struct scan *s)
{
    const char *lf = memchr(s->p, '\n', (size_t)(s->end - s->p));
    s->p = lf ? lf : s->end;
}

static void begin(const struct scan *s, struct token *t, enum token_kind kind)
{
    t->kind = kind;
    t->escaped = false;
    t->at = s->p;
    t->len = 0;
    t->line = s->line;
    t->col = (unsigned)(s->p - s->line_start) + 1;
}

/* Refuse what stands at the scanner and take up again behind this line. */
static void bad(struct scan *s, struct token *t, const char *fault)
{
    begin(s, t, TOKEN_BAD);
    t->len = s->p < s->end;
    s->fault = fault;
    s->open_line = 0;
    skip_to_lf(s);
    if (s->p < s->end) {
        s->p++;
        next_line(s);
    }
}

static void take_word(struct scan *s, struct token *t)
{
    begin(s, t, TOKEN_WORD);
    const char *p = s->p, *end = s->end;
    for (; p < end; p++) {
        while (end - p > 4 &&
               (class_of(p[0]) | class_of(p[1]) | class_of(p[2]) | class_of(p[3])) == PLAIN)
            p += 4;
        unsigned c = class_of(*p);
        if (c == PLAIN)
            continue;
        if (c != ESCAPE)
            break;
        if (p + 1 == end || p[1] == '\n') {
            s->p = p;
            bad(s, t, "a backslash stands before the end of the line; write \\\\ for a backslash");
            return;
        }
        t->escaped = true;
        p++;
    }
    t->len = (size_t)(p - t->at);
    s->p = p;
}

static void take_quoted(struct scan *s, struct token *t)
{
    struct scan start = *s;
    s->p++;
    begin(s, t, TOKEN_QUOTED);
    while (s->p < s->end && *s->p != '"') {
        char c = *s->p++;
        if (c == '\\' && s->p < s->end) {
            t->escaped = true;
            c = *s->p++;
        }
        if (c == '\n')
            next_line(s);
    }
    if (s->p == s->end) {
        *s = start;
        bad(s, t, "this quoted string has no end; every \" needs a second one");
        return;
    }
    t->len = (size_t)(s->p - t->at);
    s->p++;
    if (s->p < s->end && *s->p == '"')
        bad(s, t, "a blank is missing between two strings, or a \\ before a \" in one");
}

static bool open_paren(struct scan *s, struct token *t)
{
    if (s->open_line) {
        bad(s, t, "a parenthesis is open already; they do not nest");
        return false;
    }
    s->open_line = s->line;
    s->open_col = (unsigned)(s->p - s->line_start) + 1;
    s->p++;
    return true;
}

static bool close_paren(struct scan *s, struct token *t)
{
    if (!s->open_line) {
        bad(s, t, "no parenthesis is open here");
        return false;
    }
    s->open_line = 0;
    s->p++;
    return true;
}

/* The end of a line; inside parentheses it is a blank. */
static bool end_line(struct scan *s, struct token *t)
{
    begin(s, t, TOKEN_EOL);
    s->p++;
    next_line(s);
    return s->open_line == 0;
}

static void end_text(struct scan *s, struct token *t)
{
    unsigned line = s->open_line, col = s->open_col;
    begin(s, t, TOKEN_EOF);
    if (!line)
        return;
    bad(s, t, "this parenthesis is never closed; a ) is missing");
    t->line = line;
    t->col = col;
}

void scan_next(struct scan *s, struct token *t)
{
    while (s->p < s->end) {
        switch (class_of(*s->p)) {
        case BLANK: s->p++; break;
        case LF:
            if (end_line(s, t))
                return;
            break;
        case COMMENT: skip_to_lf(s); break;
        case QUOTE: take_quoted(s, t); return;
        case OPEN:
            if (!open_paren(s, t))
                return;
            break;
        case CLOSE:
            if (!close_paren(s, t))
                return;
            break;
        case CONTROL: bad(s, t, "a control character stands outside quotes"); return;
        case PLAIN:
        case ESCAPE: take_word(s, t); return;
        }
    }
    end_text(s, t);
}

void scan_skip_record(struct scan *s, struct token *t)
{
    while (t->kind == TOKEN_WORD || t->kind == TOKEN_QUOTED)
        scan_next(s, t);
}
