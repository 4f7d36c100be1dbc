/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * split.h: the text of one zone file -> records of a struct build, as parse_text alone would have
 * read it, on as many threads as the crew has spare.
 *
 *   text    | head | piece | piece | piece | piece |       pieces begin where a line does
 *   thread 1  read   ahead   take    take    ahead ...     take: append what was read ahead
 *   thread 2         ahead   ahead   ahead ...
 *
 * A piece is read ahead by the same parser into a build of its own, with a guess: that a record
 * begins where the piece does, and that $ORIGIN and $TTL are what they were in the last piece that
 * was taken.  Pieces are taken in order.  If the guess was right, the piece's records are appended;
 * else the piece is read again from where the one before it ended.  Reading ahead stops before the
 * first line that says anything (an error, a warning), brings text ($INCLUDE, $GENERATE) or wants
 * what only the lines before the piece know (the owner, the last TTL); what is left is read when
 * the piece is taken.  So nothing that was guessed ever shows: a wrong guess costs time only.
 *
 * Thread rule: [loader]; helpers are started and joined inside.
 */
#ifndef ZONE_SPLIT_H
#define ZONE_SPLIT_H

#include "zone/build.h"
#include "zone/crew.h"

/* Shorter texts are read whole: starting a thread costs as much as reading some KiB, and many files
 * are spread over the threads anyway. */
#define SPLIT_MIN_BYTES ((size_t)4 << 20)

/* Of a piece: what is made of it (four times this) stays in the cache of the processor that made
 * it; a few thousand records are worth waking a thread for. */
#define SPLIT_PIECE_BYTES ((size_t)128 << 10)

/* Is a text of `len` bytes worth more than one thread? */
bool split_is_worth(const struct zone_options *o, size_t len);
/* Read all of `text`; faults go to b->d. The build knows its source already. */
void split_text(struct build *b, struct crew *crew, const char *path, const char *text, size_t len);

#endif
