/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/log.h"

#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"

static atomic_bool debug_on;
static atomic_uint lines_lost;

void log_set_debug(bool on)
{
    atomic_store_explicit(&debug_on, on, memory_order_relaxed);
}

bool log_debug_on(void)
{
    return atomic_load_explicit(&debug_on, memory_order_relaxed);
}

static const char *prefix(enum log_level level)
{
    switch (level) {
    case LOG_LEVEL_DEBUG: return "debug: ";
    case LOG_LEVEL_INFO: return "info: ";
    case LOG_LEVEL_WARNING: return "warning: ";
    case LOG_LEVEL_ERROR: return "error: ";
    case LOG_LEVEL_FATAL: return "fatal: ";
    }
    return "";
}

/* Bytes below space and DEL become \xNN; bytes >= 0x80 pass, texts may be UTF-8. */
static void add_escaped(struct buf *out, const struct buf *in)
{
    for (size_t i = 0; i < in->len; i++) {
        unsigned char c = (unsigned char)in->data[i];
        if (c < 0x20 || c == 0x7f)
            buf_printf(out, "\\x%02x", c);
        else
            buf_add(out, &c, 1);
    }
}

/* A line goes out in one write of at most PIPE_BUF bytes, which a pipe that poll calls writable
 * takes without waiting: a reader that has stopped must not stop us. What cannot go out is counted
 * and told when something can. */
static void write_line(struct buf *line)
{
    struct pollfd out = {.fd = STDERR_FILENO, .events = POLLOUT};
    if (line->len > PIPE_BUF) {
        memcpy(line->data + PIPE_BUF - 5, " ...\n", 5);
        line->len = PIPE_BUF;
    }
    if (poll(&out, 1, 0) != 1 || !(out.revents & POLLOUT) ||
        write(STDERR_FILENO, line->data, line->len) < 0)
        atomic_fetch_add_explicit(&lines_lost, 1, memory_order_relaxed);
}

static void tell_lost(void)
{
    unsigned lost = atomic_exchange_explicit(&lines_lost, 0, memory_order_relaxed);
    struct buf line = {0};
    if (lost == 0)
        return;
    buf_printf(&line, "%slog: nobody read it: lines_lost=%u\n", prefix(LOG_LEVEL_WARNING), lost);
    write_line(&line);
    if (atomic_load_explicit(&lines_lost, memory_order_relaxed)) /* not this time */
        atomic_fetch_add_explicit(&lines_lost, lost - 1, memory_order_relaxed);
    buf_fini(&line);
}

void log_line(enum log_level level, const char *fmt, ...)
{
    struct buf text = {0}, line = {0};
    va_list ap;
    va_start(ap, fmt);
    buf_vprintf(&text, fmt, ap);
    va_end(ap);
    buf_adds(&line, prefix(level));
    add_escaped(&line, &text);
    buf_adds(&line, "\n");
    tell_lost();
    write_line(&line);
    buf_fini(&text);
    buf_fini(&line);
}

void log_diag(const struct diag *d)
{
    for (size_t i = 0; i < d->count; i++)
        log_line(d->entries[i].severity == DIAG_ERROR ? LOG_LEVEL_ERROR : LOG_LEVEL_WARNING, "%s",
                 d->entries[i].text);
    if (d->count >= DIAG_KEEP)
        log_error("more messages than %d: the rest is left out", DIAG_KEEP);
}
