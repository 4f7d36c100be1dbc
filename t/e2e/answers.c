/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * answers.c: what is answered to well-formed questions: a table of rows, each asked over UDP and
 * TCP, IPv4 and IPv6, with and without EDNS.  Expected records are in ldns's words, sorted.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "e2e/run.h"
#include "lib/daemon.h"
#include "lib/dns.h"

#define array_len(a) (sizeof(a) / sizeof *(a))

static const char parent[] = "$TTL 3600\n"
                             "@ SOA ns1 hostmaster 7 7200 900 1209600 300\n"
                             "@ NS ns1\n"
                             "@ NS ns2\n"
                             "ns1 A 192.0.2.1\n"
                             "ns2 AAAA 2001:db8::2\n"
                             "www A 192.0.2.10\n"
                             "www A 192.0.2.11\n"
                             "www TXT hello\n"
                             "mail MX 10 mx\n"
                             "mail MX 20 mx.elsewhere.example.\n"
                             "mx A 192.0.2.20\n"
                             "_sip._tcp SRV 1 2 5060 mx\n"
                             "ptr PTR host.elsewhere.example.\n"
                             "alias CNAME www\n"
                             "away CNAME host.elsewhere.example.\n"
                             "*.wild A 192.0.2.30\n"
                             "*.wild-alias CNAME www\n"
                             "a.b.ent A 192.0.2.31\n"
                             "sub NS ns.sub\n"
                             "sub NS ns.elsewhere.example.\n"
                             "ns.sub A 192.0.2.40\n"
                             "ns.sub AAAA 2001:db8::40\n"
                             "child NS ns.child\n"
                             "ns.child A 192.0.2.50\n"
                             "dyn 300/10 DYNA multifo!web\n"
                             "dyn TXT beside\n";

static const char child[] = "$TTL 600\n"
                            "@ SOA ns hostmaster 8 7200 900 1209600 60\n"
                            "@ NS ns\n"
                            "ns A 192.0.2.50\n"
                            "www A 192.0.2.51\n";

static const struct daemon_zone zones[] = {
    {"e2e.example", parent}, {"child.e2e.example", child}, {0}};

static const struct daemon_conf conf = {
    .sections = "plugins => { multifo => { web => { addrs_v4 => [ 192.0.2.60, 192.0.2.61 ] } } }",
    .zones = zones,
};

#define SOA(ttl)                                                                                   \
    "e2e.example.\t" ttl "\tIN\tSOA\tns1.e2e.example. hostmaster.e2e.example. "                    \
    "7 7200 900 1209600 300\n"
#define CHILD_SOA(ttl)                                                                             \
    "child.e2e.example.\t" ttl "\tIN\tSOA\tns.child.e2e.example. hostmaster.child.e2e.example. "   \
    "8 7200 900 1209600 60\n"
#define NEGATIVE SOA("300")

/* An outcome: NOERROR and AA unless said otherwise. */
#define YES(answer)        LDNS_RCODE_NOERROR, true, answer, "", ""
#define NODATA             LDNS_RCODE_NOERROR, true, "", NEGATIVE, ""
#define NXDOMAIN           LDNS_RCODE_NXDOMAIN, true, "", NEGATIVE, ""
#define ONLY(code)         code, false, "", "", ""
#define REFERRAL(ns, glue) LDNS_RCODE_NOERROR, false, "", ns, glue

#define REFERRAL_SUB                                                                               \
    REFERRAL("sub.e2e.example.\t3600\tIN\tNS\tns.elsewhere.example.\n"                             \
             "sub.e2e.example.\t3600\tIN\tNS\tns.sub.e2e.example.\n",                              \
             "ns.sub.e2e.example.\t3600\tIN\tA\t192.0.2.40\n"                                      \
             "ns.sub.e2e.example.\t3600\tIN\tAAAA\t2001:db8::40\n")
#define ANY_TEXT(name) name "\t3600\tIN\tHINFO\t\"RFC8482\" \"\"\n"

