# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += libstats.a
libstats_a_SOURCES = \
	src/stats/counters.h src/stats/counters.c \
	src/stats/json.h src/stats/json.c \
	src/stats/render.h src/stats/render.c
