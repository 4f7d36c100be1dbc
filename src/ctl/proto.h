/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * proto.h: headers of the control protocol, which is gdnsd's plus `W`, `N`, `z`, `O`.  Server and
 * threshctl share this file.
 *
 *   byte   0     1   2   3     4   5   6   7
 *        +-----+-------------+-----------------+
 *        | key |  v, big end |  d, host order  |      then d bytes of data behind `C` `z` `O` and
 * acks
 *        +-----+-------------+-----------------+
 *
 *   'I' v=client version        ->  'A' v=server version, d=process id
 *   'S' stats  'E' states       ->  'A' d=length, then JSON
 *   'W' why was it refused      ->  'A' d=length, then one reason per line (may be empty)
 *   'Z' reload zones            ->  'A' or 'F' when it has ended
 *   'z' reload zones, with words  ->  'A' or 'F' when it has ended, d=length, then one reason or
 *       v=PROTO_FORCE               warning per line; its data: names, a NUL behind each, d=0: all
 *   'N' zones                   ->  'A' d=length, then JSON
 *   'C' add challenges          ->  'A' or 'F'; v=how many, 1 to 100; its data: for each a length
 *                                   byte, a name in wire form and lower case, 43 bytes, a NUL
 *   'c' forget all challenges   ->  'A'
 *   'O' orders of administrators  ->  d=0: 'A' d=length, then JSON of what is in force; else 'A' or
 *       v=PROTO_FORCE,              'F', d=length, then one line for each thing that is done, or
 * why PROTO_DRY_RUN             not; its data, a NUL behind each: UP, DOWN, DRAIN, MAINT or CLEAR;
 * a glob; TTL in seconds or ""; seconds that it lasts or ""; a reason or "" 'X' stop ->  'A' at
 * once; the connection ends when the daemon has
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
    PROTO_ORDER = 'O', /* ours alone */
    PROTO_STOP = 'X',
    PROTO_CHALLENGES = 'C',
    PROTO_CHALLENGES_FLUSH = 'c',
};

/* Challenges behind one 'C', and the most bytes that they are. */
#define PROTO_CHALLENGES_COUNT 100
#define PROTO_CHALLENGES_MAX   28400
/* Bytes of a challenge's payload; a NUL follows. */
#define PROTO_CHALLENGE_PAYLOAD 43
/* ... of these: base64url (RFC 4648 section 5). */
#define PROTO_CHALLENGE_CHARS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
/* Bytes of its name and the length byte before it. */
#define PROTO_CHALLENGE_NAME_MAX 240

/* The most data behind 'z'. Whoever has more names reloads everything. */
#define PROTO_NAMES_MAX 1048576

/* In v of 'z' and 'O': what guards refuse is done all the same. */
#define PROTO_FORCE 1u
/* In v of 'O': nothing is done, but said. */
#define PROTO_DRY_RUN 2u
/* Words behind 'O', and the most bytes that they are. */
#define PROTO_ORDER_WORDS 5
#define PROTO_ORDER_MAX   4096

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
