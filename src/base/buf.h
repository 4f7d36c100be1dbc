/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * buf.h: a byte string that grows; for texts that are put together (JSON, log lines, messages).
 *
 *   struct buf b = {0};
 *   buf_printf(&b, "%u zones", n);
 *   use(b.data, b.len);            data is NUL-terminated, the NUL not counted in len
 *   buf_fini(&b);
 *
 * Thread rule: belongs to one thread at a time.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include "base/attrs.h"

struct buf {
    char *data; /* NULL while empty and never written */
    size_t len, cap;
};

void buf_fini(struct buf *b);
/* Make room for `more` bytes behind len and return where they go; the caller then adds to len. */
char *buf_reserve(struct buf *b, size_t more);
void buf_add(struct buf *b, const void *bytes, size_t len);
void buf_adds(struct buf *b, const char *s);
void buf_printf(struct buf *b, const char *fmt, ...) printf_like(2, 3);
void buf_vprintf(struct buf *b, const char *fmt, va_list ap);
/* The text moves to the caller (mem_free); b is empty afterwards. Never NULL. */
char *buf_take(struct buf *b) must_check;
static inline void buf_clear(struct buf *b)
{
    b->len = 0;
}

#endif
