/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/hashmap.h"

#include <endian.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/prng.h"

uint64_t hash_bytes(uint64_t h, const void *bytes, size_t len)
{
    const char *key = bytes;
    while (len) {
        uint64_t word = 0;
        size_t n = len < 8 ? len : 8;
        memcpy(&word, key, n);
        word = le64toh(word);
        unsigned __int128 x =
            (unsigned __int128)(h ^ word ^ (uint64_t)n << 56) * 0x9e3779b97f4a7c15u;
        h = (uint64_t)x ^ (uint64_t)(x >> 64);
        key += n;
        len -= n;
    }
    return h;
}

static struct hashmap_slot *probe(const struct hashmap *m, const char *key, size_t len, uint64_t h)
{
    size_t i = h & (m->cap - 1);
    for (;; i = (i + 1) & (m->cap - 1)) {
        struct hashmap_slot *s = &m->slots[i];
        if (!s->key || (s->hash == h && s->key_len == len && memcmp(s->key, key, len) == 0))
            return s;
    }
}

static void hashmap_resize(struct hashmap *m, size_t cap)
{
    struct hashmap old = *m;
    m->slots = mem_array(cap, sizeof *m->slots);
    m->cap = cap;
    for (size_t i = 0; i < old.cap; i++)
        if (old.slots[i].key)
            *probe(m, old.slots[i].key, old.slots[i].key_len, old.slots[i].hash) = old.slots[i];
    mem_free(old.slots);
}

int hashmap_put(struct hashmap *m, const char *key, size_t key_len, uint32_t value, uint32_t *found)
{
    if (m->cap == 0)
        m->seed = prng_secret();
    if ((m->count + 1) * 4 > m->cap * 3) /* above 3/4 full linear probing gets long */
        hashmap_resize(m, m->cap ? m->cap * 2 : 16);
    uint64_t h = hash_bytes(m->seed, key, key_len);
    struct hashmap_slot *s = probe(m, key, key_len, h);
    int e = s->key ? ERR_EXISTS : 0;
    if (!s->key) {
        *s = (struct hashmap_slot){key, (uint32_t)key_len, value, h};
        m->count++;
    }
    if (found)
        *found = s->value;
    return e;
}

int hashmap_find(const struct hashmap *m, const char *key, size_t key_len, uint32_t *value)
{
    if (m->cap == 0)
        return ERR_NOTFOUND;
    const struct hashmap_slot *s = probe(m, key, key_len, hash_bytes(m->seed, key, key_len));
    if (!s->key)
        return ERR_NOTFOUND;
    *value = s->value;
    return 0;
}

void hashmap_fini(struct hashmap *m)
{
    mem_free(m->slots);
    *m = (struct hashmap){0};
}