static const struct row {
    const char *name;
    ldns_rr_type type;
    ldns_rr_class class;
    ldns_pkt_rcode rcode;
    bool aa;
    const char *answer, *authority, *additional;
} rows[] = {
    /* the set of the type asked for */
    {"www.e2e.example", LDNS_RR_TYPE_A, 0,
     YES("www.e2e.example.\t3600\tIN\tA\t192.0.2.10\nwww.e2e.example.\t3600\tIN\tA\t192.0.2.11\n")},
    {"www.e2e.example", LDNS_RR_TYPE_TXT, 0, YES("www.e2e.example.\t3600\tIN\tTXT\t\"hello\"\n")},
    {"ns2.e2e.example", LDNS_RR_TYPE_AAAA, 0,
     YES("ns2.e2e.example.\t3600\tIN\tAAAA\t2001:db8::2\n")},
    {"mail.e2e.example", LDNS_RR_TYPE_MX, 0,
     YES("mail.e2e.example.\t3600\tIN\tMX\t10 mx.e2e.example.\n"
         "mail.e2e.example.\t3600\tIN\tMX\t20 mx.elsewhere.example.\n")},
    {"_sip._tcp.e2e.example", LDNS_RR_TYPE_SRV, 0,
     YES("_sip._tcp.e2e.example.\t3600\tIN\tSRV\t1 2 5060 mx.e2e.example.\n")},
    {"ptr.e2e.example", LDNS_RR_TYPE_PTR, 0,
     YES("ptr.e2e.example.\t3600\tIN\tPTR\thost.elsewhere.example.\n")},
    {"e2e.example", LDNS_RR_TYPE_NS, 0,
     YES("e2e.example.\t3600\tIN\tNS\tns1.e2e.example.\n"
         "e2e.example.\t3600\tIN\tNS\tns2.e2e.example.\n")},
    {"www.e2e.example", LDNS_RR_TYPE_A, LDNS_RR_CLASS_ANY, LDNS_RCODE_NOERROR, false,
     "www.e2e.example.\t3600\tIN\tA\t192.0.2.10\nwww.e2e.example.\t3600\tIN\tA\t192.0.2.11\n", "",
     ""},
    /* NODATA, empty non-terminals, NXDOMAIN: the SOA's TTL is its minimum */
    {"www.e2e.example", LDNS_RR_TYPE_AAAA, 0, NODATA},
    {"e2e.example", LDNS_RR_TYPE_A, 0, NODATA},
    {"ent.e2e.example", LDNS_RR_TYPE_A, 0, NODATA},
    {"b.ent.e2e.example", LDNS_RR_TYPE_A, 0, NODATA},
    {"wild.e2e.example", LDNS_RR_TYPE_A, 0, NODATA},
    {"_tcp.e2e.example", LDNS_RR_TYPE_SRV, 0, NODATA},
    {"nope.e2e.example", LDNS_RR_TYPE_A, 0, NXDOMAIN},
    {"x.www.e2e.example", LDNS_RR_TYPE_A, 0, NXDOMAIN},
    {"c.b.ent.e2e.example", LDNS_RR_TYPE_A, 0, NXDOMAIN},
    {"a.b.c.d.e.f.g.h.i.j.k.l.nope.e2e.example", LDNS_RR_TYPE_A, 0, NXDOMAIN},
    {"nope.child.e2e.example", LDNS_RR_TYPE_A, 0, LDNS_RCODE_NXDOMAIN, true, "", CHILD_SOA("60"),
     ""},
    /* wildcards: any depth, all types */
    {"x.wild.e2e.example", LDNS_RR_TYPE_A, 0,
     YES("x.wild.e2e.example.\t3600\tIN\tA\t192.0.2.30\n")},
    {"y.x.wild.e2e.example", LDNS_RR_TYPE_A, 0,
     YES("y.x.wild.e2e.example.\t3600\tIN\tA\t192.0.2.30\n")},
    {"*.wild.e2e.example", LDNS_RR_TYPE_A, 0,
     YES("*.wild.e2e.example.\t3600\tIN\tA\t192.0.2.30\n")},
    {"x.wild.e2e.example", LDNS_RR_TYPE_MX, 0, NODATA},
    {"x.wild-alias.e2e.example", LDNS_RR_TYPE_A, 0,
     YES("x.wild-alias.e2e.example.\t3600\tIN\tCNAME\twww.e2e.example.\n")},
    /* CNAME: alone */
    {"alias.e2e.example", LDNS_RR_TYPE_A, 0,
     YES("alias.e2e.example.\t3600\tIN\tCNAME\twww.e2e.example.\n")},
    {"alias.e2e.example", LDNS_RR_TYPE_CNAME, 0,
     YES("alias.e2e.example.\t3600\tIN\tCNAME\twww.e2e.example.\n")},
    {"away.e2e.example", LDNS_RR_TYPE_AAAA, 0,
     YES("away.e2e.example.\t3600\tIN\tCNAME\thost.elsewhere.example.\n")},
    /* referrals, with glue; DS belongs to the parent */
    {"sub.e2e.example", LDNS_RR_TYPE_A, 0, REFERRAL_SUB},
    {"sub.e2e.example", LDNS_RR_TYPE_NS, 0, REFERRAL_SUB},
    {"www.sub.e2e.example", LDNS_RR_TYPE_A, 0, REFERRAL_SUB},
    {"a.b.c.sub.e2e.example", LDNS_RR_TYPE_TXT, 0, REFERRAL_SUB},
    {"ns.sub.e2e.example", LDNS_RR_TYPE_A, 0, REFERRAL_SUB},
    {"sub.e2e.example", LDNS_RR_TYPE_DS, 0, NODATA},
    {"x.sub.e2e.example", LDNS_RR_TYPE_DS, 0, REFERRAL_SUB},
    /* parent and child are both loaded */
    {"www.child.e2e.example", LDNS_RR_TYPE_A, 0,
     YES("www.child.e2e.example.\t600\tIN\tA\t192.0.2.51\n")},
    {"child.e2e.example", LDNS_RR_TYPE_NS, 0,
     YES("child.e2e.example.\t600\tIN\tNS\tns.child.e2e.example.\n")},
    {"child.e2e.example", LDNS_RR_TYPE_TXT, 0, LDNS_RCODE_NOERROR, true, "", CHILD_SOA("60"), ""},
    {"child.e2e.example", LDNS_RR_TYPE_DS, 0, NODATA},
    {"e2e.example", LDNS_RR_TYPE_DS, 0, NODATA}, /* no parent is loaded: the child answers */
    /* ANY (RFC 8482) */
    {"www.e2e.example", LDNS_RR_TYPE_ANY, 0, YES(ANY_TEXT("www.e2e.example."))},
    {"dyn.e2e.example", LDNS_RR_TYPE_ANY, 0, YES(ANY_TEXT("dyn.e2e.example."))},
    {"alias.e2e.example", LDNS_RR_TYPE_ANY, 0,
     YES("alias.e2e.example.\t3600\tIN\tCNAME\twww.e2e.example.\n")},
    {"nope.e2e.example", LDNS_RR_TYPE_ANY, 0, NXDOMAIN},
    /* dynamic */
    {"dyn.e2e.example", LDNS_RR_TYPE_A, 0,
     YES("dyn.e2e.example.\t300\tIN\tA\t192.0.2.60\ndyn.e2e.example.\t300\tIN\tA\t192.0.2.61\n")},
    {"dyn.e2e.example", LDNS_RR_TYPE_AAAA, 0, NODATA},
    {"dyn.e2e.example", LDNS_RR_TYPE_TXT, 0, YES("dyn.e2e.example.\t3600\tIN\tTXT\t\"beside\"\n")},
    {"x.dyn.e2e.example", LDNS_RR_TYPE_A, 0, NXDOMAIN},
    /* not ours, not known */
    {"www.elsewhere.example", LDNS_RR_TYPE_A, 0, ONLY(LDNS_RCODE_REFUSED)},
    {"example", LDNS_RR_TYPE_NS, 0, ONLY(LDNS_RCODE_REFUSED)},
    {".", LDNS_RR_TYPE_NS, 0, ONLY(LDNS_RCODE_REFUSED)},
    {"www.e2e.example", LDNS_RR_TYPE_A, LDNS_RR_CLASS_CH, ONLY(LDNS_RCODE_REFUSED)},
    {"version.bind", LDNS_RR_TYPE_TXT, LDNS_RR_CLASS_CH,
     YES("version.bind.\t0\tCH\tTXT\t\"thresh\"\n")},
    {"version.server", LDNS_RR_TYPE_ANY, LDNS_RR_CLASS_CH,
     YES("version.server.\t0\tCH\tTXT\t\"thresh\"\n")},
    {"version.bind", LDNS_RR_TYPE_A, LDNS_RR_CLASS_CH, YES("")},
    {"id.server", LDNS_RR_TYPE_TXT, LDNS_RR_CLASS_CH, ONLY(LDNS_RCODE_REFUSED)},
    {"www.e2e.example", LDNS_RR_TYPE_TXT, LDNS_RR_CLASS_CH, ONLY(LDNS_RCODE_REFUSED)},
    {"www.e2e.example", LDNS_RR_TYPE_A, LDNS_RR_CLASS_HS, ONLY(LDNS_RCODE_REFUSED)},
    {"e2e.example", LDNS_RR_TYPE_AXFR, 0, ONLY(LDNS_RCODE_NOTIMPL)},
    {"e2e.example", LDNS_RR_TYPE_IXFR, 0, ONLY(LDNS_RCODE_NOTIMPL)},
    {"e2e.example", LDNS_RR_TYPE_TSIG, 0, ONLY(LDNS_RCODE_NOTIMPL)},
    {"e2e.example", LDNS_RR_TYPE_MAILB, 0, ONLY(LDNS_RCODE_NOTIMPL)},
};

