# SPDX-License-Identifier: GPL-3.0-or-later
check_PROGRAMS += t/unit/check_stats
TESTS += t/unit/check_stats
t_unit_check_stats_SOURCES = t/unit/check_stats.c t/unit/run.h
t_unit_check_stats_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_stats_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_stats_LDADD = $(UNIT_stats)
