/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/counters.h"

void counters_sum(const struct counters *c, uint64_t sum[COUNTER_COUNT])
{
    for (size_t i = 0; i < COUNTER_COUNT; i++)
        sum[i] += counter_get(c, (enum counter)i);
}