static void check_section(const struct row *row, const char *what, const ldns_rr_list *got,
                          const char *wanted)
{
    char *text = dns_section_text(got);
    ck_assert_msg(strcmp(text, wanted) == 0, "%s type %u class %u: %s is\n%swanted\n%s", row->name,
                  row->type, row->class, what, text, wanted);
    free(text);
}

static void check_question(const struct dns_question *q, const ldns_pkt *p)
{
    ck_assert_uint_eq(ldns_pkt_qdcount(p), 1);
    const ldns_rr *rr = ldns_rr_list_rr(ldns_pkt_question(p), 0);
    ck_assert_uint_eq(ldns_rr_get_type(rr), q->type);
    ck_assert_uint_eq(ldns_rr_get_class(rr), q->class ? q->class : LDNS_RR_CLASS_IN);
}

static void check_flags(const struct row *row, const struct dns_question *q, const ldns_pkt *p)
{
    ck_assert_msg(ldns_pkt_get_rcode(p) == row->rcode, "%s type %u: rcode %d", row->name, row->type,
                  ldns_pkt_get_rcode(p));
    ck_assert_msg(ldns_pkt_aa(p) == row->aa, "%s type %u: aa %d", row->name, row->type,
                  ldns_pkt_aa(p));
    ck_assert(!ldns_pkt_tc(p) && !ldns_pkt_ra(p) && !ldns_pkt_ad(p) && !ldns_pkt_cd(p));
    ck_assert_int_eq(ldns_pkt_rd(p), q->rd);
    ck_assert_int_eq(ldns_pkt_edns(p), q->edns);
    ck_assert_int_eq(ldns_pkt_edns_do(p), q->dnssec_ok);
    if (q->edns)
        ck_assert_uint_eq(ldns_pkt_edns_udp_size(p), 1232);
}

