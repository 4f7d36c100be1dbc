# SPDX-License-Identifier: GPL-3.0-or-later
sbin_PROGRAMS += threshd
threshd_SOURCES = src/daemon/main.c
threshd_LDADD = $(BASE_LIBS)
