/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "conf/schema.h"

#include <assert.h>
#include <string.h>
#include <thresh/types.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/netaddr.h"
#include "conf/quote.h"
#include "conf/vnode.h"

/* One value that is to be read: a pair of the configuration, or the default of a key. */
struct given {
    const char *text; /* NULL if the value is no text */
    bool lax;
    const struct vpair *pair; /* NULL: a default */
};

static bool has_range(const struct th_key *k)
{
    return k->min != 0 || k->max != 0;
}

static int check_range(const struct th_key *k, double v)
{
    if (!has_range(k))
        return 0;
    bool is_low = k->flags & TH_KEY_MIN_EXCLUSIVE ? v <= k->min : v < k->min;
    return is_low || v > k->max ? ERR_RANGE : 0;
}

static int read_bool(const struct given *g, void *field)
{
    return schema_parse_bool(g->text, field);
}

static int read_uint(const struct th_key *k, const struct given *g, void *field)
{
    uint32_t v;
    if (k->choices && strcmp(g->text, k->choices) == 0) {
        *(uint32_t *)field = 0;
        return 0;
    }
    int e = schema_parse_uint(g->text, g->lax, &v);
    if (e == 0)
        e = check_range(k, v);
    if (e == 0)
        *(uint32_t *)field = v;
    return e;
}

static int read_float(const struct th_key *k, const struct given *g, void *field)
{
    double v;
    int e = schema_parse_float(g->text, g->lax, &v);
    if (e == 0)
        e = check_range(k, v);
    if (e == 0)
        *(double *)field = v;
    return e;
}

static int read_duration(const struct th_key *k, const struct given *g, void *field)
{
    uint32_t ms;
    int e = g->lax ? schema_parse_duration_ms_lax(g->text, &ms)
                   : schema_parse_duration_ms(g->text, &ms);
    if (e == 0)
        e = check_range(k, ms / 1000.0); /* the same double as a limit written 0.3 */
    if (e == 0)
        *(uint32_t *)field = ms;
    return e;
}

static int read_ttl(const struct th_key *k, const struct given *g, void *field)
{
    uint32_t s;
    int e = schema_parse_ttl_s(g->text, g->lax, &s);
    if (e == 0)
        e = check_range(k, s);
    if (e == 0)
        *(uint32_t *)field = s;
    return e;
}

static int read_string(const struct th_key *k, const struct given *g, void *field)
{
    int e = check_range(k, (double)strlen(g->text));
    if (e == 0)
        *(const char **)field = g->text;
    return e;
}

static int read_addr(const struct given *g, void *field)
{
    return g->lax ? netaddr_parse_addr_lax(g->text, field) : netaddr_parse_addr(g->text, field);
}

/* Pass one word of "up|down": its length, and *next behind its bar or NULL. */
static size_t word_len(const char *word, const char **next)
{
    const char *bar = strchr(word, '|');
    *next = bar ? bar + 1 : NULL;
    return bar ? (size_t)(bar - word) : strlen(word);
}

static int read_enum(const struct th_key *k, const struct given *g, void *field)
{
    int index = 0;
    for (const char *word = k->choices, *next; word; word = next, index++) {
        size_t len = word_len(word, &next);
        if (strlen(g->text) == len && memcmp(g->text, word, len) == 0) {
            *(int *)field = index;
            return 0;
        }
    }
    return ERR_SYNTAX;
}

static bool all_plain(const struct th_conf *n)
{
    if (vnode_kind(n) == VNODE_HASH)
        return false;
    for (size_t i = 0; i < vnode_list_count(n); i++)
        if (!vnode_is_plain(vnode_list_at(n, i)))
            return false;
    return true;
}

static int read_list(const struct th_key *k, const struct given *g, void *field)
{
    struct th_list list;
    if (!g->pair) {
        list = (struct th_list){&k->def, NULL, *k->def ? 1 : 0};
    } else {
        const struct th_conf *n = g->pair->value;
        if (!all_plain(n))
            return ERR_SYNTAX;
        list = vnode_kind(n) == VNODE_ARRAY
                   ? (struct th_list){n->array->texts, n->array->nodes, n->count}
                   : (struct th_list){&n->text, &g->pair->value, 1};
    }
    int e = check_range(k, (double)list.count);
    if (e == 0)
        *(struct th_list *)field = list;
    return e;
}

