# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += libmonitor.a
libmonitor_a_SOURCES = \
	src/monitor/monitor.h src/monitor/monitor.c \
	src/monitor/inside.h \
	src/monitor/generation.c \
	src/monitor/sched.h src/monitor/sched.c \
	src/monitor/attempt.c src/monitor/rules.c \
	src/monitor/turn.c \
	src/monitor/results.h src/monitor/results.c \
	src/monitor/note.h src/monitor/note.c \
	src/monitor/io.c
