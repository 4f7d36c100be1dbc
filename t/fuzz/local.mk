# SPDX-License-Identifier: GPL-3.0-or-later
# Fuzz targets: t/fuzz/fuzz_NAME.c with a corpus in t/fuzz/corpus/NAME.  `make check` replays each
# corpus; `make fuzz` (clang) looks for more, FUZZ_SECONDS for each target.  A target has here its
# replay program and one fuzz-NAME rule.
FUZZ_SECONDS = 60
FUZZ_CPPFLAGS = $(DEFS) $(DEFAULT_INCLUDES) $(TEST_CPPFLAGS) $(URCU_CFLAGS) $(LDNS_CFLAGS)
FUZZ_LIBS = $(URCU_LIBS) $(LIBEV_LIBS) $(LDNS_LIBS) $(SODIUM_LIBS) -lm
FUZZ_RUN = SRCDIR='$(srcdir)' FUZZ_CPPFLAGS="$(FUZZ_CPPFLAGS)" FUZZ_LIBS='$(FUZZ_LIBS)' \
	$(srcdir)/t/fuzz/run
FUZZ_REPLAY = t/fuzz/replay.c t/fuzz/fuzz.h
FUZZ_TARGETS =
dist_noinst_SCRIPTS += t/fuzz/run
EXTRA_DIST += t/fuzz/corpus

FUZZ_TARGETS += fuzz-vscf
check_PROGRAMS += t/fuzz/replay_vscf
TESTS += t/fuzz/replay_vscf
t_fuzz_replay_vscf_SOURCES = t/fuzz/fuzz_vscf.c $(FUZZ_REPLAY)
t_fuzz_replay_vscf_CPPFLAGS = $(TEST_CPPFLAGS) -DFUZZ_CORPUS='"vscf"'
t_fuzz_replay_vscf_LDADD = libconf.a libbase.a $(UNIT_COMMON)
fuzz-vscf:
	$(FUZZ_RUN) vscf $(FUZZ_SECONDS) $(libconf_a_SOURCES) $(libbase_a_SOURCES)

FUZZ_TARGETS += fuzz-zone
check_PROGRAMS += t/fuzz/replay_zone
TESTS += t/fuzz/replay_zone
t_fuzz_replay_zone_SOURCES = t/fuzz/fuzz_zone.c $(FUZZ_REPLAY)
t_fuzz_replay_zone_CPPFLAGS = $(TEST_CPPFLAGS) -DFUZZ_CORPUS='"zone"'
t_fuzz_replay_zone_LDADD = libzone.a libwire.a libbase.a $(UNIT_LDNS) $(UNIT_COMMON)
fuzz-zone:
	$(FUZZ_RUN) zone $(FUZZ_SECONDS) $(libzone_a_SOURCES) $(libwire_a_SOURCES) $(libbase_a_SOURCES)

FUZZ_TARGETS += fuzz-answer
check_PROGRAMS += t/fuzz/replay_answer
TESTS += t/fuzz/replay_answer
t_fuzz_replay_answer_SOURCES = t/fuzz/fuzz_answer.c $(FUZZ_REPLAY)
t_fuzz_replay_answer_CPPFLAGS = $(TEST_CPPFLAGS) -DFUZZ_CORPUS='"answer"'
t_fuzz_replay_answer_LDADD = libtestlib.a libanswer.a libzone.a libplug.a libwire.a libconf.a libhealth.a \
	libstats.a libbase.a $(UNIT_SODIUM) $(UNIT_COMMON)
fuzz-answer:
	$(FUZZ_RUN) answer $(FUZZ_SECONDS) t/lib/bare.c $(libanswer_a_SOURCES) $(libzone_a_SOURCES) \
	  $(libplug_a_SOURCES) $(libwire_a_SOURCES) $(libconf_a_SOURCES) $(libhealth_a_SOURCES) \
	  $(libstats_a_SOURCES) $(libbase_a_SOURCES)

FUZZ_TARGETS += fuzz-edns
check_PROGRAMS += t/fuzz/replay_edns
TESTS += t/fuzz/replay_edns
t_fuzz_replay_edns_SOURCES = t/fuzz/fuzz_edns.c $(FUZZ_REPLAY)
t_fuzz_replay_edns_CPPFLAGS = $(TEST_CPPFLAGS) -DFUZZ_CORPUS='"edns"'
t_fuzz_replay_edns_LDADD = $(t_fuzz_replay_answer_LDADD)
fuzz-edns:
	$(FUZZ_RUN) edns $(FUZZ_SECONDS) t/lib/bare.c $(libanswer_a_SOURCES) $(libzone_a_SOURCES) \
	  $(libplug_a_SOURCES) $(libwire_a_SOURCES) $(libconf_a_SOURCES) $(libhealth_a_SOURCES) \
	  $(libstats_a_SOURCES) $(libbase_a_SOURCES)

FUZZ_TARGETS += fuzz-dso
check_PROGRAMS += t/fuzz/replay_dso
TESTS += t/fuzz/replay_dso
t_fuzz_replay_dso_SOURCES = t/fuzz/fuzz_dso.c $(FUZZ_REPLAY)
t_fuzz_replay_dso_CPPFLAGS = $(TEST_CPPFLAGS) -DFUZZ_CORPUS='"dso"'
t_fuzz_replay_dso_LDADD = libnet.a libwire.a libbase.a $(UNIT_COMMON)
fuzz-dso:
	$(FUZZ_RUN) dso $(FUZZ_SECONDS) src/net/dso.c $(libwire_a_SOURCES) $(libbase_a_SOURCES)

FUZZ_TARGETS += fuzz-proxy
check_PROGRAMS += t/fuzz/replay_proxy
TESTS += t/fuzz/replay_proxy
t_fuzz_replay_proxy_SOURCES = t/fuzz/fuzz_proxy.c $(FUZZ_REPLAY)
t_fuzz_replay_proxy_CPPFLAGS = $(TEST_CPPFLAGS) -DFUZZ_CORPUS='"proxy"'
t_fuzz_replay_proxy_LDADD = libnet.a libwire.a libbase.a $(UNIT_COMMON)
fuzz-proxy:
	$(FUZZ_RUN) proxy $(FUZZ_SECONDS) src/net/proxy.c $(libwire_a_SOURCES) $(libbase_a_SOURCES)

fuzz: $(FUZZ_TARGETS)
clean-local: clean-fuzz
clean-fuzz:
	rm -rf fuzz
.PHONY: fuzz clean-fuzz $(FUZZ_TARGETS)
