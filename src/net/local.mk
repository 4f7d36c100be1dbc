# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += libnet.a
libnet_a_SOURCES = \
	src/net/dso.h src/net/dso.c src/net/listen.h src/net/listen.c \
	src/net/net.h src/net/net.c src/net/worker.h \
	src/net/proxy.h src/net/proxy.c \
	src/net/conn.h src/net/conn.c src/net/stream.h src/net/stream.c \
	src/net/udp.c src/net/tcp.c
