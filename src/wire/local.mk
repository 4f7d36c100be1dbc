# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += libwire.a
libwire_a_SOURCES = \
	src/wire/dname.h src/wire/dname.c \
	src/wire/addrset.h src/wire/addrset.c \
	src/wire/edns.h src/wire/edns.c \
	src/wire/query.h src/wire/query.c \
	src/wire/rrtype.h src/wire/rrtype.c \
	src/wire/cursor.h \
	src/wire/svcparam.h src/wire/svcparam.c \
	src/wire/rdata.h src/wire/rdata.c