static void check_row(const struct row *row, struct dns_question q)
{
    q.name = row->name;
    q.type = row->type;
    q.class = row->class;
    ldns_pkt *p = dns_ask(&q);
    check_question(&q, p);
    check_flags(row, &q, p);
    check_section(row, "answer", ldns_pkt_answer(p), row->answer);
    check_section(row, "authority", ldns_pkt_authority(p), row->authority);
    check_section(row, "additional", ldns_pkt_additional(p), row->additional);
    ldns_pkt_free(p);
}

START_TEST(every_row_over_every_way)
{
    struct test_daemon d;
    daemon_start(&d, &conf);
    for (unsigned way = 0; way < 16; way++) {
        const struct dns_question q = {.port = d.port,
                                       .tcp = way & 1,
                                       .v6 = way & 2,
                                       .edns = way & 4,
                                       .udp_size = 1232,
                                       .dnssec_ok = (way & 12) == 12,
                                       .rd = way & 8};
        for (size_t i = 0; i < array_len(rows); i++)
            check_row(&rows[i], q);
    }
    daemon_stop(&d);
}
END_TEST

/* The SOA itself: its own TTL, whatever the rule for it is, is the same over all ways. */
START_TEST(the_soa_is_the_zones)
{
    struct test_daemon d;
    daemon_start(&d, &conf);
    struct dns_question q = {.port = d.port, .name = "e2e.example", .type = LDNS_RR_TYPE_SOA};
    const struct row row = {"e2e.example", LDNS_RR_TYPE_SOA, 0, YES(SOA("3600"))};
    check_row(&row, q);
    q.tcp = true;
    check_row(&row, q);
    daemon_stop(&d);
}
END_TEST

START_TEST(letter_case_is_echoed)
{
    struct test_daemon d;
    uint8_t query[DNS_MAX], reply[DNS_MAX];
    daemon_start(&d, &conf);
    static const char *const names[] = {"WwW.e2E.eXaMpLe",       "NOPE.E2E.EXAMPLE",
                                        "X.wILD.e2e.example",    "A.SUB.E2E.EXAMPLE",
                                        "WWW.ELSEWHERE.EXAMPLE", "DYN.E2E.example"};
    for (size_t i = 0; i < array_len(names); i++) {
        struct dns_question q = {
            .port = d.port, .name = names[i], .type = LDNS_RR_TYPE_A, .tcp = i & 1};
        size_t len = dns_query(&q, query);
        size_t reply_len = dns_exchange(&q, query, len, reply);
        ck_assert_uint_ge(reply_len, len);
        ck_assert_mem_eq(query + LDNS_HEADER_SIZE, reply + LDNS_HEADER_SIZE,
                         len - LDNS_HEADER_SIZE);
    }
    daemon_stop(&d);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *s = suite_create("answers");
    TCase *c = e2e_case(s, "table");
    tcase_add_test(c, every_row_over_every_way);
    tcase_add_test(c, the_soa_is_the_zones);
    tcase_add_test(c, letter_case_is_echoed);
    return s;
}

E2E_MAIN(make_suite)
