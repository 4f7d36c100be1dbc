/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/diag.h"

#include <stdarg.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

/* All places are taken: an error takes that of the last warning, so that a file with a hundred
 * warnings is still refused with its reasons. */
static void displace_warning(struct diag *d, enum diag_severity severity, char *text)
{
    size_t i = d->count;
    while (severity == DIAG_ERROR && i > 0 && d->entries[i - 1].severity == DIAG_ERROR)
        i--;
    if (severity == DIAG_ERROR && i > 0) {
        mem_free(d->entries[i - 1].text);
        memmove(d->entries + i - 1, d->entries + i, (d->count - i) * sizeof *d->entries);
        d->entries[d->count - 1] = (struct diag_entry){severity, text};
        return;
    }
    mem_free(text);
}

static void diag_push(struct diag *d, enum diag_severity severity, char *text)
{
    if (severity == DIAG_ERROR)
        d->error_count++;
    if (d->count >= DIAG_KEEP) {
        displace_warning(d, severity, text);
        return;
    }
    if (d->count == d->cap) {
        d->cap = d->cap ? d->cap * 2 : 8;
        d->entries = mem_grow(d->entries, d->cap, sizeof *d->entries);
    }
    d->entries[d->count++] = (struct diag_entry){severity, text};
}

static void diag_add(struct diag *d, enum diag_severity severity, struct diag_loc loc,
                     const char *fmt, va_list ap)
{
    struct buf b = {0};
    if (loc.file) {
        buf_printf(&b, "%s:", loc.file);
        if (loc.line)
            buf_printf(&b, "%u:", loc.line);
        if (loc.line && loc.col)
            buf_printf(&b, "%u:", loc.col);
        buf_adds(&b, " ");
    }
    buf_vprintf(&b, fmt, ap);
    diag_push(d, severity, buf_take(&b));
}

int diag_error(struct diag *d, struct diag_loc loc, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    diag_add(d, DIAG_ERROR, loc, fmt, ap);
    va_end(ap);
    return ERR_REFUSED;
}

int diag_warn(struct diag *d, struct diag_loc loc, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    diag_add(d, DIAG_WARNING, loc, fmt, ap);
    va_end(ap);
    return 0;
}

int diag_strict_warn(struct diag *d, struct diag_loc loc, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    diag_add(d, d->strict ? DIAG_ERROR : DIAG_WARNING, loc, fmt, ap);
    va_end(ap);
    return d->strict ? ERR_REFUSED : 0;
}

void diag_move(struct diag *to, struct diag *from)
{
    size_t kept_errors = 0;
    for (size_t i = 0; i < from->count; i++) {
        kept_errors += from->entries[i].severity == DIAG_ERROR;
        diag_push(to, from->entries[i].severity, from->entries[i].text);
    }
    to->error_count += from->error_count - kept_errors;
    from->count = 0;
    diag_fini(from);
}

void diag_fini(struct diag *d)
{
    for (size_t i = 0; i < d->count; i++)
        mem_free(d->entries[i].text);
    mem_free(d->entries);
    *d = (struct diag){.strict = d->strict};
}
