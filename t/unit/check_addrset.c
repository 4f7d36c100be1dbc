/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Address sets: each answer is a permutation of the set, and all are equally likely (B031). */
#include <string.h>

#include "base/attrs.h"
#include "wire/addrset.h"
#include "unit/run.h"

#define DRAWS 120000

static struct addrset make(uint8_t *room, unsigned count, unsigned family)
{
    size_t len = family == 4 ? 4 : 16;
    memset(room, 0, count * len);
    for (unsigned i = 0; i < count; i++)
        room[i * len + len - 1] = (uint8_t)i;
    return addrset_on(room, count, family);
}

/* Which address stands at place i of an answer. */
static unsigned at(const struct addrset *s, const uint8_t *answer, unsigned i)
{
    return answer[(size_t)(i + 1) * (ADDRSET_HEAD + (size_t)s->addr_bytes) - 1];
}

static double chi_square(const unsigned *seen, unsigned cells, unsigned draws)
{
    double chi = 0, wanted = (double)draws / cells;
    for (unsigned i = 0; i < cells; i++)
        chi += (seen[i] - wanted) * (seen[i] - wanted) / wanted;
    return chi;
}

static const struct {
    unsigned count, family;
    double limit; /* chi-square, count - 1 degrees of freedom, p = 0.001 */
} sets[] = {
    {1, 4, 0.001}, {2, 4, 10.8},  {3, 4, 13.8},  {6, 6, 20.5},
    {8, 4, 24.3},  {13, 6, 32.9}, {32, 4, 61.1},
};

/* The first and the last place, both ways of ordering. */
START_TEST(places_are_uniform)
{
    unsigned count = sets[_i].count, first[64] = {0}, last[64] = {0}, ordered[64] = {0};
    static uint8_t room[64 * 16], answer[64 * 28];
    uint16_t order[64];
    struct addrset s = make(room, count, sets[_i].family);
    struct prng r;
    prng_init_from(&r, 4711);
    for (unsigned i = 0; i < DRAWS; i++) {
        addrset_write(&s, 300, &r, answer);
        first[at(&s, answer, 0)]++;
        last[at(&s, answer, count - 1)]++;
        addrset_order(count, &r, order);
        ordered[order[0]]++;
    }
    ck_assert_double_lt(chi_square(first, count, DRAWS), sets[_i].limit);
    ck_assert_double_lt(chi_square(last, count, DRAWS), sets[_i].limit);
    ck_assert_double_lt(chi_square(ordered, count, DRAWS), sets[_i].limit);
}
END_TEST

/* All 24 orders of four: 23 degrees of freedom, p = 0.001 at 49.7. */
START_TEST(orders_are_uniform)
{
    unsigned seen[256] = {0}, orders[24], n = 0;
    uint8_t room[16], answer[4 * 16];
    struct addrset s = make(room, 4, 4);
    struct prng r;
    prng_init_from(&r, 99);
    for (unsigned i = 0; i < DRAWS; i++) {
        addrset_write(&s, 300, &r, answer);
        seen[at(&s, answer, 0) << 6 | at(&s, answer, 1) << 4 | at(&s, answer, 2) << 2 |
             at(&s, answer, 3)]++;
    }
    for (unsigned i = 0; i < 256; i++)
        if (seen[i]) {
            ck_assert_uint_lt(n, 24);
            orders[n++] = seen[i];
        }
    ck_assert_uint_eq(n, 24);
    ck_assert_double_lt(chi_square(orders, 24, DRAWS), 49.7);
}
END_TEST

START_TEST(each_answer_is_a_permutation)
{
    struct prng r;
    prng_init_from(&r, 1);
    for (unsigned count = 1; count <= 40; count++) {
        static uint8_t room[64 * 16], answer[64 * 28 + 1];
        uint16_t order[64];
        struct addrset s = make(room, count, count % 2 ? 4 : 6);
        size_t bytes = addrset_answer_bytes(&s);
        for (unsigned draw = 0; draw < 1000; draw++) {
            uint64_t seen = 0, ordered = 0;
            answer[bytes] = 0xee;
            addrset_write(&s, 300, &r, answer);
            addrset_order(count, &r, order);
            ck_assert_uint_eq(answer[bytes], 0xee);
            for (unsigned i = 0; i < count; i++) {
                seen |= (uint64_t)1 << at(&s, answer, i);
                ordered |= (uint64_t)1 << order[i];
            }
            ck_assert_uint_eq(seen, ((uint64_t)1 << count) - 1);
            ck_assert_uint_eq(ordered, ((uint64_t)1 << count) - 1);
        }
    }
}
END_TEST

START_TEST(rrs_are_complete)
{
    uint8_t room[16], answer[28];
    struct prng r;
    prng_init_from(&r, 1);
    struct addrset s = make(room, 1, 4);
    addrset_write(&s, 300, &r, answer);
    ck_assert_mem_eq(answer, "\xc0\x0c\0\1\0\1\0\0\1\x2c\0\4\0\0\0\0", 16);
    s = make(room, 1, 6);
    addrset_write(&s, 0x01020304, &r, answer);
    ck_assert_mem_eq(answer, "\xc0\x0c\0\x1c\0\1\1\2\3\4\0\x10", 12);
    ck_assert_mem_eq(answer + 12, room, 16);
    s = make(room, 0, 4);
    ck_assert_uint_eq(addrset_answer_bytes(&s), 0);
}
END_TEST

static Suite *addrset_suite(void)
{
    Suite *s = suite_create("addrset");
    TCase *t = tcase_create("addrset");
    tcase_add_loop_test(t, places_are_uniform, 0, (int)array_len(sets));
    tcase_add_test(t, orders_are_uniform);
    tcase_add_test(t, each_answer_is_a_permutation);
    tcase_add_test(t, rrs_are_complete);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(addrset_suite)
