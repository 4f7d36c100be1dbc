/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * clock.h: two clocks of two types.  Monotonic time orders and measures; nothing that decides
 * health or schedules reads the wall clock, which is for people's eyes and for files.
 * Thread rule: [any].
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

struct mono { /* monotonic */
    int64_t ns;
};

struct wall { /* UTC since 1970 */
    int64_t ns;
};

static inline int64_t clock_read_ns_(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline struct mono mono_now(void)
{
    return (struct mono){clock_read_ns_(CLOCK_MONOTONIC)};
}

/* Cheaper, and a few milliseconds behind. */
static inline struct mono mono_now_coarse(void)
{
    return (struct mono){clock_read_ns_(CLOCK_MONOTONIC_COARSE)};
}

static inline struct wall wall_now(void)
{
    return (struct wall){clock_read_ns_(CLOCK_REALTIME)};
}

static inline int64_t mono_diff_ms(struct mono later, struct mono earlier)
{
    return (later.ns - earlier.ns) / 1000000;
}

static inline struct mono mono_add_ms(struct mono t, int64_t ms)
{
    return (struct mono){t.ns + ms * 1000000};
}

#endif
