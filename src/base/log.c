/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"

static atomic_bool debug_on;

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
    ssize_t n = write(STDERR_FILENO, line.data, line.len);
    (void)n; /* a log that cannot be written has nowhere to say so */
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
