/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Answers against a naive model of RFC 1034 section 4.3.2, RFC 4592 and RFC 6672: random small
 * zones over few labels, so that wildcards, empty non-terminals, cuts, aliases and loops meet;
 * every answer is taken apart by a reader of its own and compared with what the model says.
 *
 * The model shares no code with src/: names are dotted texts, a zone is a list of records.
 * THRESH_LONG=1 asks a million questions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "lib/bare.h"
#include "unit/run.h"

/* ---- records and answers as texts ---------------------------------------------------------- */

enum { T_A = 1, T_NS = 2, T_CNAME = 5, T_SOA = 6, T_TXT = 16, T_DNAME = 39, T_DS = 43 };
enum { MAX_RECORDS = 24, MAX_RRS = 64, NAME = 280 };

struct record {
    char owner[NAME]; /* "a.b.z." */
    int type;
    char data[NAME]; /* a target, or a number */
};

struct model_zone {
    struct record r[MAX_RECORDS];
    int count;
};

struct reply {
    int rcode;
    bool aa;
    int count;
    char rrs[MAX_RRS][3 * NAME]; /* "section owner type data" */
};

static void add(struct reply *a, int section, const char *owner, int type, const char *data)
{
    ck_assert_int_lt(a->count, MAX_RRS);
    (void)snprintf(a->rrs[a->count++], sizeof a->rrs[0], "%d %s %d %s", section, owner, type, data);
}

/* ---- the model ----------------------------------------------------------------------------- */

static const char apex[] = "z.";

static const char *parent(const char *name)
{
    return strchr(name, '.') + 1;
}

static bool is_below(const char *name, const char *above) /* or equal */
{
    for (; *name; name = parent(name))
        if (strcmp(name, above) == 0)
            return true;
    return false;
}

static const struct record *has(const struct model_zone *z, const char *owner, int type)
{
    for (int i = 0; i < z->count; i++)
        if (z->r[i].type == type && strcmp(z->r[i].owner, owner) == 0)
            return &z->r[i];
    return NULL;
}

static bool exists(const struct model_zone *z, const char *name)
{
    for (int i = 0; i < z->count; i++)
        if (is_below(z->r[i].owner, name))
            return true;
    return false;
}

/* The highest name strictly above `name` (or equal, for cuts) that has `type`, below the apex. */
static const char *highest(const struct model_zone *z, const char *name, int type, bool equal_too)
{
    const char *found = NULL;
    for (const char *n = equal_too ? name : parent(name); *n; n = parent(n))
        if (is_below(n, apex) && (type != T_NS || strcmp(n, apex) != 0) && has(z, n, type))
            found = n;
    return found;
}

static void add_all(const struct model_zone *z, struct reply *a, int section, const char *at,
                    const char *shown, int type)
{
    for (int i = 0; i < z->count; i++)
        if (z->r[i].type == type && strcmp(z->r[i].owner, at) == 0)
            add(a, section, shown, type, z->r[i].data);
}

static void glue_for(const struct model_zone *z, struct reply *a, const char *at)
{
    for (int i = 0; i < z->count; i++)
        if (z->r[i].type == T_NS && strcmp(z->r[i].owner, at) == 0 &&
            is_below(z->r[i].data, apex) && highest(z, z->r[i].data, T_NS, true))
            add_all(z, a, 2, z->r[i].data, z->r[i].data, T_A);
}

static void soa(struct reply *a)
{
    add(a, 1, apex, T_SOA, "soa");
}

static void add_once(struct reply *a, const char *owner, const char *target)
{
    char rr[3 * NAME];
    (void)snprintf(rr, sizeof rr, "0 %s %d %s", owner, T_DNAME, target);
    for (int i = 0; i < a->count; i++)
        if (strcmp(a->rrs[i], rr) == 0)
            return;
    add(a, 0, owner, T_DNAME, target);
}

/* 4.3.2 step 3 for one name. Returns the next name of the chain, or NULL. */
static const char *step(const struct model_zone *z, const char *name, int qtype, struct reply *a,
                        char made[NAME], bool *done_aa)
{
    const char *cut = highest(z, name, T_NS, true), *dname = highest(z, name, T_DNAME, false);
    if (cut && !(qtype == T_DS && strcmp(cut, name) == 0) && !(dname && is_below(cut, dname))) {
        if (!*done_aa)
            a->aa = false;
        add_all(z, a, 1, cut, cut, T_NS);
        glue_for(z, a, cut);
        return NULL;
    }
    *done_aa = true;
    if (dname) {
        const struct record *r = has(z, dname, T_DNAME);
        add_once(a, dname, r->data);
        size_t kept = strlen(name) - strlen(dname);
        ck_assert_uint_lt(kept + strlen(r->data), NAME);
        memcpy(made, name, kept);
        strcpy(made + kept, r->data);
        add(a, 0, name, T_CNAME, made);
        /* it would grow for ever, or is what was asked for */
        return is_below(r->data, dname) || qtype == T_CNAME ? NULL : made;
    }
    char wild[NAME + 2];
    const char *at = name;
    if (!exists(z, name)) {
        const char *encloser = parent(name);
        while (!exists(z, encloser))
            encloser = parent(encloser);
        (void)snprintf(wild, sizeof wild, "*.%.270s", encloser);
        at = wild;
    }
    if (!exists(z, at)) {
        a->rcode = 3;
        soa(a);
    } else if (has(z, at, T_CNAME) && qtype != T_CNAME) {
        add_all(z, a, 0, at, name, T_CNAME);
        return has(z, at, T_CNAME)->data;
    } else if (has(z, at, qtype)) {
        add_all(z, a, 0, at, name, qtype);
        if (qtype == T_NS)
            glue_for(z, a, at);
    } else {
        soa(a);
    }
    return NULL;
}

