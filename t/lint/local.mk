# SPDX-License-Identifier: GPL-3.0-or-later
# What keeps the tree in order.  `make lint` runs the same programs that `make check` does.
LINTS = t/lint/layers t/lint/style t/lint/headers t/lint/symbols t/lint/selftest
dist_noinst_SCRIPTS += $(LINTS)
EXTRA_DIST += t/lint/README.md
TESTS += $(LINTS)
LINT_ENVIRONMENT = srcdir='$(srcdir)' CC='$(CC)' LINT_CPPFLAGS='$(URCU_CFLAGS) $(CHECK_CFLAGS)'
AM_TESTS_ENVIRONMENT = $(LINT_ENVIRONMENT); export srcdir CC LINT_CPPFLAGS;
lint: all
	@failed=0; for lint in $(LINTS); do \
	    echo "$$lint:"; $(LINT_ENVIRONMENT) $(srcdir)/$$lint || [ $$? -eq 77 ] || failed=1; \
	done; exit $$failed
.PHONY: lint
