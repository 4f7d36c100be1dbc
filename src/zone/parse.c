/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zone/parse.h"

#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/err.h"
#include "wire/rdata.h"
#include "wire/rrtype.h"
#include "zone/dyna.h"
#include "zone/generate.h"
#include "zone/include.h"
#include "zone/rdtext.h"

static bool word_is(const struct token *t, const char *word)
{
    return t->kind == TOKEN_WORD && t->len == strlen(word) && strncasecmp(t->at, word, t->len) == 0;
}

static bool at_end(const struct token *t)
{
    return t->kind == TOKEN_EOL || t->kind == TOKEN_EOF;
}

static int tell_bad(struct parse *p)
{
    return diag_error(p->d, parse_loc(p, &p->t), "%s", p->scan.fault);
}

/* --- directives --- */

static int read_ttl_directive(struct parse *p)
{
    if (p->t.kind != TOKEN_WORD)
        return diag_error(p->d, parse_loc(p, &p->t), "$TTL wants a duration, as in: $TTL 3600");
    if (rdtext_duration(p, p->t.at, p->t.len, true, &p->ttl_s) < 0)
        return ERR_REFUSED;
    p->has_ttl = true;
    scan_next(&p->scan, &p->t);
    return 0;
}

static int read_origin_directive(struct parse *p)
{
    uint8_t name[DNAME_MAX];
    int len = rdtext_name(p, name);
    if (len < 0)
        return len;
    scan_next(&p->scan, &p->t);
    if (p->is_ahead && !at_end(&p->t))
        return ERR_REFUSED; /* will be read again, relative to the origin as it was */
    memcpy(p->origin, name, (size_t)len);
    return 0;
}

/* Each reads what is behind the word, and leaves p->t behind that. */
static const struct {
    const char *word;
    int (*read)(struct parse *p);
    bool brings_text;
} directives[] = {
    {"$TTL", read_ttl_directive, false},
    {"$ORIGIN", read_origin_directive, false},
    {"$INCLUDE", include_read, true},
    {"$GENERATE", generate_read, true},
};

static int read_directive(struct parse *p)
{
    for (size_t i = 0; i < array_len(directives); i++) {
        if (!word_is(&p->t, directives[i].word))
            continue;
        if (p->is_ahead && directives[i].brings_text)
            return ERR_REFUSED;
        scan_next(&p->scan, &p->t);
        if (directives[i].read(p) < 0)
            return ERR_REFUSED;
        if (at_end(&p->t))
            return 0;
        if (p->t.kind == TOKEN_BAD)
            return tell_bad(p);
        return diag_error(p->d, parse_loc(p, &p->t), "\"%.*s\" is more than %s needs",
                          TOKEN_ARG(&p->t), directives[i].word);
    }
    return diag_error(p->d, parse_loc(p, &p->t),
                      "directive \"%.*s\" is not known here; known are $TTL, $ORIGIN, $INCLUDE "
                      "and $GENERATE; write \\$ for a name that begins with $",
                      TOKEN_ARG(&p->t));
}

/* --- owner, TTL, class, type --- */

/* The hash is made from that of the name above, which is the last owner's as a rule. */
static uint64_t hash_owner(struct parse *p)
{
    const uint8_t *above = p->owner_name + 1 + p->owner_name[0];
    if (p->owner_name[0] == 0)
        return dname_hash_root(p->b->seed);
    size_t len = p->owner_len - (size_t)(above - p->owner_name);
    if (len != p->parent_len || memcmp(above, p->parent, len) != 0) {
        memcpy(p->parent, above, len);
        p->parent_len = len;
        p->parent_hash = dname_hash(above, p->b->seed);
    }
    return dname_hash_label(p->parent_hash, p->owner_name);
}

static void set_owner(struct parse *p, size_t len)
{
    p->owner_len = len;
    p->owner_hash = hash_owner(p);
    p->owner = BUILD_NONE;
    build_prefetch(p->b, p->owner_hash); /* looked up behind the rdata: the miss is hidden */
}

