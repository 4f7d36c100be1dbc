# SPDX-License-Identifier: GPL-3.0-or-later
# The real daemon, asked as a client would.
dist_noinst_SCRIPTS += t/e2e/demo
TESTS += t/e2e/demo
