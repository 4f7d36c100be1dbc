/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of zone data: one row per error and warning, with its line and the other record's; in
 * every order of lines where two conflict. Then what of a zone is kept. */
#include <string.h>

#include "base/attrs.h"
#include "base/buf.h"
#include "base/mem.h"
#include "unit/run.h"
#include "unit/zone_lib.h"

#define SOA "@ 300 SOA ns1 admin 1 7200 900 86400 300\n"
#define NS2 "@ 300 NS ns1\n@ 300 NS ns2\nns1 300 A 192.0.2.1\nns2 300 A 192.0.2.2\n"

enum severity { E, W, A }; /* error; warning that strict makes an error; warning always */

static const struct {
    const char *text;
    enum severity severity;
    const char *place, *part;
} rows[] = {
    {"", E, "z: ", "zone \"z.\" has no SOA record"},
    {"", E, "z: ", "zone \"z.\" has no NS record"},
    {NS2, E, "z: ", "has no SOA record"},
    {SOA, E, "z: ", "has no NS record"},
    {SOA NS2 "w SOA ns1 a 1 2 3 4 5", E, "z:6: ", "SOA at \"w.z.\", which is not the zone's apex"},
    {SOA "@ 300 SOA ns1 admin 2 7200 900 86400 300\n" NS2, E,
     "z:2: ", "second SOA; the first is at z:1"},
    {SOA "@ 300 NS ns1\nns1 300 A 192.0.2.1", W, "z:2: ", "only one NS"},
    {SOA "@ 300 NS a.example.\n@ 300 NS b.example.", W, "z:1: ", "primary \"ns1.z.\" is none of"},
    {APEX "w CNAME ns1\nw A 192.0.2.1", E, "z:7: ", "CNAME at \"w.z.\" and A at z:8"},
    {APEX "w TXT x\nv TXT y\nw CNAME ns1", E, "z:9: ", "CNAME at \"w.z.\" and TXT at z:7"},
    {APEX "w CNAME ns1\nw CNAME ns2", E, "z:7: ", "and CNAME at z:8"},
    {APEX "w CNAME ns1\nw DYNA p!r", E, "z:7: ", "and DYNA at z:8"},
    {APEX "@ CNAME ns1", E, "z:7: ", "CNAME at \"z.\" and NS at z:3"},
    {APEX "w DYNA p!r\nw A 192.0.2.1", E, "z:7: ", "DYNA at \"w.z.\" and A at z:8"},
    {APEX "w AAAA ::1\nw DYNA p!r", E, "z:8: ", "DYNA at \"w.z.\" and AAAA at z:7"},
    {APEX "w DYNA p!r\nw DYNA p!s", E, "z:7: ", "DYNA at \"w.z.\" and DYNA at z:8"},
    {APEX "w DYNA p!r\nw DYNA p!r", E, "z:7: ", "DYNA at \"w.z.\" and DYNA at z:8"},
    {APEX "x.y. TXT t", E, "z:7: ", "TXT at \"x.y.\" is outside the zone \"z.\""},
    {APEX "yz. TXT t", E, "z:7: ", "TXT at \"yz.\" is outside the zone \"z.\""},
    /* B119 */
    {APEX "x.y. A 192.0.2.1", W,
     "z:7: ", "A at \"x.y.\" is outside the zone \"z.\": it would serve as glue only, and no NS"},
    {APEX "d NS x.y.\nx.y. AAAA ::1", W,
     "z:8: ", "AAAA at \"x.y.\" is outside the zone \"z.\": it serves as glue only"},
    {APEX "* NS ns1", W, "z:7: ", "NS at the wildcard \"*.z.\""},
    {APEX "d NS ns1\n*.d A 192.0.2.1", W,
     "z:8: ", "wildcard \"*.d.z.\" inside delegation \"d.z.\" at z:7"},
    {APEX "*.a.d TXT x\nd NS ns1", W,
     "z:7: ", "wildcard \"*.a.d.z.\" inside delegation \"d.z.\" at z:8"},
    {APEX "d NS ns1\ne.d NS ns1", W,
     "z:8: ", "delegation \"e.d.z.\" inside delegation \"d.z.\" at z:7"},
    {APEX "f.e.d NS ns1\nd NS ns1", W,
     "z:7: ", "delegation \"f.e.d.z.\" inside delegation \"d.z.\" at z:8"},
    {APEX "d NS ns1\nw.d TXT x", W,
     "z:8: ", "TXT at \"w.d.z.\" is never served: \"d.z.\" is delegated at z:7"},
    {APEX "d MX 1 ns1\nd NS ns1", W, "z:7: ", "MX at \"d.z.\" is never served"},
    {APEX "d NS ns1\nd DYNA p!r", W, "z:8: ", "DYNA at \"d.z.\" is never served"},
    {APEX "d NS ns1\nw.d CNAME ns1", W, "z:8: ", "CNAME at \"w.d.z.\" is never served"},
    {APEX "d NS n.d", E, "z:7: ", "\"n.d.z.\" is in delegated space and has no A or AAAA"},
    {APEX "d NS n.d\nn.d TXT x", E, "z:7: ", "\"n.d.z.\" is in delegated space"},
    {APEX "d NS n.d\nn.d DYNA p!r", E, "z:7: ", "\"n.d.z.\" is in delegated space"},
    {APEX "d NS d", E, "z:7: ", "\"d.z.\" is in delegated space"},
    {APEX "d NS nowhere", W, "z:7: ", "name server \"nowhere.z.\" of this zone has no address"},
    {APEX "d NS c\nc CNAME ns1", W, "z:7: ", "no address but a CNAME"},
    {APEX "d NS ns1\nn.d A 192.0.2.1", W, "z:8: ", "glue for \"n.d.z.\" is of no use"},
    {APEX "w 60 TXT a\nw 70 TXT b", W, "z:8: ", "TTL 70 differs from 60 of the same rrset at z:7"},
    {APEX "w 4 TXT a", A, "z:7:1: ", "TTL 4 is outside min_ttl 5 .. max_ttl 2419200; 5 is used"},
    {APEX "w 5w TXT a", A, "z:7:1: ", "2419200 is used"},
    {APEX "w 60/90 DYNA p!r", W, "z:7:3: ", "least TTL 90 is above the greatest, 60"},
    {APEX "w 60/1 DYNA p!r", W, "z:7:3: ", "least TTL 1 is below min_ttl 5"},
    {APEX "w MX 1 nowhere", W, "z:7: ", "target \"nowhere.z.\" of MX has no address"},
    {APEX "w SRV 1 2 3 nowhere", W, "z:7: ", "target \"nowhere.z.\" of SRV has no address"},
    {APEX "w PTR ns1", W, "z:7: ", "PTR to \"ns1.z.\" in its own zone"},
    {APEX "w CNAME nowhere", W,
     "z:7: ", "CNAME to \"nowhere.z.\", which this zone has no data for"},
    {APEX "w CNAME e\na.e A 192.0.2.1", W,
     "z:7: ", "CNAME to \"e.z.\", which this zone has no data"},
    {APEX "w CNAME w", W, "z:7: ", "CNAMEs go in a circle: w.z. -> w.z."},
    {APEX "v CNAME w\nw CNAME x\nx CNAME w", W,
     "z:7: ", "CNAMEs go in a circle: v.z. -> w.z. -> x.z. -> w.z."},
    {APEX "*.w CNAME x.w", W, "z:7: ", "CNAMEs go in a circle: *.w.z. -> x.w.z."},
    {APEX "$GENERATE 1-16 c$ CNAME c${1}\nc17 CNAME o.\nw CNAME c1", W,
     "z:9: ", "more than 16 CNAMEs follow one another from \"w.z.\""},
    {APEX "w CNAME o.\nw RRSIG CNAME 8 2 60 1 1 1 z. AAAA\nw TXT x", E,
     "z:7: ", "CNAME at \"w.z.\" and TXT at z:9"},
    {APEX "w CNAME o.\nw SIG CNAME 8 2 60 1 1 1 z. AAAA", E, "z:7: ", "CNAME at \"w.z.\" and SIG"},
    {APEX "w DYNC p!r\nw RRSIG A 8 2 60 1 1 1 z. AAAA", E, "z:7: ", "DYNC at \"w.z.\" and RRSIG"},
    {APEX "w DYNC p!r", A, "z:7:1: ", "DYNC is deprecated and works as DYNA"},
    {APEX "w DYNC p!r\nw TXT x", E, "z:7: ", "DYNC at \"w.z.\" and TXT at z:8"},
    {APEX "w AAAA ::1\nw DYNC p!r", E, "z:8: ", "DYNC at \"w.z.\" and AAAA at z:7"},
    {APEX "w DYNC p!r\nw DYNC p!r", E, "z:7: ", "DYNC at \"w.z.\" and DYNC at z:8"},
    {APEX "w DYNA p!r\nw DYNC p!r", E, "z:8: ", "DYNC at \"w.z.\" and DYNA at z:7"},
    {APEX "w CNAME ns1\nw DYNC p!r", E, "z:7: ", "CNAME at \"w.z.\" and DYNC at z:8"},
    {APEX "d DNAME e.\nd CNAME ns1", E, "z:8: ", "CNAME at \"d.z.\" and DNAME at z:7"},
    {APEX "d DNAME e.\nd DNAME f.", E, "z:7: ", "DNAME at \"d.z.\" and DNAME at z:8"},
    {APEX "d DNAME e.\nd NS ns1", E, "z:7: ", "DNAME at \"d.z.\" and NS at z:8: a DNAME belongs"},
    {APEX "d DNAME e.\nw.d A 192.0.2.1", W,
     "z:8: ", "A at \"w.d.z.\" is never served: \"d.z.\" has a DNAME at z:7"},
    {APEX "x.w.d TXT t\nd DNAME e.", W, "z:7: ", "TXT at \"x.w.d.z.\" is never served"},
    {APEX "d DNAME e.\nw.d NS x.", W, "z:8: ", "NS at \"w.d.z.\" is never served"},
    {APEX "@ DNAME e.", W, "z:5: ", "A at \"ns1.z.\" is never served: \"z.\" has a DNAME at z:7"},
    {APEX "d NS ns1\nw.d DNAME e.", W, "z:8: ", "DNAME at \"w.d.z.\" is never served: \"d.z.\" is"},
    {APEX "w 4 TYPE65000 \\# 0", A, "z:7:1: ", "5 is used"}, /* B026 */
    {"@ 300 SOA ns1 admin 1 7200 900 86400 901\n" NS2, A,
     "z:1: ", "minimum 901 is above max_ncache_ttl 900"},
};

