# SPDX-License-Identifier: GPL-3.0-or-later
check_PROGRAMS += t/unit/check_base
TESTS += t/unit/check_base
t_unit_check_base_SOURCES = t/unit/check_base.c t/unit/run.h
t_unit_check_base_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_base_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_base_LDADD = $(UNIT_base)
