# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += libplug.a
libplug_a_SOURCES = \
	src/plug/plugs.h src/plug/plugs.c src/plug/part.h \
	src/plug/service.c src/plug/tuning.h src/plug/tuning.c src/plug/graph.c \
	src/plug/host.h src/plug/host.c \
	src/plug/resolve.h src/plug/resolve.c \
	src/plug/preview.h src/plug/preview.c \
	src/plug/prepared.h src/plug/prepared.c
