/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * diag.h: errors and warnings for people.  A loader is handed a diag and adds one entry for each
 * thing it finds wrong, so that a refused configuration is refused with all its reasons:
 *
 *   zones/example.org:12:7: TTL "3600s1" is not a duration; write seconds, or 1w2d3h4m5s
 *
 * An entry says where, quotes what was read, what is allowed, and how to mend it.
 *
 * Life: diag_init or {0} -> diag_error/diag_warn ... -> read entries -> diag_fini.
 * Thread rule: belongs to one thread at a time; merge with diag_move.
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include "base/attrs.h"

/* Where in a person's file; file NULL = nowhere in particular, line or col 0 = unknown. */
struct diag_loc {
    const char *file; /* borrowed by the call that takes it, copied into the text */
    unsigned line, col;
};

enum diag_severity { DIAG_WARNING, DIAG_ERROR };

struct diag_entry {
    enum diag_severity severity;
    char *text; /* "file:line:col: message" */
};

struct diag {
    struct diag_entry *entries;
    size_t count, cap;
    size_t error_count; /* all, also those beyond DIAG_KEEP */
    bool strict;        /* diag_strict_warn counts as an error */
};

/* Entries kept; a file with a million faults needs no million lines. The rest is only counted. */
#define DIAG_KEEP 100

#define DIAG_NOWHERE ((struct diag_loc){0})

/* Both return ERR_REFUSED so that `return diag_error(...)` reads well. */
int diag_error(struct diag *d, struct diag_loc loc, const char *fmt, ...) printf_like(3, 4);
/* Returns 0. */
int diag_warn(struct diag *d, struct diag_loc loc, const char *fmt, ...) printf_like(3, 4);
/* An error if d->strict (ERR_REFUSED), else a warning (0). */
int diag_strict_warn(struct diag *d, struct diag_loc loc, const char *fmt, ...) printf_like(3, 4);
static inline bool diag_failed(const struct diag *d)
{
    return d->error_count != 0;
}
/* Append all of *from to *to and empty *from. */
void diag_move(struct diag *to, struct diag *from);
void diag_fini(struct diag *d);

#endif
