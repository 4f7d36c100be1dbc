/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sched: when a target is due, as a pure function. */
#include "monitor/sched.h"
#include "unit/run.h"

/* The grid: no drift, the same phase for the same key, phases spread over the interval. */
START_TEST(grid)
{
    struct service s = {.interval_ms = 1000};
    unsigned tenths[10] = {0};
    for (uint64_t i = 1; i <= 1000; i++) {
        struct slot slot = {.key = i * 0x9e3779b97f4a7c15u};
        struct th_target t = {.slot = &slot, .service = &s};
        struct mono first = target_next_due(&t, (struct mono){123456789});
        ck_assert_int_gt(first.ns, 123456789);
        ck_assert_int_le(first.ns, 1123456789);
        /* however late the attempt ends, the next lies on the grid; missed points are skipped */
        ck_assert_int_eq(target_next_due(&t, first).ns, first.ns + 1000000000);
        ck_assert_int_eq(target_next_due(&t, (struct mono){first.ns + 1}).ns,
                         first.ns + 1000000000);
        ck_assert_int_eq(target_next_due(&t, (struct mono){first.ns - 1}).ns, first.ns);
        ck_assert_int_eq(target_next_due(&t, (struct mono){first.ns + 7999999999}).ns,
                         first.ns + 8000000000);
        tenths[first.ns % 1000000000 / 100000000]++;
    }
    for (int i = 0; i < 10; i++)
        ck_assert(tenths[i] > 70 && tenths[i] < 130);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("sched");
    TCase *t = tcase_create("sched");
    tcase_add_test(t, grid);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
