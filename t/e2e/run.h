/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * run.h: the main() of an end-to-end test: a network and a scratch folder of its own around one
 * Suite.  Its cases are made by e2e_case.
 */
#ifndef T_E2E_RUN_H
#define T_E2E_RUN_H

#include <check.h>
#include <stdlib.h>
#include "lib/netns.h"
#include "lib/scratch.h"

/* Longer than any wait inside a test, which can say more about what it waited for. */
#define E2E_TIMEOUT_S 120

/* A new case of s with tests added by the caller. */
static inline TCase *e2e_case(Suite *s, const char *name)
{
    TCase *c = tcase_create(name);
    tcase_set_timeout(c, E2E_TIMEOUT_S);
    suite_add_tcase(s, c);
    return c;
}

#define E2E_MAIN(make_suite)                                                                       \
    int main(void)                                                                                 \
    {                                                                                              \
        netns_enter();                                                                             \
        scratch_open();                                                                            \
        SRunner *runner = srunner_create(make_suite());                                            \
        srunner_run_all(runner, CK_NORMAL);                                                        \
        int failed = srunner_ntests_failed(runner);                                                \
        srunner_free(runner);                                                                      \
        scratch_close();                                                                           \
        return failed ? EXIT_FAILURE : EXIT_SUCCESS;                                               \
    }

#endif
