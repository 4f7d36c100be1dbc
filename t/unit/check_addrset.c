/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Address sets: each draw is a permutation of the set, and its first place is uniform (B031). */
#include <string.h>

#include "base/attrs.h"
#include "wire/addrset.h"
#include "unit/run.h"

#define DRAWS 120000

static void make(struct addrset *s, uint8_t *room, unsigned count, unsigned family, struct prng *r)
{
    uint8_t addrs[64 * 16] = {0};
    size_t len = family == 4 ? 4 : 16;
    for (unsigned i = 0; i < count; i++)
        addrs[i * len + len - 1] = (uint8_t)i;
    addrset_build(s, room, addrs, count, family, 300, r);
}

/* Which address stands at place i of an answer. */
static unsigned at(const struct addrset *s, const uint8_t *answer, unsigned i)
{
    return answer[(size_t)(i + 1) * s->rr_bytes - 1];
}

static const struct {
    unsigned count, family;
    double limit; /* chi-square, count - 1 degrees of freedom, p = 0.001 */
} sets[] = {
    {1, 4, 0.001}, {2, 4, 10.8},  {3, 4, 13.8},  {6, 6, 20.5},
    {8, 4, 24.3},  {13, 6, 32.9}, {32, 4, 61.1},
};

START_TEST(first_place_is_uniform)
{
    unsigned count = sets[_i].count, seen[64] = {0};
    static uint8_t room[ADDRSET_PERMS * 2 * 64 * ADDRSET_RR6];
    struct addrset s;
    struct prng r;
    prng_init_from(&r, 4711);
    make(&s, room, count, sets[_i].family, &r);
    for (unsigned i = 0; i < DRAWS; i++)
        seen[at(&s, addrset_draw(&s, &r), 0)]++;
    double chi = 0, wanted = (double)DRAWS / count;
    for (unsigned i = 0; i < count; i++)
        chi += (seen[i] - wanted) * (seen[i] - wanted) / wanted;
    ck_assert_double_lt(chi, sets[_i].limit);
}
END_TEST

START_TEST(each_draw_is_a_permutation)
{
    struct prng r;
    prng_init_from(&r, 1);
    for (unsigned count = 1; count <= 40; count++) {
        static uint8_t room[ADDRSET_PERMS * 2 * 64 * ADDRSET_RR6];
        struct addrset s;
        make(&s, room, count, count % 2 ? 4 : 6, &r);
        size_t bytes = addrset_bytes(count, count % 2 ? 4 : 6);
        for (unsigned draw = 0; draw < 1000; draw++) {
            uint64_t seen = 0;
            const uint8_t *answer = addrset_draw(&s, &r);
            ck_assert(answer >= room);
            ck_assert(answer + addrset_answer_bytes(&s) <= room + bytes);
            for (unsigned i = 0; i < count; i++)
                seen |= (uint64_t)1 << at(&s, answer, i);
            ck_assert_uint_eq(seen, ((uint64_t)1 << count) - 1);
        }
    }
}
END_TEST

START_TEST(rrs_are_complete)
{
    uint8_t room[ADDRSET_RR4];
    struct addrset s;
    struct prng r;
    prng_init_from(&r, 1);
    make(&s, room, 1, 4, &r);
    ck_assert_mem_eq(room, "\xc0\x0c\0\1\0\1\0\0\1\x2c\0\4\0\0\0\0", ADDRSET_RR4);
    ck_assert_uint_eq(addrset_bytes(0, 4), 0);
    ck_assert_uint_eq(addrset_bytes(1, 6), ADDRSET_RR6);
    ck_assert_uint_eq(addrset_bytes(2, 4), 4 * ADDRSET_RR4);
}
END_TEST

static Suite *addrset_suite(void)
{
    Suite *s = suite_create("addrset");
    TCase *t = tcase_create("addrset");
    tcase_add_loop_test(t, first_place_is_uniform, 0, (int)array_len(sets));
    tcase_add_test(t, each_draw_is_a_permutation);
    tcase_add_test(t, rrs_are_complete);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(addrset_suite)
