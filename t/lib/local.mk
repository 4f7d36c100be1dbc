# SPDX-License-Identifier: GPL-3.0-or-later
# libtestlib.a: for every test.  libe2e.a: a real daemon and clients of it, for t/e2e.
check_LIBRARIES += libtestlib.a libe2e.a
libtestlib_a_SOURCES = t/lib/fakesvc.h t/lib/fakesvc.c t/lib/bare.h t/lib/bare.c
libtestlib_a_CPPFLAGS = $(TEST_CPPFLAGS)
libe2e_a_SOURCES = \
	t/lib/netns.h t/lib/netns.c \
	t/lib/scratch.h t/lib/scratch.c \
	t/lib/program.h t/lib/program.c \
	t/lib/daemon.h t/lib/daemon.c \
	t/lib/dns.h t/lib/dns.c \
	t/lib/message.h t/lib/message.c \
	t/lib/resolver.h t/lib/resolver.c \
	t/lib/json.h t/lib/json.c
libe2e_a_CPPFLAGS = $(TEST_CPPFLAGS)
libe2e_a_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS) $(LDNS_CFLAGS) $(UNBOUND_CFLAGS)
