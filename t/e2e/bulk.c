/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bulk.c: a whole zone, record for record, against what ldns reads from the same file; and the
 * order of addresses over thousands of answers.
 */
#include <arpa/inet.h>
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "e2e/run.h"
#include "lib/daemon.h"
#include "lib/dns.h"
#include "lib/resolver.h"

#define array_len(a) (sizeof(a) / sizeof *(a))

/* ---- every rrset --------------------------------------------------------------------------- */

enum { ZONE_MAX = 32768, HOSTS = 60, RECORDS_MIN = 200 };

static const char *const odd_lines[] = {
    "txt0 TXT \"\"",
    "txt1 TXT one two \"three four\"",
    "txt2 TXT \"a\\\"b\\\\c\" \"\\001\\255;()\"",
    "txt3 TXT ( \"over\" ; comment\n  \"lines\" )",
    "caa CAA 0 issue \"ca.example.net\"",
    "naptr NAPTR 100 10 \"u\" \"E2U+sip\" \"!^.*$!sip:a@e2e.example!\" .",
    "generic TYPE65300 \\# 4 0a000001",
    "a\\.b A 192.0.2.77",
    "\\065\\066 A 192.0.2.78", /* AB: folded */
    "a.very.deep.name.of.many.labels.in.one.zone A 192.0.2.79",
    "0.2.0.192.in-addr PTR ptr.e2e.example.",
    "one 60 IN A 192.0.2.80",
    "two 1200 A 192.0.2.81",
};

static void make_zone(char out[ZONE_MAX])
{
    char *p = out;
    p += sprintf(p, "$TTL 900\n@ 300 SOA ns1 hostmaster 2026113001 7200 900 1209600 300\n");
    for (int i = 1; i <= 3; i++)
        p += sprintf(p, "@ NS ns%d\nns%d A 192.0.2.%d\n", i, i, i);
    for (int i = 0; i < HOSTS; i++) {
        p += sprintf(p, "host%d %d A 192.0.2.%d\n", i, 60 + i, 100 + i);
        if (i % 2)
            p += sprintf(p, " %d A 198.51.100.%d\n", 60 + i, i);
        if (i % 3 == 0)
            p += sprintf(p, "host%d AAAA 2001:db8::%x\n", i, i + 1);
        if (i % 4 == 0)
            p += sprintf(p, "host%d MX %d host%d\nhost%d MX 20 mx.elsewhere.example.\n", i, i,
                         (i + 1) % HOSTS, i);
        if (i % 5 == 0)
            p += sprintf(p, "alias%d CNAME host%d\n", i, i);
        if (i % 2 == 0)
            p += sprintf(p, "_s%d._tcp SRV %d 1 %d host%d\n", i, i, 1000 + i, i);
        if (i % 2)
            p += sprintf(p, "host%d TXT \"text of %d\" \"second\"\n", i, i);
    }
    for (size_t i = 0; i < array_len(odd_lines); i++)
        p += sprintf(p, "%s\n", odd_lines[i]);
}

/* What ldns reads; SOA included. */
static ldns_rr_list *read_zone(char *text, ldns_zone **zone)
{
    FILE *f = fmemopen(text, strlen(text), "r");
    ldns_rdf *origin = ldns_dname_new_frm_str("e2e.example.");
    int line = 0;
    ck_assert_ptr_nonnull(f);
    ldns_status s = ldns_zone_new_frm_fp_l(zone, f, origin, 900, LDNS_RR_CLASS_IN, &line);
    ck_assert_msg(s == LDNS_STATUS_OK, "line %d: %s", line, ldns_get_errorstr_by_id(s));
    fclose(f);
    ldns_rdf_deep_free(origin);
    ldns_rr_list *all = ldns_zone_rrs(*zone);
    ck_assert(ldns_rr_list_push_rr(all, ldns_zone_soa(*zone)));
    ldns_zone_set_soa(*zone, NULL);
    for (size_t i = 0; i < ldns_rr_list_rr_count(all); i++)
        ldns_dname2canonical(ldns_rr_owner(ldns_rr_list_rr(all, i)));
    return all;
}

static bool same_set(const ldns_rr *a, const ldns_rr *b)
{
    return ldns_rr_get_type(a) == ldns_rr_get_type(b) &&
           ldns_dname_compare(ldns_rr_owner(a), ldns_rr_owner(b)) == 0;
}

/* Its text, or NULL if the record at i is not the first of its set. */
static char *set_text(const ldns_rr_list *all, size_t i)
{
    const ldns_rr *first = ldns_rr_list_rr(all, i);
    ldns_rr_list *set = ldns_rr_list_new();
    for (size_t k = 0; k < ldns_rr_list_rr_count(all); k++) {
        ldns_rr *rr = ldns_rr_list_rr(all, k);
        if (!same_set(rr, first))
            continue;
        if (k < i) {
            ldns_rr_list_free(set);
            return NULL;
        }
        ldns_rr_list_push_rr(set, rr);
    }
    char *text = dns_section_text(set);
    ldns_rr_list_free(set);
    return text;
}

