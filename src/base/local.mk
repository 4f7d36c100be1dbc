# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += libbase.a
libbase_a_SOURCES = \
	src/base/attrs.h src/base/err.h src/base/clock.h \
	src/base/mem.h src/base/mem.c \
	src/base/buf.h src/base/buf.c \
	src/base/diag.h src/base/diag.c \
	src/base/log.h src/base/log.c \
	src/base/netaddr.h src/base/netaddr.c \
	src/base/netprefix.h src/base/netprefix.c \
	src/base/utf8.h src/base/utf8.c \
	src/base/prng.h src/base/prng.c \
	src/base/hashmap.h src/base/hashmap.c \
	src/base/mbox.h src/base/mbox.c \
	src/base/rcu.h src/base/rcu.c
