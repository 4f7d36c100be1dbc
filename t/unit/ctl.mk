# SPDX-License-Identifier: GPL-3.0-or-later
check_PROGRAMS += t/unit/check_ctl t/unit/check_rundir t/unit/check_threshctl
TESTS += t/unit/check_ctl t/unit/check_rundir t/unit/check_threshctl
t_unit_check_ctl_SOURCES = t/unit/check_ctl.c t/unit/ctl_fake.c t/unit/ctl_fake.h t/unit/run.h
t_unit_check_ctl_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_ctl_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_ctl_LDADD = $(UNIT_ctl)
t_unit_check_rundir_SOURCES = t/unit/check_rundir.c t/unit/ctl_fake.c t/unit/ctl_fake.h t/unit/run.h
t_unit_check_rundir_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_rundir_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_rundir_LDADD = $(UNIT_ctl)
# the tool as it is built, against a server of the test's own
t_unit_check_threshctl_SOURCES = t/unit/check_threshctl.c t/unit/ctl_fake.c t/unit/ctl_fake.h \
	t/unit/run.h
t_unit_check_threshctl_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_threshctl_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_threshctl_LDADD = $(UNIT_ctl)
check_PROGRAMS += t/unit/check_order
TESTS += t/unit/check_order
t_unit_check_order_SOURCES = t/unit/check_order.c t/unit/ctl_fake.c t/unit/ctl_fake.h t/unit/run.h
t_unit_check_order_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_order_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_order_LDADD = $(UNIT_ctl)
