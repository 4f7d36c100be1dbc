/* SPDX-License-Identifier: GPL-3.0-or-later */
/* preview: answers under states that might be, through references, while what is served stays. */
#include <string.h>

#include "base/mem.h"
#include "plug/preview.h"
#include "unit/plug_rig.h"
#include "unit/run.h"

static const char conf[] =
    "plugins => { multifo => { up_thresh => 0.1\n"
    "  web => [ 192.0.2.1, 192.0.2.2 ] api => [ 192.0.2.2, 192.0.2.3 ] }\n"
    " upward => { first => multifo!web second => upward!first other => multifo!api } }";

struct states {
    struct th_word words[3];
    struct mono drained;
};

static struct th_word word(void *arg, uint32_t watch)
{
    return ((struct states *)arg)->words[watch];
}

static struct mono drained(void *arg, uint32_t watch)
{
    (void)watch;
    return ((struct states *)arg)->drained;
}

static const struct prepared *seen(struct rig *r, struct preview *v, const char *plugin,
                                   const char *resource)
{
    uint32_t handle;
    ck_assert_int_eq(plugs_bind(r->plugs, plugin, resource, DIAG_NOWHERE, &r->d, &handle), 0);
    return preview_answer(v, handle);
}

START_TEST(states_that_might_be)
{
    struct rig r;
    rig_need(&r, conf);
    struct states s = {{th_word_up(), th_word_up(), th_word_up()}, {5}};
    s.words[find_watch(&r, "192.0.2.1/up")] = th_word_down(TH_TTL_MAX);
    struct preview *v = preview_new(r.plugs, &(struct preview_states){word, drained, &s});
    const struct prepared *p = seen(&r, v, "upward", "second");
    ck_assert_uint_eq(p->v4.count, 3); /* each upward shows one of its own */
    ck_assert(th_word_has(prepared_word(p), TH_ANY_DOWN));
    p = seen(&r, v, "multifo", "web");
    ck_assert_uint_eq(p->v4.count, 1);
    ck_assert_int_eq(addrset_at(&p->v4, 0)[3], 2);
    ck_assert_ptr_eq(p, seen(&r, v, "multifo", "web"));
    ck_assert_uint_eq(seen(&r, v, "multifo", "api")->v4.count, 2);
    ck_assert_uint_eq(answer(&r, "multifo!web")->v4.count, 2); /* as it is served */
    ck_assert_int_eq(preview_drained(v, 0).ns, 0);
    s.words[0] = th_word_make(TH_DRAIN, TH_TTL_MAX, TH_WEIGHT_MAX);
    ck_assert_int_eq(preview_drained(v, 0).ns, 5);
    preview_free(v);
    rig_close(&r);
}
END_TEST

static void expect_affected(struct rig *r, const uint8_t *affected, const char *name, int how)
{
    for (uint32_t h = 0; h < plugs_resource_count(r->plugs); h++)
        if (strcmp(plugs_resource_name(r->plugs, h), name) == 0) {
            ck_assert_msg(affected[h] == how, "%s: %d", name, affected[h]);
            return;
        }
    ck_abort_msg("no resource %s", name);
}

START_TEST(affected)
{
    struct rig r;
    rig_need(&r, conf);
    uint8_t how[5] = {0};
    ck_assert_uint_eq(plugs_resource_count(r.plugs), 5);
    plugs_affected(r.plugs, (uint32_t)find_watch(&r, "192.0.2.1/up"), how);
    expect_affected(&r, how, "multifo!web", AFFECTED_DIRECTLY);
    expect_affected(&r, how, "multifo!api", AFFECTED_NOT);
    expect_affected(&r, how, "upward!first", AFFECTED_ABOVE);
    expect_affected(&r, how, "upward!second", AFFECTED_ABOVE);
    expect_affected(&r, how, "upward!other", AFFECTED_NOT);
    plugs_affected(r.plugs, (uint32_t)find_watch(&r, "192.0.2.2/up"), how);
    expect_affected(&r, how, "multifo!web", AFFECTED_DIRECTLY);
    expect_affected(&r, how, "multifo!api", AFFECTED_DIRECTLY);
    expect_affected(&r, how, "upward!other", AFFECTED_ABOVE);
    for (uint32_t h = 0; h < 5; h++)
        if (strcmp(plugs_resource_name(r.plugs, h), "multifo!api") == 0) {
            ck_assert_uint_eq(plugs_resource_watch_count(r.plugs, h), 2);
            ck_assert_uint_eq(plugs_resource_watch_at(r.plugs, h, 1),
                              find_watch(&r, "192.0.2.3/up"));
        }
    rig_close(&r);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("preview");
    TCase *t = tcase_create("preview");
    tcase_add_test(t, states_that_might_be);
    tcase_add_test(t, affected);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
