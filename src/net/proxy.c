/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "net/proxy.h"

#include "base/attrs.h"
#include "base/netaddr.h"
#include "wire/cursor.h"

static const uint8_t v2_signature[12] = "\r\n\r\n\0\r\nQUIT\n"; /* no NUL at its end */
static const uint8_t v1_start[6] = "PROXY ";
/* "the receiver [...] must be prepared to 107 characters": the line with its CR LF */
enum { V1_MAX = 107, V2_HEAD = 16 };
enum { V2_LOCAL = 0x20, V2_PROXY = 0x21 };
enum { V2_UNSPEC = 0x00, V2_TCP4 = 0x11, V2_TCP6 = 0x21 };
/* Source and destination addresses and ports. */
enum { V2_TCP4_BYTES = 12, V2_TCP6_BYTES = 36 };

static void set_source(struct proxy_header *h, unsigned family, const uint8_t *bytes)
{
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    if (family == 6 && memcmp(bytes, mapped, sizeof mapped) == 0) {
        family = 4; /* an IPv4 client of a proxy that listens for both on one socket */
        bytes += sizeof mapped;
    }
    h->source = (struct th_addr){.family = (uint8_t)family};
    memcpy(h->source.bytes, bytes, th_addr_len(&h->source));
}

/* ---- version 2 ----------------------------------------------------------------------------- */

static enum proxy_verdict v2_addresses(struct cursor *c, unsigned family, struct proxy_header *h)
{
    const uint8_t *p;
    switch (family) {
    case V2_UNSPEC: return PROXY_UNKNOWN;
    case V2_TCP4: p = cursor_bytes(c, V2_TCP4_BYTES); break;
    case V2_TCP6: p = cursor_bytes(c, V2_TCP6_BYTES); break;
    default: return PROXY_BAD; /* datagrams, UNIX sockets */
    }
    if (!p)
        return PROXY_BAD;
    set_source(h, family == V2_TCP4 ? 4 : 6, p);
    return PROXY_CLIENT;
}

static enum proxy_verdict v2_parse(const uint8_t *bytes, size_t len, struct proxy_header *h)
{
    struct cursor c = cursor_on(bytes, len);
    (void)cursor_bytes(&c, sizeof v2_signature);
    unsigned command = cursor_u8(&c), family = cursor_u8(&c);
    size_t rest = cursor_u16(&c);
    if (c.failed)
        return PROXY_MORE;
    if ((command != V2_PROXY && command != V2_LOCAL) || rest > PROXY_HEADER_MAX - V2_HEAD)
        return PROXY_BAD;
    const uint8_t *body = cursor_bytes(&c, rest);
    if (!body)
        return PROXY_MORE;
    h->len = V2_HEAD + rest; /* with TLVs, which tell us nothing */
    struct cursor b = cursor_on(body, rest);
    return command == V2_LOCAL ? PROXY_LOCAL : v2_addresses(&b, family, h);
}

/* ---- version 1 ----------------------------------------------------------------------------- */

/* The next word of a line in which one blank stands between words; "" if there is none. */
static void next_word(struct cursor *c, char word[V1_MAX + 1])
{
    size_t n = 0;
    while (cursor_left(c)) {
        char ch = (char)cursor_u8(c);
        if (ch == ' ')
            break;
        word[n++] = ch;
    }
    word[n] = '\0';
}

/* Decimal, without sign or leading zeros, as the specification writes it. */
static bool is_port(const char *s)
{
    unsigned v = 0, digits = 0;
    for (; s[digits] >= '0' && s[digits] <= '9' && digits < 6; digits++)
        v = v * 10 + (unsigned)(s[digits] - '0');
    return digits && s[digits] == '\0' && v <= 65535 && (digits == 1 || s[0] != '0');
}

static bool read_addr(struct cursor *c, unsigned family, struct th_addr *a)
{
    char word[V1_MAX + 1];
    next_word(c, word);
    return netaddr_parse_addr(word, a) == 0 && a->family == family;
}

static bool read_port(struct cursor *c)
{
    char word[V1_MAX + 1];
    next_word(c, word);
    return is_port(word);
}

static enum proxy_verdict v1_addresses(struct cursor *c, unsigned family, struct proxy_header *h)
{
    struct th_addr source, destination;
    if (!read_addr(c, family, &source) || !read_addr(c, family, &destination) || !read_port(c) ||
        !read_port(c) || cursor_left(c) || c->base[c->len - 1] == ' ')
        return PROXY_BAD;
    set_source(h, family, source.bytes);
    return PROXY_CLIENT;
}

/* line: behind "PROXY ", without its end; no NUL in it. */
static enum proxy_verdict v1_line(const uint8_t *line, size_t len, struct proxy_header *h)
{
    char word[V1_MAX + 1];
    struct cursor c = cursor_on(line, len);
    next_word(&c, word);
    if (strcmp(word, "UNKNOWN") == 0) /* whatever follows must be ignored */
        return PROXY_UNKNOWN;
    if (strcmp(word, "TCP4") == 0)
        return v1_addresses(&c, 4, h);
    return strcmp(word, "TCP6") == 0 ? v1_addresses(&c, 6, h) : PROXY_BAD;
}

static enum proxy_verdict v1_parse(const uint8_t *bytes, size_t len, struct proxy_header *h)
{
    size_t seen = len < V1_MAX ? len : V1_MAX;
    const uint8_t *end = memchr(bytes, '\n', seen);
    if (!end)
        return seen == V1_MAX ? PROXY_BAD : PROXY_MORE;
    h->len = (size_t)(end - bytes) + 1;
    size_t line_len = h->len - sizeof v1_start;
    if (line_len < 2 || end[-1] != '\r' || memchr(bytes, '\0', h->len))
        return PROXY_BAD;
    return v1_line(bytes + sizeof v1_start, line_len - 2, h);
}

/* Are these bytes `start`, or the beginning of it? */
static bool begins(const uint8_t *bytes, size_t len, const uint8_t *start, size_t start_len)
{
    return memcmp(bytes, start, len < start_len ? len : start_len) == 0;
}

enum proxy_verdict proxy_parse(const uint8_t *bytes, size_t len, struct proxy_header *out)
{
    *out = (struct proxy_header){0};
    bool v1 = begins(bytes, len, v1_start, sizeof v1_start);
    bool v2 = begins(bytes, len, v2_signature, sizeof v2_signature);
    if (!v1 && !v2)
        return PROXY_BAD;
    if (len < (v1 ? sizeof v1_start : sizeof v2_signature))
        return PROXY_MORE;
    return v1 ? v1_parse(bytes, len, out) : v2_parse(bytes, len, out);
}
