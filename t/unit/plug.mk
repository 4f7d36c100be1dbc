# SPDX-License-Identifier: GPL-3.0-or-later
check_PROGRAMS += t/unit/check_plug
TESTS += t/unit/check_plug
t_unit_check_plug_SOURCES = t/unit/check_plug.c t/unit/run.h t/lib/upward.c t/lib/upward.h
t_unit_check_plug_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_plug_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_plug_LDADD = libplugins.a $(UNIT_plug)
