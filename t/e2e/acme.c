/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acme.c: ACME DNS-01 challenges, from threshctl to the answer. THRESH_LONG=1 waits for their end
 * too, which takes a minute. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "e2e/run.h"
#include "lib/daemon.h"
#include "lib/dns.h"

#define A "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" /* 43 */
#define B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb-_"

static const struct daemon_zone zones[] = {
    {"e2e.example", "$TTL 3600\n@ SOA ns1 hm 1 2 3 4 300\n@ NS ns1\nns1 A 192.0.2.1\n"
                    "www A 192.0.2.10\n_acme-challenge.both TXT own\n"
                    "_acme-challenge.alias CNAME elsewhere.example.\n"
                    "sub NS ns.sub\nns.sub A 192.0.2.5\n*.wild TXT wild\n"},
    {0}};

static int acme(const struct test_daemon *d, const char *action, const char *const words[4])
{
    const char *all[] = {action, words[0], words[1], words[2], words[3], NULL};
    return daemon_ctl(d, all, NULL, NULL);
}

#define NONE ((const char *const[4]){NULL})

static const struct row {
    const char *name;
    ldns_rr_type type;
    ldns_pkt_rcode rcode;
    const char *answer; /* "": none */
    bool soa;           /* in authority */
} rows[] = {
    {"_acme-challenge.www.e2e.example", LDNS_RR_TYPE_TXT, LDNS_RCODE_NOERROR,
     "_acme-challenge.www.e2e.example.\t0\tIN\tTXT\t\"" A "\"\n"
     "_acme-challenge.www.e2e.example.\t0\tIN\tTXT\t\"" B "\"\n",
     false},
    {"_ACME-challenge.WWW.e2e.example", LDNS_RR_TYPE_TXT, LDNS_RCODE_NOERROR,
     "_ACME-challenge.WWW.e2e.example.\t0\tIN\tTXT\t\"" A "\"\n"
     "_ACME-challenge.WWW.e2e.example.\t0\tIN\tTXT\t\"" B "\"\n",
     false},
    /* beside the zone's own records: one TTL */
    {"_acme-challenge.both.e2e.example", LDNS_RR_TYPE_TXT, LDNS_RCODE_NOERROR,
     "_acme-challenge.both.e2e.example.\t0\tIN\tTXT\t\"" A "\"\n"
     "_acme-challenge.both.e2e.example.\t0\tIN\tTXT\t\"own\"\n",
     false},
    /* the names exist */
    {"_acme-challenge.www.e2e.example", LDNS_RR_TYPE_A, LDNS_RCODE_NOERROR, "", true},
    {"new.e2e.example", LDNS_RR_TYPE_A, LDNS_RCODE_NOERROR, "", true},
    {"new.e2e.example", LDNS_RR_TYPE_TXT, LDNS_RCODE_NOERROR, "", true},
    {"new.e2e.example", LDNS_RR_TYPE_ANY, LDNS_RCODE_NOERROR,
     "new.e2e.example.\t3600\tIN\tHINFO\t\"RFC8482\" \"\"\n", false},
    {"_acme-challenge.new.e2e.example", LDNS_RR_TYPE_TXT, LDNS_RCODE_NOERROR,
     "_acme-challenge.new.e2e.example.\t0\tIN\tTXT\t\"" B "\"\n", false},
    /* what the zone says stays */
    {"www.e2e.example", LDNS_RR_TYPE_A, LDNS_RCODE_NOERROR,
     "www.e2e.example.\t3600\tIN\tA\t192.0.2.10\n", false},
    {"_acme-challenge.alias.e2e.example", LDNS_RR_TYPE_TXT, LDNS_RCODE_NOERROR,
     "_acme-challenge.alias.e2e.example.\t3600\tIN\tCNAME\telsewhere.example.\n", false},
    {"other.e2e.example", LDNS_RR_TYPE_TXT, LDNS_RCODE_NXDOMAIN, "", true},
    {"_acme-challenge.other.e2e.example", LDNS_RR_TYPE_TXT, LDNS_RCODE_NXDOMAIN, "", true},
    {"_acme-challenge.x.sub.e2e.example", LDNS_RR_TYPE_TXT, LDNS_RCODE_NOERROR, "", false},
    {"_acme-challenge.elsewhere.example", LDNS_RR_TYPE_TXT, LDNS_RCODE_REFUSED, "", false},
};

