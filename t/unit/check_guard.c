/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a reload may do to a zone, as a table; serials; the digest by which zones are compared. */
#include <stdio.h>

#include "unit/run.h"
#include "unit/zone_lib.h"
#include "zone/guard.h"

#define SOA(serial) "$TTL 300\n@ SOA ns1 admin " serial " 7200 900 86400 300\n"
#define NS          "@ NS ns1\n@ NS ns2\n"
#define ADDRS       "ns1 A 192.0.2.1\nns2 AAAA 2001:db8::1\n"
#define HOSTS       "a A 192.0.2.3\nb A 192.0.2.3\nc A 192.0.2.3\n"
#define GOOD        SOA("1") NS ADDRS HOSTS /* 8 records */

static const struct {
    const char *was, *now; /* now NULL: dropped */
    uint32_t limit;
    const char *error, *warning;
} rows[] = {
    {GOOD, GOOD, 25, NULL, NULL},
    {GOOD, NULL, 25, "zone \"z.example.\" would be dropped", NULL},
    {GOOD, NULL, 0, NULL, NULL},
    /* 8 records: a quarter is 2 */
    {GOOD, SOA("2") NS ADDRS "a A 192.0.2.3\n", 25, NULL, NULL},
    {GOOD, SOA("2") NS ADDRS, 25, "shrink from 8 to 5 records, by more than zones_shrink_limit 25%",
     NULL},
    {GOOD, SOA("2") NS ADDRS, 50, NULL, NULL},
    {GOOD, SOA("2") NS ADDRS, 0, NULL, NULL},
    {SOA("1") NS ADDRS, GOOD, 25, NULL, "still has serial 1"}, /* it may grow */
    /* name servers */
    {GOOD, SOA("2") NS "ns2 AAAA 2001:db8::1\n" HOSTS, 25, NULL, NULL},
    {GOOD, SOA("2") NS HOSTS, 25, "lose the last address of its name servers", NULL},
    {GOOD, SOA("2") NS HOSTS "ns1 TXT x\nns2 TXT x\n", 25, "lose the last address", NULL},
    {GOOD, SOA("2") "@ NS ns1\n@ NS ns.elsewhere.\n" HOSTS, 100, "lose the last address", NULL},
    {GOOD, SOA("2") "@ NS ns.elsewhere.\n" HOSTS, 100, NULL, NULL}, /* moved away */
    {GOOD, SOA("2") "@ NS a\n" HOSTS "d TXT x\n", 100, NULL, NULL}, /* renamed */
    {GOOD, SOA("2") "@ NS ns1\nns1 DYNA p!r\n" HOSTS "d TXT x\n", 25, NULL, NULL},
    /* addresses of a wildcard count (RFC 4592), unless a name or a delegation is nearer */
    {GOOD, SOA("2") NS "* A 192.0.2.1\n" HOSTS "d TXT x\n", 25, NULL, NULL},
    {SOA("1") NS "* A 192.0.2.1\n" HOSTS, SOA("2") NS HOSTS "d TXT x\n", 25,
     "lose the last address", NULL},
    {GOOD, SOA("2") NS "* A 192.0.2.1\nx.ns1 TXT x\nns2 TXT x\n" HOSTS, 25, "lose the last address",
     NULL},
    {GOOD, SOA("2") NS "* TXT x\n" HOSTS "d TXT x\n", 25, "lose the last address", NULL},
    {SOA("1") NS HOSTS, SOA("2") NS HOSTS, 25, NULL, NULL}, /* there was none before */
    /* serials (RFC 1982) */
    {GOOD, GOOD "d TXT x\n", 25, NULL, "has changed and still has serial 1"},
    {GOOD, GOOD "d TXT x\n", 0, NULL, NULL},
    {GOOD, SOA("2") NS ADDRS HOSTS "d TXT x\n", 25, NULL, NULL},
    {GOOD, SOA("0") NS ADDRS HOSTS, 25, NULL, "serial went back from 1 to 0"},
    {GOOD, SOA("2147483648") NS ADDRS HOSTS, 25, NULL, NULL},
    {GOOD, SOA("2147483649") NS ADDRS HOSTS, 25, NULL, "serial went back"}, /* neither is later */
    {SOA("4294967295") NS ADDRS HOSTS, SOA("5") NS ADDRS HOSTS, 25, NULL, NULL},
    {SOA("5") NS ADDRS HOSTS, SOA("4294967295") NS ADDRS HOSTS, 25, NULL,
     "serial went back from 5 to 4294967295"},
};

static struct zone *load(const char *text, struct zone_set **s)
{
    struct zone_options o = lib_options();
    struct diag d = {0};
    ck_assert_msg(lib_load("z.example", text, &o, &d, s) == 0, "%s",
                  d.count ? d.entries[0].text : "");
    diag_fini(&d);
    return lib_zone(*s);
}

static bool tells(const struct diag *d, enum diag_severity severity, const char *part)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->entries[i].severity == severity && strstr(d->entries[i].text, part))
            return true;
    return false;
}

