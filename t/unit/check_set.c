/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Zone sets: add, remove, copy; a copy shares what did not change; a hundred thousand zones. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "unit/run.h"
#include "unit/zone_lib.h"
#include "zone/set.h"

#define MANY 100000

/* An apex and nothing else: what a set looks at. */
static struct zone *zone_of(const char *name)
{
    struct arena a;
    arena_init(&a, sizeof(struct zone) + sizeof(struct arena) + 64);
    struct zone *z = arena_new(&a, struct zone);
    z->arena = arena_new(&a, struct arena);
    int len = dname_parse(name, strlen(name), NULL, z->apex);
    ck_assert_int_gt(len, 0);
    z->apex_len = (uint8_t)len;
    z->apex_labels = (uint8_t)dname_labels(z->apex);
    z->depths[0] = (uint64_t)3 << z->apex_labels;
    z->node_count = 2;
    z->rr_count = 3;
    z->refs = 1;
    z->file = "file";
    *z->arena = a;
    return z;
}

static struct zone *numbered(unsigned i)
{
    char name[32];
    snprintf(name, sizeof name, "z%u.example.", i);
    return zone_of(name);
}

static void add(struct zone_set *s, struct zone *z)
{
    struct diag d = {0};
    ck_assert_int_eq(zone_set_add(s, z, &d), 0);
}

static struct zone *get(const struct zone_set *s, const char *name)
{
    uint8_t apex[DNAME_MAX];
    ck_assert_int_gt(dname_parse(name, strlen(name), NULL, apex), 0);
    return zone_set_get(s, apex);
}

static const struct zone *find(const struct zone_set *s, const char *name)
{
    uint8_t wire[DNAME_MAX];
    struct qname q;
    ck_assert_int_gt(dname_parse(name, strlen(name), NULL, wire), 0);
    qname_set(&q, wire, s->seed, s->max_depth);
    return zone_set_find(s, &q);
}

static void drop(struct zone_set *s, const char *name)
{
    uint8_t apex[DNAME_MAX];
    ck_assert_int_gt(dname_parse(name, strlen(name), NULL, apex), 0);
    zone_set_remove(s, apex);
}

START_TEST(longest_apex_answers)
{
    struct zone_set *s = zone_set_new(7, 0);
    ck_assert_ptr_null(find(s, "example."));
    add(s, zone_of("."));
    add(s, zone_of("example."));
    add(s, zone_of("a.b.example."));
    ck_assert_ptr_eq(find(s, "x.a.b.example."), get(s, "a.b.example."));
    ck_assert_ptr_eq(find(s, "b.example."), get(s, "example."));
    ck_assert_ptr_eq(find(s, "net."), get(s, "."));
    ck_assert_ptr_eq(find(s, "."), get(s, "."));
    ck_assert_uint_eq(s->max_depth, 4);
    drop(s, "a.b.example.");
    ck_assert_ptr_eq(find(s, "x.a.b.example."), get(s, "example."));
    ck_assert_uint_eq(s->max_depth, 2);
    drop(s, ".");
    ck_assert_ptr_null(find(s, "net."));
    ck_assert_uint_eq(s->count, 1);
    ck_assert_uint_eq(s->rr_count, 3);
    ck_assert_uint_eq(s->apex_depths[0], 2);
    zone_set_unref(s);
}
END_TEST

START_TEST(duplicate_is_refused)
{
    struct diag d = {0};
    struct zone_set *s = zone_set_new(7, 0);
    add(s, zone_of("example."));
    ck_assert_int_lt(zone_set_add(s, zone_of("example."), &d), 0);
    ck_assert_uint_eq(s->count, 1);
    diag_fini(&d);
    zone_set_unref(s);
}
END_TEST

/* The original of a copy never changes, and zones are shared, not copied. */
START_TEST(copy_is_apart)
{
    struct zone_set *s = zone_set_new(7, 4);
    for (unsigned i = 0; i < 1000; i++)
        add(s, numbered(i));
    struct zone *before = get(s, "z5.example.");
    struct zone_set *copy = zone_set_copy(s);
    drop(copy, "z5.example.");
    drop(copy, "nothing.example.");
    ck_assert_ptr_null(get(copy, "z5.example."));
    ck_assert_ptr_eq(get(s, "z5.example."), before);
    add(copy, numbered(5));
    ck_assert_ptr_ne(get(copy, "z5.example."), before);
    ck_assert_ptr_eq(get(copy, "z6.example."), get(s, "z6.example."));
    ck_assert_uint_eq(copy->count, 1000);
    ck_assert_uint_eq(s->count, 1000);
    zone_set_unref(s);
    ck_assert_ptr_nonnull(get(copy, "z999.example."));
    ck_assert_uint_eq(atomic_load(&get(copy, "z6.example.")->refs), 1);
    zone_set_unref(copy);
}
END_TEST

static unsigned walk_count(const struct zone_set *s)
{
    struct zone_walk w = {0};
    unsigned n = 0;
    while (zone_set_next(s, &w))
        n++;
    return n;
}

/* Grown from nothing and emptied again, every zone is found at every stage. */
START_TEST(a_hundred_thousand)
{
    char name[32];
    struct zone_set *s = zone_set_new(99, 0);
    for (unsigned i = 0; i < MANY; i++)
        add(s, numbered(i));
    ck_assert_uint_eq(s->count, MANY);
    ck_assert_uint_eq(walk_count(s), MANY);
    for (unsigned i = 0; i < MANY; i += 2) {
        snprintf(name, sizeof name, "z%u.example.", i);
        drop(s, name);
    }
    ck_assert_uint_eq(walk_count(s), MANY / 2);
    for (unsigned i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "www.z%u.example.", i);
        const struct zone *z = find(s, name);
        ck_assert_msg((z != NULL) == (i % 2 == 1), "%s", name);
        if (z)
            ck_assert(dname_is_in(z->apex, get(s, name + 4)->apex));
    }
    zone_set_unref(s);
}
END_TEST

static Suite *suite_of_set(void)
{
    Suite *s = suite_create("set");
    TCase *t = tcase_create("set");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, longest_apex_answers);
    tcase_add_test(t, duplicate_is_refused);
    tcase_add_test(t, copy_is_apart);
    tcase_add_test(t, a_hundred_thousand);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite_of_set)