static int read_any(const struct given *g, void *field)
{
    assert(g->pair); /* ANY has no default */
    *(const struct th_conf **)field = g->pair->value;
    return 0;
}

/* Put the value into the struct, or ERR_SYNTAX, ERR_RANGE. */
static int read_value(const struct th_key *k, const struct given *g, void *out)
{
    void *field = (char *)out + k->offset;
    if (!g->text && k->type != TH_LIST && k->type != TH_ANY)
        return ERR_SYNTAX;
    switch (k->type) {
    case TH_BOOL: return read_bool(g, field);
    case TH_UINT: return read_uint(k, g, field);
    case TH_FLOAT: return read_float(k, g, field);
    case TH_DURATION: return read_duration(k, g, field);
    case TH_TTL: return read_ttl(k, g, field);
    case TH_STRING: return read_string(k, g, field);
    case TH_ADDR: return read_addr(g, field);
    case TH_ENUM: return read_enum(k, g, field);
    case TH_LIST: return read_list(k, g, field);
    case TH_ANY: return read_any(g, field);
    }
    return ERR_SYNTAX;
}

static const char *type_text(enum th_type type)
{
    switch (type) {
    case TH_BOOL: return "true or false";
    case TH_UINT: return "a whole number, decimal or 0x hexadecimal, without sign or leading zero";
    case TH_FLOAT: return "a number such as 1, 0.5 or 1e-3";
    case TH_DURATION:
        return "a duration such as 5, 2.5, 500ms, 2s, 5m, 1h or 1d (a bare number is seconds)";
    case TH_TTL: return "whole seconds such as 3600, or with units w d h m s such as 1h30m";
    case TH_STRING: return "a text without NUL bytes";
    case TH_ADDR: return "an address such as 192.0.2.1 or 2001:db8::1";
    case TH_ENUM: return "";
    case TH_LIST: return "a text or an array of texts, without NUL bytes";
    case TH_ANY: return "anything";
    }
    return "";
}

static const char *unit_text(const struct th_key *k)
{
    if (k->unit)
        return k->unit;
    switch (k->type) {
    case TH_DURATION:
    case TH_TTL: return "seconds";
    case TH_STRING: return "bytes";
    case TH_LIST: return "items";
    case TH_BOOL:
    case TH_UINT:
    case TH_FLOAT:
    case TH_ADDR:
    case TH_ENUM:
    case TH_ANY: break;
    }
    return "";
}

static void add_choices(struct buf *b, const char *choices)
{
    for (const char *word = choices, *next; word; word = next) {
        size_t len = word_len(word, &next);
        buf_adds(b, word == choices ? "" : next ? ", " : " or ");
        buf_add(b, word, len);
    }
}

/* What the key allows, for messages. */
static void add_allowed(struct buf *b, const struct th_key *k)
{
    buf_adds(b, type_text(k->type));
    if (k->type == TH_ENUM)
        add_choices(b, k->choices);
    if (!has_range(k) || k->type == TH_ENUM)
        return;
    bool is_open = k->flags & TH_KEY_MIN_EXCLUSIVE;
    const char *unit = unit_text(k);
    buf_printf(b, is_open ? ", more than %.10g up to %.10g" : ", %.10g to %.10g", k->min, k->max);
    buf_printf(b, *unit ? " %s" : "%s", unit);
    if (k->type == TH_UINT && k->choices)
        buf_printf(b, ", or %s", k->choices);
}

/* `; did you mean "down"?` for a misspelt choice. */
static void add_near_choice(struct buf *b, const struct th_key *k, const char *text)
{
    const char *near = NULL;
    struct arena a;
    if (k->type != TH_ENUM || !text)
        return;
    arena_init(&a, 0);
    const char *words[64];
    size_t count = 0;
    for (const char *word = k->choices, *next; word && count < array_len(words); word = next) {
        size_t len = word_len(word, &next);
        words[count++] = arena_strndup(&a, word, len);
    }
    near = schema_near_word(words, count, text);
    if (near)
        buf_printf(b, "; did you mean \"%s\"?", near);
    arena_fini(&a);
}

/* What was read: the text, or the kind of a value that is none. */
static const char *describe_value(const struct th_conf *n, char q[QUOTE_BYTES])
{
    switch (vnode_kind(n)) {
    case VNODE_TEXT: return quote_text(q, vnode_text(n), vnode_text_len(n));
    case VNODE_ARRAY: return "an array";
    case VNODE_HASH: return "a hash";
    }
    return "";
}

