/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zone/crew.h"

void crew_init(struct crew *c, unsigned threads)
{
    threads = threads < 1 ? 1 : threads;
    atomic_init(&c->spare, threads < CREW_MAX ? threads : CREW_MAX);
}

bool crew_take(struct crew *c)
{
    unsigned spare = atomic_load(&c->spare);
    while (spare > 0)
        if (atomic_compare_exchange_weak(&c->spare, &spare, spare - 1))
            return true;
    return false;
}

void crew_give(struct crew *c)
{
    atomic_fetch_add(&c->spare, 1);
}

bool crew_start(struct crew *c, struct crew_band *band, void *(*run)(void *), void *arg)
{
    if (band->count == CREW_MAX || !crew_take(c))
        return false;
    if (pthread_create(&band->threads[band->count], NULL, run, arg) != 0) {
        crew_give(c);
        return false;
    }
    band->count++;
    return true;
}

void crew_join(struct crew_band *band)
{
    for (unsigned i = 0; i < band->count; i++)
        pthread_join(band->threads[i], NULL);
    band->count = 0;
}
