/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cursor.h: read and write bytes of messages with the bounds checked in one place.  A cursor that
 * would leave its bytes does nothing and stays *failed*: check once at the end, not after each
 * step.
 *
 *   struct cursor c = cursor_on(rdata, len);
 *   uint16_t preference = cursor_u16(&c);
 *   const uint8_t *host = cursor_bytes(&c, cursor_name_len(&c));
 *   if (c.failed) ...
 *
 *   struct writer w = writer_on(room, sizeof room);
 *   writer_u16(&w, RRTYPE_MX);
 *   if (w.failed) ...                 it did not fit; w.at bytes did
 *
 * Thread rule: [any]; nothing allocates.
 */
#ifndef WIRE_CURSOR_H
#define WIRE_CURSOR_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct cursor {
    const uint8_t *base;
    size_t at, len;
    bool failed;
};

static inline struct cursor cursor_on(const void *bytes, size_t len)
{
    return (struct cursor){bytes, 0, len, false};
}

static inline size_t cursor_left(const struct cursor *c)
{
    return c->len - c->at;
}

/* The next n bytes, or NULL (and failed). */
static inline const uint8_t *cursor_bytes(struct cursor *c, size_t n)
{
    if (c->failed || n > cursor_left(c)) {
        c->failed = true;
        return NULL;
    }
    const uint8_t *p = c->base + c->at;
    c->at += n;
    return p;
}

/* Numbers in network order; 0 when failed. */
static inline uint8_t cursor_u8(struct cursor *c)
{
    const uint8_t *p = cursor_bytes(c, 1);
    return p ? *p : 0;
}

static inline uint16_t cursor_u16(struct cursor *c)
{
    const uint8_t *p = cursor_bytes(c, 2);
    uint16_t be = 0;
    if (p)
        memcpy(&be, p, 2);
    return be16toh(be);
}

static inline uint32_t cursor_u32(struct cursor *c)
{
    const uint8_t *p = cursor_bytes(c, 4);
    uint32_t be = 0;
    if (p)
        memcpy(&be, p, 4);
    return be32toh(be);
}

/* Length of the uncompressed name that begins here, its root included; SIZE_MAX (which no read
 * survives) if there is none: a pointer, more than 255 bytes, no end. Does not move. */
static inline size_t cursor_name_len(const struct cursor *c)
{
    for (size_t at = c->at; at < c->len && at - c->at < 255; at += (size_t)c->base[at] + 1) {
        if (c->base[at] == 0)
            return at - c->at + 1;
        if (c->base[at] > 63)
            return SIZE_MAX;
    }
    return SIZE_MAX;
}

struct writer {
    uint8_t *base;
    size_t at, cap;
    bool failed;
};

static inline struct writer writer_on(void *room, size_t cap)
{
    return (struct writer){room, 0, cap, false};
}

/* Room for n bytes that the caller fills, or NULL (and failed). */
static inline uint8_t *writer_room(struct writer *w, size_t n)
{
    if (w->failed || n > w->cap - w->at) {
        w->failed = true;
        return NULL;
    }
    uint8_t *p = w->base + w->at;
    w->at += n;
    return p;
}

static inline void writer_bytes(struct writer *w, const void *bytes, size_t n)
{
    uint8_t *p = writer_room(w, n);
    if (p && n)
        memcpy(p, bytes, n);
}

static inline void writer_u8(struct writer *w, uint8_t v)
{
    writer_bytes(w, &v, 1);
}

static inline void writer_u16(struct writer *w, uint16_t v)
{
    uint16_t be = htobe16(v);
    writer_bytes(w, &be, 2);
}

static inline void writer_u32(struct writer *w, uint32_t v)
{
    uint32_t be = htobe32(v);
    writer_bytes(w, &be, 4);
}

/* Overwrite a number that was written before, at offset `at`. */
static inline void writer_set_u16(struct writer *w, size_t at, uint16_t v)
{
    uint16_t be = htobe16(v);
    if (w->at < 2 || at > w->at - 2)
        w->failed = true;
    else
        memcpy(w->base + at, &be, 2);
}

#endif
