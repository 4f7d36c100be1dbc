/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zone/rdfield.h"

#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/err.h"
#include "wire/rrtype.h"

/* --- numbers that have names --- */

struct word {
    uint16_t value;
    const char *text;
};

/* IANA, "DNS Security Algorithm Numbers". */
static const struct word algorithms[] = {
    {1, "RSAMD5"},
    {2, "DH"},
    {3, "DSA"},
    {5, "RSASHA1"},
    {6, "DSA-NSEC3-SHA1"},
    {7, "RSASHA1-NSEC3-SHA1"},
    {8, "RSASHA256"},
    {10, "RSASHA512"},
    {12, "ECC-GOST"},
    {13, "ECDSAP256SHA256"},
    {14, "ECDSAP384SHA384"},
    {15, "ED25519"},
    {16, "ED448"},
    {252, "INDIRECT"},
    {253, "PRIVATEDNS"},
    {254, "PRIVATEOID"},
    {0, NULL},
};

/* RFC 4398 section 2.1. */
static const struct word certs[] = {
    {1, "PKIX"},   {2, "SPKI"},    {3, "PGP"},   {4, "IPKIX"}, {5, "ISPKI"}, {6, "IPGP"},
    {7, "ACPKIX"}, {8, "IACPKIX"}, {253, "URI"}, {254, "OID"}, {0, NULL},
};

static const struct word schemes[] = {{1, "NOTIFY"}, {0, NULL}};

static int read_word(struct parse *p, const struct word *words, uint32_t max, uint32_t *v)
{
    if (p->t.kind == TOKEN_WORD && p->t.len && (p->t.at[0] < '0' || p->t.at[0] > '9')) {
        for (; words->text; words++) {
            if (strlen(words->text) == p->t.len &&
                strncasecmp(words->text, p->t.at, p->t.len) == 0) {
                *v = words->value;
                return 0;
            }
        }
        return rdtext_refuse(p, "a number, or a name that stands for one here");
    }
    return rdtext_number(p, max, v);
}

int rdbin_algorithm(struct parse *p, struct writer *w)
{
    uint32_t v;
    if (read_word(p, algorithms, UINT8_MAX, &v) < 0)
        return ERR_REFUSED;
    writer_u8(w, (uint8_t)v);
    return 0;
}

int rdbin_scheme(struct parse *p, struct writer *w)
{
    uint32_t v;
    if (read_word(p, schemes, UINT8_MAX, &v) < 0)
        return ERR_REFUSED;
    writer_u8(w, (uint8_t)v);
    return 0;
}

int rdbin_cert(struct parse *p, struct writer *w)
{
    uint32_t v;
    if (read_word(p, certs, UINT16_MAX, &v) < 0)
        return ERR_REFUSED;
    writer_u16(w, (uint16_t)v);
    return 0;
}

/* Type of the current token; DYNA and DYNC are none outside zone files. */
static int read_type(struct parse *p, uint16_t *type)
{
    int n = p->t.kind == TOKEN_WORD ? rrtype_parse(p->t.at, p->t.len) : ERR_NOTFOUND;
    bool is_ours = n == RRTYPE_DYNA || n == RRTYPE_DYNC;
    if (n < 0 || (is_ours && strncasecmp(p->t.at, "TYPE", 4) != 0))
        return rdtext_refuse(p, "a record type, by name or as TYPEn");
    *type = (uint16_t)n;
    return 0;
}

int rdbin_type(struct parse *p, struct writer *w)
{
    uint16_t type;
    if (read_type(p, &type) < 0)
        return ERR_REFUSED;
    writer_u16(w, type);
    return 0;
}

static unsigned two_digits(const char *s)
{
    return (unsigned)(s[0] - '0') * 10 + (unsigned)(s[1] - '0');
}

/* YYYYMMDDHHmmSS to seconds since 1970 (RFC 4034 section 3.2); -1 = no such moment. */
static int64_t read_moment(const char *s)
{
    struct tm tm = {
        .tm_year = (int)(two_digits(s) * 100 + two_digits(s + 2)) - 1900,
        .tm_mon = (int)two_digits(s + 4) - 1,
        .tm_mday = (int)two_digits(s + 6),
        .tm_hour = (int)two_digits(s + 8),
        .tm_min = (int)two_digits(s + 10),
        .tm_sec = (int)two_digits(s + 12),
    };
    struct tm same = tm;
    int64_t t = timegm(&same); /* brings what is out of range into range: then it differs */
    bool is_real = t >= 0 && same.tm_mon == tm.tm_mon && same.tm_mday == tm.tm_mday &&
                   same.tm_hour == tm.tm_hour && same.tm_min == tm.tm_min &&
                   same.tm_sec == tm.tm_sec;
    return is_real ? t : -1;
}

