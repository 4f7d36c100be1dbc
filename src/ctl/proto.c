/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ctl/proto.h"

#include <string.h>

void proto_print(const struct proto_header *h, uint8_t out[PROTO_HEADER_BYTES])
{
    out[0] = h->key;
    out[1] = (uint8_t)(h->v >> 16);
    out[2] = (uint8_t)(h->v >> 8);
    out[3] = (uint8_t)h->v;
    memcpy(out + 4, &h->d, sizeof h->d); /* both ends are on this machine */
}

void proto_parse(const uint8_t in[PROTO_HEADER_BYTES], struct proto_header *out)
{
    out->key = in[0];
    out->v = (uint32_t)in[1] << 16 | (uint32_t)in[2] << 8 | in[3];
    memcpy(&out->d, in + 4, sizeof out->d);
}
