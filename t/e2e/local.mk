# SPDX-License-Identifier: GPL-3.0-or-later
# End-to-end tests: the real daemon, real sockets, real clients.
dist_noinst_SCRIPTS += t/e2e/demo t/e2e/clients
EXTRA_DIST += t/e2e/README.md t/lib/README.md t/e2e/network.py t/e2e/stub.py \
	t/e2e/client_cases.py
E2E_TESTS = t/e2e/health t/e2e/answers t/e2e/packets t/e2e/bulk t/e2e/tcp t/e2e/config t/e2e/control \
	t/e2e/listen t/e2e/reload t/e2e/edns t/e2e/acme t/e2e/dso t/e2e/proxy t/e2e/tcp_limits \
	t/e2e/crowd t/e2e/wire t/e2e/admin
check_PROGRAMS += $(E2E_TESTS) t/e2e/threshd_test
TESTS += t/e2e/demo $(E2E_TESTS)
E2E_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS) $(LDNS_CFLAGS)
# No libev here: it has names of libevent, which libunbound would call by mistake.
E2E_LIBS = libe2e.a libtestlib.a libctl.a $(LDNS_LIBS) $(UNBOUND_LIBS) $(CHECK_LIBS) -lm

t_e2e_threshd_test_SOURCES = t/e2e/threshd_test.c t/lib/upward.h t/lib/upward.c
t_e2e_threshd_test_CPPFLAGS = $(TEST_CPPFLAGS)
t_e2e_threshd_test_LDADD = $(DAEMON_LIBS)

t_e2e_health_SOURCES = t/e2e/health.c t/e2e/run.h
t_e2e_health_CPPFLAGS = $(TEST_CPPFLAGS)
t_e2e_health_CFLAGS = $(E2E_CFLAGS)
t_e2e_health_LDADD = $(E2E_LIBS)

t_e2e_answers_SOURCES = t/e2e/answers.c t/e2e/run.h
t_e2e_answers_CPPFLAGS = $(TEST_CPPFLAGS)
t_e2e_answers_CFLAGS = $(E2E_CFLAGS)
t_e2e_answers_LDADD = $(E2E_LIBS)

t_e2e_packets_SOURCES = t/e2e/packets.c t/e2e/run.h
t_e2e_packets_CPPFLAGS = $(TEST_CPPFLAGS)
t_e2e_packets_CFLAGS = $(E2E_CFLAGS)
t_e2e_packets_LDADD = $(E2E_LIBS)

t_e2e_bulk_SOURCES = t/e2e/bulk.c t/e2e/run.h
t_e2e_bulk_CPPFLAGS = $(TEST_CPPFLAGS)
t_e2e_bulk_CFLAGS = $(E2E_CFLAGS)
t_e2e_bulk_LDADD = $(E2E_LIBS)

t_e2e_tcp_SOURCES = t/e2e/tcp.c t/e2e/tcp_client.h t/e2e/tcp_client.c \
	t/e2e/exchange.h t/e2e/exchange.c t/e2e/run.h
t_e2e_tcp_CPPFLAGS = $(TEST_CPPFLAGS)
t_e2e_tcp_CFLAGS = $(E2E_CFLAGS)
t_e2e_tcp_LDADD = $(E2E_LIBS)

t_e2e_config_SOURCES = t/e2e/config.c t/e2e/run.h
t_e2e_config_CPPFLAGS = $(TEST_CPPFLAGS)
t_e2e_config_CFLAGS = $(E2E_CFLAGS)
t_e2e_config_LDADD = $(E2E_LIBS)

t_e2e_control_SOURCES = t/e2e/control.c t/e2e/run.h
t_e2e_control_CPPFLAGS = $(TEST_CPPFLAGS)
t_e2e_control_CFLAGS = $(E2E_CFLAGS)
t_e2e_control_LDADD = $(E2E_LIBS)

t_e2e_listen_SOURCES = t/e2e/listen.c t/e2e/run.h
t_e2e_listen_CPPFLAGS = $(TEST_CPPFLAGS)
t_e2e_listen_CFLAGS = $(E2E_CFLAGS)
t_e2e_listen_LDADD = $(E2E_LIBS)