static bool told(const struct diag *d, enum diag_severity severity, const char *place,
                 const char *part)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->entries[i].severity == severity && strstr(d->entries[i].text, part) &&
            strncmp(d->entries[i].text, place, strlen(place)) == 0)
            return true;
    return false;
}

static const char *all_of(const struct diag *d)
{
    static struct buf b;
    buf_clear(&b);
    for (size_t i = 0; i < d->count; i++)
        buf_printf(&b, "%s\n", d->entries[i].text);
    return b.data ? b.data : "";
}

START_TEST(faults_are_told)
{
    for (int strict = 0; strict < 2; strict++) {
        struct zone_options o = lib_options();
        struct diag d = {0};
        struct zone_set *s;
        o.strict = strict;
        bool is_error = rows[_i].severity == E || (strict && rows[_i].severity == W);
        int e = lib_load("z", rows[_i].text, &o, &d, &s);
        ck_assert_msg(told(&d, is_error ? DIAG_ERROR : DIAG_WARNING, rows[_i].place, rows[_i].part),
                      "wanted %s %s, got %s", rows[_i].place, rows[_i].part, all_of(&d));
        ck_assert_msg((e < 0) == is_error, "%s", all_of(&d));
        ck_assert_int_eq(s == NULL, is_error);
        zone_set_unref(s);
        diag_fini(&d);
    }
}
END_TEST

