/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chain.h: the names that one question leads to: RFC 1034 section 4.3.2 step 3a, RFC 6672.
 *
 *   www.example.  CNAME  web.old.example.        name 0: the question's
 *   old.example.  DNAME  new.example.            name 1: web.old.example.
 *   web.new.example. A                           name 2: web.new.example.
 *
 * A chain ends CHAIN_MAX names behind the first, at a name it has been to, and at the edge of the
 * zone it began in: other zones of this server are other people's business.
 *
 * Thread rule: [worker]; lives on the stack for one response.
 */
#ifndef ANSWER_CHAIN_H
#define ANSWER_CHAIN_H

#include "zone/set.h"

/* Follows one after another; longer is a mistake, and each costs a look-up. */
#define CHAIN_MAX 16

struct chain {
    unsigned count;                         /* names so far, the question's included */
    const uint8_t *names[CHAIN_MAX + 1];    /* wire */
    const struct qname *newest;             /* the last of them, taken apart */
    struct qname at;                        /* which is here, from the second on */
    uint8_t made[CHAIN_MAX + 1][DNAME_MAX]; /* names that a DNAME made */
    unsigned made_count;
    const uint8_t *dnames[CHAIN_MAX + 1]; /* owners whose DNAME is in the answer */
    unsigned dname_count;
};

void chain_init(struct chain *c, const struct qname *question);
/* Go on to `target`. False = the chain ends here: too long, a circle, or outside z. */
bool chain_follow(struct chain *c, const struct zone *z, const uint8_t *target, uint64_t seed,
                  unsigned max_depth);
/* The newest name; it stays where it is as long as the chain does. */
static inline const uint8_t *chain_name(const struct chain *c)
{
    return c->names[c->count - 1];
}
/* Is the DNAME of this owner (its name in the zone) in the answer? From now on it is. */
bool chain_has_dname(struct chain *c, const uint8_t *owner);
/* The name that a DNAME whose owner has owner_labels, to `target`, makes of the newest; NULL = it
 * would be longer than a name may be: YXDOMAIN. At most one more than CHAIN_MAX are made. */
const uint8_t *chain_substitute(struct chain *c, unsigned owner_labels, const uint8_t *target);

#endif
