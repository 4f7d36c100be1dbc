/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The answer layer without sockets: the encoder against the ready-made blocks, TTLs of dynamic
 * answers, size limits, and messages in place against messages in another buffer.
 */
#include <stdio.h>
#include <string.h>

#include "answer/dynamic.h"
#include "answer/encode.h"
#include "lib/bare.h"
#include "unit/run.h"

static const char zone_text[] =
    "$TTL 3600\n"
    "@ SOA ns1 hostmaster 1 7200 1800 259200 900\n"
    "@ NS ns1\n@ NS ns2.other.example.\n@ NS a.very.long.name.that.goes.on.elsewhere.\n"
    "@ MX 10 mail\n@ MX 20 mail.other.example.\n"
    "ns1 A 192.0.2.1\nns1 AAAA 2001:db8::1\n"
    "mail A 192.0.2.2\nmail A 192.0.2.3\nmail A 192.0.2.4\n"
    "deep.er.and.deep.er CNAME ns1\n"
    "many MX 1 m1.deep.er\nmany MX 2 m2.deep.er\nmany MX 3 m1.deep.er\nmany MX 4 many\n"
    "deep.er A 192.0.2.9\nm1.deep.er A 192.0.2.9\nm2.deep.er A 192.0.2.9\n"
    "txt TXT one two three\nsrv SRV 1 2 3 mail\nptr PTR mail\n"
    "*.w MX 5 mail\n*.w TXT wild\n"
    "big TXT aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    "aa"
    " bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
    "bb"
    "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
    "bb"
    " ccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"
    "c"
    "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"
    "cc\n"
    "sub NS ns.sub\nsub NS ns2.sub\nns.sub A 192.0.2.5\nns2.sub AAAA 2001:db8::5\n";

struct rig {
    struct bare bare;
    struct snapshot *s;
};

static void rig_open(struct rig *r)
{
    const struct zone_options zo = {.default_ttl_s = 3600,
                                    .max_ttl_s = 3600000,
                                    .min_ttl_s = 5,
                                    .max_ncache_ttl_s = 900,
                                    .threads = 1};
    bare_open(&r->bare);
    r->s = bare_load(&r->bare, "example.org", zone_text, &zo, true);
    if (!r->s)
        ck_abort_msg("%s", r->bare.d.entries[0].text);
}

static void rig_close(struct rig *r)
{
    snapshot_free(r->s);
    bare_close(&r->bare);
}

/* A query for `name` (text); returns its length. */
static size_t make_query(uint8_t *m, const char *name, uint16_t type, unsigned edns_size)
{
    static const uint8_t head[12] = {0x12, 0x34, 1, 0, 0, 1};
    memcpy(m, head, 12);
    int n = dname_parse(name, strlen(name), NULL, m + 12);
    ck_assert_int_gt(n, 0);
    size_t at = 12 + (size_t)n;
    uint8_t tail[] = {(uint8_t)(type >> 8),
                      (uint8_t)type,
                      0,
                      1,
                      0,
                      0,
                      41,
                      (uint8_t)(edns_size >> 8),
                      (uint8_t)edns_size,
                      0,
                      0,
                      0,
                      0,
                      0,
                      0};
    m[11] = edns_size ? 1 : 0;
    memcpy(m + at, tail, edns_size ? 15 : 4);
    return at + (edns_size ? 15 : 4);
}

static const char *const names[] = {"example.org",
                                    "mail.example.org",
                                    "many.example.org",
                                    "txt.example.org",
                                    "srv.example.org",
                                    "ptr.example.org",
                                    "deep.er.and.deep.er.example.org",
                                    "deep.er.example.org"};

/* What the encoder makes of a set is what the loader made of it. */
START_TEST(encoder_is_the_oracle_of_blocks)
{
    struct rig r;
    unsigned compared = 0;
    rig_open(&r);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct request rq = {0};
        uint8_t q[512], out[4096];
        answer_parse(&r.bare.a, &rq, r.s, q, make_query(q, names[i], RRTYPE_A, 0));
        answer_find(&rq, r.s);
        struct zone_match m = zone_find(rq.zone, &rq.query.qname);
        ck_assert(m.exact);
        for (unsigned k = 0; k < m.node->set_count; k++) {
            const struct rrset *set = &m.node->sets[k];
            struct encoder e;
            if (set->type == RRTYPE_A || set->type == RRTYPE_AAAA || rrset_is_ready(m.node, set))
                continue;
            size_t head = DNS_HEADER + (size_t)rq.query.question_len;
            encoder_init(&e, out, head, sizeof out, &rq.query.qname);
            encoder_set(&e, SECTION_ANSWER, set, rq.query.qname.wire, set->ttl_s, &r.bare.a.prng);
            ck_assert(!e.full);
            ck_assert_uint_eq(e.counts[0], set->count);
            ck_assert_uint_eq(e.len - head, set->rrs.block_len);
            ck_assert_mem_eq(out + head, set->rrs.block, set->rrs.block_len);
            compared++;
        }
    }
    ck_assert_uint_ge(compared, 8);
    rig_close(&r);
}
END_TEST

