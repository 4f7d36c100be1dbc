# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += libhealth.a
libhealth_a_SOURCES = \
	src/health/flap.h src/health/flap.c \
	src/health/service.h \
	src/health/admin.h src/health/admin.c \
	src/health/registry.h src/health/registry.c
