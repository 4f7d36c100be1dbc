/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.h: the main() of a unit test: `TEST_MAIN(suite_of_mem)` runs one Suite and prints its counts.
 */
#ifndef T_UNIT_RUN_H
#define T_UNIT_RUN_H

#include <check.h>
#include <stdlib.h>

#define TEST_MAIN(make_suite)                                                                      \
    int main(void)                                                                                 \
    {                                                                                              \
        SRunner *runner = srunner_create(make_suite());                                            \
        srunner_run_all(runner, CK_NORMAL);                                                        \
        int failed = srunner_ntests_failed(runner);                                                \
        srunner_free(runner);                                                                      \
        return failed ? EXIT_FAILURE : EXIT_SUCCESS;                                               \
    }

#endif