/* Load without a word, strictly. */
static const char *const sound[] = {
    APEX,
    APEX "w MX 0 .\nv SRV 0 0 0 .",
    APEX "w MX 1 a.b\n*.b A 192.0.2.1",
    APEX "w CNAME a.b\n*.b TXT x",
    APEX "w MX 1 y\ny DYNA p!r",
    APEX "d NS n.d\nn.d A 192.0.2.1\nn.d AAAA ::1",
    APEX "d NS d\nd AAAA ::1\nd TYPE43 \\# 5 0001020304",
    APEX "d NS n.e\ne NS n.e\nn.e A 192.0.2.1",
    APEX "w TXT a\nw TXT a\nw TXT A",
    APEX "a.*.b A 192.0.2.1\n* TXT x\n*.*.c A 192.0.2.1",
    APEX "w PTR other.example.",
    APEX "w DYNA p!r\nw MX 1 ns1\nw TXT x",
    APEX "d DNAME e.\nd TXT x\nd A 192.0.2.1\nw NS x.d\nv MX 1 y.d\nu CNAME q.x.d",
    APEX "d DNAME e.\nd DNAME e.\nde TXT x\nxd TXT x",
    APEX "d DNAME w.d",
    APEX "$GENERATE 1-15 c$ CNAME c${1}\nc16 CNAME o.",
    APEX "w CNAME o.\nw RRSIG CNAME 8 2 60 1 1 1 z. AAAA\nw NSEC z. CNAME RRSIG NSEC\n"
         "w KEY 0 3 8 AAAA", /* RFC 4035 section 2.5 */
};