void parse_reset_owner(struct parse *p)
{
    size_t len = dname_len(p->apex);
    memcpy(p->owner_name, p->apex, len);
    set_owner(p, len);
}

static int read_owner(struct parse *p)
{
    int len = rdtext_name(p, p->owner_name);
    if (len < 0) {
        parse_reset_owner(p); /* the zone is refused; a blank owner below must mean some name */
        return len;
    }
    set_owner(p, (size_t)len);
    scan_next(&p->scan, &p->t);
    return 0;
}

/* "MAX" or "MAX/MIN"; the second is for dynamic types, which is not known yet. */
static int read_record_ttl(struct parse *p, struct record *r)
{
    const struct token *t = &p->t;
    const char *slash = memchr(t->at, '/', t->len);
    size_t len = slash ? (size_t)(slash - t->at) : t->len;
    if (rdtext_duration(p, t->at, len, true, &r->ttl_s) < 0)
        return ERR_REFUSED;
    if (slash && rdtext_duration(p, slash + 1, t->len - len - 1, true, &r->ttl_min_s) < 0)
        return ERR_REFUSED;
    r->ttl = *t;
    r->has_ttl = true;
    return 0;
}

static bool is_class_in(const struct token *t)
{
    return word_is(t, "IN") || word_is(t, "CLASS1");
}

/* "CLASS32", for any class (RFC 3597 section 5). */
static bool is_numbered_class(const struct token *t)
{
    if (t->kind != TOKEN_WORD || t->len < 6 || strncasecmp(t->at, "CLASS", 5) != 0)
        return false;
    for (size_t i = 5; i < t->len; i++)
        if (t->at[i] < '0' || t->at[i] > '9')
            return false;
    return true;
}

static bool is_other_class(const struct token *t)
{
    return word_is(t, "CH") || word_is(t, "HS") || word_is(t, "CS") || is_numbered_class(t);
}

/* TTL and class in either order; leaves p->t on the type. */
static int read_ttl_and_class(struct parse *p, struct record *r)
{
    for (;; scan_next(&p->scan, &p->t)) {
        if (p->t.kind != TOKEN_WORD)
            return 0;
        if (!r->has_ttl && p->t.at[0] >= '0' && p->t.at[0] <= '9') {
            if (read_record_ttl(p, r) < 0)
                return ERR_REFUSED;
        } else if (!r->has_class && is_class_in(&p->t)) {
            r->has_class = true;
        } else if (is_other_class(&p->t) && !is_class_in(&p->t)) {
            return diag_error(p->d, parse_loc(p, &p->t),
                              "class \"%.*s\" is not served; write IN, CLASS1 or no class",
                              TOKEN_ARG(&p->t));
        } else {
            return 0;
        }
    }
}

static int refuse_type(struct parse *p)
{
    struct buf known = {0};
    char text[16];
    for (size_t i = 0; rdata_type_at(i); i++)
        buf_printf(&known, "%s ", rrtype_print(rdata_type_at(i)->type, text));
    buf_adds(&known, "DYNA DYNC, and TYPEn \\# length hex for types without a name here");
    diag_error(p->d, parse_loc(p, &p->t), "type \"%.*s\" is not known here; known are %s",
               TOKEN_ARG(&p->t), known.data);
    buf_fini(&known);
    return ERR_REFUSED;
}

/* Types that zones never hold: 0, OPT, and those that only questions use. */
static bool is_meta(int type)
{
    return type == 0 || type == RRTYPE_OPT || (type >= RRTYPE_META_FIRST && type <= RRTYPE_ANY);
}

static int read_type(struct parse *p, struct record *r)
{
    if (p->t.kind == TOKEN_BAD)
        return tell_bad(p);
    if (p->t.kind != TOKEN_WORD)
        return diag_error(p->d, parse_loc(p, &p->t), "the record ends where its type is wanted");
    int type = rrtype_parse(p->t.at, p->t.len);
    if (type <= 0 || is_meta(type))
        return refuse_type(p);
    if (build_is_dynamic((uint16_t)type) && (p->t.at[0] | 0x20) == 't')
        return diag_error(p->d, parse_loc(p, &p->t), "write DYNA or DYNC for dynamic addresses");
    r->type = (uint16_t)type;
    scan_next(&p->scan, &p->t);
    return 0;
}

