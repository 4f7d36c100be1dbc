# SPDX-License-Identifier: GPL-3.0-or-later
check_PROGRAMS += t/unit/check_dname t/unit/check_rdata t/unit/check_addrset
TESTS += t/unit/check_dname t/unit/check_rdata t/unit/check_addrset
t_unit_check_dname_SOURCES = t/unit/check_dname.c t/unit/run.h
t_unit_check_dname_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_dname_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_dname_LDADD = $(UNIT_wire)
t_unit_check_rdata_SOURCES = t/unit/check_rdata.c t/unit/run.h
t_unit_check_rdata_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_rdata_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_rdata_LDADD = $(UNIT_wire)
t_unit_check_addrset_SOURCES = t/unit/check_addrset.c t/unit/run.h
t_unit_check_addrset_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_addrset_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_addrset_LDADD = $(UNIT_wire)

check_PROGRAMS += t/unit/check_query
TESTS += t/unit/check_query
t_unit_check_query_SOURCES = t/unit/check_query.c t/unit/run.h
t_unit_check_query_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_query_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_query_LDADD = $(UNIT_wire)

check_PROGRAMS += t/unit/check_edns
TESTS += t/unit/check_edns
t_unit_check_edns_SOURCES = t/unit/check_edns.c t/unit/run.h
t_unit_check_edns_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_edns_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_edns_LDADD = $(UNIT_wire)