static void model_ask(const struct model_zone *z, const char *qname, int qtype, struct reply *a)
{
    char been[32][NAME], made[NAME];
    int n = 0;
    bool done_aa = false;
    *a = (struct reply){.aa = true};
    for (const char *name = qname; name && is_below(name, apex) && n <= 16;) {
        for (int i = 0; i < n; i++)
            if (strcmp(been[i], name) == 0)
                return;
        (void)snprintf(been[n++], NAME, "%s", name);
        name = step(z, been[n - 1], qtype, a, made, &done_aa);
    }
}

/* ---- a reader of messages ------------------------------------------------------------------ */

static size_t read_name(const uint8_t *m, size_t len, size_t at, char out[NAME])
{
    size_t end = 0, n = 0;
    for (;;) {
        ck_assert_uint_lt(at, len);
        if (m[at] >= 0xc0) {
            end = end ? end : at + 2;
            at = (m[at] & 0x3fu) << 8 | m[at + 1];
        } else if (m[at]) {
            memcpy(out + n, m + at + 1, m[at]);
            n += m[at];
            out[n++] = '.';
            at += 1u + m[at];
        } else {
            out[n] = '\0';
            return end ? end : at + 1;
        }
    }
}

static void read_data(const uint8_t *m, size_t len, size_t at, int type, char out[NAME])
{
    if (type == T_A)
        (void)snprintf(out, NAME, "%u", m[at + 3]);
    else if (type == T_TXT)
        (void)snprintf(out, NAME, "%.*s", m[at], (const char *)m + at + 1);
    else if (type == T_SOA)
        (void)snprintf(out, NAME, "soa");
    else
        (void)read_name(m, len, at, out);
}

static void read_reply(const uint8_t *m, size_t len, struct reply *a)
{
    char name[NAME], data[NAME];
    size_t at = read_name(m, len, 12, name) + 4;
    *a = (struct reply){.rcode = m[3] & 15, .aa = m[2] & 4};
    for (int section = 0; section < 3; section++) {
        int n = m[6 + 2 * section] << 8 | m[7 + 2 * section];
        for (; n; n--) {
            at = read_name(m, len, at, name);
            int type = m[at] << 8 | m[at + 1];
            read_data(m, len, at + 10, type, data);
            at += 10u + ((size_t)m[at + 8] << 8 | m[at + 9]);
            add(a, section, name, type, data);
        }
    }
    ck_assert_uint_eq(at, len);
}

/* ---- random zones and questions ------------------------------------------------------------ */

static const char *const labels[] = {"a", "b", "c", "*"};

static void random_name(struct prng *r, char out[NAME])
{
    unsigned depth = prng_below(r, 4);
    out[0] = '\0';
    for (unsigned i = 0; i < depth; i++)
        (void)snprintf(out + strlen(out), NAME - strlen(out), "%s.", labels[prng_below(r, 4)]);
    (void)snprintf(out + strlen(out), NAME - strlen(out), "%s", apex);
}

static void put(struct model_zone *z, const char *owner, int type, const char *data)
{
    struct record *r = &z->r[z->count++];
    (void)snprintf(r->owner, NAME, "%s", owner);
    (void)snprintf(r->data, NAME, "%s", data);
    r->type = type;
}

static void random_record(struct prng *r, struct model_zone *z)
{
    static const int types[] = {T_A, T_A, T_TXT, T_NS, T_CNAME, T_CNAME, T_DNAME};
    char owner[NAME], data[NAME];
    int type = types[prng_below(r, sizeof types / sizeof *types)];
    random_name(r, owner);
    random_name(r, data);
    if (type == T_A || type == T_TXT)
        (void)snprintf(data, NAME, "%u", prng_below(r, 9));
    for (int i = 0; i < z->count; i++)
        if (z->r[i].type == type && strcmp(z->r[i].owner, owner) == 0 &&
            strcmp(z->r[i].data, data) == 0)
            return; /* the loader drops duplicates */
    put(z, owner, type, data);
}

static const char *type_name(int type)
{
    switch (type) {
    case T_A: return "A";
    case T_NS: return "NS";
    case T_CNAME: return "CNAME";
    case T_TXT: return "TXT";
    case T_DNAME: return "DNAME";
    }
    return "SOA";
}

