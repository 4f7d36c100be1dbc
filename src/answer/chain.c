/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/chain.h"

#include <assert.h>

void chain_init(struct chain *c, const struct qname *question)
{
    c->count = 1;
    c->names[0] = question->wire;
    c->newest = question;
    c->made_count = c->dname_count = 0;
}

bool chain_follow(struct chain *c, const struct zone *z, const uint8_t *target, uint64_t seed,
                  unsigned max_depth)
{
    if (c->count > CHAIN_MAX || !dname_is_in(target, z->apex))
        return false;
    for (unsigned i = 0; i < c->count; i++)
        if (dname_equal(c->names[i], target))
            return false;
    c->names[c->count++] = target;
    qname_set(&c->at, target, seed, max_depth);
    c->newest = &c->at;
    return true;
}

bool chain_has_dname(struct chain *c, const uint8_t *owner)
{
    for (unsigned i = 0; i < c->dname_count; i++)
        if (c->dnames[i] == owner)
            return true;
    assert(c->dname_count <= CHAIN_MAX);
    c->dnames[c->dname_count++] = owner;
    return false;
}

const uint8_t *chain_substitute(struct chain *c, unsigned owner_labels, const uint8_t *target)
{
    const struct qname *name = c->newest;
    size_t kept = name->off[name->labels - owner_labels], target_len = dname_len(target);
    assert(c->made_count <= CHAIN_MAX); /* chain_follow ends the chain before */
    if (kept + target_len > DNAME_MAX)
        return NULL;
    uint8_t *made = c->made[c->made_count++];
    memcpy(made, name->wire, kept);
    memcpy(made + kept, target, target_len);
    return made;
}