START_TEST(sound_zones_load)
{
    struct zone_options o = lib_options();
    struct diag d = {0};
    struct zone_set *s;
    o.strict = true;
    ck_assert_msg(lib_load("z", sound[_i], &o, &d, &s) == 0, "%s", all_of(&d));
    ck_assert_uint_eq(d.count, 0);
    zone_set_unref(s);
}
END_TEST

/* Every order of lines, among them some of another owner in between (B020). */
static void load_in_orders(const char **lines, size_t count, size_t done, unsigned *refused,
                           unsigned *all)
{
    if (done < count) {
        for (size_t i = done; i < count; i++) {
            const char *t = lines[done];
            lines[done] = lines[i];
            lines[i] = t;
            load_in_orders(lines, count, done + 1, refused, all);
            lines[i] = lines[done];
            lines[done] = t;
        }
        return;
    }
    struct zone_options o = lib_options();
    struct diag d = {0};
    struct zone_set *s;
    struct buf b = {0};
    for (size_t i = 0; i < count; i++)
        buf_printf(&b, "%s\n", lines[i]);
    *refused += lib_load("z", b.data, &o, &d, &s) < 0 && strstr(all_of(&d), "stands alone");
    *all += 1;
    zone_set_unref(s);
    buf_fini(&b);
    diag_fini(&d);
}

START_TEST(cname_is_alone_in_every_order)
{
    const char *lines[] = {"@ 60 SOA ns1 a 1 2 3 4 5\n@ 60 NS ns1\nns1 60 A 192.0.2.1",
                           "x 60 CNAME ns1",
                           "x 60 A 192.0.2.1",
                           "x 60 TXT t",
                           "x 60 DYNA p!r",
                           "y 60 TXT t"};
    unsigned refused = 0, all = 0;
    load_in_orders(lines, array_len(lines), 0, &refused, &all);
    ck_assert_uint_eq(all, 720);
    ck_assert_uint_eq(refused, all);
}
END_TEST

