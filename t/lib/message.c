/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/message.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEADER = 12,
    COUNTS = 4,
    COUNTS_AT = 4,
    WORD_MAX = 1024,
    OPT_SIZE = 11,
    SIZE_DEFAULT = 1232
};
enum { QUESTION, ANSWER, AUTHORITY, ADDITIONAL };

static void put16(struct message *m, size_t at, unsigned v)
{
    m->bytes[at] = (uint8_t)(v >> 8);
    m->bytes[at + 1] = (uint8_t)v;
}

static void add16(struct message *m, unsigned v)
{
    put16(m, m->len, v);
    m->len += 2;
}

static void bump16(struct message *m, size_t at, size_t by)
{
    put16(m, at, (unsigned)(((size_t)m->bytes[at] << 8 | m->bytes[at + 1]) + by));
}

/* ---- HEX ----------------------------------------------------------------------------------- */

/* One part: its digits, how often; returns where the next begins, NULL at the end. */
static const char *next_part(const char *hex, size_t *digits, unsigned long *times)
{
    size_t len = strcspn(hex, "_");
    *digits = strcspn(hex, "_*");
    *times = *digits < len ? strtoul(hex + *digits + 1, NULL, 10) : 1;
    return hex[len] ? hex + len + 1 : NULL;
}

static uint8_t hex_byte(const char *digits)
{
    const char two[3] = {digits[0], digits[1], 0};
    char *end;
    unsigned long v = strtoul(two, &end, 16);
    ck_assert_msg(end == two + 2, "not hexadecimal: %s", digits);
    return (uint8_t)v;
}

static void add_hex(struct message *m, const char *hex)
{
    size_t digits;
    unsigned long times;
    for (const char *part = *hex ? hex : NULL; part;) {
        const char *next = next_part(part, &digits, &times);
        for (; times; times--)
            for (size_t i = 0; i < digits; i += 2)
                m->bytes[m->len++] = hex_byte(part + i);
        part = next;
    }
}

bool message_matches(const char *hex, const uint8_t *bytes, size_t len)
{
    size_t at = 0, digits;
    unsigned long times;
    if (strcmp(hex, "*") == 0)
        return true;
    for (const char *part = *hex ? hex : NULL; part;) {
        const char *next = next_part(part, &digits, &times);
        for (; times; times--)
            for (size_t i = 0; i < digits; i += 2, at++) {
                if (at == len)
                    return false;
                if (part[i] == '?')
                    i--; /* one character a byte */
                else if (bytes[at] != hex_byte(part + i))
                    return false;
            }
        part = next;
    }
    return at == len;
}

/* ---- words --------------------------------------------------------------------------------- */

static void add_name(struct message *m, const char *name)
{
    char full[WORD_MAX];
    size_t len = strlen(name);
    if (strcmp(name, "@") == 0)
        (void)snprintf(full, sizeof full, MESSAGE_ZONE); /* fits */
    else
        (void)snprintf(full, sizeof full, "%s%s", name, /* fits */
                       len && name[len - 1] == '.' ? "" : "." MESSAGE_ZONE);
    ldns_rdf *wire = ldns_dname_new_frm_str(full);
    ck_assert_msg(wire != NULL, "no name: %s", full);
    memcpy(m->bytes + m->len, ldns_rdf_data(wire), ldns_rdf_size(wire));
    m->len += ldns_rdf_size(wire);
    ldns_rdf_deep_free(wire);
}

static unsigned read_type(const char *text)
{
    unsigned type = ldns_get_rr_type_by_name(text);
    ck_assert_msg(type || strcmp(text, "TYPE0") == 0, "no type: %s", text);
    return type;
}

static unsigned read_class(const char *text)
{
    if (!text)
        return LDNS_RR_CLASS_IN;
    unsigned class = ldns_get_rr_class_by_name(text);
    ck_assert_msg(class || strcmp(text, "CLASS0") == 0, "no class: %s", text);
    return class;
}

static void add_question(struct message *m, char *word)
{
    const char *name = strsep(&word, "/"), *type = strsep(&word, "/");
    ck_assert_msg(type != NULL, "no type: %s", name);
    add_name(m, name);
    add16(m, read_type(type));
    add16(m, read_class(word));
}

