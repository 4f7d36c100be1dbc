/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/json.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

enum { DEPTH_MAX = 16 };

/* Each reader returns what follows it, or NULL. */
static const char *read_value(const char *p, unsigned depth);

static const char *skip_blanks(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

static const char *read_escape(const char *p)
{
    if (*p != 'u')
        return *p && strchr("\"\\/bfnrt", *p) ? p + 1 : NULL;
    for (int i = 1; i <= 4; i++)
        if (!isxdigit((unsigned char)p[i]))
            return NULL;
    return p + 5;
}

static const char *read_string(const char *p)
{
    if (*p++ != '"')
        return NULL;
    while (p && *p != '"') {
        if ((unsigned char)*p < 0x20)
            return NULL;
        p = *p == '\\' ? read_escape(p + 1) : p + 1;
    }
    return p ? p + 1 : NULL;
}

static const char *read_digits(const char *p)
{
    size_t n = strspn(p, "0123456789");
    return n ? p + n : NULL;
}

static const char *read_number(const char *p)
{
    p += *p == '-';
    const char *end = *p == '0' ? p + 1 : read_digits(p);
    if (end && *end == '.')
        end = read_digits(end + 1);
    if (end && (*end == 'e' || *end == 'E'))
        end = read_digits(end + 1 + (end[1] == '+' || end[1] == '-'));
    return end;
}

static const char *read_member(const char *p, bool object, unsigned depth)
{
    if (object) {
        p = read_string(p);
        p = p ? skip_blanks(p) : NULL;
        if (!p || *p++ != ':')
            return NULL;
    }
    return read_value(skip_blanks(p), depth + 1);
}

static const char *read_group(const char *p, char close, unsigned depth)
{
    p = skip_blanks(p + 1);
    if (*p == close)
        return p + 1;
    for (;;) {
        p = read_member(p, close == '}', depth);
        p = p ? skip_blanks(p) : NULL;
        if (!p || (*p != ',' && *p != close))
            return NULL;
        if (*p++ == close)
            return p;
        p = skip_blanks(p);
    }
}

static const char *read_word(const char *p)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(p, words[i], strlen(words[i])) == 0)
            return p + strlen(words[i]);
    return NULL;
}

static const char *read_value(const char *p, unsigned depth)
{
    if (depth > DEPTH_MAX)
        return NULL;
    if (*p == '{')
        return read_group(p, '}', depth);
    if (*p == '[')
        return read_group(p, ']', depth);
    if (*p == '"')
        return read_string(p);
    return isalpha((unsigned char)*p) ? read_word(p) : read_number(p);
}

bool json_is_valid(const char *text)
{
    const char *end = read_value(skip_blanks(text), 0);
    return end && *skip_blanks(end) == '\0';
}