static void check_packet(ldns_pkt *p, const char *wanted, const char *whose)
{
    ck_assert_ptr_nonnull(p);
    char *got = dns_section_text(ldns_pkt_answer(p));
    ck_assert_uint_eq(ldns_pkt_get_rcode(p), 0);
    ck_assert_msg(strcmp(got, wanted) == 0, "%s: got\n%swanted\n%s", whose, got, wanted);
    free(got);
    ldns_pkt_free(p);
}

static void check_set(const struct test_daemon *d, const ldns_rr *first, const char *wanted)
{
    char *name = ldns_rdf2str(ldns_rr_owner(first));
    struct dns_question q = {.port = d->port, .name = name, .type = ldns_rr_get_type(first)};
    check_packet(dns_ask(&q), wanted, "UDP");
    q.tcp = true;
    q.v6 = true;
    check_packet(dns_ask(&q), wanted, "TCP");
    check_packet(resolver_packet(d->port, name, (int)q.type), wanted, "libunbound");
    free(name);
}

START_TEST(every_rrset_is_what_ldns_reads)
{
    struct test_daemon d;
    char text[ZONE_MAX];
    ldns_zone *zone;
    make_zone(text);
    const struct daemon_zone zones[] = {{"e2e.example", text}, {0}};
    daemon_start(&d, &(struct daemon_conf){.zones = zones});
    ldns_rr_list *all = read_zone(text, &zone);
    ck_assert_uint_ge(ldns_rr_list_rr_count(all), RECORDS_MIN);
    for (size_t i = 0; i < ldns_rr_list_rr_count(all); i++) {
        char *wanted = set_text(all, i);
        if (wanted)
            check_set(&d, ldns_rr_list_rr(all, i), wanted);
        free(wanted);
    }
    ldns_zone_deep_free(zone);
    daemon_stop(&d);
}
END_TEST

/* ---- order of addresses -------------------------------------------------------------------- */

enum { ADDRS = 8, QUERIES = 6000 };
/* Of 7 degrees of freedom: exceeded by chance once in 10,000 runs. */
#define CHI_SQUARE_LIMIT 29.88

static const struct daemon_zone order_zones[] = {
    {"e2e.example", "@ 300 SOA ns1 root 1 1h 1h 1w 10\n@ 300 NS ns1\nns1 300 A 127.0.0.1\n"
                    "static 300 A 192.0.2.0\nstatic 300 A 192.0.2.1\nstatic 300 A 192.0.2.2\n"
                    "static 300 A 192.0.2.3\nstatic 300 A 192.0.2.4\nstatic 300 A 192.0.2.5\n"
                    "static 300 A 192.0.2.6\nstatic 300 A 192.0.2.7\n"
                    "dyn 300 DYNA multifo!web\n"},
    {0}};

static const struct daemon_conf order_conf = {
    .sections = "plugins => { multifo => { web => [ 192.0.2.0 192.0.2.1 192.0.2.2 192.0.2.3\n"
                "  192.0.2.4 192.0.2.5 192.0.2.6 192.0.2.7 ] } }",
    .zones = order_zones,
};

/* 16 bytes each: pointer, type, class, TTL, length, address. Every address once; returns the
 * first. */
static unsigned first_of(const uint8_t *reply, size_t len)
{
    const uint8_t *rr = reply + len - ADDRS * 16;
    unsigned seen = 0;
    for (int i = 0; i < ADDRS; i++) {
        ck_assert_uint_lt(rr[i * 16 + 15], ADDRS);
        seen |= 1u << rr[i * 16 + 15];
    }
    ck_assert_uint_eq(seen, (1u << ADDRS) - 1);
    return rr[15];
}

static double chi_square(const unsigned counts[ADDRS])
{
    double expected = (double)QUERIES / ADDRS, sum = 0;
    for (int i = 0; i < ADDRS; i++)
        sum += (counts[i] - expected) * (counts[i] - expected) / expected;
    return sum;
}

static void check_order(const struct test_daemon *d, const char *name)
{
    const struct dns_question q = {.port = d->port, .name = name, .type = LDNS_RR_TYPE_A};
    uint8_t query[DNS_MAX], reply[DNS_MAX];
    unsigned counts[ADDRS] = {0};
    size_t query_len = dns_query(&q, query);
    int fd = dns_connect(&q);
    for (int i = 0; i < QUERIES; i++) {
        ck_assert_int_eq(send(fd, query, query_len, 0), (ssize_t)query_len);
        size_t len = dns_receive_udp(fd, reply);
        ck_assert_uint_eq(len, query_len + ADDRS * 16);
        counts[first_of(reply, len)]++;
    }
    close(fd);
    ck_assert_msg(chi_square(counts) < CHI_SQUARE_LIMIT, "%s: chi square %.1f", name,
                  chi_square(counts));
}

START_TEST(every_address_is_first_equally_often)
{
    struct test_daemon d;
    daemon_start(&d, &order_conf);
    check_order(&d, "static.e2e.example");
    check_order(&d, "dyn.e2e.example");
    daemon_stop(&d);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *s = suite_create("bulk");
    TCase *c = e2e_case(s, "zone");
    tcase_add_test(c, every_rrset_is_what_ldns_reads);
    c = e2e_case(s, "order");
    tcase_add_test(c, every_address_is_first_equally_often);
    return s;
}

E2E_MAIN(make_suite)
