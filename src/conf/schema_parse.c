/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "conf/schema_parse.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"

/* Beyond it every sum and product of two numbers still fits 64 bits, and no uint32_t is meant. */
#define NUMBER_MAX ((uint64_t)1 << 53)

struct unit {
    const char *name;
    uint32_t size;
};

static const struct unit units_ms[] = {
    {"ms", 1}, {"s", 1000}, {"m", 60000}, {"h", 3600000}, {"d", 86400000},
};

/* The order in which they may be written. */
static const struct unit units_s[] = {
    {"w", 604800}, {"d", 86400}, {"h", 3600}, {"m", 60}, {"s", 1},
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int digit_value(char c, unsigned base)
{
    if (is_digit(c))
        return c - '0';
    if (base == 16 && c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (base == 16 && c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* The digits at *text, which moves behind them; saturates at NUMBER_MAX. ERR_SYNTAX if none. */
static int read_digits(const char **text, unsigned base, uint64_t *out)
{
    uint64_t v = 0;
    const char *p = *text;
    int digit;
    for (; (digit = digit_value(*p, base)) >= 0; p++) {
        v = v * base + (uint64_t)digit;
        if (v > NUMBER_MAX)
            v = NUMBER_MAX;
    }
    if (p == *text)
        return ERR_SYNTAX;
    *text = p;
    *out = v;
    return 0;
}

static bool has_leading_zero(const char *text)
{
    return text[0] == '0' && is_digit(text[1]);
}

static int fit_u32(uint64_t v, uint32_t *out)
{
    if (v > UINT32_MAX)
        return ERR_RANGE;
    *out = (uint32_t)v;
    return 0;
}

static int parse_uint_lax(const char *text, uint32_t *out)
{
    char *end;
    errno = 0;
    unsigned long v = strtoul(text, &end, 0);
    if (end == text || *end)
        return ERR_SYNTAX;
    return errno ? ERR_RANGE : fit_u32(v, out);
}

int schema_parse_bool(const char *text, bool *out)
{
    bool is_true = strcasecmp(text, "true") == 0;
    if (!is_true && strcasecmp(text, "false") != 0)
        return ERR_SYNTAX;
    *out = is_true;
    return 0;
}

int schema_parse_uint(const char *text, bool lax, uint32_t *out)
{
    uint64_t v;
    unsigned base = 10;
    if (lax)
        return parse_uint_lax(text, out);
    if (has_leading_zero(text))
        return ERR_SYNTAX;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        base = 16;
        text += 2;
    }
    if (read_digits(&text, base, &v) != 0 || *text)
        return ERR_SYNTAX;
    return fit_u32(v, out);
}

static size_t digits_len(const char *p)
{
    size_t n = 0;
    while (is_digit(p[n]))
        n++;
    return n;
}

/* [-] digits [. digits] [e [+-] digits], with a digit on at least one side of the point. */
static bool is_decimal(const char *p)
{
    p += *p == '-';
    if (has_leading_zero(p))
        return false;
    size_t whole = digits_len(p), fraction = 0;
    p += whole;
    if (*p == '.') {
        fraction = digits_len(++p);
        p += fraction;
    }
    if (whole + fraction == 0)
        return false;
    if (*p == 'e' || *p == 'E') {
        p++;
        p += *p == '+' || *p == '-';
        size_t exponent = digits_len(p);
        if (exponent == 0)
            return false;
        p += exponent;
    }
    return *p == '\0';
}

int schema_parse_float(const char *text, bool lax, double *out)
{
    char *end;
    if (!lax && !is_decimal(text))
        return ERR_SYNTAX;
    double v = strtod(text, &end);
    if (end == text || *end)
        return ERR_SYNTAX;
    if (!isfinite(v))
        return ERR_RANGE;
    *out = v;
    return 0;
}

static const struct unit *find_unit(const struct unit *units, size_t count, const char *name,
                                    size_t name_len)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(units[i].name) == name_len && strncasecmp(units[i].name, name, name_len) == 0)
            return &units[i];
    return NULL;
}

/* Read the decimal number at *text as value / scale, exactly. */
static int read_decimal(const char **text, uint64_t *value, uint64_t *scale)
{
    uint64_t fraction;
    *scale = 1;
    if (has_leading_zero(*text) || read_digits(text, 10, value) != 0)
        return ERR_SYNTAX;
    if (**text != '.')
        return 0;
    ++*text;
    size_t len = digits_len(*text);
    if (read_digits(text, 10, &fraction) != 0)
        return ERR_SYNTAX;
    for (; len && fraction % 10 == 0; len--) /* zeros at the end say nothing */
        fraction /= 10;
    if (len > 9 || *value > UINT32_MAX)
        return ERR_RANGE;
    for (; len; len--)
        *scale *= 10;
    *value = *value * *scale + fraction;
    return 0;
}

int schema_parse_duration_ms(const char *text, uint32_t *out)
{
    uint64_t value, scale;
    int e = read_decimal(&text, &value, &scale);
    if (e)
        return e;
    const struct unit *u =
        *text ? find_unit(units_ms, array_len(units_ms), text, strlen(text)) : &units_ms[1];
    if (!u)
        return ERR_SYNTAX;
    /* in 128 bits: a value of 2^62 times a day of 2^27 */
    unsigned __int128 ms = (unsigned __int128)value * u->size;
    if (ms % scale || ms / scale > UINT32_MAX)
        return ERR_RANGE;
    *out = (uint32_t)(ms / scale);
    return 0;
}

int schema_parse_duration_ms_lax(const char *text, uint32_t *out)
{
    uint32_t s;
    int e = parse_uint_lax(text, &s);
    if (e == ERR_SYNTAX)
        return schema_parse_duration_ms(text, out);
    return e ? e : fit_u32((uint64_t)s * 1000, out);
}

/* The parts of 1d12h: each unit smaller than the one before. */
static int parse_ttl_parts(const char *text, uint32_t *out)
{
    uint64_t sum = 0, value;
    uint32_t last_size = UINT32_MAX;
    do {
        if (has_leading_zero(text) || read_digits(&text, 10, &value) != 0)
            return ERR_SYNTAX;
        if (!*text && last_size == UINT32_MAX)
            return fit_u32(value, out);
        const struct unit *u = find_unit(units_s, array_len(units_s), text, *text ? 1 : 0);
        if (!u || u->size >= last_size)
            return ERR_SYNTAX;
        last_size = u->size;
        text++;
        if (value > UINT32_MAX)
            value = UINT32_MAX + (uint64_t)1; /* too large already; the sum must not wrap */
        sum += value * u->size;
    } while (*text);
    return fit_u32(sum, out);
}

int schema_parse_ttl_s(const char *text, bool lax, uint32_t *out)
{
    if (lax) {
        int e = parse_uint_lax(text, out);
        if (e != ERR_SYNTAX)
            return e;
    }
    return parse_ttl_parts(text, out);
}