/* --- TTL of the record --- */

/* Does the TTL of a record depend on lines before this piece? */
static bool wants_unknown_ttl(const struct parse *p, const struct record *r)
{
    return p->is_ahead && !r->has_ttl && !p->has_ttl && !p->has_last_ttl && !p->options->gdnsd;
}

/* RFC 1035 section 5.1, RFC 2308 section 4: its own, $TTL, the last one written, the option. */
static uint32_t choose_ttl(struct parse *p, const struct record *r)
{
    if (r->has_ttl)
        return r->ttl_s;
    if (p->has_ttl)
        return p->ttl_s;
    if (p->has_last_ttl && !p->options->gdnsd)
        return p->last_ttl_s;
    if (!p->told_default && !p->options->gdnsd)
        diag_warn(p->d, parse_loc(p, &r->at),
                  "no TTL is known here: zones_default_ttl %u is used; write $TTL at the top",
                  p->options->default_ttl_s);
    p->told_default = true;
    return p->options->default_ttl_s;
}

/* Within the options' bounds. A TTL from $TTL or from further above is told once, not per record.
 */
static uint32_t clamp_ttl(struct parse *p, const struct record *r, uint32_t ttl_s)
{
    const struct zone_options *o = p->options;
    uint32_t max = o->max_ttl_s ? o->max_ttl_s : UINT32_MAX;
    uint32_t clamped = ttl_s > max ? max : ttl_s < o->min_ttl_s ? o->min_ttl_s : ttl_s;
    if (clamped == ttl_s || (p->told_clamped && !r->has_ttl))
        return clamped;
    p->told_clamped |= !r->has_ttl;
    diag_warn(p->d, parse_loc(p, &r->at), "TTL %u is outside min_ttl %u .. max_ttl %u; %u is used",
              ttl_s, o->min_ttl_s, max, clamped);
    return clamped;
}

static int set_ttl(struct parse *p, struct record *r)
{
    if (wants_unknown_ttl(p, r))
        return ERR_REFUSED;
    r->ttl_s = choose_ttl(p, r);
    if (r->has_ttl) {
        p->last_ttl_s = r->ttl_s;
        p->has_last_ttl = true;
    }
    if (!build_is_dynamic(r->type) && r->ttl_min_s != BUILD_NONE)
        return diag_error(
            p->d, parse_loc(p, &r->ttl),
            "TTL \"%.*s\": only DYNA and DYNC records have a least TTL behind a slash",
            TOKEN_ARG(&r->ttl));
    r->ttl_s = clamp_ttl(p, r, r->ttl_s);
    return 0;
}

/* --- one record --- */

static void add(struct parse *p, const struct record *r)
{
    struct build_rec rec = {
        .ttl_s = r->ttl_s,
        .line = r->at.line,
        .rdata_len = r->rdata_len,
        .type = r->type,
        .file = p->file,
    };
    if (p->owner == BUILD_NONE)
        p->owner = build_owner(p->b, p->owner_name, p->owner_len, p->owner_hash);
    build_add(p->b, p->owner, rec, r->rdata);
}

static int read_record(struct parse *p, struct record *r, bool has_owner)
{
    r->at = p->t;
    r->has_ttl = r->has_class = false;
    r->ttl_min_s = BUILD_NONE;
    if (has_owner ? read_owner(p) < 0 : p->owner_len == 0)
        return ERR_REFUSED;
    if (read_ttl_and_class(p, r) < 0 || read_type(p, r) < 0 || set_ttl(p, r) < 0)
        return ERR_REFUSED;
    if ((build_is_dynamic(r->type) ? dyna_parse(p, r) : rdtext_parse(p, r)) < 0)
        return ERR_REFUSED;
    if (p->is_ahead && p->d->count)
        return ERR_REFUSED; /* a warning, which has to be told in its place */
    add(p, r);
    return 0;
}