static void print_zone(const struct model_zone *z, struct buf *out)
{
    buf_adds(out, "$TTL 60\nz. SOA ns.z. h.z. 1 60 60 60 60\n");
    for (int i = 0; i < z->count; i++) {
        const struct record *r = &z->r[i];
        buf_printf(out, "%s %s %s%s\n", r->owner, type_name(r->type),
                   r->type == T_A ? "192.0.2." : "", r->data);
    }
}

/* Records that the loader hides for good: below a cut (but glue), below a DNAME. */
static void drop_occluded(struct model_zone *z)
{
    struct model_zone kept = {.count = 0};
    for (int i = 0; i < z->count; i++) {
        const struct record *r = &z->r[i];
        const char *cut = highest(z, r->owner, T_NS, true);
        bool at_cut = cut && strcmp(cut, r->owner) == 0;
        bool below_dname = highest(z, r->owner, T_DNAME, false);
        if (!below_dname && (!cut || r->type == T_A || (at_cut && r->type == T_NS)))
            kept.r[kept.count++] = *r;
    }
    *z = kept;
}

struct world {
    struct bare bare;
    unsigned refused, asked;
};

static struct snapshot *load(struct world *w, const struct model_zone *z)
{
    const struct zone_options zo = {.default_ttl_s = 60, .threads = 1, .seed = 5};
    struct buf text = {0};
    print_zone(z, &text);
    struct snapshot *s = bare_load(&w->bare, "z", text.data, &zo, true);
    buf_fini(&text);
    return s;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void compare(const struct model_zone *z, const char *qname, int qtype, struct reply *want,
                    struct reply *got)
{
    qsort(want->rrs, (size_t)want->count, sizeof want->rrs[0], by_text);
    qsort(got->rrs, (size_t)got->count, sizeof got->rrs[0], by_text);
    bool same = want->rcode == got->rcode && want->aa == got->aa && want->count == got->count;
    for (int i = 0; same && i < want->count; i++)
        same = strcmp(want->rrs[i], got->rrs[i]) == 0;
    if (same)
        return;
    struct buf b = {0};
    print_zone(z, &b);
    for (int k = 0; k < 2; k++) {
        const struct reply *a = k ? got : want;
        buf_printf(&b, "%s: rcode=%d aa=%d\n", k ? "got" : "want", a->rcode, a->aa);
        for (int i = 0; i < a->count; i++)
            buf_printf(&b, "   %s\n", a->rrs[i]);
    }
    ck_abort_msg("%s type %d in\n%s", qname, qtype, b.data);
}

static size_t write_question(uint8_t *q, const char *qname, int qtype)
{
    static const uint8_t head[12] = {0, 1, 0, 0, 0, 1};
    memcpy(q, head, 12);
    size_t at = 12;
    for (const char *p = qname; *p; p = parent(p)) {
        size_t n = (size_t)(strchr(p, '.') - p);
        q[at] = (uint8_t)n;
        memcpy(q + at + 1, p, n);
        at += n + 1;
    }
    memcpy(q + at, (uint8_t[]){0, 0, (uint8_t)qtype, 0, 1}, 5);
    return at + 5;
}

static void ask_all(struct world *w, struct prng *r, const struct model_zone *z, struct snapshot *s)
{
    static const int types[] = {T_A, T_TXT, T_NS, T_CNAME, T_DNAME, T_DS};
    static uint8_t out[65536];
    for (int i = 0; i < 40; i++) {
        char qname[NAME];
        uint8_t q[300];
        struct reply want, got;
        struct request rq = {0};
        int qtype = types[prng_below(r, 6)];
        random_name(r, qname);
        size_t q_len = write_question(q, qname, qtype);
        size_t n = answer_one(&w->bare.a, &rq, s, q, q_len, out, sizeof out - 1);
        read_reply(out, n, &got);
        model_ask(z, qname, qtype, &want);
        compare(z, qname, qtype, &want, &got);
        w->asked++;
    }
}

static void one_zone(struct world *w, struct prng *r)
{
    struct model_zone z = {.count = 0};
    unsigned records = prng_below(r, 14);
    put(&z, apex, T_NS, "ns.elsewhere.");
    for (unsigned i = 0; i < records; i++)
        random_record(r, &z);
    struct snapshot *s = load(w, &z);
    if (!s) {
        w->refused++;
        return;
    }
    drop_occluded(&z);
    ask_all(w, r, &z, s);
    snapshot_free(s);
}

START_TEST(answers_equal_the_model)
{
    struct world w = {0};
    struct prng r;
    unsigned wanted = getenv("THRESH_LONG") ? 1000000 : 60000;
    bare_open(&w.bare);
    w.bare.a.tcp = true;
    prng_init_from(&r, 20261130);
    while (w.asked < wanted)
        one_zone(&w, &r);
    printf("questions=%u zones refused=%u\n", w.asked, w.refused);
    bare_close(&w.bare);
}
END_TEST

static Suite *oracle_suite(void)
{
    Suite *s = suite_create("oracle_lookup");
    TCase *t = tcase_create("oracle_lookup");
    tcase_set_timeout(t, 900); /* of the long run */
    tcase_add_test(t, answers_equal_the_model);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(oracle_suite)
