# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += libplugins.a
libplugins_a_SOURCES = plugins/multifo.c
