# SPDX-License-Identifier: GPL-3.0-or-later
check_PROGRAMS += t/unit/check_listen
TESTS += t/unit/check_listen
t_unit_check_listen_SOURCES = t/unit/check_listen.c t/unit/run.h
t_unit_check_listen_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_listen_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_listen_LDADD = $(UNIT_net)