int rdbin_time(struct parse *p, struct writer *w)
{
    const char *wanted = "a moment: YYYYMMDDHHmmSS, or a number from 0 to 4294967295";
    uint32_t v;
    if (p->t.kind != TOKEN_WORD || p->t.len != 14) {
        if (rdtext_number(p, UINT32_MAX, &v) < 0)
            return ERR_REFUSED;
        writer_u32(w, v);
        return 0;
    }
    for (size_t i = 0; i < p->t.len; i++)
        if (p->t.at[i] < '0' || p->t.at[i] > '9')
            return rdtext_refuse(p, wanted);
    int64_t t = read_moment(p->t.at);
    if (t < 0)
        return rdtext_refuse(p, wanted);
    writer_u32(w, (uint32_t)t); /* modulo 2^32: serial number arithmetic (RFC 4034 3.1.5) */
    return 0;
}

/* --- hexadecimal --- */

int rdbin_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int rdbin_groups(struct parse *p, struct writer *w, unsigned groups, unsigned bytes, char mark)
{
    const char *wanted = mark == ':'   ? "four groups of four hexadecimal digits with colons"
                         : groups == 6 ? "six pairs of hexadecimal digits with dashes"
                                       : "eight pairs of hexadecimal digits with dashes";
    const char *s = p->t.at;
    if (p->t.kind != TOKEN_WORD || p->t.len != groups * (bytes * 2 + 1) - 1)
        return rdtext_refuse(p, wanted);
    for (unsigned i = 0; i < groups; i++) {
        if (i && *s++ != mark)
            return rdtext_refuse(p, wanted);
        for (unsigned k = 0; k < bytes; k++, s += 2) {
            int high = rdbin_digit(s[0]), low = rdbin_digit(s[1]);
            if (high < 0 || low < 0)
                return rdtext_refuse(p, wanted);
            writer_u8(w, (uint8_t)(high << 4 | low));
        }
    }
    return 0;
}

/* Blanks may stand anywhere between digits (RFC 4034 section 5.3). */
int rdbin_hex(struct parse *p, struct writer *w)
{
    const char *wanted = "hexadecimal: pairs of the digits 0-9 a-f";
    struct token last = p->t;
    int high = -1;
    if (p->t.kind != TOKEN_WORD)
        return rdtext_refuse(p, wanted);
    for (; p->t.kind == TOKEN_WORD; scan_next(&p->scan, &p->t)) {
        last = p->t;
        for (size_t i = 0; i < p->t.len; i++) {
            int digit = rdbin_digit(p->t.at[i]);
            if (digit < 0)
                return rdtext_refuse(p, wanted);
            if (high >= 0)
                writer_u8(w, (uint8_t)(high << 4 | digit));
            high = high < 0 ? digit : -1;
        }
    }
    if (high >= 0)
        return diag_error(p->d, parse_loc(p, &last), "\"%.*s\" ends in half a byte",
                          TOKEN_ARG(&last));
    return 0;
}

int rdbin_salt(struct parse *p, struct writer *w)
{
    const char *wanted = "a salt: at most 255 bytes in hexadecimal, or - for none";
    bool is_none = p->t.len == 1 && p->t.at[0] == '-';
    if (p->t.kind != TOKEN_WORD || (!is_none && (p->t.len % 2 || p->t.len > 510)))
        return rdtext_refuse(p, wanted);
    writer_u8(w, is_none ? 0 : (uint8_t)(p->t.len / 2));
    for (size_t i = 0; !is_none && i < p->t.len; i += 2) {
        int high = rdbin_digit(p->t.at[i]), low = rdbin_digit(p->t.at[i + 1]);
        if (high < 0 || low < 0)
            return rdtext_refuse(p, wanted);
        writer_u8(w, (uint8_t)(high << 4 | low));
    }
    return 0;
}

/* --- base64, base32 --- */

struct base64 {
    uint32_t bits;
    unsigned count, pad; /* characters of this group of four; how many of them are '=' */
    bool ended;
};

