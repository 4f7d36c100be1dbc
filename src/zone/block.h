/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * block.h: records of one rrset -> the bytes of their answer.
 *
 *   C0 0C | type | IN | TTL | rdlength | rdata          owner: the question's name at offset 12
 *
 * In a compressed block the names in rdata of RDATA_NAME_COMPRESSED fields end in a pointer to the
 * longest suffix that stands in the question or in such a name earlier in the block (the first
 * place it stands).
 *
 * Thread rule: [loader].
 */
#ifndef ZONE_BLOCK_H
#define ZONE_BLOCK_H

#include "zone/build.h"

/* The largest answer section that we hold: with header, question (273 bytes) and OPT, cookie and
 * other options beside it, a message of TCP (65535) still has room. */
#define BLOCK_MAX 64000u

/* Bytes of the rrset that begins with record `first`, uncompressed; *count: its records. */
size_t block_plain_bytes(const struct build *b, uint32_t node, uint32_t first, unsigned *count);
/* Write it to out, which has block_plain_bytes; returns its length. */
size_t block_write(const struct build *b, uint32_t node, uint32_t first, unsigned count,
                   bool compress, uint8_t *out);

#endif
