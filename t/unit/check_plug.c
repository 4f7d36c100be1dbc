/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * multifo on the real host: the manual's configuration, its table, its refusals; references.
 */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "unit/plug_rig.h"
#include "unit/run.h"

#define ck_assert_answer(r, name, n4, n6, down, any_down)                                          \
    do {                                                                                           \
        const struct prepared *p_ = answer(r, name);                                               \
        ck_assert_uint_eq(p_->v4.count, n4);                                                       \
        ck_assert_uint_eq(p_->v6.count, n6);                                                       \
        ck_assert_int_eq(th_word_has(prepared_word(p_), TH_DOWN), down);                           \
        ck_assert_int_eq(th_word_has(prepared_word(p_), TH_ANY_DOWN), any_down);                   \
    } while (0)

/* ---- the manual ---------------------------------------------------------------------------- */

static const char synopsis[] =
    "plugins => {\n  multifo => {\n    up_thresh => 0.3\n    service_types => up,\n"
    "    v4www => {\n      lb01 => 192.0.2.200,\n      lb02 => 192.0.2.201,\n"
    "      lb03 => 192.0.2.202,\n    }\n    v6smtp => {\n      service_types => [ smtp ],\n"
    "      up_thresh => 0.1,\n      lb01_v6 => 2001:DB8::1,\n      lb02_v6 => 2001:DB8::2,\n"
    "      lb03_v6 => 2001:DB8::3,\n    }\n    pubwww => {\n      up_thresh => 0.5\n"
    "      service_types => corpwww_type\n"
    "      addrs_v4 => [ 192.0.2.100, 192.0.2.101, 192.0.2.102 ]\n      addrs_v6 => {\n"
    "        service_types => [ up ],\n        up_thresh => 0.7\n"
    "        lb01_v6 => 2001:DB8::1,\n        lb02_v6 => 2001:DB8::2,\n"
    "        lb03_v6 => 2001:DB8::3,\n      }\n    }\n  }\n}\n";

static const char synopsis_services[] = "service_types => { smtp => { plugin => nop, port => 25 }\n"
                                        "  corpwww_type => { plugin => nop } }\n";

START_TEST(manual_synopsis_loads)
{
    struct rig r;
    char *text = mem_printf("%s%s", synopsis_services, synopsis);
    rig_need(&r, text);
    ck_assert_answer(&r, "multifo!v4www", 3, 0, 0, 0);
    ck_assert_answer(&r, "multifo!v6smtp", 0, 3, 0, 0);
    ck_assert_answer(&r, "multifo!pubwww", 3, 3, 0, 0);
    /* one of three down at 0.5: the other two; v6 at 0.7 needs all three */
    set_state(&r, "192.0.2.101/corpwww_type", true);
    ck_assert_answer(&r, "multifo!pubwww", 2, 3, 0, 1);
    set_state(&r, "2001:db8::2/up", true);
    ck_assert_answer(&r, "multifo!pubwww", 2, 3, 1, 1);
    /* 0.1: a lone survivor is answered */
    set_state(&r, "2001:db8::1/smtp", true);
    set_state(&r, "2001:db8::2/smtp", true);
    ck_assert_answer(&r, "multifo!v6smtp", 0, 1, 0, 1);
    rig_close(&r);
    mem_free(text);
}
END_TEST

START_TEST(manual_synopsis_without_services_names_both)
{
    struct rig r;
    ck_assert_int_ne(rig_open(&r, synopsis, false), 0);
    ck_assert(says(&r.d, "service type \"smtp\" is not defined"));
    ck_assert(says(&r.d, "service type \"corpwww_type\" is not defined"));
    ck_assert(says(&r.d, "conf:11:"));
    rig_close(&r);
}
END_TEST

/* ---- ceil(up_thresh x total) --------------------------------------------------------------- */

static const struct {
    const char *thresh;
    unsigned need[9]; /* of 1 .. 8, and of 16 */
} manual_table[] = {
    {"0.1", {1, 1, 1, 1, 1, 1, 1, 1, 2}},  {"0.2", {1, 1, 1, 1, 1, 2, 2, 2, 4}},
    {"0.3", {1, 1, 1, 2, 2, 2, 3, 3, 5}},  {"0.4", {1, 1, 2, 2, 2, 3, 3, 4, 7}},
    {"0.5", {1, 1, 2, 2, 3, 3, 4, 4, 8}},  {"0.6", {1, 2, 2, 3, 3, 4, 5, 5, 10}},
    {"0.7", {1, 2, 3, 3, 4, 5, 5, 6, 12}}, {"0.8", {1, 2, 3, 4, 4, 5, 6, 7, 13}},
    {"0.9", {1, 2, 3, 4, 5, 6, 7, 8, 15}},
};

