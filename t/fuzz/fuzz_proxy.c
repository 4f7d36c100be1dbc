/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PROXY headers: a header is judged alike whole and with bytes behind it, every part of it asks for
 * more, and it lies inside what was received. */
#include <stdlib.h>

#include "fuzz/fuzz.h"
#include "net/proxy.h"

static void check_whole(const uint8_t *data, size_t size, enum proxy_verdict v,
                        const struct proxy_header *h)
{
    struct proxy_header again;
    if (h->len == 0 || h->len > size || h->len > PROXY_HEADER_MAX)
        abort();
    if (proxy_parse(data, h->len, &again) != v || again.len != h->len)
        abort();
    for (size_t part = 0; part < h->len; part++)
        if (proxy_parse(data, part, &again) != PROXY_MORE)
            abort();
    if (v == PROXY_CLIENT && h->source.family != 4 && h->source.family != 6)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct proxy_header h;
    enum proxy_verdict v = proxy_parse(data, size, &h);
    if (v == PROXY_MORE && size > PROXY_HEADER_MAX)
        abort(); /* nobody may make us wait for ever */
    if (v != PROXY_MORE && v != PROXY_BAD)
        check_whole(data, size, v, &h);
    return 0;
}
