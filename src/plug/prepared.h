/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * prepared.h: the answer of one resource, made when health changes and written by every query:
 * per family the addresses, and the state word.  One cache line or two.
 *
 * Life: prepared_new [monitor] -> published by RCU -> replaced -> freed by call_rcu.
 * Thread rule: immutable, but for `word`, of which the TTL alone may be stored again.
 */
#ifndef PLUG_PREPARED_H
#define PLUG_PREPARED_H

#include <stdatomic.h>
#include <thresh/types.h>
#include "base/rcu.h"
#include "wire/addrset.h"

struct prepared {
    _Atomic uint64_t word;
    struct addrset v4, v6;
    struct rcu_head head;
    uint8_t addrs[]; /* of v4, then of v6 */
};

static inline struct th_word prepared_word(const struct prepared *p)
{
    struct th_word w = {atomic_load_explicit(&p->word, memory_order_relaxed)};
    return w;
}

/* v4: n4 x 4 bytes, v6: n6 x 16 bytes. Heap. */
struct prepared *prepared_new(struct th_word word, const uint8_t *v4, unsigned n4,
                              const uint8_t *v6, unsigned n6);
/* Same addresses in the same order? */
bool prepared_same_addrs(const struct prepared *p, const uint8_t *v4, unsigned n4,
                         const uint8_t *v6, unsigned n6);
void prepared_retire(struct prepared *p); /* free after a grace period */
void prepared_free(struct prepared *p);

#endif
