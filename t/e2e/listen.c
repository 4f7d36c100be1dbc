/* SPDX-License-Identifier: GPL-3.0-or-later */
/* listen.c: every form of the option `listen`, and from where replies come. */
#include <check.h>

#include "e2e/run.h"
#include "lib/daemon.h"
#include "lib/dns.h"

#define array_len(a) (sizeof(a) / sizeof *(a))

static const struct daemon_zone zones[] = {
    {"e2e.example", "$TTL 300\n@ SOA ns1 root 1 1h 1h 1w 10\n@ NS ns1\nns1 A 127.0.0.1\n"
                    "www A 192.0.2.1\n"},
    {0}};

static void check_server(const struct test_daemon *d, const char *server, bool v6)
{
    struct dns_question q = {.port = d->port,
                             .server = server,
                             .v6 = v6,
                             .name = "www.e2e.example",
                             .type = LDNS_RR_TYPE_A};
    for (unsigned i = 0; i < 4; i++) {
        q.tcp = i & 1;
        ldns_pkt *p = dns_ask(&q); /* its socket is connected: other sources are not heard */
        ck_assert_uint_eq(ldns_pkt_ancount(p), 1);
        ldns_pkt_free(p);
    }
}

START_TEST(every_form_is_served)
{
    static const struct form {
        const char *listen;
        bool v6;
    } forms[] = {
        {"127.0.0.1", false},
        {"[ 127.0.0.1 ]", false},
        {"\"::1\"", true},
        {"[ \"[::1]\" 127.0.0.1 ]", true},
        {"{ 127.0.0.1 => { udp_threads => 3 tcp_threads => 1 } }", false},
        {"{ 127.0.0.1 => { }, \"::1\" => { tcp_timeout => 9 udp_rcvbuf => 65536 } }", true},
        {"any", true},
        {"[ 0.0.0.0 \"::\" ]", true},
    };
    struct test_daemon d;
    for (size_t i = 0; i < array_len(forms); i++) {
        daemon_start(&d, &(struct daemon_conf){.listen = forms[i].listen, .zones = zones});
        if (i != 2) /* IPv6 alone */
            check_server(&d, NULL, false);
        if (forms[i].v6)
            check_server(&d, NULL, true);
        daemon_stop(&d);
    }
}
END_TEST

/* A reply leaves from the address that was asked, also where one socket hears all of them. */
START_TEST(replies_come_from_the_address_asked)
{
    struct test_daemon d;
    daemon_start(&d, &(struct daemon_conf){.listen = "any", .zones = zones});
    check_server(&d, "127.0.0.2", false);
    check_server(&d, "127.1.2.3", false);
    if (netns_is_own()) {
        check_server(&d, "fd00::11", true);
        check_server(&d, "fd00::12", true);
    }
    daemon_stop(&d);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *s = suite_create("listen");
    TCase *c = e2e_case(s, "listen");
    tcase_add_test(c, every_form_is_served);
    tcase_add_test(c, replies_come_from_the_address_asked);
    return s;
}

E2E_MAIN(make_suite)
