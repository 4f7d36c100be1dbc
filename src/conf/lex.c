/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "conf/lex.h"

#include <string.h>

void lex_init(struct lex *l, const struct vfile *file, const char *text, size_t len)
{
    *l = (struct lex){file, text, text + len, text, 1};
}

struct vplace lex_place(const struct lex *l)
{
    return (struct vplace){l->file, l->line, (uint32_t)(l->next - l->line_start) + 1};
}

struct diag_loc lex_loc(const struct lex *l)
{
    struct vplace p = lex_place(l);
    return (struct diag_loc){p.file->name, p.line, p.col};
}

int lex_peek(const struct lex *l)
{
    return l->next < l->end ? (unsigned char)*l->next : LEX_END;
}

static int peek_second(const struct lex *l)
{
    return l->end - l->next > 1 ? (unsigned char)l->next[1] : LEX_END;
}

static void pass_byte(struct lex *l)
{
    if (*l->next++ == '\n') {
        l->line++;
        l->line_start = l->next;
    }
}

/* A carriage return is blank only as part of a line end. */
static bool is_line_end(const struct lex *l)
{
    return lex_peek(l) == '\n' || (lex_peek(l) == '\r' && peek_second(l) == '\n');
}

void lex_skip_blank(struct lex *l)
{
    for (;;) {
        int c = lex_peek(l);
        if (c == '#' || c == ';') {
            const char *eol = memchr(l->next, '\n', (size_t)(l->end - l->next));
            l->next = eol ? eol : l->end;
        } else if (c == ' ' || c == '\t' || is_line_end(l)) {
            pass_byte(l);
        } else {
            return;
        }
    }
}

bool lex_take(struct lex *l, const char *word)
{
    size_t len = strlen(word);
    if ((size_t)(l->end - l->next) < len || memcmp(l->next, word, len) != 0)
        return false;
    l->next += len; /* no word of the grammar holds a line end */
    return true;
}

/* May stand in an unquoted text without an escape. */
static bool is_bare(const struct lex *l)
{
    int c = lex_peek(l);
    return c != LEX_END && !(c && strchr("}{;# \t\n,\"=\\][", c)) && !is_line_end(l);
}

bool lex_is_text(const struct lex *l)
{
    int c = lex_peek(l);
    return c == '"' || c == '\\' || (is_bare(l) && c != '$');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Length of the escape at next (its backslash counted), 0 if it is none. */
static size_t escape_len(const struct lex *l)
{
    const char *p = l->next;
    size_t left = (size_t)(l->end - p);
    if (left < 2)
        return 0;
    if (!is_digit(p[1]))
        return 2;
    if (left < 4 || !is_digit(p[2]) || !is_digit(p[3]) || memcmp(p + 1, "255", 3) > 0)
        return 0;
    return 4;
}

static int pass_escape(struct lex *l, struct diag *d)
{
    char q[QUOTE_BYTES];
    size_t len = escape_len(l), left = (size_t)(l->end - l->next);
    if (len == 0)
        return diag_error(d, lex_loc(l),
                          "%s is no escape; write \\ and three digits from 000 to 255, or \\ and "
                          "the character itself",
                          quote_text(q, l->next, left < 4 ? left : 4));
    for (; len; len--)
        pass_byte(l);
    return 0;
}

static int pass_quoted(struct lex *l, struct diag *d)
{
    struct diag_loc open = lex_loc(l);
    pass_byte(l);
    for (int c; (c = lex_peek(l)) != '"';) {
        if (c == LEX_END)
            return diag_error(d, open,
                              "the quoted text that starts here never ends; expected '\"'");
        if (c != '\\') {
            pass_byte(l);
            continue;
        }
        int e = pass_escape(l, d);
        if (e)
            return e;
    }
    pass_byte(l);
    return 0;
}

static int pass_bare(struct lex *l, struct diag *d)
{
    for (;;) {
        if (lex_peek(l) == '\\') {
            int e = pass_escape(l, d);
            if (e)
                return e;
        } else if (is_bare(l)) {
            pass_byte(l);
        } else {
            return 0;
        }
    }
}

int lex_text(struct lex *l, struct diag *d, struct lex_text *out)
{
    bool is_quoted = lex_peek(l) == '"';
    const char *start = l->next;
    int e = is_quoted ? pass_quoted(l, d) : pass_bare(l, d);
    if (e)
        return e;
    *out = (struct lex_text){start, (size_t)(l->next - start)};
    if (is_quoted)
        *out = (struct lex_text){start + 1, out->raw_len - 2};
    return 0;
}

const char *lex_describe(const struct lex *l, char buf[QUOTE_BYTES])
{
    if (lex_peek(l) == LEX_END)
        return strcpy(buf, "end of file");
    struct lex ahead = *l;
    while (is_bare(&ahead))
        ahead.next++;
    if (ahead.next == l->next)
        ahead.next++;
    return quote_text(buf, l->next, (size_t)(ahead.next - l->next));
}
