# SPDX-License-Identifier: GPL-3.0-or-later
check_PROGRAMS += t/unit/check_listen
TESTS += t/unit/check_listen
t_unit_check_listen_SOURCES = t/unit/check_listen.c t/unit/run.h
t_unit_check_listen_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_listen_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_listen_LDADD = $(UNIT_net)

check_PROGRAMS += t/unit/check_dso t/unit/check_proxy
TESTS += t/unit/check_dso t/unit/check_proxy
t_unit_check_dso_SOURCES = t/unit/check_dso.c t/unit/run.h
t_unit_check_dso_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_dso_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_dso_LDADD = $(UNIT_net)
t_unit_check_proxy_SOURCES = t/unit/check_proxy.c t/unit/run.h
t_unit_check_proxy_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_proxy_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_proxy_LDADD = $(UNIT_net)
