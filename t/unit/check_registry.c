/* SPDX-License-Identifier: GPL-3.0-or-later */
/* registry: who shares a slot, who does not, and 100,000 of them. */
#include <string.h>

#include "base/mem.h"
#include "health/registry.h"
#include "unit/run.h"

/* Generations are only told apart here, never looked into. */
static char generations[2];
#define GEN(i) ((struct plugs *)(void *)&generations[i])

static struct service web(uint64_t identity)
{
    return (struct service){.kind = SERVICE_PROBED, .name = "web", .identity = identity};
}

static struct watch watch_of(const struct service *s, uint32_t n)
{
    struct watch w = {.service = s, .addr = {.family = 4}, .desc = "item"};
    memcpy(w.addr.bytes, &n, 4);
    return w;
}

START_TEST(first_words)
{
    struct registry *r = registry_new();
    struct service up = {.kind = SERVICE_UP, .name = "up"}, probed = web(1),
                   down = {.kind = SERVICE_DOWN, .name = "down"};
    struct watch a = watch_of(&up, 1), b = watch_of(&down, 1), c = watch_of(&probed, 1);
    ck_assert(slot_word(registry_attach(r, &a, GEN(0), 0)).bits == th_word_up().bits);
    ck_assert(slot_word(registry_attach(r, &b, GEN(0), 1)).bits == th_word_down(TH_TTL_MAX).bits);
    struct th_word w = slot_word(registry_attach(r, &c, GEN(0), 2));
    ck_assert(th_word_has(w, TH_PENDING) && !th_word_has(w, TH_DOWN));
    ck_assert_uint_eq(th_word_ttl(w), TH_TTL_MAX);
    ck_assert_uint_eq(registry_count(r), 3);
    registry_free(r);
}
END_TEST

START_TEST(identity)
{
    struct registry *r = registry_new();
    struct service s = web(80), tuned = web(80), other_port = web(81), other_name = web(80);
    tuned.flap.interval_ms = 99;
    other_name.name = "web2";
    struct watch a = watch_of(&s, 1), b = watch_of(&tuned, 1), c = watch_of(&other_port, 1),
                 d = watch_of(&other_name, 1), e = watch_of(&s, 2), v6 = watch_of(&s, 1);
    v6.addr.family = 6;
    struct slot *first = registry_attach(r, &a, GEN(0), 0);
    ck_assert_ptr_eq(registry_attach(r, &b, GEN(1), 0), first);
    ck_assert_ptr_ne(registry_attach(r, &c, GEN(1), 1), first);
    ck_assert_ptr_ne(registry_attach(r, &d, GEN(1), 2), first);
    ck_assert_ptr_ne(registry_attach(r, &e, GEN(1), 3), first);
    ck_assert_ptr_ne(registry_attach(r, &v6, GEN(1), 4), first);
    ck_assert_uint_eq(registry_count(r), 5);
    ck_assert_uint_eq(first->user_count, 2);
    registry_free(r);
}
END_TEST

START_TEST(users_come_and_go)
{
    struct registry *r = registry_new();
    struct service s = web(80);
    struct watch w = watch_of(&s, 7);
    char *desc = mem_strdup("192.0.2.7/web"), *name = mem_strdup("web");
    w.desc = desc;
    s.name = name;
    struct slot *slot = registry_attach(r, &w, GEN(0), 3);
    registry_attach(r, &w, GEN(1), 4);
    memset(desc, 'x', strlen(desc)); /* the slot's texts are its own */
    memset(name, 'x', strlen(name));
    ck_assert_str_eq(slot->desc, "192.0.2.7/web");
    ck_assert_str_eq(slot->service_name, "web");
    ck_assert(!registry_detach(r, slot, GEN(1), 3)); /* no such user */
    ck_assert_uint_eq(slot->user_count, 2);
    ck_assert(!registry_detach(r, slot, GEN(0), 3));
    ck_assert_ptr_eq(slot->users[0].plugs, GEN(1));
    ck_assert_uint_eq(slot->users[0].watch, 4);
    ck_assert(registry_detach(r, slot, GEN(1), 4));
    registry_remove(r, slot);
    ck_assert_uint_eq(registry_count(r), 0);
    registry_free(r);
    mem_free(desc);
    mem_free(name);
}
END_TEST

START_TEST(taken_slot_stays_readable)
{
    struct registry *r = registry_new();
    struct service s = web(80);
    struct watch w = watch_of(&s, 7);
    struct slot *slot = registry_attach(r, &w, GEN(0), 0);
    ck_assert(registry_detach(r, slot, GEN(0), 0));
    slot = registry_take(r, slot);
    registry_free(r);
    ck_assert_str_eq(slot->desc, "item");
    slot_free(slot);
}
END_TEST

#define MANY 100000

START_TEST(many)
{
    struct registry *r = registry_new();
    struct service s = web(80);
    struct slot **slots = mem_array(MANY, sizeof *slots);
    uint32_t spread[16] = {0};
    for (uint32_t i = 0; i < MANY; i++) {
        struct watch w = watch_of(&s, i);
        slots[i] = registry_attach(r, &w, GEN(0), i);
        spread[slots[i]->key >> 60]++;
    }
    for (uint32_t i = 0; i < MANY; i++) {
        struct watch w = watch_of(&s, i);
        if (registry_attach(r, &w, GEN(1), i) != slots[i]) /* an assert costs a system call */
            ck_abort_msg("item %u has two slots", i);
    }
    ck_assert_uint_eq(registry_count(r), MANY);
    for (int i = 0; i < 16; i++) /* phases follow from the key: even to 10% */
        ck_assert(spread[i] > MANY / 16 * 9 / 10 && spread[i] < MANY / 16 * 11 / 10);
    for (uint32_t i = 0; i < MANY; i++) {
        if (registry_detach(r, slots[i], GEN(0), i) || !registry_detach(r, slots[i], GEN(1), i))
            ck_abort_msg("item %u: wrong users", i);
        registry_remove(r, slots[i]);
    }
    ck_assert_uint_eq(registry_count(r), 0);
    mem_free(slots);
    registry_free(r);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("registry");
    TCase *t = tcase_create("registry");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, first_words);
    tcase_add_test(t, identity);
    tcase_add_test(t, users_come_and_go);
    tcase_add_test(t, taken_slot_stays_readable);
    tcase_add_test(t, many);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