static int digit64(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

static int take64(struct base64 *b, char c, struct writer *w)
{
    int digit = c == '=' ? 0 : digit64(c);
    if (digit < 0 || b->ended || (c == '=' && b->count < 2) || (c != '=' && b->pad))
        return ERR_SYNTAX;
    b->bits = b->bits << 6 | (uint32_t)digit;
    b->pad += c == '=';
    if (++b->count < 4)
        return 0;
    for (unsigned i = 0; i + b->pad < 3; i++)
        writer_u8(w, (uint8_t)(b->bits >> (16 - 8 * i)));
    b->ended = b->pad > 0;
    b->bits = b->count = b->pad = 0;
    return 0;
}

int rdbin_decode64(const char *text, size_t len, struct writer *w)
{
    struct base64 b = {0};
    for (size_t i = 0; i < len; i++)
        if (take64(&b, text[i], w) < 0)
            return ERR_SYNTAX;
    return b.count == 0 && len ? 0 : ERR_SYNTAX;
}

/* Blanks may stand anywhere (RFC 4034 section 2.2). */
int rdbin_base64(struct parse *p, struct writer *w, bool may_miss)
{
    const char *wanted = "base64, in groups of four characters with = at the end";
    struct base64 b = {0};
    struct token last = p->t;
    if (p->t.kind != TOKEN_WORD && !(may_miss && !token_is_value(&p->t)))
        return rdtext_refuse(p, wanted);
    for (; p->t.kind == TOKEN_WORD; scan_next(&p->scan, &p->t)) {
        last = p->t;
        for (size_t i = 0; i < p->t.len; i++)
            if (take64(&b, p->t.at[i], w) < 0)
                return rdtext_refuse(p, wanted);
    }
    if (b.count)
        return diag_error(p->d, parse_loc(p, &last), "\"%.*s\" is not %s", TOKEN_ARG(&last),
                          wanted);
    return 0;
}

int rdbin_ipseckey(struct parse *p, struct writer *w)
{
    unsigned algorithm = w->failed ? 0 : w->base[2];
    if (algorithm == 0 && token_is_value(&p->t))
        return rdtext_refuse(p, "wanted: algorithm 0 means that there is no key (RFC 4025)");
    return rdbin_base64(p, w, true);
}

static int digit32(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'v' ? c - 'a' + 10 : -1;
}

/* Without the = signs that others pad with to a multiple of 8. */
static size_t unpadded_len(const struct token *t)
{
    size_t len = t->len;
    while (t->len % 8 == 0 && len && t->at[len - 1] == '=')
        len--;
    return len;
}

/* RFC 5155 section 3.3: the alphabet with digits first, without padding. */
int rdbin_base32(struct parse *p, struct writer *w)
{
    const char *wanted = "base32 (0-9 a-v)";
    size_t len = unpadded_len(&p->t), bytes = len * 5 / 8;
    unsigned bits = 0, count = 0;
    if (p->t.kind != TOKEN_WORD || bytes == 0 || bytes > UINT8_MAX || (bytes * 8 + 4) / 5 != len)
        return rdtext_refuse(p, wanted);
    writer_u8(w, (uint8_t)bytes);
    for (size_t i = 0; i < len; i++) {
        int digit = digit32(p->t.at[i]);
        if (digit < 0)
            return rdtext_refuse(p, wanted);
        bits = (bits << 5 | (unsigned)digit) & 0xfff;
        count += 5;
        if (count >= 8) {
            count -= 8;
            writer_u8(w, (uint8_t)(bits >> count));
        }
    }
    if (bits & ((1u << count) - 1)) /* RFC 4648 section 3.5: a slip, or cut short */
        return rdtext_refuse(p, "base32: bits behind the last whole byte are not 0");
    return 0;
}

/* --- sets of types --- */

/* RFC 4034 section 4.1.2: only windows with a type, only bytes up to the last type. */
static void put_window(struct writer *w, unsigned window, const uint8_t bits[32])
{
    unsigned len = 32;
    while (len && bits[len - 1] == 0)
        len--;
    if (len == 0)
        return;
    writer_u8(w, (uint8_t)window);
    writer_u8(w, (uint8_t)len);
    writer_bytes(w, bits, len);
}

int rdbin_bitmap(struct parse *p, struct writer *w)
{
    uint8_t bits[256][32];
    uint16_t type;
    memset(bits, 0, sizeof bits);
    for (; token_is_value(&p->t); scan_next(&p->scan, &p->t)) {
        if (read_type(p, &type) < 0)
            return ERR_REFUSED;
        bits[type >> 8][(type & 0xff) >> 3] |= (uint8_t)(0x80 >> (type & 7));
    }
    for (unsigned i = 0; i < 256; i++)
        put_window(w, i, bits[i]);
    return 0;
}