static struct zone *only_zone(const struct rig *r)
{
    struct zone_walk w = {0};
    return zone_set_next(r->s->zones, &w);
}

/* The response without ready parts: the encoder alone. */
static size_t ask_encoder(struct rig *r, struct request *rq, const uint8_t *q, size_t len,
                          uint8_t *out, size_t cap)
{
    struct zone *z = only_zone(r);
    const struct ready *negative = z->negative;
    struct rrset *sets[64];
    const struct ready *saved[64];
    unsigned n = 0;
    z->negative = NULL;
    for (size_t i = 0; i < z->node_count; i++)
        for (unsigned k = 0; k < z->apex_node[i].set_count; k++) {
            struct rrset *s = (struct rrset *)(uintptr_t)&z->apex_node[i].sets[k];
            if (!rrset_is_ready(&z->apex_node[i], s))
                continue;
            sets[n] = s;
            saved[n++] = s->rrs.ready;
            s->rrs.ready = NULL;
        }
    size_t written = answer_one(&r->bare.a, rq, r->s, q, len, out, cap);
    while (n--)
        sets[n]->rrs.ready = saved[n];
    z->negative = negative;
    return written;
}

/* Negative answers, referrals and wildcards, for names of every length that may stand there. */
START_TEST(encoder_is_the_oracle_of_ready_parts)
{
    static const struct {
        const char *below;
        uint16_t type;
    } rows[] = {
        {"example.org", RRTYPE_A},     {"example.org", RRTYPE_TXT},  {"txt.example.org", RRTYPE_A},
        {"sub.example.org", RRTYPE_A}, {"w.example.org", RRTYPE_MX}, {"w.example.org", RRTYPE_TXT},
    };
    struct rig r;
    rig_open(&r);
    ck_assert_ptr_nonnull(only_zone(&r)->negative);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (unsigned len = 1; len <= 230; len++) {
            struct request rq = {0};
            uint8_t q[512], a[2048], b[2048];
            char name[300] = "";
            for (unsigned k = 0; k < len; k++)
                name[k] = k % 50 == 49 && k + 1 < len ? '.' : 'z';
            (void)snprintf(name + len, sizeof name - len, ".%s", rows[i].below);
            if (len + 1 + strlen(rows[i].below) > 253)
                continue;
            size_t q_len = make_query(q, name, rows[i].type, 1232);
            size_t n = answer_one(&r.bare.a, &rq, r.s, q, q_len, a, sizeof a);
            ck_assert_uint_eq(n, ask_encoder(&r, &rq, q, q_len, b, sizeof b));
            ck_assert_mem_eq(a, b, n);
        }
    }
    rig_close(&r);
}
END_TEST

/* Built over the query or elsewhere: the same bytes (but for the order of addresses). */
START_TEST(in_place_is_the_same)
{
    struct rig r;
    static const char *const more[] = {"nx.example.org", "x.w.example.org", "a.b.sub.example.org",
                                       "nosuch.zone", "and.deep.er.example.org"};
    rig_open(&r);
    for (size_t i = 0; i < sizeof names / sizeof *names + sizeof more / sizeof *more; i++) {
        static const uint16_t types[] = {RRTYPE_NS, RRTYPE_MX, RRTYPE_TXT, RRTYPE_SOA, RRTYPE_ANY};
        const char *name =
            i < sizeof names / sizeof *names ? names[i] : more[i - sizeof names / sizeof *names];
        for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
            struct request rq = {0};
            uint8_t a[2048], b[2048], q[512];
            size_t len = make_query(a, name, types[k], 1232);
            memcpy(q, a, len);
            size_t in_place = answer_one(&r.bare.a, &rq, r.s, a, len, a, sizeof a);
            size_t elsewhere = answer_one(&r.bare.a, &rq, r.s, q, len, b, sizeof b);
            ck_assert_uint_eq(in_place, elsewhere);
            ck_assert_mem_eq(a, b, in_place);
        }
    }
    rig_close(&r);
}
END_TEST

