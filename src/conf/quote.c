/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "conf/quote.h"

#include <string.h>

static char *put_byte(char *out, unsigned char c)
{
    if (c >= ' ' && c != 0x7f) {
        *out++ = (char)c;
        return out;
    }
    *out++ = '\\';
    *out++ = (char)('0' + c / 100);
    *out++ = (char)('0' + c / 10 % 10);
    *out++ = (char)('0' + c % 10);
    return out;
}

const char *quote_text(char buf[QUOTE_BYTES], const char *text, size_t len)
{
    size_t shown = len < QUOTE_TEXT_MAX ? len : QUOTE_TEXT_MAX;
    char *out = buf;
    *out++ = '"';
    for (size_t i = 0; i < shown; i++)
        out = put_byte(out, (unsigned char)text[i]);
    strcpy(out, shown < len ? "...\"" : "\"");
    return buf;
}
