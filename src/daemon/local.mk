# SPDX-License-Identifier: GPL-3.0-or-later
# The daemon without main() is an archive of its own: a test program is the same daemon with one
# more plugin.
noinst_LIBRARIES += libdaemon.a
libdaemon_a_SOURCES = \
	src/daemon/daemon.h src/daemon/daemon.c src/daemon/version.h \
	src/daemon/cmdline.h src/daemon/cmdline.c \
	src/daemon/options.h src/daemon/options.c src/daemon/compat.c \
	src/daemon/options_answer.h src/daemon/options_answer.c src/daemon/options_rrl.c \
	src/daemon/cookies.h src/daemon/cookies.c src/daemon/publish.c src/daemon/challenges.c \
	src/daemon/sockets.h src/daemon/sockets.c \
	src/daemon/keep.h src/daemon/keep.c \
	src/daemon/setup.h src/daemon/setup.c \
	src/daemon/loader.h src/daemon/loader.c \
	src/daemon/reload.c src/daemon/watch.c src/daemon/events.c src/daemon/views.c \
	src/daemon/admin_file.h src/daemon/admin_file.c src/daemon/forcings.h src/daemon/forcings.c \
	src/daemon/overrides.h src/daemon/overrides.c src/daemon/commands.c src/daemon/effect.h \
	src/daemon/effect.c \
	src/daemon/view_zones.c

DAEMON_LIBS = libdaemon.a libctl.a libmonitor.a libnet.a libanswer.a libzone.a libplug.a \
	libhealth.a libconf.a libwire.a libstats.a libplugins.a libbase.a $(URCU_LIBS) $(LIBEV_LIBS) \
	$(LDNS_LIBS) $(SODIUM_LIBS) -lm

sbin_PROGRAMS += threshd
threshd_SOURCES = src/daemon/main.c src/daemon/builtin.h
nodist_threshd_SOURCES = src/daemon/builtin.c
threshd_LDADD = $(DAEMON_LIBS)
threshd_LDFLAGS = -pthread $(LTO_ON)

src/daemon/builtin.c: Makefile
	$(AM_V_GEN)$(MKDIR_P) src/daemon && { \
	  echo '/* generated from BUILTIN_PLUGINS */'; \
	  echo '#include "daemon/builtin.h"'; \
	  for p in $(BUILTIN_PLUGINS); do echo "extern const struct th_plugin th_plugin_$$p;"; done; \
	  echo 'const struct th_plugin *const builtin_plugins[] = {'; \
	  for p in $(BUILTIN_PLUGINS); do echo "    &th_plugin_$$p,"; done; \
	  echo '    NULL,'; \
	  echo '};'; } > $@.tmp && mv $@.tmp $@
CLEANFILES += src/daemon/builtin.c