static char *set_of(const char *thresh, unsigned total)
{
    struct buf b = {0};
    buf_printf(&b, "plugins => { multifo => { s => { up_thresh => %s", thresh);
    for (unsigned i = 1; i <= total; i++)
        buf_printf(&b, " a%u => 192.0.2.%u", i, i);
    buf_adds(&b, " } } }");
    return buf_take(&b);
}

/* Take the addresses down one by one: as long as `need` are left they alone are answered. */
static void walk_thresh(const char *thresh, unsigned total, unsigned need)
{
    struct rig r;
    char *text = set_of(thresh, total);
    rig_need(&r, text);
    for (unsigned down = 0; down <= total; down++) {
        char desc[32];
        unsigned left = total - down;
        (void)snprintf(desc, sizeof desc, "192.0.2.%u/up", down);
        if (down)
            set_state(&r, desc, true);
        ck_assert_answer(&r, "multifo!s", left >= need ? left : total, 0, left<need, down> 0);
    }
    rig_close(&r);
    mem_free(text);
}

START_TEST(manual_table_walked)
{
    static const unsigned totals[9] = {1, 2, 3, 4, 5, 6, 7, 8, 16};
    for (int i = 0; i < 9; i++)
        walk_thresh(manual_table[_i].thresh, totals[i], manual_table[_i].need[i]);
}
END_TEST

START_TEST(thresholds_at_the_edges)
{
    walk_thresh("0.28", 25, 8); /* 0.28 x 25 is just above 7 as an IEEE double */
    walk_thresh("0.01", 40, 1);
    walk_thresh("1.0", 3, 3);
    walk_thresh("0.5", 12, 6);
}
END_TEST

/* ---- families, service types, ignore_health, upward ---------------------------------------- */

START_TEST(families_are_independent_and_either_fails_upward)
{
    struct rig r;
    rig_need(&r, "plugins => { multifo => { web => { addrs_v4 => [192.0.2.1, 192.0.2.2, 192.0.2.3]"
                 " addrs_v6 => [2001:db8::1, 2001:db8::2, 2001:db8::3] } }"
                 " upward => { w => \"multifo!web\" } }");
    ck_assert_answer(&r, "upward!w", 4, 3, 0, 0);
    set_state(&r, "2001:db8::2/up", true);
    ck_assert_answer(&r, "multifo!web", 3, 2, 0, 1);
    ck_assert_answer(&r, "upward!w", 4, 2, 0, 1);
    set_state(&r, "192.0.2.1/up", true);
    set_state(&r, "192.0.2.3/up", true);
    ck_assert_answer(&r, "multifo!web", 3, 2, 1, 1);
    ck_assert_answer(&r, "upward!w", 4, 2, 1, 1);
    const struct prepared *p = answer(&r, "upward!w");
    ck_assert_uint_eq(addrset_at(&p->v4, 0)[3], 2);
    set_state(&r, "192.0.2.1/up", false);
    ck_assert_answer(&r, "upward!w", 3, 2, 0, 1);
    rig_close(&r);
}
END_TEST

START_TEST(ignore_health_answers_all)
{
    struct rig r;
    rig_need(&r, "plugins => { multifo => { s => { ignore_health => true"
                 " a => 192.0.2.1 b => 192.0.2.2 c => 192.0.2.3 } } }");
    set_state(&r, "192.0.2.1/up", true);
    ck_assert_answer(&r, "multifo!s", 3, 0, 0, 1);
    set_state(&r, "192.0.2.2/up", true);
    ck_assert_answer(&r, "multifo!s", 3, 0, 1, 1);
    rig_close(&r);
}
END_TEST

START_TEST(two_service_types_worst_counts)
{
    struct rig r;
    rig_need(&r, "service_types => { x => { plugin => nop } }\n"
                 "plugins => { multifo => { s => { service_types => [up, x] a => 192.0.2.1"
                 " b => 192.0.2.2 } } }");
    set_state(&r, "192.0.2.1/x", true);
    ck_assert_answer(&r, "multifo!s", 1, 0, 0, 1);
    set_state(&r, "192.0.2.1/x", false);
    set_state(&r, "192.0.2.2/up", true);
    ck_assert_answer(&r, "multifo!s", 1, 0, 0, 1);
    rig_close(&r);
}
END_TEST

