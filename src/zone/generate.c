/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zone/generate.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "zone/rdfield.h"

#define NUMBER_MAX INT32_MAX
#define WIDTH_MAX  255 /* no name is longer */

struct range {
    uint32_t start, stop, step;
};

/* The number and its modifiers. */
struct format {
    int64_t offset;
    unsigned width;
    char base;
};

/* Digits at *s, moved past them; -1 = none, or more than max. */
static int64_t take_number(const char **s, const char *end, int64_t max)
{
    int64_t v = 0;
    const char *from = *s;
    for (; *s < end && **s >= '0' && **s <= '9'; (*s)++) {
        v = v * 10 + (**s - '0');
        if (v > max)
            return -1;
    }
    return *s == from ? -1 : v;
}

static bool take_char(const char **s, const char *end, char c)
{
    if (*s == end || **s != c)
        return false;
    (*s)++;
    return true;
}

static int read_range(struct parse *p, struct range *r)
{
    const char *wanted = "a range: start-stop or start-stop/step";
    if (p->t.kind != TOKEN_WORD)
        return rdtext_refuse(p, wanted);
    const char *s = p->t.at, *end = s + p->t.len;
    int64_t start = take_number(&s, end, NUMBER_MAX);
    int64_t stop = take_char(&s, end, '-') ? take_number(&s, end, NUMBER_MAX) : -1;
    int64_t step = take_char(&s, end, '/') ? take_number(&s, end, NUMBER_MAX) : 1;
    if (start < 0 || stop < start || step < 1 || s != end)
        return rdtext_refuse(p, wanted);
    uint32_t max = p->options->generate_max ? p->options->generate_max : GENERATE_MAX;
    if ((stop - start) / step >= max)
        return diag_error(p->d, parse_loc(p, &p->t), "\"%.*s\" is more than %u numbers",
                          TOKEN_ARG(&p->t), max);
    *r = (struct range){(uint32_t)start, (uint32_t)stop, (uint32_t)step};
    return 0;
}

/* Hexadecimal digits from the right, with dots: 0x1a -> "a.1". Up to width, in which dots count: an
 * even one ends in a dot, as BIND has it. */
static void put_nibbles(struct buf *out, uint32_t v, const struct format *f)
{
    const char *digits = f->base == 'N' ? "0123456789ABCDEF" : "0123456789abcdef";
    int left = (int)f->width;
    do {
        buf_add(out, &digits[v & 15], 1);
        v >>= 4;
        left--;
        if (v || left > 0) {
            buf_adds(out, ".");
            left--;
        }
    } while (v || left > 0);
}

/* 0, or ERR_RANGE. */
static int put_number(struct buf *out, uint32_t number, const struct format *f)
{
    int64_t v = (int64_t)number + f->offset;
    int width = (int)f->width;
    if (v < 0 || v > UINT32_MAX)
        return ERR_RANGE;
    switch (f->base) {
    case 'd': buf_printf(out, "%0*" PRId64, width, v); break;
    case 'o': buf_printf(out, "%0*" PRIo64, width, (uint64_t)v); break;
    case 'x': buf_printf(out, "%0*" PRIx64, width, (uint64_t)v); break;
    case 'X': buf_printf(out, "%0*" PRIX64, width, (uint64_t)v); break;
    default: put_nibbles(out, (uint32_t)v, f); break;
    }
    return 0;
}

/* "offset,width,base}" behind "${". ERR_SYNTAX. */
static int take_format(const char **s, const char *end, struct format *f)
{
    bool is_below = take_char(s, end, '-');
    if (!is_below)
        (void)take_char(s, end, '+'); /* either may stand there */
    int64_t offset = take_number(s, end, NUMBER_MAX), width = 0;
    *f = (struct format){.offset = is_below ? -offset : offset, .base = 'd'};
    if (take_char(s, end, ',')) {
        width = take_number(s, end, WIDTH_MAX);
        if (take_char(s, end, ',') && *s < end)
            f->base = *(*s)++;
    }
    f->width = width < 0 ? 0 : (unsigned)width;
    bool is_good = offset >= 0 && width >= 0 && strchr("doxXnN", f->base) && f->base;
    return is_good && take_char(s, end, '}') ? 0 : ERR_SYNTAX;
}

/* Append the text with its dollars replaced. */
static int fill_in(struct buf *out, const char *s, size_t len, uint32_t number)
{
    static const struct format plain = {.base = 'd'};
    struct format f;
    for (const char *end = s + len; s < end;) {
        if (*s == '\\' && s + 1 < end) {
            buf_add(out, s, 2);
            s += 2;
        } else if (*s != '$') {
            buf_add(out, s++, 1);
        } else if (s++, take_char(&s, end, '$')) {
            buf_adds(out, "\\$");
        } else if (!take_char(&s, end, '{')) {
            if (put_number(out, number, &plain) < 0)
                return ERR_RANGE;
        } else {
            int e = take_format(&s, end, &f);
            e = e < 0 ? e : put_number(out, number, &f);
            if (e < 0)
                return e;
        }
    }
    return 0;
}

