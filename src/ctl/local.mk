# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += libctl.a
libctl_a_SOURCES = \
	src/ctl/proto.h src/ctl/proto.c \
	src/ctl/rundir.h src/ctl/rundir.c \
	src/ctl/client.h src/ctl/client.c \
	src/ctl/server.h src/ctl/server.c
