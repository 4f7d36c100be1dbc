# SPDX-License-Identifier: GPL-3.0-or-later
# A unit test links its own layer whole (an unreferenced call upward would link silently else)
# and lower layers only: that keeps the layer table true.  UNIT_<layer> is what it may use.
UNIT_COMMON = $(CHECK_LIBS) $(URCU_LIBS) $(LIBEV_LIBS) -lm
# libzone calls ldns, libanswer libsodium
UNIT_LDNS = $(LDNS_LIBS)
UNIT_SODIUM = $(LDNS_LIBS) $(SODIUM_LIBS)
UNIT_base = $(WHOLE) libbase.a $(NOWHOLE) $(UNIT_COMMON)
UNIT_wire = $(WHOLE) libwire.a $(NOWHOLE) libbase.a $(UNIT_COMMON)
UNIT_conf = $(WHOLE) libconf.a $(NOWHOLE) libbase.a $(UNIT_COMMON)
UNIT_stats = $(WHOLE) libstats.a $(NOWHOLE) libbase.a $(UNIT_COMMON)
UNIT_health = $(WHOLE) libhealth.a $(NOWHOLE) libbase.a $(UNIT_COMMON)
UNIT_zone = $(WHOLE) libzone.a $(NOWHOLE) libwire.a libbase.a $(UNIT_LDNS) $(UNIT_COMMON)
UNIT_plug = $(WHOLE) libplug.a $(NOWHOLE) libwire.a libconf.a libhealth.a libstats.a libbase.a $(UNIT_COMMON)
UNIT_answer = $(WHOLE) libanswer.a $(NOWHOLE) libzone.a libplug.a libwire.a libconf.a libhealth.a \
	libstats.a libbase.a $(UNIT_SODIUM) $(UNIT_COMMON)
UNIT_net = $(WHOLE) libnet.a $(NOWHOLE) libanswer.a libzone.a libplug.a libwire.a libconf.a \
	libhealth.a libstats.a libbase.a $(UNIT_SODIUM) $(UNIT_COMMON)
UNIT_monitor = $(WHOLE) libmonitor.a $(NOWHOLE) libplug.a libwire.a libconf.a libhealth.a libstats.a \
	libbase.a $(UNIT_COMMON)
UNIT_ctl = $(WHOLE) libctl.a $(NOWHOLE) libstats.a libbase.a $(UNIT_COMMON)
UNIT_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
TEST_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/t

include t/unit/base.mk
include t/unit/wire.mk
include t/unit/conf.mk
include t/unit/stats.mk
include t/unit/health.mk
include t/unit/zone.mk
include t/unit/plug.mk
include t/unit/answer.mk
include t/unit/net.mk
include t/unit/monitor.mk
include t/unit/ctl.mk
include t/unit/plugins.mk
include t/unit/daemon.mk
