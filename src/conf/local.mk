# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += libconf.a
libconf_a_SOURCES = \
	src/conf/vtree.h src/conf/vnode.h src/conf/vtree.c \
	src/conf/quote.h src/conf/quote.c \
	src/conf/lex.h src/conf/lex.c \
	src/conf/source.h src/conf/source.c \
	src/conf/vscf.h src/conf/vscf.c \
	src/conf/schema.h src/conf/schema.c src/conf/schema_near.c \
	src/conf/schema_parse.h src/conf/schema_parse.c
