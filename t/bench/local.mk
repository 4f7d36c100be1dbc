# SPDX-License-Identifier: GPL-3.0-or-later
# `make bench` measures; `make check` only proves that the generator sees a wrong answer.
# BENCH_FLAGS is handed on: make bench BENCH_FLAGS='--rounds 20'
BENCH_FLAGS =
check_PROGRAMS += t/bench/generator t/bench/echo t/bench/walk t/bench/rrl
t_bench_generator_SOURCES = t/bench/generator.c t/bench/queries.h t/bench/queries.c
t_bench_generator_CPPFLAGS = $(TEST_CPPFLAGS)
t_bench_generator_LDADD = libbase.a
t_bench_echo_SOURCES = t/bench/echo.c
t_bench_echo_CPPFLAGS = $(TEST_CPPFLAGS)
t_bench_echo_LDADD = libbase.a
t_bench_walk_SOURCES = t/bench/walk.c
t_bench_walk_CPPFLAGS = $(TEST_CPPFLAGS)
t_bench_walk_LDADD = libbase.a
t_bench_rrl_SOURCES = t/bench/rrl.c
t_bench_rrl_CPPFLAGS = $(TEST_CPPFLAGS)
t_bench_rrl_LDADD = libanswer.a libbase.a $(SODIUM_LIBS)
dist_noinst_SCRIPTS += t/bench/run t/bench/selftest
EXTRA_DIST += t/bench/README.md t/bench/data.py t/bench/procs.py t/bench/zones.py
TESTS += t/bench/selftest

bench: threshd$(EXEEXT) t/bench/generator$(EXEEXT) t/bench/echo$(EXEEXT) t/bench/walk$(EXEEXT) t/bench/rrl$(EXEEXT)
	$(srcdir)/t/bench/run --build . $(BENCH_FLAGS)
	t/bench/rrl
.PHONY: bench
