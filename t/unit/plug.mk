# SPDX-License-Identifier: GPL-3.0-or-later
check_PROGRAMS += t/unit/check_plug t/unit/check_multifo t/unit/check_preview
TESTS += t/unit/check_plug t/unit/check_multifo t/unit/check_preview
PLUG_RIG = t/unit/plug_rig.h t/unit/plug_rig.c t/unit/run.h t/lib/upward.c t/lib/upward.h
t_unit_check_plug_SOURCES = t/unit/check_plug.c $(PLUG_RIG)
t_unit_check_plug_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_plug_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_plug_LDADD = libplugins.a $(UNIT_plug)
t_unit_check_multifo_SOURCES = t/unit/check_multifo.c $(PLUG_RIG)
t_unit_check_multifo_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_multifo_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_multifo_LDADD = libplugins.a $(UNIT_plug)
t_unit_check_preview_SOURCES = t/unit/check_preview.c $(PLUG_RIG)
t_unit_check_preview_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_preview_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_preview_LDADD = libplugins.a $(UNIT_plug)

check_PROGRAMS += t/unit/check_tuning
TESTS += t/unit/check_tuning
t_unit_check_tuning_SOURCES = t/unit/check_tuning.c t/unit/run.h
t_unit_check_tuning_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_tuning_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_tuning_LDADD = libplugins.a $(UNIT_plug)
