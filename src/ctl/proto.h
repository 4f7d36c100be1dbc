/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * proto.h: headers of the control protocol, which is gdnsd's plus `W`, `N`, `z`.  Server and
 * threshctl share this file.
 *
 *   byte   0     1   2   3     4   5   6   7
 *        +-----+-------------+-----------------+
 *        | key |  v, big end |  d, host order  |      then d bytes of data behind `C` `z` and acks
 *        +-----+-------------+-----------------+
 *
 *   'I' v=client version        ->  'A' v=server version, d=process id
 *   'S' stats  'E' states       ->  'A' d=length, then JSON
 *   'W' why was it refused      ->  'A' d=length, then one reason per line (may be empty)
 *   'Z' reload zones            ->  'A' or 'F' when it has ended
 *   'z' reload zones, with words  ->  'A' or 'F' when it has ended, d=length, then one reason or
 *       v=PROTO_FORCE               warning per line; its data: names, a NUL behind each, d=0: all
 *   'N' zones                   ->  'A' d=length, then JSON
 *   'X' stop                    ->  'A' at once; the connection ends when the daemon has
 *
 * Thread rule: plain values, [any].
 */
#ifndef CTL_PROTO_H
#define CTL_PROTO_H

#include <stdint.h>

#define PROTO_HEADER_BYTES 8

enum proto_request {
    PROTO_INFO = 'I',
    PROTO_STATS = 'S',
    PROTO_STATES = 'E',
    PROTO_RELOAD_ZONES = 'Z',
    PROTO_WHY = 'W',          /* ours alone: gdnsd answers 'U' */
    PROTO_RELOAD_NAMED = 'z', /* ours alone, as the next */
    PROTO_ZONES = 'N',
    PROTO_STOP = 'X',
    PROTO_CHALLENGES = 'C', /* d bytes of data follow; we answer 'U' */
};

/* The most data that a correct client sends after 'C': 100 challenges. */
#define PROTO_CHALLENGES_MAX 28400

/* The most data behind 'z'. Whoever has more names reloads everything. */
#define PROTO_NAMES_MAX 1048576

/* In v of 'z': what guards refuse is done all the same. */
#define PROTO_FORCE 1u

enum proto_ack {
    PROTO_OK = 'A',
    PROTO_FAILED = 'F',
    PROTO_LATER = 'L',
    PROTO_DENIED = 'D',
    PROTO_UNKNOWN = 'U',
};

struct proto_header {
    uint8_t key;
    uint32_t v; /* 24 bits: major << 16 | minor << 8 | patch */
    uint32_t d;
};

/* The top byte of v is not sent. */
void proto_print(const struct proto_header *h, uint8_t out[PROTO_HEADER_BYTES]);
/* Every 8 bytes are a header; whether the key is known is the reader's to say. */
void proto_parse(const uint8_t in[PROTO_HEADER_BYTES], struct proto_header *out);

#endif
