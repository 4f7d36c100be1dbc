/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/utf8.h"

#include "base/attrs.h"

/* RFC 3629, section 4: first byte, range of the second, length. The third and fourth are tails. */
static const struct utf8_row {
    uint8_t first_min, first_max, second_min, second_max, len;
} utf8_rows[] = {
    {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
    {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
    {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

static bool row_fits(const struct utf8_row *r, const uint8_t *s, size_t len)
{
    if (s[0] < r->first_min || s[0] > r->first_max || len < r->len)
        return false;
    if (s[1] < r->second_min || s[1] > r->second_max)
        return false;
    for (size_t i = 2; i < r->len; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return false;
    }
    return true;
}

size_t utf8_len(const uint8_t *s, size_t len)
{
    if (s[0] < 0x80)
        return 1;
    for (size_t i = 0; i < array_len(utf8_rows); i++) {
        if (row_fits(&utf8_rows[i], s, len))
            return utf8_rows[i].len;
    }
    return 0;
}

bool utf8_is_valid(const uint8_t *s, size_t len)
{
    for (size_t n; len; s += n, len -= n)
        if ((n = utf8_len(s, len)) == 0)
            return false;
    return true;
}