/* As above, for all that stands alone: each with each, and with another owner in between. */
START_TEST(exclusive_types_in_every_order)
{
    static const char *const types[] = {"CNAME ns1",   "DYNC p!r", "DNAME e.", "DYNA p!r",
                                        "A 192.0.2.1", "TXT t",    "NS ns1"};
    static const bool are_refused[7][7] = {
        {0, 1, 1, 1, 1, 1, 1}, {1, 0, 1, 1, 1, 1, 1}, {1, 1, 0, 0, 0, 0, 1}, {1, 1, 0, 0, 1, 0, 0},
        {1, 1, 0, 1, 0, 0, 0}, {1, 1, 0, 0, 0, 0, 0}, {1, 1, 1, 0, 0, 0, 0},
    };
    for (size_t i = 0; i < array_len(types); i++) {
        for (size_t k = 0; k < array_len(types); k++) {
            struct zone_options o = lib_options();
            struct diag d = {0};
            struct zone_set *s;
            char *text = i == k ? mem_printf(APEX "x %s\n", types[i])
                                : mem_printf(APEX "x %s\ny TXT t\nx %s\n", types[i], types[k]);
            int e = lib_load("z", text, &o, &d, &s);
            ck_assert_msg((e < 0) == are_refused[i][k], "%s: %s", text, all_of(&d));
            mem_free(text);
            zone_set_unref(s);
            diag_fini(&d);
        }
    }
}
END_TEST

static struct zone_set *load(const char *name, const char *text, bool gdnsd)
{
    struct zone_options o = lib_options();
    struct diag d = {0};
    struct zone_set *s;
    o.gdnsd = gdnsd;
    int e = lib_load(name, text, &o, &d, &s);
    ck_assert_msg(e == 0, "%s", all_of(&d));
    diag_fini(&d);
    return s;
}

START_TEST(what_is_kept)
{
    struct zone_set *s = load("z",
                              APEX "w 60 TXT a\nw 70 TXT b\nw 80 TXT a\nd NS n.d\nd MX 1 ns1\n"
                                   "n.d A 192.0.2.3\nn.d TXT x\nd NS ns.out.\nns.out. A 192.0.2.4\n"
                                   "unused.out. AAAA ::1\n",
                              false);
    const struct rrset *txt = node_find_set(lib_find(s, "w.z.").node, RRTYPE_TXT);
    ck_assert_uint_eq(txt->count, 2); /* the third is a duplicate (B028) */
    ck_assert_uint_eq(txt->ttl_s, 60);
    ck_assert_uint_eq(txt->rrs.plain[9], 60);
    ck_assert_uint_eq(txt->rrs.plain[14 + 9], 60); /* B026 */
    const struct node *d = lib_find(s, "d.z.").node, *n = lib_find(s, "n.d.z.").node;
    ck_assert_uint_eq(d->flags, NODE_CUT);
    ck_assert_ptr_eq(d->cut, d);
    ck_assert_uint_eq(d->set_count, 1);
    ck_assert_uint_eq(n->flags, NODE_BELOW_CUT);
    ck_assert_ptr_eq(n->cut, d);
    ck_assert_uint_eq(n->set_count, 1);
    const struct zone *z = lib_zone(s);
    ck_assert_ptr_eq(zone_find_glue(z, (const uint8_t *)"\1n\1d\1z", s->seed), n);
    ck_assert_ptr_null(zone_find_glue(z, (const uint8_t *)"\3ns1\1z", s->seed));
    ck_assert_ptr_null(zone_find_glue(z, (const uint8_t *)"\2no\1z", s->seed));
    const struct node *out = zone_find_glue(z, (const uint8_t *)"\2ns\3out", s->seed);
    ck_assert_ptr_nonnull(out);
    ck_assert_ptr_nonnull(node_find_set(out, RRTYPE_A));
    ck_assert_ptr_null(zone_find_name(z, (const uint8_t *)"\2ns\3out", s->seed));
    ck_assert_ptr_null(lib_find(s, "ns.out.").node);
    zone_set_unref(s);
}
END_TEST

