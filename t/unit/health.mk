# SPDX-License-Identifier: GPL-3.0-or-later
check_PROGRAMS += t/unit/check_admin t/unit/check_flap t/unit/check_registry
TESTS += t/unit/check_admin t/unit/check_flap t/unit/check_registry
t_unit_check_flap_SOURCES = t/unit/check_flap.c t/unit/run.h
t_unit_check_flap_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_flap_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_flap_LDADD = $(UNIT_health)
t_unit_check_registry_SOURCES = t/unit/check_registry.c t/unit/run.h
t_unit_check_registry_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_registry_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_registry_LDADD = $(UNIT_health)
t_unit_check_admin_SOURCES = t/unit/check_admin.c t/unit/run.h
t_unit_check_admin_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_admin_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_admin_LDADD = $(UNIT_health)
