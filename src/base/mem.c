/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/mem.h"

#include <errno.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Below 4 KiB a chunk is mostly malloc overhead; above 1 MiB its unused tail wastes more than the
 * saved calls give. */
#define CHUNK_MIN ((size_t)4096)
#define CHUNK_MAX ((size_t)1 << 20)

/* glibc maps pieces from here on, and by itself raises its limit to the largest that was freed;
 * this is where it begins. Lower, a map is made for what is freed soon; higher, arrays of zones are
 * kept (4 MiB: 60 MiB more with 100,000 zones). */
#define MAP_FROM (128 << 10)

void mem_return_large(void)
{
    (void)mallopt(M_MMAP_THRESHOLD, MAP_FROM); /* 0: another malloc, with its own ways */
}

void mem_trim(void)
{
    (void)malloc_trim(0); /* whether there was anything */
}

struct arena_chunk {
    struct arena_chunk *older;
    uint8_t bytes[];
};

static void __attribute__((noreturn)) out_of_memory(void)
{
    static const char text[] = "fatal: out of memory\n";
    ssize_t n = write(STDERR_FILENO, text, sizeof text - 1);
    (void)n; /* nobody is left to be told */
    abort();
}

/* From here on memory is wished for in huge pages: a zone of a million names costs 60,000 page
 * faults less, and look-ups miss the TLB less often. Smaller pieces would be rounded up by much. */
#define HUGE_MIN ((size_t)8 << 20)
#define PAGE     ((uintptr_t)4096)

/* Whole pages, outwards: advice for a part would split the mapping, and the kernel moves only
 * mappings that are whole (mremap), so that growing would copy everything. */
static void *prefer_huge(void *p, size_t size)
{
    uintptr_t from = (uintptr_t)p & ~(PAGE - 1);
    uintptr_t end = ((uintptr_t)p + size + PAGE - 1) & ~(PAGE - 1);
    if (size >= HUGE_MIN)
        (void)madvise((void *)from, end - from, MADV_HUGEPAGE); /* a wish: refused is fine */
    return p;
}

void *mem_alloc(size_t size)
{
    void *p = calloc(1, size ? size : 1);
    if (!p)
        out_of_memory();
    return prefer_huge(p, size);
}

void *mem_array(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size ? size : 1);
    if (!p)
        out_of_memory();
    return prefer_huge(p, count * size);
}

void *mem_aligned(size_t align, size_t size)
{
    void *p = NULL;
    if (posix_memalign(&p, align, size ? size : 1) != 0)
        out_of_memory();
    memset(p, 0, size);
    return p;
}

void *mem_grow(void *p, size_t count, size_t size)
{
    void *q = reallocarray(p, count ? count : 1, size ? size : 1);
    if (!q)
        out_of_memory();
    return prefer_huge(q, count * size);
}

char *mem_strdup(const char *s)
{
    char *p = strdup(s);
    if (!p)
        out_of_memory();
    return p;
}

char *mem_printf(const char *fmt, ...)
{
    char *text = NULL;
    va_list ap;
    va_start(ap, fmt);
    int n = vasprintf(&text, fmt, ap);
    va_end(ap);
    if (n < 0)
        out_of_memory();
    return text;
}

void mem_free(void *p)
{
    free(p);
}

void arena_init(struct arena *a, size_t first_bytes)
{
    *a = (struct arena){.chunk_bytes = first_bytes ? first_bytes : CHUNK_MIN};
}

void arena_fini(struct arena *a)
{
    for (struct arena_chunk *c = a->chunks, *older; c; c = older) {
        older = c->older;
        free(c);
    }
    *a = (struct arena){0};
}

static void arena_add_chunk(struct arena *a, size_t need)
{
    size_t bytes = a->chunk_bytes > need ? a->chunk_bytes : need;
    struct arena_chunk *c = calloc(1, sizeof *c + bytes); /* large ones come zeroed: no pass */
    if (!c)
        out_of_memory();
    (void)prefer_huge(c, bytes);
    c->older = a->chunks;
    a->chunks = c;
    a->next = c->bytes;
    a->end = c->bytes + bytes;
    a->total_bytes += sizeof *c + bytes;
    a->chunk_bytes = a->total_bytes / 2 < CHUNK_MIN   ? CHUNK_MIN
                     : a->total_bytes / 2 > CHUNK_MAX ? CHUNK_MAX
                                                      : a->total_bytes / 2;
}

static uint8_t *align_up(uint8_t *p, size_t align)
{
    return p + (-(uintptr_t)p & (align - 1));
}

void *arena_alloc(struct arena *a, size_t size, size_t align)
{
    if (!a->chunks || size > (size_t)(a->end - a->next) ||
        align_up(a->next, align) > a->end - size) {
        if (size > SIZE_MAX / 2)
            out_of_memory();
        arena_add_chunk(a, size + align);
    }
    uint8_t *p = align_up(a->next, align);
    a->next = p + size;
    return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t len)
{
    char *p = arena_alloc(a, len + 1, 1);
    memcpy(p, s, len);
    return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
    return arena_strndup(a, s, strlen(s));
}

void *arena_memdup(struct arena *a, const void *p, size_t len, size_t align)
{
    void *copy = arena_alloc(a, len, align);
    if (len)
        memcpy(copy, p, len);
    return copy;
}