static void add_record(struct message *m, char *word)
{
    const char *name = strsep(&word, "/"), *type = strsep(&word, "/");
    ck_assert_msg(word != NULL, "no rdata: %s", name);
    add_name(m, name);
    add16(m, read_type(type));
    add16(m, LDNS_RR_CLASS_IN);
    add16(m, 0);
    add16(m, 60);
    size_t at = m->len;
    add16(m, 0);
    add_hex(m, word);
    put16(m, at, (unsigned)(m->len - at - 2));
}

static void add_opt(struct message *m, char *word)
{
    const char *size = strsep(&word, "/"), *version = strsep(&word, "/");
    m->opt_at = m->len;
    m->bytes[m->len++] = 0;
    add16(m, LDNS_RR_TYPE_OPT);
    add16(m, size && *size ? (unsigned)strtoul(size, NULL, 10) : SIZE_DEFAULT);
    add16(m, version ? (unsigned)strtoul(version, NULL, 10) : 0);
    add16(m, word ? (unsigned)strtoul(word, NULL, 16) : 0);
    add16(m, 0);
}

static void add_option(struct message *m, const char *word)
{
    char *hex;
    ck_assert_msg(m->opt_at, "no OPT: +%s", word);
    size_t from = m->len;
    add16(m, (unsigned)strtoul(word, &hex, 10));
    add16(m, 0);
    if (*hex == ':')
        add_hex(m, hex + 1);
    put16(m, from + 2, (unsigned)(m->len - from - 4));
    bump16(m, m->opt_at + OPT_SIZE - 2, m->len - from);
}

static void set_counts(struct message *m, const char *word)
{
    char *end = NULL;
    for (size_t i = 0; i < COUNTS; i++, word = end + 1)
        put16(m, COUNTS_AT + 2 * i, (unsigned)strtoul(word, &end, 10));
    ck_assert_msg(!*end, "counts: %s", end);
}

/* What follows `key` in the word, NULL: another word. */
static char *after(char *word, const char *key)
{
    size_t len = strlen(key);
    return strncmp(word, key, len) == 0 ? word + len : NULL;
}

static void add_word(struct message *m, char *word)
{
    static const char *const sections[] = {NULL, "an:", "ns:", "ar:"};
    char *rest;
    size_t section = QUESTION;
    if ((rest = after(word, "f=")))
        put16(m, 2, (unsigned)strtoul(rest, NULL, 16));
    else if ((rest = after(word, "x:")))
        add_hex(m, rest);
    else if ((rest = after(word, "+")))
        add_option(m, rest);
    else if ((rest = after(word, "raw:")))
        m->len = 0, add_hex(m, rest);
    else if ((rest = after(word, "q:")))
        add_question(m, rest), bump16(m, COUNTS_AT, 1);
    else if ((rest = after(word, "Q:")))
        add_hex(m, rest), bump16(m, COUNTS_AT, 1);
    else if (strcmp(word, "o") == 0 || (rest = after(word, "o:")))
        add_opt(m, rest), bump16(m, COUNTS_AT + 2 * ADDITIONAL, 1);
    else {
        while (++section < COUNTS && !(rest = after(word, sections[section])))
            ;
        ck_assert_msg(section < COUNTS, "no such word: %s", word);
        add_record(m, rest);
        bump16(m, COUNTS_AT + 2 * section, 1);
    }
    if (!m->question_len && m->bytes[COUNTS_AT + 1] == 1 && (*word | 32) == 'q')
        m->question_len = m->len - HEADER;
}

void message_parse(struct message *m, uint16_t id, const char *text)
{
    char *copy = strdup(text), *left = copy, *word;
    ck_assert_ptr_nonnull(copy);
    memset(m, 0, sizeof *m);
    put16(m, 0, id);
    m->len = HEADER;
    const char *counts = NULL;
    while ((word = strsep(&left, " "))) {
        if (after(word, "c="))
            counts = after(word, "c=");
        else if (*word)
            add_word(m, word);
    }
    if (counts)
        set_counts(m, counts);
    free(copy);
}