START_TEST(guards)
{
    struct zone_set *a = NULL, *b = NULL;
    struct zone_options o = lib_options();
    const struct zone *was = load(rows[_i].was, &a);
    const struct zone *now = rows[_i].now ? load(rows[_i].now, &b) : NULL;
    const char *error = rows[_i].error, *warning = rows[_i].warning;
    o.shrink_limit = rows[_i].limit;
    for (int force = 0; force < 2; force++) {
        struct diag d = {0};
        int e = guard_check(&o, force, was, now, &d);
        ck_assert_msg((e != 0) == (error && !force), "row %d force %d: %d", _i, force, e);
        ck_assert_uint_eq(d.error_count, e ? 1 : 0);
        if (error && !force)
            ck_assert_msg(tells(&d, DIAG_ERROR, error), "row %d: %s", _i, d.entries[0].text);
        if (warning)
            ck_assert_msg(tells(&d, DIAG_WARNING, warning), "row %d: %zu", _i, d.count);
        if (!error && !warning)
            ck_assert_msg(d.count == 0, "row %d: %s", _i, d.count ? d.entries[0].text : "");
        if (error && force)
            ck_assert_msg(tells(&d, DIAG_WARNING, "forced"), "row %d", _i);
        diag_fini(&d);
    }
    zone_set_unref(a);
    zone_set_unref(b);
}
END_TEST

/* The root's records have the owner ".", one byte, where others have a pointer. */
START_TEST(root_zone_has_name_servers_too)
{
    struct zone_set *a = NULL, *b = NULL;
    struct zone_options o = lib_options();
    struct diag d = {0};
    o.shrink_limit = 90;
    ck_assert_int_eq(lib_load("ROOT_ZONE", GOOD, &o, &d, &a), 0);
    ck_assert_int_eq(lib_load("ROOT_ZONE", SOA("2") NS HOSTS, &o, &d, &b), 0);
    diag_fini(&d);
    ck_assert_int_lt(guard_check(&o, false, lib_zone(a), lib_zone(b), &d), 0);
    ck_assert(tells(&d, DIAG_ERROR, "lose the last address"));
    diag_fini(&d);
    zone_set_unref(a);
    zone_set_unref(b);
}
END_TEST

static uint64_t digest(const char *text, uint64_t seed)
{
    struct zone_set *s = NULL;
    struct zone_options o = lib_options();
    struct diag d = {0};
    o.seed = seed;
    ck_assert_int_eq(lib_load("z.example", text, &o, &d, &s), 0);
    uint64_t h = lib_zone(s)->content_hash;
    diag_fini(&d);
    zone_set_unref(s);
    return h;
}

START_TEST(digest_is_of_the_content)
{
    static const char base[] = SOA("1") NS ADDRS HOSTS "m 300 MX 10 a\ny DYNA p!r\n";
    static const char *const same[] = {
        SOA("1") "y DYNA p!r\nm 300 MX 10 a\n" HOSTS ADDRS NS,
        SOA("1") NS ADDRS HOSTS "m 5m MX ( 10 ; text\n A )\ny DYNA p!r\na A 192.0.2.3\n",
        "$TTL 300\n@ SOA NS1 admin 1 2h 15m 1d 5m\n" NS ADDRS HOSTS
        "M IN MX 10 a.Z.Example.\ny DYNA p!r\n",
    };
    static const char *const other[] = {
        SOA("2") NS ADDRS HOSTS "m 300 MX 10 a\ny DYNA p!r\n",
        SOA("1") NS ADDRS HOSTS "m 301 MX 10 a\ny DYNA p!r\n",
        SOA("1") NS ADDRS HOSTS "m 300 MX 11 a\ny DYNA p!r\n",
        SOA("1") NS ADDRS HOSTS "n 300 MX 10 a\ny DYNA p!r\n",
        SOA("1") NS ADDRS HOSTS "m 300 MX 10 a\ny DYNA p!s\n",
        SOA("1") NS ADDRS HOSTS "m 300 MX 10 a\ny 300/20 DYNA p!r\n",
        SOA("1") NS ADDRS HOSTS "m 300 MX 10 a\n",
    };
    uint64_t h = digest(base, 1);
    ck_assert_uint_eq(digest(base, 2), h);
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        ck_assert_msg(digest(same[i], 1) == h, "same %zu", i);
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        ck_assert_msg(digest(other[i], 1) != h, "other %zu", i);
}
END_TEST

/* Written down once: servers of different releases are compared. */
START_TEST(digest_is_the_same_everywhere)
{
    ck_assert_uint_eq(digest(GOOD, 3), 9146360075296195125u);
}
END_TEST

static Suite *suite_of_guard(void)
{
    Suite *s = suite_create("guard");
    TCase *t = tcase_create("guard");
    tcase_add_loop_test(t, guards, 0, sizeof rows / sizeof *rows);
    tcase_add_test(t, root_zone_has_name_servers_too);
    tcase_add_test(t, digest_is_of_the_content);
    tcase_add_test(t, digest_is_the_same_everywhere);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite_of_guard)