START_TEST(sizes_and_truncation)
{
    struct rig r;
    struct request rq = {0};
    uint8_t q[512], out[4096];
    rig_open(&r);
    /* 512 without EDNS: truncated, nothing partial, question kept */
    size_t n = answer_one(&r.bare.a, &rq, r.s, q, make_query(q, "big.example.org", RRTYPE_TXT, 0),
                          out, sizeof out);
    ck_assert_uint_eq(n, DNS_HEADER + rq.query.question_len);
    ck_assert(out[2] & 2);
    ck_assert_uint_eq(out[7], 0);
    ck_assert_uint_eq(counter_get(r.bare.a.counters, COUNTER_UDP_TC), 1);
    /* with EDNS it fits */
    n = answer_one(&r.bare.a, &rq, r.s, q, make_query(q, "big.example.org", RRTYPE_TXT, 4096), out,
                   sizeof out);
    ck_assert(!(out[2] & 2));
    ck_assert_uint_gt(n, 512);
    ck_assert_uint_eq(counter_get(r.bare.a.counters, COUNTER_UDP_EDNS_BIG), 1);
    /* EDNS below 512 counts as 512 */
    answer_one(&r.bare.a, &rq, r.s, q, make_query(q, "big.example.org", RRTYPE_TXT, 100), out,
               sizeof out);
    ck_assert(out[2] & 2);
    ck_assert_uint_eq(counter_get(r.bare.a.counters, COUNTER_UDP_EDNS_TC), 1);
    /* too little room here, though the client would take it */
    ck_assert(answer_one(&r.bare.a, &rq, r.s, q, make_query(q, "big.example.org", RRTYPE_TXT, 4096),
                         out, 520) == ANSWER_NEEDS_ROOM);
    /* TCP: no limit but the message's own */
    r.bare.a.tcp = true;
    n = answer_one(&r.bare.a, &rq, r.s, q, make_query(q, "big.example.org", RRTYPE_TXT, 0), out,
                   sizeof out);
    ck_assert_uint_gt(n, 512);
    ck_assert(!(out[2] & 2));
    rig_close(&r);
}
END_TEST

static const struct {
    uint32_t max, min, word_ttl;
    uint64_t flags;
    uint32_t halve, derived;
} ttls[] = {
    {180, 90, TH_TTL_MAX, 0, 180, 180},
    {180, 90, TH_TTL_MAX, TH_ANY_DOWN, 90, 180},
    {180, 90, TH_TTL_MAX, TH_ANY_DOWN | TH_DOWN, 90, 180},
    {180, 30, TH_TTL_MAX, TH_ANY_DOWN, 90, 180},
    {180, 120, TH_TTL_MAX, TH_ANY_DOWN, 120, 180},
    {1, 0, TH_TTL_MAX, TH_ANY_DOWN, 1, 1},
    {181, 90, TH_TTL_MAX, TH_ANY_DOWN, 90, 181},
    {180, 30, 33, TH_FORCED, 33, 33},
    {180, 30, 33, TH_ANY_DOWN, 33, 33},
    {180, 30, 10, 0, 30, 30},
    {300, 20, 21, TH_DOWN | TH_ANY_DOWN, 21, 21},
    {0, 0, TH_TTL_MAX, TH_ANY_DOWN, 0, 0},
};

START_TEST(dynamic_ttls)
{
    const struct zone_dyn d = {0, ttls[_i].max, ttls[_i].min};
    struct th_word w = th_word_make(ttls[_i].flags, ttls[_i].word_ttl, TH_WEIGHT_MAX);
    ck_assert_uint_eq(dynamic_ttl(TTL_HALVE, &d, w), ttls[_i].halve);
    ck_assert_uint_eq(dynamic_ttl(TTL_DERIVED, &d, w), ttls[_i].derived);
}
END_TEST

static Suite *answer_suite(void)
{
    Suite *s = suite_create("answer");
    TCase *t = tcase_create("answer");
    tcase_add_test(t, encoder_is_the_oracle_of_blocks);
    tcase_add_test(t, encoder_is_the_oracle_of_ready_parts);
    tcase_add_test(t, in_place_is_the_same);
    tcase_add_test(t, sizes_and_truncation);
    tcase_add_loop_test(t, dynamic_ttls, 0, (int)(sizeof ttls / sizeof *ttls));
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(answer_suite)
