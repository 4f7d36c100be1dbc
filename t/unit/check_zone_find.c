/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Look-up against a naive model that keeps names as text and shares no code with src/: thousands of
 * random small zones, and one large enough for groups that overflow. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/prng.h"
#include "unit/run.h"
#include "unit/zone_lib.h"

#define OWNERS 40

/* --- the model: a list of owner names; every suffix of them down to the zone exists --- */

struct model {
    char owners[OWNERS][64]; /* "a.b.z." */
    bool is_cut[OWNERS];
    int count;
};

static bool is_below_or_equal(const char *name, const char *above)
{
    size_t n = strlen(name), a = strlen(above);
    if (n < a || strcmp(name + n - a, above) != 0)
        return false;
    return n == a || name[n - a - 1] == '.';
}

static bool model_exists(const struct model *m, const char *name)
{
    for (int i = 0; i < m->count; i++)
        if (is_below_or_equal(m->owners[i], name))
            return true;
    return strcmp(name, "z.") == 0;
}

static const char *model_encloser(const struct model *m, const char *name)
{
    while (!model_exists(m, name))
        name = strchr(name, '.') + 1;
    return name;
}

/* The topmost delegation at or above the name, or NULL. */
static const char *model_cut(const struct model *m, const char *name)
{
    const char *top = NULL;
    for (int i = 0; i < m->count; i++)
        if (m->is_cut[i] && is_below_or_equal(name, m->owners[i]) &&
            (!top || strlen(m->owners[i]) < strlen(top)))
            top = m->owners[i];
    return top;
}

/* --- random zones --- */

static void random_name(struct prng *r, char *out)
{
    static const char *const labels[] = {"a", "b", "c", "d", "*", "ab"};
    *out = '\0';
    for (unsigned n = prng_below(r, 5); n > 0; n--) {
        strcat(out, labels[prng_below(r, 6)]);
        strcat(out, ".");
    }
    strcat(out, "z.");
}

/* A name that may own a record beside the others: no wildcards or cuts in or above cuts. */
static bool fits(const struct model *m, const char *name, bool is_cut)
{
    bool is_apex = strcmp(name, "z.") == 0, is_wild = name[0] == '*';
    if (is_apex || (is_cut && is_wild) || (model_cut(m, name) && (is_cut || is_wild)))
        return false;
    for (int i = 0; i < m->count; i++) {
        if (strcmp(m->owners[i], name) == 0)
            return false;
        if (is_cut && is_below_or_equal(m->owners[i], name) &&
            (m->is_cut[i] || m->owners[i][0] == '*'))
            return false;
    }
    return true;
}

static char *random_zone(struct prng *r, struct model *m)
{
    struct buf b = {0};
    m->count = 0;
    buf_adds(&b, "$TTL 60\n@ SOA n.example. a 1 2 3 4 5\n@ NS n.example.\n");
    for (unsigned n = prng_below(r, OWNERS); n > 0; n--) {
        bool is_cut = prng_below(r, 5) == 0;
        char *name = m->owners[m->count];
        random_name(r, name);
        if (!fits(m, name, is_cut))
            continue;
        buf_printf(&b, is_cut ? "%s NS n.example.\n" : "%s A 192.0.2.1\n", name);
        m->is_cut[m->count++] = is_cut;
    }
    return buf_take(&b);
}

static void node_is(const struct node *n, const char *name, const char *of)
{
    char text[DNAME_TEXT_MAX];
    if (!name) {
        ck_assert_msg(n == NULL, "%s", of);
        return;
    }
    ck_assert_msg(n != NULL, "%s: no %s", of, name);
    dname_print(n->name, text);
    ck_assert_msg(strcmp(text, name) == 0, "%s: %s, not %s", of, text, name);
}

static void compare(const struct zone_set *s, const struct model *m, const char *name)
{
    char wild[80];
    struct zone_match got = lib_find(s, name);
    const char *encloser = model_encloser(m, name);
    node_is(got.node, encloser, name);
    ck_assert_int_eq(got.exact, strcmp(encloser, name) == 0);
    node_is(got.node->cut, model_cut(m, encloser), name);
    snprintf(wild, sizeof wild, "*.%s", encloser);
    node_is(got.node->wild, model_exists(m, wild) ? wild : NULL, name);
    ck_assert_int_eq(!!(got.node->flags & NODE_WILD), encloser[0] == '*');
}

START_TEST(look_ups_agree_with_the_model)
{
    struct prng r;
    prng_init_from(&r, 2026);
    for (int round = 0; round < 4000; round++) {
        struct zone_options o = lib_options();
        struct diag d = {0};
        struct model m;
        struct zone_set *s;
        char *text = random_zone(&r, &m);
        ck_assert_msg(lib_load("z", text, &o, &d, &s) == 0, "%s: %s", text, d.entries[0].text);
        for (int i = 0; i < 60; i++) {
            char name[64];
            random_name(&r, name);
            compare(s, &m, name);
        }
        for (int i = 0; i < m.count; i++)
            compare(s, &m, m.owners[i]);
        mem_free(text);
        zone_set_unref(s);
        diag_fini(&d);
    }
}
END_TEST

START_TEST(large_zones_find_every_name)
{
    enum { N = 50000 };
    struct zone_options o = lib_options();
    struct diag d = {0};
    struct zone_set *s;
    struct buf b = {0};
    buf_adds(&b, APEX);
    for (int i = 0; i < N; i++)
        buf_printf(&b, "h%d%s A 10.%d.%d.%d\n", i, i % 3 ? "" : ".deep.er", i >> 16, i >> 8 & 255,
                   i & 255);
    ck_assert_int_eq(zone_load_text("z", b.data, b.len, &o, &d, &s), 0);
    for (int i = 0; i < 2 * N; i++) {
        char name[64];
        snprintf(name, sizeof name, "h%d%s.z.", i, i % 3 ? "" : ".deep.er");
        struct zone_match m = lib_find(s, name);
        ck_assert_int_eq(m.exact, i < N);
        node_is(m.node, i < N ? name : i % 3 ? "z." : "deep.er.z.", name);
        if (i < N)
            ck_assert_uint_eq(addrset_at(&m.node->sets->addrs, 0)[3], i & 255);
    }
    ck_assert_uint_eq(s->node_count, N + 5);
    ck_assert_uint_le(lib_zone(s)->arena->total_bytes, (size_t)N * 122);
    buf_fini(&b);
    zone_set_unref(s);
}
END_TEST

/* Names longer than any stored one are hashed no deeper than the set's deepest. */
START_TEST(deep_questions_find_their_encloser)
{
    struct zone_options o = lib_options();
    struct diag d = {0};
    struct zone_set *s;
    ck_assert_int_eq(lib_load("z", APEX "b A 192.0.2.1\n", &o, &d, &s), 0);
    ck_assert_uint_eq(s->max_depth, 2);
    struct zone_match m = lib_find(s, "x.x.x.x.x.x.x.x.x.x.x.x.x.b.z.");
    node_is(m.node, "b.z.", "deep");
    ck_assert(!m.exact);
    ck_assert_ptr_null(lib_find(s, "x.x.x.y.").node);
    ck_assert_ptr_null(lib_find(s, ".").node);
    zone_set_unref(s);
}
END_TEST

static Suite *find_suite(void)
{
    Suite *s = suite_create("zone_find");
    TCase *t = tcase_create("zone_find");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, look_ups_agree_with_the_model);
    tcase_add_test(t, large_zones_find_every_name);
    tcase_add_test(t, deep_questions_find_their_encloser);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(find_suite)