static int refuse_value(const struct th_key *k, const struct given *g, const char *what,
                        struct diag *d)
{
    char q[QUOTE_BYTES];
    struct buf b = {0};
    const struct th_conf *n = g->pair->value;
    add_allowed(&b, k);
    add_near_choice(&b, k, g->text);
    int e = diag_error(d, vnode_loc(n), "%s: %s: read %s, allowed: %s", what, k->name,
                       describe_value(n, q), b.data);
    buf_fini(&b);
    return e;
}

/* More names than fit a line or two help nobody. */
#define KNOWN_SHOWN_MAX 12

static void add_known(struct buf *b, const struct th_key *keys)
{
    size_t count = 0;
    while (keys[count].name)
        count++;
    if (count == 0 || count > KNOWN_SHOWN_MAX) {
        buf_adds(b, count ? "see thresh.config(5)" : "no key is known here");
        return;
    }
    buf_adds(b, "known keys: ");
    for (size_t i = 0; i < count; i++)
        buf_printf(b, "%s%s", i ? ", " : "", keys[i].name);
}

static int refuse_key(const struct th_key *keys, const struct th_conf *key, const char *what,
                      struct diag *d)
{
    char q[QUOTE_BYTES];
    struct buf hint = {0};
    const char *near = schema_near(keys, vnode_text(key));
    if (near)
        buf_printf(&hint, "did you mean \"%s\"?", near);
    else
        add_known(&hint, keys);
    int e = diag_error(d, vnode_loc(key), "%s: unknown key %s; %s", what,
                       quote_text(q, vnode_text(key), vnode_text_len(key)), hint.data);
    buf_fini(&hint);
    return e;
}

static int read_pair(const struct th_key *k, const struct vpair *pair, const char *what, void *out,
                     struct diag *d)
{
    const struct th_conf *n = pair->value;
    const struct given g = {vnode_is_plain(n) ? vnode_text(n) : NULL, vnode_is_lax(n), pair};
    return read_value(k, &g, out) == 0 ? 0 : refuse_value(k, &g, what, d);
}

static int check_required(const struct th_key *keys, const struct th_conf *hash, const char *what,
                          struct diag *d)
{
    int e = 0;
    for (const struct th_key *k = keys; k->name; k++)
        if ((k->flags & TH_KEY_REQUIRED) && !vnode_find(hash, k->name))
            e = diag_error(d, vnode_loc(hash), "%s: the key \"%s\" is required", what, k->name);
    return e;
}

void schema_defaults(const struct th_key *keys, void *out)
{
    for (const struct th_key *k = keys; k->name; k++) {
        if (!k->def)
            continue;
        const struct given g = {.text = k->def};
        int e = read_value(k, &g, out);
        assert(e == 0);
        (void)e; /* with NDEBUG */
    }
}

int schema_read(const struct th_key *keys, const struct th_conf *hash, const char *what,
                enum schema_rest rest, void *out, struct diag *d)
{
    char q[QUOTE_BYTES];
    if (vnode_kind(hash) != VNODE_HASH)
        return diag_error(d, vnode_loc(hash), "%s: read %s, expected a hash: { key => value }",
                          what, describe_value(hash, q));
    const struct vpair *pairs = vnode_pairs(hash);
    int e = check_required(keys, hash, what, d);
    for (size_t i = 0; i < vnode_pair_count(hash); i++) {
        const struct th_key *k = schema_find(keys, vnode_text(pairs[i].key));
        int fault = k                           ? read_pair(k, &pairs[i], what, out, d)
                    : rest == SCHEMA_LEAVE_REST ? 0
                                                : refuse_key(keys, pairs[i].key, what, d);
        e = fault ? fault : e;
    }
    return e;
}

const struct th_key *schema_find(const struct th_key *keys, const char *name)
{
    for (const struct th_key *k = keys; k->name; k++)
        if (strcmp(k->name, name) == 0)
            return k;
    return NULL;
}

int schema_addr(const struct th_conf *text, struct th_addr *out)
{
    const struct given g = {vnode_text(text), vnode_is_lax(text), NULL};
    return vnode_is_plain(text) ? read_addr(&g, out) : ERR_SYNTAX;
}