t_e2e_reload_SOURCES = t/e2e/reload.c t/e2e/run.h
t_e2e_reload_CPPFLAGS = $(TEST_CPPFLAGS)
t_e2e_reload_CFLAGS = $(E2E_CFLAGS)
t_e2e_reload_LDADD = $(E2E_LIBS)

t_e2e_edns_SOURCES = t/e2e/edns.c t/e2e/run.h
t_e2e_edns_CPPFLAGS = $(TEST_CPPFLAGS)
t_e2e_edns_CFLAGS = $(E2E_CFLAGS)
t_e2e_edns_LDADD = $(E2E_LIBS)

t_e2e_acme_SOURCES = t/e2e/acme.c t/e2e/run.h
t_e2e_acme_CPPFLAGS = $(TEST_CPPFLAGS)
t_e2e_acme_CFLAGS = $(E2E_CFLAGS)
t_e2e_acme_LDADD = $(E2E_LIBS)

t_e2e_dso_SOURCES = t/e2e/dso.c t/e2e/exchange.h t/e2e/exchange.c t/e2e/run.h
t_e2e_dso_CPPFLAGS = $(TEST_CPPFLAGS)
t_e2e_dso_CFLAGS = $(E2E_CFLAGS)
t_e2e_dso_LDADD = $(E2E_LIBS)

t_e2e_proxy_SOURCES = t/e2e/proxy.c t/e2e/exchange.h t/e2e/exchange.c t/e2e/run.h
t_e2e_proxy_CPPFLAGS = $(TEST_CPPFLAGS)
t_e2e_proxy_CFLAGS = $(E2E_CFLAGS)
t_e2e_proxy_LDADD = $(E2E_LIBS)

t_e2e_tcp_limits_SOURCES = t/e2e/tcp_limits.c t/e2e/tcp_client.h t/e2e/tcp_client.c t/e2e/run.h
t_e2e_tcp_limits_CPPFLAGS = $(TEST_CPPFLAGS)
t_e2e_tcp_limits_CFLAGS = $(E2E_CFLAGS)
t_e2e_tcp_limits_LDADD = $(E2E_LIBS)

t_e2e_crowd_SOURCES = t/e2e/crowd.c t/e2e/tcp_client.h t/e2e/tcp_client.c t/e2e/run.h
t_e2e_crowd_CPPFLAGS = $(TEST_CPPFLAGS)
t_e2e_crowd_CFLAGS = $(E2E_CFLAGS)
t_e2e_crowd_LDADD = $(E2E_LIBS)

t_e2e_wire_SOURCES = t/e2e/wire.c t/e2e/wire.h t/e2e/wire_zones.c t/e2e/wire_rows_header.c \
	t/e2e/wire_rows_names.c t/e2e/wire_rows_edns.c t/e2e/wire_rows_options.c \
	t/e2e/wire_rows_answers.c t/e2e/wire_rows_compat.c t/e2e/run.h
t_e2e_wire_CPPFLAGS = $(TEST_CPPFLAGS)
t_e2e_wire_CFLAGS = $(E2E_CFLAGS)
t_e2e_wire_LDADD = $(E2E_LIBS)

t_e2e_admin_SOURCES = t/e2e/admin.c t/e2e/run.h
t_e2e_admin_CPPFLAGS = $(TEST_CPPFLAGS)
t_e2e_admin_CFLAGS = $(E2E_CFLAGS)
t_e2e_admin_LDADD = $(E2E_LIBS)

# Clients and resolvers of other vendors, from PATH or from THRESH_CLIENTS=FOLDER[:FOLDER].
clients: threshd$(EXEEXT) threshctl$(EXEEXT)
	srcdir=$(srcdir) $(srcdir)/t/e2e/clients
.PHONY: clients

# The crowd in full: 10,000 idle clients, 1,000 slow ones, a flood of resets.
bench-crowd: t/e2e/crowd$(EXEEXT) threshd$(EXEEXT)
	THRESH_CROWD=10000 t/e2e/crowd
.PHONY: bench-crowd
