/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LOC (RFC 1876): d [m [s]] N|S  d [m [s]] E|W  altitude [size [horizontal [vertical]]] */
#include "zone/rdfield.h"

#include "base/err.h"

#define MIDDLE 0x80000000u /* equator, prime meridian; thousandths of an arc second from there */

#define ALTITUDE_ZERO_CM 10000000   /* 100,000 m below the reference spheroid */
#define SIZE_MAX_CM      9000000000 /* what base and exponent can hold: 9e9 cm */

/* Defaults of section 3: 1 m, 10 km, 10 m; base and power of ten in cm. */
static const uint8_t default_sizes[3] = {0x12, 0x16, 0x13};

/* "12.345" with at most `decimals` behind the dot, as 12345; -1 = it is none, or above max. */
static int64_t read_decimal(const char *s, size_t len, unsigned decimals, int64_t max)
{
    int64_t v = 0;
    unsigned behind = 0;
    bool dot = false, digits = false;
    for (size_t i = 0; i < len; i++) {
        if (s[i] == '.' && !dot && digits) {
            dot = true;
            continue;
        }
        if (s[i] < '0' || s[i] > '9' || (dot && ++behind > decimals) || v > max)
            return -1;
        v = v * 10 + (s[i] - '0');
        digits = true;
    }
    if (!digits || (dot && behind == 0))
        return -1;
    for (; behind < decimals; behind++)
        v *= 10;
    return v <= max ? v : -1;
}

static bool is_letter(const struct token *t, char plus, char minus)
{
    char c = t->kind == TOKEN_WORD && t->len == 1 ? (char)(t->at[0] & ~0x20) : 0;
    return c == plus || c == minus;
}

/* Degrees, minutes, seconds and a letter; leaves p->t behind the letter. */
static int put_angle(struct parse *p, struct writer *w, char plus, char minus)
{
    const struct {
        unsigned decimals;
        uint32_t scale, max;
    } parts[] = {{0, 3600000, plus == 'N' ? 90 : 180}, {0, 60000, 59}, {3, 1, 59999}};
    const char *wanted = plus == 'N' ? "a latitude such as 52 14 05.5 N, at most 90 degrees"
                                     : "a longitude such as 0 8 50 E, at most 180 degrees";
    uint32_t sum = 0;
    unsigned count = 0;
    for (; count < 3 && !is_letter(&p->t, plus, minus); count++, scan_next(&p->scan, &p->t)) {
        int64_t v = p->t.kind == TOKEN_WORD
                        ? read_decimal(p->t.at, p->t.len, parts[count].decimals, parts[count].max)
                        : -1;
        if (v < 0)
            return rdtext_refuse(p, wanted);
        sum += (uint32_t)v * parts[count].scale;
    }
    if (count == 0 || !is_letter(&p->t, plus, minus))
        return rdtext_refuse(p, wanted);
    writer_u32(w, (p->t.at[0] & ~0x20) == plus ? MIDDLE + sum : MIDDLE - sum);
    scan_next(&p->scan, &p->t);
    return 0;
}

/* Length without the unit "m". */
static size_t metres_len(const struct token *t)
{
    return t->len && (t->at[t->len - 1] | 0x20) == 'm' ? t->len - 1 : t->len;
}

static int put_altitude(struct parse *p, struct writer *w)
{
    const char *wanted = "an altitude from -100000.00m to 42849672.95m";
    if (p->t.kind != TOKEN_WORD || p->t.len == 0)
        return rdtext_refuse(p, wanted);
    bool is_below = p->t.at[0] == '-';
    size_t sign = is_below || p->t.at[0] == '+', len = metres_len(&p->t);
    int64_t max = is_below ? ALTITUDE_ZERO_CM : (int64_t)UINT32_MAX - ALTITUDE_ZERO_CM;
    int64_t cm = len > sign ? read_decimal(p->t.at + sign, len - sign, 2, max) : -1;
    if (cm < 0)
        return rdtext_refuse(p, wanted);
    writer_u32(w, (uint32_t)(ALTITUDE_ZERO_CM + (is_below ? -cm : cm)));
    scan_next(&p->scan, &p->t);
    return 0;
}

/* One decimal digit and a power of ten; what is below the first digit is dropped. */
static int read_size(struct parse *p, uint8_t *size)
{
    int64_t cm =
        p->t.kind == TOKEN_WORD ? read_decimal(p->t.at, metres_len(&p->t), 2, SIZE_MAX_CM) : -1;
    unsigned power = 0;
    if (cm < 0)
        return rdtext_refuse(p, "a length from 0m to 90000000.00m");
    for (; cm >= 10; cm /= 10)
        power++;
    *size = (uint8_t)((unsigned)cm << 4 | power);
    return 0;
}

int rdloc_put(struct parse *p, struct writer *w)
{
    size_t sizes_at = w->at + 1;
    uint8_t sizes[3] = {default_sizes[0], default_sizes[1], default_sizes[2]};
    writer_u8(w, 0); /* version */
    writer_bytes(w, sizes, sizeof sizes);
    if (put_angle(p, w, 'N', 'S') < 0 || put_angle(p, w, 'E', 'W') < 0 || put_altitude(p, w) < 0)
        return ERR_REFUSED;
    for (unsigned i = 0; i < 3 && token_is_value(&p->t); i++, scan_next(&p->scan, &p->t))
        if (read_size(p, &sizes[i]) < 0)
            return ERR_REFUSED;
    if (!w->failed)
        memcpy(w->base + sizes_at, sizes, sizeof sizes);
    return 0;
}
