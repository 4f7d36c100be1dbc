/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plug/prepared.h"

#include <string.h>

#include "base/mem.h"

struct prepared *prepared_new(struct th_word word, const uint8_t *v4, unsigned n4,
                              const uint8_t *v6, unsigned n6)
{
    size_t bytes4 = (size_t)n4 * 4, bytes6 = (size_t)n6 * 16;
    struct prepared *p = mem_alloc(sizeof *p + bytes4 + bytes6);
    atomic_init(&p->word, word.bits);
    if (n4)
        memcpy(p->addrs, v4, bytes4);
    if (n6)
        memcpy(p->addrs + bytes4, v6, bytes6);
    p->v4 = addrset_on(p->addrs, n4, 4);
    p->v6 = addrset_on(p->addrs + bytes4, n6, 6);
    return p;
}

static bool same(const struct addrset *s, const uint8_t *addrs, unsigned count, unsigned bytes)
{
    if (s->count != count)
        return false;
    for (unsigned i = 0; i < count; i++)
        if (memcmp(addrset_at(s, i), addrs + (size_t)i * bytes, bytes) != 0)
            return false;
    return true;
}

bool prepared_same_addrs(const struct prepared *p, const uint8_t *v4, unsigned n4,
                         const uint8_t *v6, unsigned n6)
{
    return same(&p->v4, v4, n4, 4) && same(&p->v6, v6, n6, 16);
}

static void free_later(struct rcu_head *head)
{
    rcu_later_begin();
    prepared_free(container_of(head, struct prepared, head));
}

void prepared_retire(struct prepared *p)
{
    rcu_later(&p->head, free_later);
}

void prepared_free(struct prepared *p)
{
    mem_free(p);
}
