# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += libanswer.a
libanswer_a_SOURCES = \
	src/answer/snapshot.h src/answer/snapshot.c \
	src/answer/cookie.h src/answer/cookie.c \
	src/answer/opt.h src/answer/opt.c \
	src/answer/chaos.h src/answer/chaos.c \
	src/answer/rrl.h src/answer/rrl.c \
	src/answer/challenge.h src/answer/challenge.c \
	src/answer/lookup.h src/answer/lookup.c \
	src/answer/chain.h src/answer/chain.c \
	src/answer/encode.h src/answer/encode.c \
	src/answer/dynamic.h src/answer/dynamic.c \
	src/answer/body.h src/answer/body.c \
	src/answer/answer.h src/answer/answer.c
