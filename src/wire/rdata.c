/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wire/rdata.h"

#include "wire/dname.h"

#define NAME_C RDATA_NAME_COMPRESSED

/* The types that zones hold, the frequent ones first. */
static const struct rdata_type types[] = {
    {RRTYPE_A, {RDATA_IPV4}},
    {RRTYPE_AAAA, {RDATA_IPV6}},
    {RRTYPE_NS, {NAME_C}},
    {RRTYPE_CNAME, {NAME_C}},
    {RRTYPE_MX, {RDATA_U16, NAME_C}},
    {RRTYPE_TXT, {RDATA_STRINGS}},
    {RRTYPE_PTR, {NAME_C}},
    {RRTYPE_SRV, {RDATA_U16, RDATA_U16, RDATA_U16, RDATA_NAME}},
    {RRTYPE_SOA, {NAME_C, NAME_C, RDATA_TTL, RDATA_TTL, RDATA_TTL, RDATA_TTL, RDATA_TTL}},
    {RRTYPE_CAA, {RDATA_U8, RDATA_TAG, RDATA_TEXT}},
    {RRTYPE_NAPTR, {RDATA_U16, RDATA_U16, RDATA_STRING, RDATA_STRING, RDATA_STRING, RDATA_NAME}},
};

const struct rdata_type *rdata_type_find(uint16_t type)
{
    for (size_t i = 0; i < array_len(types); i++)
        if (types[i].type == type)
            return &types[i];
    return NULL;
}

const struct rdata_type *rdata_type_at(size_t i)
{
    return i < array_len(types) ? &types[i] : NULL;
}

struct rdata_walk rdata_walk_on(const struct rdata_type *t, const uint8_t *rdata, size_t len)
{
    static const uint8_t none[1] = {RDATA_END};
    return (struct rdata_walk){t ? t->fields : none, cursor_on(rdata, len)};
}

static size_t string_len(const struct cursor *c)
{
    return cursor_left(c) ? (size_t)c->base[c->at] + 1 : SIZE_MAX;
}

/* One or more strings that end where the rdata ends. */
static size_t strings_len(struct cursor c)
{
    size_t len = cursor_left(&c);
    do
        (void)cursor_bytes(&c, string_len(&c)); /* a failure stays in c */
    while (!c.failed && cursor_left(&c));
    return c.failed ? SIZE_MAX : len;
}

static size_t tag_len(const struct cursor *c)
{
    size_t len = string_len(c);
    return len >= 2 && len <= cursor_left(c) ? len : SIZE_MAX;
}

static size_t field_len(enum rdata_kind kind, const struct cursor *c)
{
    switch (kind) {
    case RDATA_END: return 0;
    case RDATA_NAME_COMPRESSED:
    case RDATA_NAME: return cursor_name_len(c);
    case RDATA_U8: return 1;
    case RDATA_U16: return 2;
    case RDATA_U32:
    case RDATA_TTL:
    case RDATA_IPV4: return 4;
    case RDATA_IPV6: return 16;
    case RDATA_STRING: return string_len(c);
    case RDATA_STRINGS: return strings_len(*c);
    case RDATA_TAG: return tag_len(c);
    case RDATA_TEXT: return cursor_left(c);
    }
    return SIZE_MAX;
}

bool rdata_walk_next(struct rdata_walk *walk, struct rdata_field *f)
{
    f->kind = (enum rdata_kind) * walk->kinds;
    if (f->kind == RDATA_END)
        return false;
    walk->kinds++;
    f->len = field_len(f->kind, &walk->c);
    f->bytes = cursor_bytes(&walk->c, f->len);
    return f->bytes != NULL;
}

bool rdata_is_valid(const struct rdata_type *t, const uint8_t *rdata, size_t len)
{
    struct rdata_walk walk = rdata_walk_on(t, rdata, len);
    struct rdata_field f;
    while (rdata_walk_next(&walk, &f))
        ;
    return !walk.c.failed && cursor_left(&walk.c) == 0;
}

bool rdata_can_compress(const struct rdata_type *t)
{
    for (size_t i = 0; t && t->fields[i] != RDATA_END; i++)
        if (t->fields[i] == RDATA_NAME_COMPRESSED)
            return true;
    return false;
}

static bool is_name(enum rdata_kind kind)
{
    return kind == RDATA_NAME_COMPRESSED || kind == RDATA_NAME;
}

void rdata_lower(const struct rdata_type *t, uint8_t *rdata, size_t len)
{
    struct rdata_walk walk = rdata_walk_on(t, rdata, len);
    struct rdata_field f;
    while (rdata_walk_next(&walk, &f))
        if (is_name(f.kind))
            dname_lower(rdata + (f.bytes - rdata), f.len);
}

const uint8_t *rdata_target(uint16_t type, const uint8_t *rdata, size_t len)
{
    struct rdata_walk walk = rdata_walk_on(rdata_type_find(type), rdata, len);
    struct rdata_field f;
    while (rdata_walk_next(&walk, &f))
        if (is_name(f.kind))
            return f.bytes;
    return NULL;
}
