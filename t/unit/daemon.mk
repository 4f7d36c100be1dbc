# SPDX-License-Identifier: GPL-3.0-or-later
check_PROGRAMS += t/unit/check_options
TESTS += t/unit/check_options
t_unit_check_options_SOURCES = t/unit/check_options.c t/unit/run.h
t_unit_check_options_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_options_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_options_LDADD = $(DAEMON_LIBS) $(UNIT_COMMON)
check_PROGRAMS += t/unit/check_overrides
TESTS += t/unit/check_overrides
t_unit_check_overrides_SOURCES = t/unit/check_overrides.c t/unit/run.h
t_unit_check_overrides_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_overrides_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_overrides_LDADD = libe2e.a libtestlib.a $(DAEMON_LIBS) $(UNIT_COMMON)
