# SPDX-License-Identifier: GPL-3.0-or-later
check_PROGRAMS += t/unit/check_vscf t/unit/check_schema
TESTS += t/unit/check_vscf t/unit/check_schema
t_unit_check_vscf_SOURCES = t/unit/check_vscf.c t/unit/check_vtree.c t/unit/conf_text.h t/unit/run.h
t_unit_check_vscf_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_vscf_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_vscf_LDADD = $(UNIT_conf)
t_unit_check_schema_SOURCES = t/unit/check_schema.c t/unit/conf_text.h t/unit/run.h
t_unit_check_schema_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_schema_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_schema_LDADD = $(UNIT_conf)
