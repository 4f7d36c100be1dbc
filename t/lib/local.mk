# SPDX-License-Identifier: GPL-3.0-or-later
check_LIBRARIES += libtestlib.a
libtestlib_a_SOURCES = t/lib/fakesvc.h t/lib/fakesvc.c
libtestlib_a_CPPFLAGS = $(TEST_CPPFLAGS)
