/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mem.h: memory.  Two ways to get it:
 *
 *   heap    mem_new/mem_free for things with a life of their own
 *   arena   many small things that die together; `struct arena *` as an argument means
 *           "the result lives as long as this"
 *
 * Neither returns NULL: when the system has no memory left the process says so and aborts (the
 * one error without a way back; docs/architecture.md).  Nothing here runs on the query path.
 *
 * Thread rule: heap calls [any]; an arena belongs to one thread at a time.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>
#include <stdint.h>
#include "base/attrs.h"

/* Zeroed memory of `size` bytes; size 0 gives a unique pointer. */
void *mem_alloc(size_t size) __attribute__((malloc, returns_nonnull, alloc_size(1)));
/* Zeroed array; the multiplication is checked. */
void *mem_array(size_t count, size_t size) __attribute__((malloc, returns_nonnull));
/* Zeroed, aligned to a power of two >= sizeof(void *). */
void *mem_aligned(size_t align, size_t size) __attribute__((malloc, returns_nonnull));
/* As realloc for an array; bytes beyond the old content are not zeroed. */
void *mem_grow(void *p, size_t count, size_t size) must_check __attribute__((returns_nonnull));
char *mem_strdup(const char *s) __attribute__((malloc, returns_nonnull));
char *mem_printf(const char *fmt, ...) printf_like(1, 2) __attribute__((malloc, returns_nonnull));
void mem_free(void *p);

/* Give large pieces back to the system when they are freed, whatever their sizes were before: else
 * glibc keeps more and more of them with each reload. Once, before any thread. [main] */
void mem_return_large(void);
/* Give back what lies free between pieces in use. About a millisecond, for which other threads
 * wait if they allocate. */
void mem_trim(void);

#define mem_new(type) ((type *)mem_alloc(sizeof(type)))

struct arena_chunk;

struct arena {
    struct arena_chunk *chunks; /* newest first */
    uint8_t *next, *end;        /* room left in the newest */
    size_t chunk_bytes;         /* size of the next chunk */
    size_t total_bytes;         /* taken from the system */
};

/* first_bytes: expected total (0 = unknown); chunks grow from there. */
void arena_init(struct arena *a, size_t first_bytes);
void arena_fini(struct arena *a);
/* Zeroed; aligned to `align`, a power of two of at most 64. */
void *arena_alloc(struct arena *a, size_t size, size_t align) __attribute__((returns_nonnull));
char *arena_strndup(struct arena *a, const char *s, size_t len) __attribute__((returns_nonnull));
char *arena_strdup(struct arena *a, const char *s) __attribute__((returns_nonnull));
void *arena_memdup(struct arena *a, const void *p, size_t len, size_t align);

#define arena_new(a, type) ((type *)arena_alloc((a), sizeof(type), _Alignof(type)))
#define arena_array(a, count, type)                                                                \
    ((type *)arena_alloc((a), (size_t)(count) * sizeof(type), _Alignof(type)))

#endif
