# SPDX-License-Identifier: GPL-3.0-or-later
check_PROGRAMS += t/unit/check_ctl
TESTS += t/unit/check_ctl
t_unit_check_ctl_SOURCES = t/unit/check_ctl.c t/unit/ctl_fake.c t/unit/ctl_fake.h t/unit/run.h
t_unit_check_ctl_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_ctl_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_ctl_LDADD = $(UNIT_ctl)
