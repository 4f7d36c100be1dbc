/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/buf.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

void buf_fini(struct buf *b)
{
    mem_free(b->data);
    *b = (struct buf){0};
}

char *buf_reserve(struct buf *b, size_t more)
{
    if (b->cap - b->len < more + 1) {
        size_t cap = b->cap ? b->cap : 128;
        while (cap - b->len < more + 1)
            cap *= 2;
        b->data = mem_grow(b->data, cap, 1);
        b->cap = cap;
    }
    return b->data + b->len;
}

void buf_add(struct buf *b, const void *bytes, size_t len)
{
    char *to = buf_reserve(b, len);
    if (len)
        memcpy(to, bytes, len);
    b->len += len;
    b->data[b->len] = '\0';
}

void buf_adds(struct buf *b, const char *s)
{
    buf_add(b, s, strlen(s));
}

void buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    if (n > 0) {
        (void)vsnprintf(buf_reserve(b, (size_t)n), (size_t)n + 1, fmt, again); /* measured above */
        b->len += (size_t)n;
    }
    va_end(again);
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    buf_vprintf(b, fmt, ap);
    va_end(ap);
}

char *buf_take(struct buf *b)
{
    char *text = b->data ? b->data : mem_strdup("");
    *b = (struct buf){0};
    return text;
}
