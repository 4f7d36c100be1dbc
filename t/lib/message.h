/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * message.h: any query, right or wrong, from words.
 *
 *   struct message m;
 *   message_parse(&m, 0x1234, "f=0100 q:www/A o:1232/0/8000 +10:61*8");
 *   ... m.bytes, m.len, m.question_len ...
 *
 *   f=HEX                     the second 16 bits of the header; 0 without
 *   c=N,N,N,N                 the counts as written; else those of the words below
 *   q:NAME/TYPE[/CLASS]       a question
 *   Q:HEX                     a question, as bytes
 *   an: ns: ar: NAME/TYPE/HEX a record of that section, class IN, TTL 60
 *   o[:SIZE[/VERSION[/FLAGS]]]  OPT; 1232, 0, 0 without; FLAGS are hexadecimal
 *   +CODE[:HEX]               an option of the OPT before it
 *   x:HEX                     bytes that no count knows of
 *   raw:HEX                   bytes in place of the whole message, header and all
 *
 * A NAME without a final dot is below e2e.example, which is @. HEX is parts with _ between them, a
 * part HH... or HH...*N: N times.  What cannot be read fails the test.
 */
#ifndef T_LIB_MESSAGE_H
#define T_LIB_MESSAGE_H

#include <stddef.h>
#include <stdint.h>
#include "lib/dns.h"

#define MESSAGE_ZONE "e2e.example."

struct message {
    uint8_t bytes[DNS_MAX];
    size_t len;
    size_t question_len; /* of the first; 0: none */
    size_t opt_at;       /* of the last OPT; 0: none */
};

void message_parse(struct message *m, uint16_t id, const char *text);
/* Does the text's next part match these bytes?  `?*N` is any N bytes, `*` any at all. */
bool message_matches(const char *hex, const uint8_t *bytes, size_t len);

#endif
