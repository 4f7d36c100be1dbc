# SPDX-License-Identifier: GPL-3.0-or-later
bin_PROGRAMS += threshctl
threshctl_SOURCES = \
	src/tools/ctl_options.h src/tools/ctl_options.c \
	src/tools/ctl_link.h src/tools/ctl_link.c \
	src/tools/ctl_order.h src/tools/ctl_order.c \
	src/tools/ctl_acme.h src/tools/ctl_acme.c \
	src/tools/ctl_actions.h src/tools/ctl_actions.c \
	src/tools/threshctl.c
threshctl_LDADD = libctl.a libconf.a libwire.a $(BASE_LIBS)

# under gdnsd's names both programs behave as gdnsd's do
all-local: gdnsd gdnsdctl
gdnsd: threshd$(EXEEXT)
	$(AM_V_at)rm -f $@ && $(LN_S) threshd$(EXEEXT) $@
gdnsdctl: threshctl$(EXEEXT)
	$(AM_V_at)rm -f $@ && $(LN_S) threshctl$(EXEEXT) $@
CLEANFILES += gdnsd gdnsdctl

if GDNSD_LINKS
install-exec-hook:
	cd $(DESTDIR)$(sbindir) && rm -f gdnsd && $(LN_S) threshd$(EXEEXT) gdnsd
	cd $(DESTDIR)$(bindir) && rm -f gdnsdctl && $(LN_S) threshctl$(EXEEXT) gdnsdctl
uninstall-hook:
	rm -f $(DESTDIR)$(sbindir)/gdnsd $(DESTDIR)$(bindir)/gdnsdctl
endif
