# SPDX-License-Identifier: GPL-3.0-or-later
BUILTIN_PLUGINS = multifo tcp_connect http_status
noinst_LIBRARIES += libplugins.a
libplugins_a_SOURCES = plugins/multifo.c \
	plugins/lib/dial.h plugins/lib/dial.c \
	plugins/lib/status_line.h plugins/lib/status_line.c \
	plugins/tcp_connect.c \
	plugins/http_status.c
