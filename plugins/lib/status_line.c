/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "status_line.h"

#include <string.h>

void status_line_init(struct status_line *s, bool gdnsd)
{
    memset(s, 0, sizeof *s);
    s->gdnsd = gdnsd;
}

void status_line_skip(struct status_line *s)
{
    s->skipping = true;
    s->line_len = 0;
}

static bool is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

/* May `c` stand at place `i` of a status line? */
static bool fits(const struct status_line *s, uint32_t i, unsigned char c)
{
    static const char start[] = "HTTP/1.";
    if (i < 7)
        return c == (unsigned char)start[i];
    if (i == 7)
        return s->gdnsd ? c == '0' || c == '1' : is_digit(c);
    if (i == 8 || i == 12)
        return c == ' ';
    if (i == 9)
        return is_digit(c) && c != '0';
    if (i < 12)
        return is_digit(c);
    return c == '\t' || (c >= 0x20 && c != 0x7f); /* the reason: HTAB, SP, VCHAR, obs-text */
}

static void remember(struct status_line *s, unsigned char c)
{
    uint32_t i = s->line_len++;
    if (i >= sizeof s->head - 1)
        return;
    s->head[i] = c >= 0x20 && c < 0x7f ? (char)c : '?';
    s->head[i + 1] = '\0';
}

static enum status_event line_complete(struct status_line *s)
{
    if (s->line_len < 12) /* up to the code; the space and the reason may be missing */
        return STATUS_BAD;
    s->code = (uint16_t)((s->head[9] - '0') * 100 + (s->head[10] - '0') * 10 + (s->head[11] - '0'));
    return STATUS_CODE;
}

static enum status_event feed_status(struct status_line *s, unsigned char c)
{
    if (s->cr) {
        s->cr = false;
        return c == '\n' ? line_complete(s) : STATUS_BAD;
    }
    if (c == '\r' && !s->gdnsd) {
        s->cr = true;
        return STATUS_MORE;
    }
    bool good = fits(s, s->line_len, c);
    remember(s, c);
    if (!good)
        return STATUS_BAD;
    return s->gdnsd && s->line_len == STATUS_LINE_GDNSD ? line_complete(s) : STATUS_MORE;
}

/* An empty line ends the headers. */
static void feed_header(struct status_line *s, unsigned char c)
{
    if (c == '\r')
        return;
    if (c != '\n') {
        s->line_len++;
        return;
    }
    s->skipping = s->line_len != 0;
    s->line_len = 0;
    s->head[0] = '\0';
}

enum status_event status_line_feed(struct status_line *s, const char *bytes, size_t n, size_t *used)
{
    for (*used = 0; *used < n;) {
        unsigned char c = (unsigned char)bytes[(*used)++];
        if (++s->seen > STATUS_LINE_LIMIT)
            return STATUS_BAD;
        if (s->skipping) {
            feed_header(s, c);
            continue;
        }
        enum status_event e = feed_status(s, c);
        if (e != STATUS_MORE)
            return e;
    }
    return STATUS_MORE;
}