/* One line's worth: nothing, a directive or a record. */
static int read_line(struct parse *p, struct record *r)
{
    bool has_owner = !scan_at_blank(&p->scan);
    scan_next(&p->scan, &p->t);
    if (at_end(&p->t))
        return 0;
    if (p->t.kind == TOKEN_BAD)
        return tell_bad(p);
    if (has_owner && p->t.kind == TOKEN_WORD && p->t.at[0] == '$')
        return read_directive(p);
    return read_record(p, r, has_owner);
}

static void recover(struct parse *p)
{
    bool was_bad = p->t.kind == TOKEN_BAD;
    scan_skip_record(&p->scan, &p->t);
    if (p->t.kind == TOKEN_BAD && !was_bad)
        tell_bad(p);
}

int parse_until(struct parse *p, const char *stop)
{
    struct record r = {.rdata = p->b->room};
    while (p->scan.p < stop) {
        if (read_line(p, &r) < 0)
            recover(p);
        if (p->b->byte_count > BUILD_BYTES_MAX)
            return diag_error(p->d, parse_loc(p, &p->t),
                              "the zone is larger than 4 GiB of names and rdata");
    }
    return 0;
}

void parse_lines(struct parse *p)
{
    (void)parse_until(p, p->scan.end); /* told; the including text ends at its next record */
}

void parse_start(struct parse *p, struct parse_file *source, struct build *b, const char *path)
{
    const struct zone_file *self = &b->sources[0];
    size_t apex_len = b->nodes[0].name_len;
    *source = (struct parse_file){
        .path = self->inode ? path : NULL, .dev = self->dev, .inode = self->inode};
    *p = (struct parse){
        .b = b, .d = b->d, .options = b->options, .file = build_file(b, path), .source = source};
    p->path = b->files[p->file];
    memcpy(p->apex, build_name(b, 0), apex_len);
    memcpy(p->origin, p->apex, apex_len);
    memcpy(p->file_origin, p->apex, apex_len);
    parse_reset_owner(p);
}

/* --- ahead --- */

void parse_guess(struct parse *p, struct build *b, const char *from, const char *to)
{
    p->scan = scan_on(from, (size_t)(to - from));
    p->b = b;
    p->d = b->d;
    p->owner_len = p->parent_len = 0;
    p->owner = BUILD_NONE;
    p->has_last_ttl = false;
    p->is_ahead = true;
}

/* A record that goes on behind the end is refused as one that is never closed, so it is read again
 * with the text behind it; one that ends in it has been read as if the text went on. */
void parse_ahead(struct parse *p)
{
    struct record r = {.rdata = p->b->room};
    while (p->scan.p < p->scan.end) {
        struct scan line = p->scan;
        if (read_line(p, &r) < 0) {
            p->scan = line;
            return;
        }
    }
}

/* Warnings that were told need no look: a guess from before ends at a line that tells one again. */
static bool is_as_guessed(const struct parse *p, const struct parse *start)
{
    return start->scan.p == p->scan.p && start->has_ttl == p->has_ttl && start->ttl_s == p->ttl_s &&
           dname_equal(start->origin, p->origin);
}

static void take_owner(struct parse *p, const struct parse *end)
{
    memcpy(p->owner_name, end->owner_name, end->owner_len);
    p->owner_len = end->owner_len;
    p->owner_hash = end->owner_hash;
    p->owner = BUILD_NONE;
}

void parse_take(struct parse *p, const struct parse *start, const struct parse *end)
{
    unsigned lines = p->scan.line - 1;
    if (!is_as_guessed(p, start) || !build_append(p->b, end->b, lines))
        return;
    p->scan = (struct scan){.p = end->scan.p,
                            .end = p->scan.end,
                            .line_start = end->scan.line_start,
                            .line = end->scan.line + lines};
    if (end->owner_len)
        take_owner(p, end);
    memcpy(p->origin, end->origin, dname_len(end->origin));
    p->ttl_s = end->ttl_s;
    p->has_ttl = end->has_ttl;
    if (end->has_last_ttl)
        p->last_ttl_s = end->last_ttl_s;
    p->has_last_ttl |= end->has_last_ttl;
}
