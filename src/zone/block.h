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

#include "wire/cursor.h"
#include "zone/build.h"

/* The largest answer section that we hold: with header, question (273 bytes) and OPT, cookie and
 * other options beside it, a message of TCP (65535) still has room. */
#define BLOCK_MAX 64000u

/* Where a question's name begins in a message. */
#define BLOCK_QUESTION_AT 12

/* Suffixes that a pointer may mean. More than this are not remembered: a set of names that share
 * no suffix gains nothing from it, and the search is linear. */
#define BLOCK_KNOWN_MAX 192

struct block_known {
    const uint8_t *name;
    uint16_t at; /* in the message */
    uint8_t len;
};

/* A compression pointer that was written. */
struct block_pointer {
    uint16_t at; /* in the block */
    uint16_t to; /* in the message */
};

/* A block while it is written, as if behind a question for some name. */
struct block {
    struct writer w;
    size_t start; /* where the block begins in the message */
    unsigned known_count;
    struct block_known known[BLOCK_KNOWN_MAX];
    struct block_pointer *pointers; /* NULL = not noted */
    unsigned pointer_count, pointer_cap;
    bool pointers_lost; /* there were more than pointer_cap */
};

void block_open(struct block *k, void *room, size_t cap, const uint8_t *question);
/* From now on note where pointers are, in an array of the caller's. */
void block_note_pointers(struct block *k, struct block_pointer *pointers, unsigned cap);
void block_put_rr(struct block *k, const uint8_t *owner, uint16_t type, uint32_t ttl_s,
                  const uint8_t *rdata, size_t len);
/* The owner is the question's name itself, whatever it is. */
void block_put_asked_rr(struct block *k, uint16_t type, uint32_t ttl_s, const uint8_t *rdata,
                        size_t len);

/* Bytes of the rrset that begins with record `first`, uncompressed; *count: its records. */
size_t block_plain_bytes(const struct build *b, uint32_t node, uint32_t first, unsigned *count);
/* Write it to out, which has block_plain_bytes; returns its length. */
size_t block_write(const struct build *b, uint32_t node, uint32_t first, unsigned count,
                   bool compress, uint8_t *out);

#endif
