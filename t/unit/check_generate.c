/* SPDX-License-Identifier: GPL-3.0-or-later */
/* $GENERATE: each row makes the zone that its plain lines make; faults are told once, with the
 * line.
 */
#include <string.h>

#include "base/attrs.h"
#include "base/mem.h"
#include "unit/run.h"
#include "unit/zone_lib.h"

static const struct {
    const char *text, *plain;
} rows[] = {
    {"$GENERATE 1-3 h$ A 192.0.2.$", "h1 A 192.0.2.1\nh2 A 192.0.2.2\nh3 A 192.0.2.3"},
    {"$generate 0-10/5 h$ A 192.0.2.$", "h0 A 192.0.2.0\nh5 A 192.0.2.5\nh10 A 192.0.2.10"},
    {"$GENERATE 7-7 h$ 60 IN A 192.0.2.$", "h7 60 A 192.0.2.7"},
    {"$GENERATE 7-7 h$ IN 1h TXT $", "h7 3600 TXT 7"},
    {"$GENERATE 2-3 $ PTR h$.example.", "2 PTR h2.example.\n3 PTR h3.example."},
    {"$GENERATE 2-3 h${10} A 192.0.2.${-1}", "h12 A 192.0.2.1\nh13 A 192.0.2.2"},
    {"$GENERATE 9-10 h${0,3} TXT ${+1,4,d}", "h009 TXT 0010\nh010 TXT 0011"},
    {"$GENERATE 26-26 h TXT ${0,0,x} ${0,4,X} ${0,3,o} $", "h TXT 1a 001A 032 26"},
    {"$GENERATE 26-26 ${0,1,n} TXT x", "a.1 TXT x"},
    {"$GENERATE 26-26 ${0,7,N} TXT x", "A.1.0.0 TXT x"},
    {"$GENERATE 26-26 ${0,4,n}z. TXT x", "a.1 TXT x"},
    {"$GENERATE 26-26 ${0,2,n} TXT x", "a.1 TXT x"},
    {"$GENERATE 5-5 h TXT \\$ $$ \"$ $$\"", "h TXT \\$ \\$ \"5 \\$\""},
    {"$GENERATE 5-5 \\$h$$$ TXT x", "\\$h\\$5 TXT x"},
    {"$GENERATE 5-6 h MX \"$ m$\" ; c", "h MX 5 m5\nh MX 6 m6"},
    {"$GENERATE 1-2 @ 60 NS ns$", "@ 60 NS ns1\n@ 60 NS ns2"},
    {"$ORIGIN s\n$GENERATE 1-1 h$ CNAME c$", "h1.s CNAME c1.s"},
    {"$GENERATE 1-1 h$ TYPE65000 \\# 1 0$", "h1 TYPE65000 \\# 1 01"},
    {"$GENERATE 1-2 h$ TXT x\n TXT y", "h1 TXT x\nh2 TXT x\nh2 TXT y"},
    {"$GENERATE 1-1 h$ DYNA p!r\n", "h1 DYNA p!r"},
};

static struct zone_set *load(const char *text)
{
    struct zone_options o = lib_options();
    struct diag d = {0};
    struct zone_set *s;
    char *whole = mem_printf("%s%s\n", APEX, text);
    int e = lib_load("z", whole, &o, &d, &s);
    ck_assert_msg(e == 0, "%s: %s", text, d.count ? d.entries[0].text : "");
    mem_free(whole);
    diag_fini(&d);
    return s;
}

static void same_set(const struct rrset *x, const struct rrset *y)
{
    ck_assert_uint_eq(x->type, y->type);
    ck_assert_uint_eq(x->count, y->count);
    ck_assert_uint_eq(x->ttl_s, y->ttl_s);
    if (x->type == RRTYPE_A || x->type == RRTYPE_AAAA) {
        ck_assert_uint_eq(x->count, 1); /* no row makes several: their order is random */
        ck_assert_mem_eq(x->addrs.addrs, y->addrs.addrs, 4);
        return;
    }
    ck_assert_uint_eq(x->rrs.plain_len, y->rrs.plain_len);
    ck_assert_mem_eq(x->rrs.plain, y->rrs.plain, x->rrs.plain_len);
}

