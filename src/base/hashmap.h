/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hashmap.h: text -> index, for look-ups while loading (configuration keys, resources, items).
 * Linear in time and memory for any number of keys; the hash is seeded per map.
 *
 *   struct hashmap m = {0};
 *   if (hashmap_put(&m, "web", 3, &i) == ERR_EXISTS) ... i is the earlier value
 *   hashmap_fini(&m);
 *
 * Keys are borrowed: they live at least as long as the map.  Thread rule: one thread at a time
 * for put; find is [any] when nobody puts.
 */
#ifndef BASE_HASHMAP_H
#define BASE_HASHMAP_H

#include <stddef.h>
#include <stdint.h>
#include "base/attrs.h"

/* A 64-bit hash of bytes, the same on every machine; not for secrets. Chain calls through h. */
uint64_t hash_bytes(uint64_t h, const void *bytes, size_t len);

struct hashmap_slot {
    const char *key; /* NULL = empty */
    uint32_t key_len, value;
    uint64_t hash;
};

struct hashmap {
    struct hashmap_slot *slots;
    size_t count, cap; /* cap: 0 or a power of two */
    uint64_t seed;
};

/* 0 and *found = value if new; ERR_EXISTS and *found = the value that is there. found may be NULL.
 */
int hashmap_put(struct hashmap *m, const char *key, size_t key_len, uint32_t value,
                uint32_t *found);
/* 0 or ERR_NOTFOUND. */
int hashmap_find(const struct hashmap *m, const char *key, size_t key_len, uint32_t *value);
void hashmap_fini(struct hashmap *m);

#endif