/* Names below a DNAME are not there: a look-up ends at its owner. */
START_TEST(dname_hides_what_is_below)
{
    struct zone_set *s = load("z",
                              APEX "d DNAME e.\nx.y.d A 192.0.2.1\n*.d TXT x\nw.d NS n.w.d\n"
                                   "n.w.d A 192.0.2.2\n*.y.d TXT x\nf.e TXT x\n",
                              false);
    struct zone_match m = lib_find(s, "x.y.d.z."), d = lib_find(s, "d.z.");
    ck_assert(d.exact && !m.exact);
    ck_assert_ptr_eq(m.node, d.node);
    ck_assert_ptr_eq(lib_find(s, "n.w.d.z.").node, d.node);
    ck_assert_ptr_null(d.node->wild);
    ck_assert_ptr_null(d.node->cut);
    ck_assert_uint_eq(d.node->set_count, 1);
    ck_assert_ptr_nonnull(node_find_set(d.node, RRTYPE_DNAME));
    ck_assert_uint_eq(lib_zone(s)->node_count, 6); /* apex, two NS, d, e, f.e */
    zone_set_unref(s);
}
END_TEST

START_TEST(dync_answers_as_dyna)
{
    struct zone_set *s = load("z", APEX "w 60/10 DYNC p!s\n", true);
    const struct node *n = lib_find(s, "w.z.").node;
    ck_assert_uint_eq(n->set_count, 0);
    ck_assert_uint_eq(n->dyn->handle, 8);
    ck_assert_uint_eq(n->dyn->ttl_max_s, 60);
    ck_assert_uint_eq(n->dyn->ttl_min_s, 10);
    zone_set_unref(s);
}
END_TEST

static const struct {
    const char *soa; /* TTL and minimum */
    bool gdnsd;
    uint32_t neg_ttl_s, ttl_s, minimum_s;
} soas[] = {
    {"@ 300 SOA ns1 a 9 1 1 1 600\n", false, 300, 300, 600},
    {"@ 600 SOA ns1 a 9 1 1 1 300\n", false, 300, 600, 300},
    {"@ 7200 SOA ns1 a 9 1 1 1 3600\n", false, 900, 7200, 3600},
    {"@ 7200 SOA ns1 a 9 1 1 1 0\n", false, 0, 7200, 0},
    {"@ 300 SOA ns1 a 9 1 1 1 600\n", true, 300, 300, 600},
    {"@ 600 SOA ns1 a 9 1 1 1 300\n", true, 300, 300, 300},
    {"@ 7200 SOA ns1 a 9 1 1 1 3600\n", true, 900, 900, 900},
    {"@ 7200 SOA ns1 a 9 1 1 1 0\n", true, 5, 5, 5},
};

START_TEST(soa_gives_the_negative_ttl)
{
    char *text = mem_printf("%s%s", soas[_i].soa, NS2);
    struct zone_set *s = load("z", text, soas[_i].gdnsd);
    const struct zone *z = lib_zone(s);
    ck_assert_uint_eq(z->neg_ttl_s, soas[_i].neg_ttl_s);
    ck_assert_uint_eq(z->soa->ttl_s, soas[_i].ttl_s);
    ck_assert_uint_eq(z->serial, 9);
    uint32_t minimum_be;
    memcpy(&minimum_be, z->soa->rrs.plain + z->soa->rrs.plain_len - 4, 4);
    ck_assert_uint_eq(be32toh(minimum_be), soas[_i].minimum_s);
    mem_free(text);
    zone_set_unref(s);
}
END_TEST

/* $TTL above max_ttl is one warning, however many records it governs; their own TTLs are one each.
 */
