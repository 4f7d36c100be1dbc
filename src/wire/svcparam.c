/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wire/svcparam.h"

#include <string.h>

#include "base/err.h"
#include "base/utf8.h"
#include "wire/cursor.h"

/* IANA, "Service Parameter Keys (SvcParamKeys)". */
static const char *const names[SVCPARAM_COUNT] = {
    [SVCPARAM_MANDATORY] = "mandatory",
    [SVCPARAM_ALPN] = "alpn",
    [SVCPARAM_NO_DEFAULT_ALPN] = "no-default-alpn",
    [SVCPARAM_PORT] = "port",
    [SVCPARAM_IPV4HINT] = "ipv4hint",
    [SVCPARAM_ECH] = "ech",
    [SVCPARAM_IPV6HINT] = "ipv6hint",
    [SVCPARAM_DOHPATH] = "dohpath",
    [SVCPARAM_OHTTP] = "ohttp",
};

/* "key15", without leading zeros (RFC 9460 section 2.1). */
static int find_number(const char *name, size_t len)
{
    unsigned n = 0;
    if (len < 4 || len > 8 || memcmp(name, "key", 3) != 0 || (name[3] == '0' && len > 4))
        return ERR_NOTFOUND;
    for (size_t i = 3; i < len; i++) {
        if (name[i] < '0' || name[i] > '9')
            return ERR_NOTFOUND;
        n = n * 10 + (unsigned)(name[i] - '0');
    }
    return n <= UINT16_MAX ? (int)n : ERR_NOTFOUND;
}

int svcparam_find(const char *name, size_t len)
{
    for (int i = 0; i < SVCPARAM_COUNT; i++)
        if (strlen(names[i]) == len && memcmp(names[i], name, len) == 0)
            return i;
    return find_number(name, len);
}

static bool has_key(struct cursor c, uint16_t key)
{
    while (!c.failed && cursor_left(&c)) {
        if (cursor_u16(&c) == key)
            return true;
        (void)cursor_bytes(&c, cursor_u16(&c)); /* a failure ends the loop */
    }
    return false;
}

/* RFC 9460 section 8: ascending, each once, not itself, all there. */
static const char *mandatory_fault(struct cursor list, const struct cursor *all)
{
    int last = -1;
    if (cursor_left(&list) == 0 || cursor_left(&list) % 2)
        return "mandatory names no keys";
    while (cursor_left(&list)) {
        int key = cursor_u16(&list);
        if (key <= last)
            return "mandatory names a key twice, or in a wrong order";
        if (key == SVCPARAM_MANDATORY)
            return "mandatory must not name itself";
        if (!has_key(*all, (uint16_t)key))
            return "mandatory names a key that is not there";
        last = key;
    }
    return NULL;
}

static const char *alpn_fault(struct cursor list)
{
    if (cursor_left(&list) == 0)
        return "alpn is empty";
    while (!list.failed && cursor_left(&list)) {
        size_t n = cursor_u8(&list);
        if (n == 0)
            return "alpn has an empty member";
        (void)cursor_bytes(&list, n); /* a failure ends the loop */
    }
    return list.failed ? "alpn is cut short" : NULL;
}

/* Is "dns" one of the variables of the expression whose text, without braces, this is (RFC 6570
 * section 2.2)?  An operator, then names with commas between them, each perhaps with :n or *. */
static bool names_dns(const uint8_t *s, size_t len)
{
    if (len && memchr("+#./;?&", s[0], 7)) {
        s++;
        len--;
    }
    while (len >= 3) {
        if (memcmp(s, "dns", 3) == 0 && (len == 3 || memchr(",:*", s[3], 3)))
            return true;
        const uint8_t *comma = memchr(s, ',', len);
        if (!comma)
            return false;
        len -= (size_t)(comma + 1 - s);
        s = comma + 1;
    }
    return false;
}

static bool has_dns_variable(const uint8_t *s, size_t len)
{
    const uint8_t *end = s + len, *close;
    while ((s = memchr(s, '{', (size_t)(end - s))) && (close = memchr(s, '}', (size_t)(end - s)))) {
        if (names_dns(s + 1, (size_t)(close - s - 1)))
            return true;
        s = close;
    }
    return false;
}

/* RFC 9461 section 5: what it makes is the path of a URI. */
static const char *dohpath_fault(const uint8_t *s, size_t len)
{
    bool is_path = len && (s[0] == '/' || (len > 1 && s[0] == '{' && s[1] == '/'));
    if (!is_path || !utf8_is_valid(s, len))
        return "dohpath is a path in UTF-8, beginning with / (RFC 9461 section 5)";
    return has_dns_variable(s, len)
               ? NULL
               : "dohpath needs the variable \"dns\", as in /dns-query{?dns} (RFC 9461 section 5)";
}

static const char *value_fault(unsigned key, const struct cursor *value, const struct cursor *all)
{
    size_t len = cursor_left(value);
    switch (key) {
    case SVCPARAM_MANDATORY: return mandatory_fault(*value, all);
    case SVCPARAM_ALPN: return alpn_fault(*value);
    case SVCPARAM_NO_DEFAULT_ALPN:
        if (!has_key(*all, SVCPARAM_ALPN))
            return "no-default-alpn needs alpn (RFC 9460 section 7.1.1)";
        return len ? "no-default-alpn has no value" : NULL;
    case SVCPARAM_PORT: return len == 2 ? NULL : "port is one number from 0 to 65535";
    case SVCPARAM_IPV4HINT:
        return len && len % 4 == 0 ? NULL : "ipv4hint is one or more IPv4 addresses";
    case SVCPARAM_ECH: return len ? NULL : "ech is empty";
    case SVCPARAM_DOHPATH: return dohpath_fault(value->base, len);
    case SVCPARAM_INVALID: return "key65535 is no key (RFC 9460 section 14.3.2)";
    case SVCPARAM_IPV6HINT:
        return len && len % 16 == 0 ? NULL : "ipv6hint is one or more IPv6 addresses";
    }
    return NULL;
}

const char *svcparam_fault(const uint8_t *params, size_t len, bool is_alias)
{
    const struct cursor all = cursor_on(params, len);
    struct cursor c = all;
    int last = -1;
    if (is_alias && len)
        return "a record of priority 0 (AliasMode) has no parameters";
    while (cursor_left(&c)) {
        int key = cursor_u16(&c);
        size_t n = cursor_u16(&c);
        struct cursor value = cursor_on(cursor_bytes(&c, n), n);
        if (c.failed)
            return "the parameters are cut short";
        if (key == last)
            return "a key is there twice";
        if (key < last)
            return "the keys are not in ascending order";
        const char *fault = value_fault((unsigned)key, &value, &all);
        if (fault)
            return fault;
        last = key;
    }
    return NULL;
}