START_TEST(array_is_hash_with_numbers)
{
    struct rig r;
    rig_need(&r, "plugins => { multifo => { a => [192.0.2.1, 192.0.2.2]"
                 " h => { 1 => 192.0.2.1, 2 => 192.0.2.2 } one => 192.0.2.9 } }");
    const struct prepared *a = answer(&r, "multifo!a"), *h = answer(&r, "multifo!h");
    ck_assert_uint_eq(a->v4.count, 2);
    ck_assert_uint_eq(h->v4.count, 2);
    for (unsigned i = 0; i < 2; i++)
        ck_assert_mem_eq(addrset_at(&a->v4, i), addrset_at(&h->v4, i), 4);
    ck_assert_answer(&r, "multifo!one", 1, 0, 0, 0);
    ck_assert_uint_eq(plugs_watch_count(r.plugs), 3); /* shared between a and h */
    rig_close(&r);
}
END_TEST

START_TEST(an_address_twice_is_answered_once)
{
    struct rig r;
    rig_need(&r, "plugins => { multifo => { s => { up_thresh => 0.6"
                 " a => 192.0.2.1 b => 192.0.2.1 c => 192.0.2.2 } } }");
    ck_assert(says(&r.d, "stands twice"));
    ck_assert_answer(&r, "multifo!s", 2, 0, 0, 0);
    set_state(&r, "192.0.2.2/up", true); /* two of three labels are up: enough */
    ck_assert_answer(&r, "multifo!s", 1, 0, 0, 1);
    set_state(&r, "192.0.2.2/up", false);
    set_state(&r, "192.0.2.1/up", true); /* one of three is not */
    ck_assert_answer(&r, "multifo!s", 2, 0, 1, 1);
    rig_close(&r);
}
END_TEST

START_TEST(parameters_inherit_and_override)
{
    struct rig r;
    rig_need(&r, "service_types => { x => { plugin => nop } }\n"
                 "plugins => { multifo => { up_thresh => 1.0 service_types => x\n"
                 " s => { ignore_health => true addrs_v4 => [192.0.2.1, 192.0.2.2]"
                 "  addrs_v6 => { up_thresh => 0.1 service_types => up ignore_health => FALSE"
                 "   a => 2001:db8::1 b => 2001:db8::2 } } } }");
    set_state(&r, "192.0.2.1/x", true);
    ck_assert_answer(&r, "multifo!s", 2, 2, 1, 1); /* 1.0: one down fails v4 */
    set_state(&r, "192.0.2.1/x", false);
    set_state(&r, "2001:db8::1/up", true);
    ck_assert_answer(&r, "multifo!s", 2, 1, 0, 1);
    rig_close(&r);
}
END_TEST

/* ---- refusals ------------------------------------------------------------------------------ */

#define S "plugins => { multifo => {\n s => {\n"
#define E "\n} } }"
static const struct {
    const char *text, *says;
    bool lax;
} refused[] = {
    {S "up_thresh => 0.0 a => 192.0.2.1" E, "conf:3:", false},
    {S "up_thresh => 1.01 a => 192.0.2.1" E, "1.01", false},
    {S "up_thresh => -1 a => 192.0.2.1" E, "-1", false},
    {S "a => 192.0.2.1 b => 2001:db8::1" E, "is an IPv6 address in a set of IPv4", false},
    {"plugins => { multifo => { s => [ 2001:db8::1, 192.0.2.1 ] } }", "is an IPv4 address", false},
    {S "addrs_v4 => 2001:db8::1" E, "is an IPv6 address in a set of IPv4", false},
    {S "addrs_v6 => { x => 192.0.2.1 }" E, "is an IPv4 address in a set of IPv6", false},
    {S "addrs_v4 => 192.0.2.1 b => 192.0.2.2" E, "\"b\" cannot stand beside", false},
    {S "" E, "no address", false},
    {"plugins => { multifo => { s => [ ] } }", "no address", false},
    {S "addrs_v4 => [ ]" E, "no address", false},
    {S "up_tresh => 0.03 a => 192.0.2.1" E, "did you mean the key \"up_thresh\"", false},
    {S "up_tresh => 0.03 a => 192.0.2.1" E, "did you mean the key \"up_thresh\"", true},
    {"plugins => { multifo => { up_tresh => 0.03 s => 192.0.2.1 } }", "\"up_thresh\"", true},
    {S "up_tresh => 0.03 addrs_v4 => 192.0.2.1" E, "did you mean \"up_thresh\"", false},
    {S "ignore_helth => true addrs_v4 => 192.0.2.1" E, "did you mean \"ignore_health\"", false},
    {"plugins => { multifo => { upthresh => 0.5 } }", "\"upthresh\" => 0.5 is not", false},
    {"plugins => { multifo => { upthresh => 0.5 } }", "did you mean the key \"up_thresh\"", false},
    {S "a => { b => 192.0.2.1 }" E, "is not an IP address", false},
    {S "a => one.example." E, "one.example. is not an IP address", false},
    {S "service_types => default a => 192.0.2.1" E, "the default is \"up\"", false},
    {S "service_types => upp a => 192.0.2.1" E, "did you mean \"up\"", false},
    {"plugins => { nosuch => { } }", "no such plugin \"nosuch\"", false},
    {"plugins => { nop => { } }", "nothing to configure", false},
    {"plugins => { upward => { w => \"multifo!x\" } }", "which is not defined", false},
    {"plugins => { upward => { a => upward!b b => upward!c c => upward!a } }",
     "upward!a -> upward!b -> upward!c -> upward!a", false},
    {"service_types => { x => { plugin => multifo } }", "without monitoring", false},
    {"service_types => { x => { plugin => nosuch } }", "monitors are nop", false},
    {"service_types => { x => { plug => nop } }", "needs plugin", false},
    {"service_types => { x => { plugin => nop prot => 1 } }", "did you mean \"port\"", false},
    {"service_types => { x => { plugin => nop interval => 0 } }", "interval", false},
    {"service_types => { x => { plugin => nop interval => 1 timeout => 2 } }", "longer", false},
    {"service_types => { up => { plugin => nop } }", "built in", false},
};