static void check_row(const struct test_daemon *d, const struct row *r)
{
    const struct dns_question q = {.port = d->port, .name = r->name, .type = r->type};
    ldns_pkt *p = dns_ask(&q);
    char *answer = dns_section_text(ldns_pkt_answer(p));
    bool soa = ldns_pkt_nscount(p) == 1 &&
               ldns_rr_get_type(ldns_rr_list_rr(ldns_pkt_authority(p), 0)) == LDNS_RR_TYPE_SOA;
    ck_assert_msg(ldns_pkt_get_rcode(p) == r->rcode, "%s: rcode %d", r->name,
                  ldns_pkt_get_rcode(p));
    ck_assert_msg(strcmp(answer, r->answer) == 0, "%s: %s", r->name, answer);
    ck_assert_msg(soa == r->soa, "%s: SOA", r->name);
    free(answer);
    ldns_pkt_free(p);
}

static void start(struct test_daemon *d, const char *options)
{
    const struct daemon_conf conf = {.options = options, .zones = zones};
    daemon_start(d, &conf);
}

static const char *const added[][4] = {
    {"www.e2e.example", A, "_Acme-CHALLENGE.WWW.e2e.example", B},
    {"www.e2e.example", A, NULL}, /* again: no second record */
    {"both.e2e.example", A, "new.e2e.example.", B},
    {"x.sub.e2e.example", A, "elsewhere.example", A},
    {"alias.e2e.example", A, NULL},
};

START_TEST(challenges_are_answered_until_flushed)
{
    struct test_daemon d;
    const struct row before = {"new.e2e.example", LDNS_RR_TYPE_A, LDNS_RCODE_NXDOMAIN, "", true};
    start(&d, NULL);
    check_row(&d, &before);
    for (size_t i = 0; i < sizeof added / sizeof *added; i++)
        ck_assert_int_eq(acme(&d, "acme-dns-01", added[i]), 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_row(&d, &rows[i]);
    ck_assert_int_eq(acme(&d, "reload-zones", NONE), 0); /* they are no zone's data */
    check_row(&d, &rows[0]);
    ck_assert_int_eq(acme(&d, "acme-dns-01-flush", NONE), 0);
    check_row(&d, &before);
    ck_assert_int_eq(acme(&d, "acme-dns-01-flush", NONE), 0);
    daemon_stop(&d);
}
END_TEST

static const struct {
    const char *words[4];
    int end;
} bad[] = {
    {{NULL}, 2},
    {{"www.e2e.example", NULL}, 2},
    {{"www.e2e.example", "short"}, 42},
    {{"www.e2e.example", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}, 42},
    {{"www..example", A}, 42},
    {{"", A}, 42},
};

START_TEST(bad_words_are_refused)
{
    struct test_daemon d;
    start(&d, NULL);
    ck_assert_int_eq(acme(&d, "acme-dns-01", bad[_i].words), bad[_i].end);
    daemon_stop(&d);
}
END_TEST

START_TEST(ttl_of_records_and_end_of_life)
{
    struct test_daemon d;
    int left_ms = 90000;
    const struct row there = {"_acme-challenge.new.e2e.example", LDNS_RR_TYPE_TXT,
                              LDNS_RCODE_NOERROR,
                              "_acme-challenge.new.e2e.example.\t7\tIN\tTXT\t\"" B "\"\n", false};
    start(&d, "acme_challenge_dns_ttl => 7\nacme_challenge_ttl => 60");
    ck_assert_int_eq(acme(&d, "acme-dns-01", added[2]), 0);
    check_row(&d, &there);
    const struct dns_question q = {.port = d.port, .name = there.name, .type = there.type};
    for (bool gone = !getenv("THRESH_LONG"); !gone; patience(&left_ms, "the end of a challenge")) {
        ldns_pkt *p = dns_ask(&q);
        gone = ldns_pkt_get_rcode(p) == LDNS_RCODE_NXDOMAIN;
        ldns_pkt_free(p);
    }
    daemon_stop(&d);
}
END_TEST

static Suite *acme_suite(void)
{
    Suite *s = suite_create("acme");
    TCase *c = e2e_case(s, "acme");
    tcase_add_test(c, challenges_are_answered_until_flushed);
    tcase_add_loop_test(c, bad_words_are_refused, 0, sizeof bad / sizeof *bad);
    tcase_add_test(c, ttl_of_records_and_end_of_life);
    return s;
}

E2E_MAIN(acme_suite)