/* Append the current token as it was written. */
static void add_token(struct buf *b, const struct parse *p)
{
    const char *quote = p->t.kind == TOKEN_QUOTED ? "\"" : "";
    buf_printf(b, "%s%s%.*s%s", b->len ? " " : "", quote, (int)p->t.len, p->t.at, quote);
}

static bool is_type(const struct token *t)
{
    bool is_class = t->len == 2 && strncasecmp(t->at, "IN", 2) == 0;
    return t->len && (t->at[0] < '0' || t->at[0] > '9') && !is_class;
}

/* The parts of the line: name, then TTL, class and type, then rdata. */
static int read_parts(struct parse *p, struct buf *name, struct buf *type, struct buf *rdata)
{
    if (p->t.kind != TOKEN_WORD)
        return rdtext_refuse(p, "a name with $ in it");
    add_token(name, p);
    for (bool done = false; !done; add_token(type, p)) {
        scan_next(&p->scan, &p->t);
        if (p->t.kind != TOKEN_WORD)
            return rdtext_refuse(p, "a type");
        done = is_type(&p->t);
    }
    scan_next(&p->scan, &p->t);
    struct token first = p->t;
    unsigned count = 0;
    for (; token_is_value(&p->t); scan_next(&p->scan, &p->t), count++)
        add_token(rdata, p);
    if (count == 0 || p->t.kind == TOKEN_BAD)
        return rdtext_refuse(p, "rdata");
    if (memchr(rdata->data, '\n', rdata->len))
        return diag_error(p->d, parse_loc(p, &first), "a string of $GENERATE cannot span lines");
    if (count == 1 && first.kind == TOKEN_QUOTED) {
        buf_clear(rdata);
        buf_printf(rdata, "%.*s", (int)first.len, first.at);
    }
    return 0;
}

/* Read one made line with a copy of this parse. */
static int parse_line(struct parse *p, const struct token *at, const struct buf *line)
{
    struct parse sub = *p;
    size_t errors = p->d->error_count;
    sub.scan = scan_on(line->data, line->len);
    sub.scan.line = at->line;
    sub.is_generated = true;
    parse_lines(&sub);
    p->last_ttl_s = sub.last_ttl_s;
    p->has_last_ttl = sub.has_last_ttl;
    p->told_default = sub.told_default;
    p->told_clamped = sub.told_clamped;
    memcpy(p->owner_name, sub.owner_name, sub.owner_len);
    p->owner_len = sub.owner_len;
    p->owner_hash = sub.owner_hash;
    p->owner = sub.owner;
    return p->d->error_count > errors ? ERR_REFUSED : 0;
}

static int make_line(struct buf *line, uint32_t number, const struct buf *name,
                     const struct buf *type, const struct buf *rdata)
{
    buf_clear(line);
    int e = fill_in(line, name->data, name->len, number);
    buf_printf(line, " %s ", type->data);
    return e < 0 ? e : fill_in(line, rdata->data, rdata->len, number);
}

/* The first fault ends it: the others would be the same. */
static int make_records(struct parse *p, const struct token *at, const struct range *r,
                        struct buf parts[3])
{
    struct buf line = {0};
    int e = 0;
    for (uint64_t n = r->start; n <= r->stop && e == 0; n += r->step) {
        e = make_line(&line, (uint32_t)n, &parts[0], &parts[1], &parts[2]);
        if (e == ERR_SYNTAX)
            e = diag_error(p->d, parse_loc(p, at),
                           "$GENERATE: ${ is followed by offset, width and base, as in ${0,3,d}; "
                           "the base is one of d o x X n N");
        else if (e == ERR_RANGE)
            e = diag_error(p->d, parse_loc(p, at),
                           "$GENERATE: with its offset, number %" PRIu64 " is not in 0 .. 2^32-1",
                           n);
        else if ((e = parse_line(p, at, &line)) < 0)
            e = diag_error(p->d, parse_loc(p, at), "$GENERATE: number %" PRIu64 " gives \"%.200s\"",
                           n, line.data);
    }
    buf_fini(&line);
    return e;
}

int generate_read(struct parse *p)
{
    struct token at = p->t;
    struct range r = {0};
    struct buf parts[3] = {{0}, {0}, {0}};
    if (p->is_generated)
        return diag_error(p->d, parse_loc(p, &p->t), "$GENERATE within $GENERATE");
    if (read_range(p, &r) < 0)
        return ERR_REFUSED;
    scan_next(&p->scan, &p->t);
    int e = read_parts(p, &parts[0], &parts[1], &parts[2]);
    if (e == 0)
        e = make_records(p, &at, &r, parts);
    for (unsigned i = 0; i < 3; i++)
        buf_fini(&parts[i]);
    return e;
}