START_TEST(makes_the_plain_zone)
{
    struct zone_set *x = load(rows[_i].text), *y = load(rows[_i].plain);
    const struct zone *z = lib_zone(x);
    ck_assert_uint_eq(z->node_count, lib_zone(y)->node_count);
    ck_assert_uint_eq(z->rr_count, lib_zone(y)->rr_count);
    for (size_t i = 0; i < z->node_count; i++) {
        const struct node *n = &z->apex_node[i];
        const struct node *m = zone_find_name(lib_zone(y), n->name, y->seed);
        ck_assert_ptr_nonnull(m);
        ck_assert_uint_eq(n->set_count, m->set_count);
        ck_assert_int_eq(n->dyn != NULL, m->dyn != NULL);
        for (unsigned k = 0; k < n->set_count; k++)
            same_set(&n->sets[k], &m->sets[k]);
    }
    zone_set_unref(x);
    zone_set_unref(y);
}
END_TEST

static const struct {
    const char *text, *place, *part;
} faults[] = {
    {"$GENERATE", "z:7:10:", "the record ends where a range"},
    {"$GENERATE x h$ A 192.0.2.$", "z:7:11:", "\"x\" is not a range"},
    {"$GENERATE 3-1 h$ A 192.0.2.$", "z:7:11:", "is not a range"},
    {"$GENERATE 1-3/0 h$ A 192.0.2.$", "z:7:11:", "is not a range"},
    {"$GENERATE 1-3/2x h$ A 192.0.2.$", "z:7:11:", "is not a range"},
    {"$GENERATE 0-2147483648 h$ A 192.0.2.$", "z:7:11:", "is not a range"},
    {"$GENERATE 0-1048576 h$ A 192.0.2.$", "z:7:11:", "is more than 1048576 numbers"},
    {"$GENERATE 1-3", "z:7:14:", "ends where a name"},
    {"$GENERATE 1-3 h$", "z:7:17:", "ends where a type"},
    {"$GENERATE 1-3 h$ A", "z:7:19:", "ends where rdata"},
    {"$GENERATE 1-3 h$ BOGUS x", "z:7:", "type \"BOGUS\" is not known"},
    {"$GENERATE 255-257 h$ A 192.0.2.$", "z:7:", "\"192.0.2.256\" is not an IPv4 address"},
    {"$GENERATE 1-3 h${0,1,q} A 192.0.2.$", "z:7:11:", "the base is one of d o x X n N"},
    {"$GENERATE 1-3 h${0 A 192.0.2.1", "z:7:11:", "${ is followed by"},
    {"$GENERATE 1-3 h${-2} A 192.0.2.1", "z:7:11:", "with its offset, number 1 is not in"},
    {"$GENERATE 1-3 h$ TXT \"a\nb\"", "z:7:23:", "cannot span lines"},
};

START_TEST(faults_are_told)
{
    struct zone_options o = lib_options();
    struct diag d = {0};
    struct zone_set *s;
    char *text = mem_printf("%s%s\n", APEX, faults[_i].text);
    ck_assert_int_lt(lib_load("z", text, &o, &d, &s), 0);
    const char *got = d.entries[0].text;
    bool is_right = strncmp(got, faults[_i].place, strlen(faults[_i].place)) == 0 &&
                    strstr(got, faults[_i].part);
    ck_assert_msg(is_right, "wanted %s ...%s..., got %s", faults[_i].place, faults[_i].part, got);
    ck_assert_uint_le(d.error_count,
                      2); /* the fault and which number it is of, not three of each */
    mem_free(text);
    diag_fini(&d);
}
END_TEST

static Suite *generate_suite(void)
{
    Suite *s = suite_create("generate");
    TCase *t = tcase_create("generate");
    tcase_add_loop_test(t, makes_the_plain_zone, 0, (int)array_len(rows));
    tcase_add_loop_test(t, faults_are_told, 0, (int)array_len(faults));
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(generate_suite)