START_TEST(clamped_default_is_told_once)
{
    struct zone_options o = lib_options();
    struct diag d = {0};
    struct zone_set *s;
    o.max_ttl_s = 200;
    ck_assert_int_eq(lib_load("z", APEX "a 500 TXT x\nb 600 TXT x\n", &o, &d, &s), 0);
    ck_assert_uint_eq(d.count, 3);
    ck_assert_uint_eq(lib_zone(s)->soa->ttl_s, 200);
    zone_set_unref(s);
    diag_fini(&d);
}
END_TEST

/* The owner of the root is the byte 0; its names compress against each other only. */
START_TEST(root_blocks_have_a_root_owner)
{
    struct zone_set *s = load(".",
                              "$TTL 300\n. SOA a.b. c.b. 1 2 3 4 5\n. NS a.b.\n. NS c.b.\n"
                              "a.b. A 192.0.2.1\nc.b. A 192.0.2.2\n",
                              false);
    const struct rrset *ns = node_find_set(lib_zone(s)->apex_node, RRTYPE_NS);
    /* header 12, question 5: the block begins at 17, the first name at 28, its "b." at 30 */
    ck_assert_uint_eq(ns->rrs.block_len, 11 + 5 + 11 + 4);
    ck_assert_mem_eq(ns->rrs.block, "\0\0\2\0\1\0\0\1\x2c\0\5\1a\1b\0", 16);
    ck_assert_mem_eq(ns->rrs.block + 16, "\0\0\2\0\1\0\0\1\x2c\0\4\1c\xc0\x1e", 15);
    ck_assert_uint_eq(ns->rrs.plain_len, 32);
    zone_set_unref(s);
}
END_TEST

START_TEST(blocks_compress_against_the_question)
{
    struct zone_set *s =
        load("z",
             APEX "x.w MX 1 w\nx.w MX 2 y.w\nx.w MX 3 y.w\nx.w SRV 1 1 1 w\nw A 192.0.2.1\n"
                  "y.w A 192.0.2.1\n",
             false);
    const struct node *n = lib_find(s, "x.w.z.").node;
    const struct rrset *mx = node_find_set(n, RRTYPE_MX), *srv = node_find_set(n, RRTYPE_SRV);
    /* qname at 12: x, 14: w, 16: z; the block begins at 12 + 7 + 4 = 23 */
    ck_assert_uint_eq(mx->rrs.block_len, 16 + 18 + 16);
    ck_assert_mem_eq(mx->rrs.block + 10, "\0\4\0\1\xc0\x0e", 6);
    ck_assert_mem_eq(mx->rrs.block + 26, "\0\6\0\2\1y\xc0\x0e", 8);
    ck_assert_mem_eq(mx->rrs.block + 44, "\0\4\0\3\xc0\x35", 6); /* 23 + 30 = 0x35 */
    ck_assert_ptr_eq(srv->rrs.block, srv->rrs.plain);
    zone_set_unref(s);
}
END_TEST

static char *many(const char *record, unsigned count)
{
    struct buf b = {0};
    buf_adds(&b, APEX);
    for (unsigned i = 0; i < count; i++)
        buf_printf(&b, "w %s%u.%u\n", record, i / 256, i % 256);
    return buf_take(&b);
}

START_TEST(too_much_data_is_refused)
{
    static const struct {
        const char *record;
        unsigned count;
        bool fits;
    } sizes[] = {{"A 10.1.", 4000, true},
                 {"A 10.1.", 4001, false},
                 {"TXT ", 3000, true},
                 {"TXT ", 9000, false}};
    for (size_t i = 0; i < array_len(sizes); i++) {
        struct zone_options o = lib_options();
        struct diag d = {0};
        struct zone_set *s;
        char *text = many(sizes[i].record, sizes[i].count);
        ck_assert_int_eq(lib_load("z", text, &o, &d, &s) == 0, sizes[i].fits);
        ck_assert_int_eq(told(&d, DIAG_ERROR, "z:7: ", "has too much data"), !sizes[i].fits);
        mem_free(text);
        zone_set_unref(s);
        diag_fini(&d);
    }
}
END_TEST

