# SPDX-License-Identifier: GPL-3.0-or-later
# The tests bring a small plugs of their own, so nothing of plug is linked.
UNIT_monitor_alone = $(WHOLE) libmonitor.a $(NOWHOLE) libhealth.a libbase.a $(UNIT_COMMON)
check_PROGRAMS += t/unit/check_monitor t/unit/check_results t/unit/check_rules
TESTS += t/unit/check_monitor t/unit/check_results t/unit/check_rules
t_unit_check_monitor_SOURCES = t/unit/check_monitor.c t/unit/monitor_rig.h t/unit/monitor_rig.c \
	t/unit/fake_monitor.h t/unit/fake_monitor.c t/unit/run.h
t_unit_check_monitor_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_monitor_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_monitor_LDADD = $(UNIT_monitor_alone)
t_unit_check_results_SOURCES = t/unit/check_results.c t/unit/monitor_rig.h t/unit/monitor_rig.c \
	t/unit/run.h
t_unit_check_results_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_results_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_results_LDADD = $(UNIT_monitor_alone)

t_unit_check_rules_SOURCES = t/unit/check_rules.c t/unit/monitor_rig.h t/unit/monitor_rig.c \
	t/unit/run.h
t_unit_check_rules_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_rules_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_rules_LDADD = $(UNIT_monitor_alone)
check_PROGRAMS += t/unit/check_pace
TESTS += t/unit/check_pace
t_unit_check_pace_SOURCES = t/unit/check_pace.c t/unit/monitor_rig.h t/unit/monitor_rig.c \
	t/unit/fake_monitor.h t/unit/fake_monitor.c t/unit/run.h
t_unit_check_pace_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_pace_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_pace_LDADD = $(UNIT_monitor_alone)

check_PROGRAMS += t/unit/check_sched
TESTS += t/unit/check_sched
t_unit_check_sched_SOURCES = t/unit/check_sched.c t/unit/run.h
t_unit_check_sched_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_sched_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_sched_LDADD = $(UNIT_monitor)
