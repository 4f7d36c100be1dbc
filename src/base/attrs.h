/* SPDX-License-Identifier: GPL-3.0-or-later */
/* attrs.h: compiler attributes and the few macros that cannot be inline functions. */
#ifndef BASE_ATTRS_H
#define BASE_ATTRS_H

#include <stddef.h>

#define must_check                    __attribute__((warn_unused_result))
#define printf_like(f, a)             __attribute__((format(printf, f, a)))
#define likely(x)                     __builtin_expect(!!(x), 1)
#define unlikely(x)                   __builtin_expect(!!(x), 0)
#define CACHE_LINE                    64
#define cache_aligned                 __attribute__((aligned(CACHE_LINE)))
#define array_len(a)                  (sizeof(a) / sizeof((a)[0]))
#define container_of(p, type, member) ((type *)(void *)((char *)(p)-offsetof(type, member)))

#endif