START_TEST(gdnsd_refuses_what_lies_in_delegations)
{
    static const char *const texts[] = {APEX "d NS ns1\n*.d A 192.0.2.1",
                                        APEX "d NS ns1\ne.d NS ns1", APEX "d NS ns1\n* NS ns1"};
    for (size_t i = 0; i < array_len(texts) * 2; i++) {
        struct zone_options o = lib_options();
        struct diag d = {0};
        struct zone_set *s;
        o.gdnsd = i % 2;
        ck_assert_int_eq(lib_load("z", texts[i / 2], &o, &d, &s) < 0, o.gdnsd);
        ck_assert(told(&d, o.gdnsd ? DIAG_ERROR : DIAG_WARNING,
                       "z:8: ", i / 2 < 2 ? "inside delegation" : "NS at the wildcard"));
        zone_set_unref(s);
        diag_fini(&d);
    }
}
END_TEST

START_TEST(glue_from_outside_is_told_once)
{
    static const char *const texts[] = {APEX "x.y. A 192.0.2.1\nx.y. AAAA ::1",
                                        APEX "d NS x.y.\nx.y. A 192.0.2.1"};
    for (size_t i = 0; i < array_len(texts); i++) {
        struct zone_options o = lib_options();
        struct diag d = {0};
        struct zone_set *s;
        ck_assert_int_eq(lib_load("z", texts[i], &o, &d, &s), 0);
        ck_assert_msg(d.count == 1, "%s", all_of(&d));
        zone_set_unref(s);
        diag_fini(&d);
    }
}
END_TEST

/* 64 NS; under gdnsd's rules 16376 bytes for an answer. */
START_TEST(limits_of_sets)
{
    static const struct {
        const char *record;
        unsigned count;
        bool fits, fits_gdnsd;
    } sizes[] = {{"NS n10.0.", 64, true, true},
                 {"NS n10.0.", 65, false, false},
                 {"A 10.1.", 1000, true, true},
                 {"A 10.1.", 1020, true, false}};
    for (size_t i = 0; i < array_len(sizes) * 2; i++) {
        struct zone_options o = lib_options();
        struct diag d = {0};
        struct zone_set *s;
        char *text = many(sizes[i / 2].record, sizes[i / 2].count);
        o.gdnsd = i % 2;
        bool fits = o.gdnsd ? sizes[i / 2].fits_gdnsd : sizes[i / 2].fits;
        ck_assert_msg((lib_load("z", text, &o, &d, &s) == 0) == fits, "%zu: %s", i, all_of(&d));
        mem_free(text);
        zone_set_unref(s);
        diag_fini(&d);
    }
}
END_TEST

static Suite *zone_suite(void)
{
    Suite *s = suite_create("zone");
    TCase *t = tcase_create("zone");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, faults_are_told, 0, (int)array_len(rows));
    tcase_add_loop_test(t, sound_zones_load, 0, (int)array_len(sound));
    tcase_add_test(t, cname_is_alone_in_every_order);
    tcase_add_test(t, exclusive_types_in_every_order);
    tcase_add_test(t, dname_hides_what_is_below);
    tcase_add_test(t, dync_answers_as_dyna);
    tcase_add_test(t, glue_from_outside_is_told_once);
    tcase_add_test(t, limits_of_sets);
    tcase_add_test(t, gdnsd_refuses_what_lies_in_delegations);
    tcase_add_test(t, what_is_kept);
    tcase_add_loop_test(t, soa_gives_the_negative_ttl, 0, (int)array_len(soas));
    tcase_add_test(t, clamped_default_is_told_once);
    tcase_add_test(t, root_blocks_have_a_root_owner);
    tcase_add_test(t, blocks_compress_against_the_question);
    tcase_add_test(t, too_much_data_is_refused);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(zone_suite)
