/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "health/registry.h"

#include <string.h>

#include "base/hashmap.h"
#include "base/mem.h"

struct registry {
    struct slot **buckets;      /* chains of slots, by key */
    size_t count, bucket_count; /* bucket_count: a power of two */
};

#define FIRST_BUCKETS 64

struct registry *registry_new(void)
{
    struct registry *r = mem_new(struct registry);
    r->bucket_count = FIRST_BUCKETS;
    r->buckets = mem_array(r->bucket_count, sizeof(struct slot *));
    return r;
}

void slot_free(struct slot *s)
{
    mem_free(s->users);
    mem_free(s);
}

void registry_free(struct registry *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->bucket_count; i++) {
        for (struct slot *s = r->buckets[i], *next; s; s = next) {
            next = s->next;
            slot_free(s);
        }
    }
    mem_free(r->buckets);
    mem_free(r);
}

/* Not seeded: a probe's place in its interval follows from it and stays over a restart. */
static uint64_t hash_watch(const struct watch *w)
{
    uint64_t h = hash_bytes(w->addr.family, w->service->name, strlen(w->service->name) + 1);
    h = hash_bytes(h, &w->service->identity, sizeof w->service->identity);
    return hash_bytes(h, w->addr.bytes, th_addr_len(&w->addr));
}

static struct slot **bucket_of(struct registry *r, uint64_t key)
{
    return &r->buckets[key & (r->bucket_count - 1)];
}

static bool slot_is(const struct slot *s, uint64_t key, const struct watch *w)
{
    return s->key == key && s->service_identity == w->service->identity &&
           th_addr_equal(&s->addr, &w->addr) && strcmp(s->service_name, w->service->name) == 0;
}

static struct slot *find(struct registry *r, uint64_t key, const struct watch *w)
{
    struct slot *s = *bucket_of(r, key);
    while (s && !slot_is(s, key, w))
        s = s->next;
    return s;
}

static void insert(struct registry *r, struct slot *s)
{
    struct slot **b = bucket_of(r, s->key);
    s->next = *b;
    *b = s;
}

static void grow(struct registry *r)
{
    struct slot **old = r->buckets;
    size_t old_count = r->bucket_count;
    r->bucket_count *= 2;
    r->buckets = mem_array(r->bucket_count, sizeof(struct slot *));
    for (size_t i = 0; i < old_count; i++) {
        for (struct slot *s = old[i], *next; s; s = next) {
            next = s->next;
            insert(r, s);
        }
    }
    mem_free(old);
}

static struct th_word first_word(const struct service *service)
{
    switch (service->kind) {
    case SERVICE_PROBED: return flap_word(&service->flap, flap_first(&service->flap));
    case SERVICE_UP: return th_word_up();
    case SERVICE_DOWN: return th_word_down(TH_TTL_MAX);
    }
    return th_word_up();
}

/* The texts lie behind the slot: it outlives the generation that named it. */
static struct slot *slot_new(uint64_t key, const struct watch *w)
{
    size_t desc_len = strlen(w->desc) + 1, name_len = strlen(w->service->name) + 1;
    struct slot *s = mem_alloc(sizeof *s + desc_len + name_len);
    char *texts = (char *)(s + 1);
    s->desc = memcpy(texts, w->desc, desc_len);
    s->service_name = memcpy(texts + desc_len, w->service->name, name_len);
    s->key = key;
    s->service_identity = w->service->identity;
    s->addr = w->addr;
    s->flap = flap_first(&w->service->flap);
    s->settled = s->flap.known;
    slot_set_real(s, first_word(w->service));
    slot_set_word(s, slot_real(s));
    return s;
}

static void add_user(struct slot *s, struct plugs *p, uint32_t index)
{
    if (s->user_count == s->user_cap) {
        s->user_cap = s->user_cap ? s->user_cap * 2 : 2; /* two generations during a reload */
        s->users = mem_grow(s->users, s->user_cap, sizeof *s->users);
    }
    s->users[s->user_count++] = (struct slot_user){p, index};
}

struct slot *registry_attach(struct registry *r, const struct watch *w, struct plugs *p,
                             uint32_t index)
{
    uint64_t key = hash_watch(w);
    struct slot *s = find(r, key, w);
    if (!s) {
        s = slot_new(key, w);
        if (r->count == r->bucket_count)
            grow(r);
        insert(r, s);
        r->count++;
    }
    add_user(s, p, index);
    return s;
}

bool registry_detach(struct registry *r, struct slot *s, const struct plugs *p, uint32_t index)
{
    (void)r;
    for (uint32_t i = 0; i < s->user_count; i++) {
        if (s->users[i].plugs != p || s->users[i].watch != index)
            continue;
        s->user_count--; /* the order stays: the last user is the newest */
        memmove(&s->users[i], &s->users[i + 1], (s->user_count - i) * sizeof *s->users);
        break;
    }
    return s->user_count == 0;
}

struct slot *registry_take(struct registry *r, struct slot *s)
{
    struct slot **at = bucket_of(r, s->key);
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    s->next = NULL;
    r->count--;
    return s;
}

void registry_remove(struct registry *r, struct slot *s)
{
    slot_free(registry_take(r, s));
}

size_t registry_count(const struct registry *r)
{
    return r->count;
}

void registry_each(const struct registry *r, void (*fn)(void *arg, struct slot *s), void *arg)
{
    for (size_t i = 0; i < r->bucket_count; i++)
        for (struct slot *s = r->buckets[i]; s; s = s->next)
            fn(arg, s);
}