START_TEST(refused_with_reason)
{
    struct rig r;
    ck_assert_int_ne(rig_open(&r, refused[_i].text, refused[_i].lax), 0);
    if (!says(&r.d, refused[_i].says))
        ck_abort_msg("\"%s\" not in: %s", refused[_i].says, r.d.entries[0].text);
    ck_assert(says(&r.d, "conf:"));
    rig_close(&r);
}
END_TEST

START_TEST(chains_deeper_than_eight_are_refused)
{
    struct buf b = {0};
    struct rig r;
    buf_adds(&b, "plugins => { multifo => { s => 192.0.2.1 } upward => { r0 => multifo!s");
    for (int i = 1; i <= 8; i++)
        buf_printf(&b, " r%d => upward!r%d", i, i - 1);
    size_t eight = b.len;
    buf_adds(&b, " r9 => upward!r8");
    buf_adds(&b, " } }");
    ck_assert_int_ne(rig_open(&r, b.data, false), 0);
    ck_assert(says(&r.d, "more than 8 deep"));
    rig_close(&r);
    b.len = eight - strlen(" r8 => upward!r7");
    buf_adds(&b, " } }");
    rig_need(&r, b.data);
    ck_assert_uint_eq(answer(&r, "upward!r7")->v4.count, 9);
    rig_close(&r);
    buf_fini(&b);
}
END_TEST

START_TEST(profile_timeout_fits_the_interval)
{
    struct rig r;
    rig_need(&r,
             "service_types => { a => { plugin => nop } b => { plugin => nop interval => 500ms }"
             " c => { plugin => nop interval => 60 } }");
    ck_assert_uint_eq(plugs_service_at(r.plugs, 2)->timeout_ms, 2000);
    ck_assert_uint_eq(plugs_service_at(r.plugs, 3)->timeout_ms, 250);
    ck_assert_uint_eq(plugs_service_at(r.plugs, 4)->timeout_ms, 2000);
    rig_close(&r);
}
END_TEST

START_TEST(identity_is_what_is_probed)
{
    struct rig r;
    rig_need(&r, "service_types => { a => { plugin => nop port => 80 interval => 1 }"
                 " b => { plugin => nop interval => 7 port => 80 down_thresh => 9 }"
                 " c => { plugin => nop port => 81 interval => 1 } }");
    uint64_t a = plugs_service_at(r.plugs, 2)->identity, b = plugs_service_at(r.plugs, 3)->identity;
    ck_assert(a == b);
    ck_assert(a != plugs_service_at(r.plugs, 4)->identity);
    rig_close(&r);
}
END_TEST

static Suite *plug_suite(void)
{
    Suite *s = suite_create("plug");
    TCase *t = tcase_create("multifo");
    tcase_add_test(t, manual_synopsis_loads);
    tcase_add_test(t, manual_synopsis_without_services_names_both);
    tcase_add_loop_test(t, manual_table_walked, 0,
                        (int)(sizeof manual_table / sizeof *manual_table));
    tcase_add_test(t, thresholds_at_the_edges);
    tcase_add_test(t, families_are_independent_and_either_fails_upward);
    tcase_add_test(t, ignore_health_answers_all);
    tcase_add_test(t, two_service_types_worst_counts);
    tcase_add_test(t, array_is_hash_with_numbers);
    tcase_add_test(t, an_address_twice_is_answered_once);
    tcase_add_test(t, parameters_inherit_and_override);
    tcase_add_loop_test(t, refused_with_reason, 0, (int)(sizeof refused / sizeof *refused));
    tcase_add_test(t, chains_deeper_than_eight_are_refused);
    tcase_add_test(t, profile_timeout_fits_the_interval);
    tcase_add_test(t, identity_is_what_is_probed);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(plug_suite)
