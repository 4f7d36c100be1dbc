# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += libzone.a
libzone_a_CFLAGS = $(AM_CFLAGS) $(LDNS_CFLAGS)
libzone_a_SOURCES = \
	src/zone/zone.h src/zone/zone.c \
	src/zone/table.h src/zone/table.c \
	src/zone/set.h src/zone/set.c \
	src/zone/load.h src/zone/load.c \
	src/zone/listing.h src/zone/listing.c \
	src/zone/crew.h src/zone/crew.c \
	src/zone/reader.h src/zone/reader.c \
	src/zone/split.h src/zone/split.c \
	src/zone/guard.h src/zone/guard.c \
	src/zone/scan.h src/zone/scan.c \
	src/zone/parse.h src/zone/parse.c \
	src/zone/include.h src/zone/include.c \
	src/zone/generate.h src/zone/generate.c \
	src/zone/rdtext.h src/zone/rdtext.c \
	src/zone/rdfield.h src/zone/rdbin.c src/zone/rdloc.c src/zone/rdnet.c src/zone/rdsvcb.c \
	src/zone/rdata_ldns.h src/zone/rdata_ldns.c \
	src/zone/dyna.h src/zone/dyna.c \
	src/zone/build.h src/zone/build.c \
	src/zone/check.h src/zone/check.c \
	src/zone/soa.h src/zone/soa.c \
	src/zone/block.h src/zone/block.c \
	src/zone/ready.h src/zone/ready.c \
	src/zone/digest.h src/zone/digest.c \
	src/zone/freeze.h src/zone/freeze.c
