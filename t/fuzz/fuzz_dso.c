/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DSO messages: whatever is received has one verdict, and its reply is a DSO response with the same
 * id, in bounds, that we would not take for a request. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "net/dso.h"

static void check_reply(enum dso_verdict v, const uint8_t *msg, bool pad)
{
    const struct dso_terms terms = {.inactivity_ms = 37000, .pad = pad};
    uint8_t reply[DSO_REPLY_MAX];
    size_t len = dso_reply(v, msg, &terms, reply);
    size_t want = v != DSO_KEEPALIVE ? 12 : pad ? DSO_REPLY_MAX : 24;
    if (len != want || memcmp(reply, msg, 2) != 0 || reply[2] != 0xb0 || (reply[3] & 0xf0) ||
        dso_is_request(reply, len))
        abort();
    reply[2] &= 0x7f; /* read as a request, what we write is well formed */
    if (v == DSO_KEEPALIVE && dso_parse(reply, len) != DSO_KEEPALIVE)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!dso_is_request(data, size))
        return 0;
    enum dso_verdict v = dso_parse(data, size);
    if (v == DSO_NOTIMP)
        abort();
    for (int pad = 0; pad < 2 && v != DSO_FATAL; pad++)
        check_reply(v, data, pad);
    return 0;
}
