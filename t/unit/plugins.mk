# SPDX-License-Identifier: GPL-3.0-or-later
# Monitor plugins are driven by the real monitor against fake services.
UNIT_probes = libtestlib.a $(WHOLE) libplugins.a $(NOWHOLE) libmonitor.a libhealth.a libbase.a \
	$(UNIT_COMMON)
PROBE_RIG = t/unit/probe_rig.h t/unit/probe_rig.c t/unit/monitor_rig.h t/unit/monitor_rig.c \
	t/unit/run.h
PROBE_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/plugins
check_PROGRAMS += t/unit/check_status_line t/unit/check_http_status t/unit/check_tcp_connect
TESTS += t/unit/check_status_line t/unit/check_http_status t/unit/check_tcp_connect
t_unit_check_status_line_SOURCES = t/unit/check_status_line.c t/unit/run.h
t_unit_check_status_line_CPPFLAGS = $(PROBE_CPPFLAGS)
t_unit_check_status_line_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_status_line_LDADD = libplugins.a libbase.a $(UNIT_COMMON)
t_unit_check_http_status_SOURCES = t/unit/check_http_status.c $(PROBE_RIG)
t_unit_check_http_status_CPPFLAGS = $(PROBE_CPPFLAGS)
t_unit_check_http_status_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_http_status_LDADD = $(UNIT_probes)
t_unit_check_tcp_connect_SOURCES = t/unit/check_tcp_connect.c $(PROBE_RIG)
t_unit_check_tcp_connect_CPPFLAGS = $(PROBE_CPPFLAGS)
t_unit_check_tcp_connect_CFLAGS = $(UNIT_CFLAGS)
t_unit_check_tcp_connect_LDADD = $(UNIT_probes)
