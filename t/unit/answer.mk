# SPDX-License-Identifier: GPL-3.0-or-later
check_PROGRAMS += t/unit/check_answer
TESTS += t/unit/check_answer
t_unit_check_answer_SOURCES = t/unit/check_answer.c t/unit/run.h
t_unit_check_answer_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_answer_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_answer_LDADD = libtestlib.a $(UNIT_answer)

check_PROGRAMS += t/unit/oracle_lookup
TESTS += t/unit/oracle_lookup
t_unit_oracle_lookup_SOURCES = t/unit/oracle_lookup.c t/unit/run.h
t_unit_oracle_lookup_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_oracle_lookup_CFLAGS = $(UNIT_CFLAGS)
t_unit_oracle_lookup_LDADD = libtestlib.a $(UNIT_answer)

check_PROGRAMS += t/unit/check_faults
TESTS += t/unit/check_faults
t_unit_check_faults_SOURCES = t/unit/check_faults.c t/unit/run.h
t_unit_check_faults_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_faults_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_faults_LDADD = libtestlib.a $(UNIT_answer)

check_PROGRAMS += t/unit/oracle_rdata
TESTS += t/unit/oracle_rdata
t_unit_oracle_rdata_SOURCES = t/unit/oracle_rdata.c t/unit/run.h t/unit/zone_lib.h
t_unit_oracle_rdata_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_oracle_rdata_CFLAGS = $(UNIT_CFLAGS) $(LDNS_CFLAGS)
t_unit_oracle_rdata_LDADD = libtestlib.a $(UNIT_answer)

check_PROGRAMS += t/unit/check_cookie
TESTS += t/unit/check_cookie
t_unit_check_cookie_SOURCES = t/unit/check_cookie.c t/unit/run.h
t_unit_check_cookie_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_cookie_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_cookie_LDADD = $(UNIT_answer)

check_PROGRAMS += t/unit/check_rrl
TESTS += t/unit/check_rrl
t_unit_check_rrl_SOURCES = t/unit/check_rrl.c t/unit/run.h
t_unit_check_rrl_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_check_rrl_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_rrl_LDADD = $(UNIT_answer)
