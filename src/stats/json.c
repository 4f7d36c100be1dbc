/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/json.h"

#include <stdbool.h>
#include <stdint.h>

#include "base/utf8.h"

static bool is_plain(uint8_t c)
{
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

/* Add what starts at s; returns how many bytes that was. */
static size_t add_one(struct buf *out, const uint8_t *s, size_t len)
{
    size_t n = utf8_len(s, len);
    if (n > 1)
        buf_add(out, s, n);
    else if (is_plain(*s))
        buf_add(out, s, 1);
    else if (*s == '"' || *s == '\\')
        buf_printf(out, "\\%c", *s);
    else
        buf_printf(out, "\\u%04x", *s);
    return n > 1 ? n : 1;
}

void json_add_text(struct buf *out, const char *text, size_t len)
{
    const uint8_t *s = (const uint8_t *)text;
    buf_add(out, "\"", 1);
    for (size_t i = 0; i < len;)
        i += add_one(out, s + i, len - i);
    buf_add(out, "\"", 1);
}
