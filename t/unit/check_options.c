/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options section: every default in both modes, row by row; every form of listen; refusals. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "conf/vscf.h"
#include "daemon/options.h"
#include "unit/run.h"

struct rig {
    struct vtree *tree;
    struct diag d;
    struct options o;
};

static int rig_read(struct rig *r, const char *text, bool gdnsd)
{
    *r = (struct rig){0};
    ck_assert_int_eq(vscf_parse_mem(text, strlen(text), "conf", &r->d, &r->tree), 0);
    return options_read(vtree_root(r->tree), gdnsd || options_wants_gdnsd(vtree_root(r->tree)),
                        false, &r->d, &r->o);
}

static void rig_free(struct rig *r)
{
    options_fini(&r->o);
    vtree_free(r->tree);
    diag_fini(&r->d);
}

static bool says(const struct diag *d, const char *part)
{
    for (size_t i = 0; i < d->count; i++)
        if (strstr(d->entries[i].text, part))
            return true;
    return false;
}

/* What a default comes to, looked up by the option's name. */
static const char *shown(const struct options *o, const char *name, char text[64])
{
    const struct listen_spec *l = &o->listen[0];
    const struct {
        const char *name;
        unsigned long value;
    } numbers[] = {
        {"udp_threads", l->udp_threads},
        {"udp_rcvbuf", l->udp_rcvbuf},
        {"udp_sndbuf", l->udp_sndbuf},
        {"zones_default_ttl", o->zone.default_ttl_s},
        {"max_ncache_ttl", o->zone.max_ncache_ttl_s},
        {"startup_wait", o->startup_wait_ms / 1000},
        {"zones_shrink_limit", o->zone.shrink_limit},
    };
    if (strcmp(name, "run_dir") == 0)
        return o->run_dir;
    if (strcmp(name, "state_dir") == 0)
        return o->state_dir;
    if (strcmp(name, "chaos_response") == 0) /* ends with the zeros behind it */
        return (const char *)o->answer.chaos_version.bytes;
    if (strcmp(name, "ttl_policy") == 0)
        return o->answer.ttl_policy == TTL_DERIVED ? "derived" : "halve";
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(numbers[i].name, name) == 0) {
            (void)snprintf(text, 64, "%lu", numbers[i].value);
            return text;
        }
    ck_abort_msg("this test does not know %s: teach it", name);
    return "";
}

/* Words that stand for numbers in the table. */
static const char *number_of(const char *def, char text[64])
{
    if (strcmp(def, "system") == 0 || strcmp(def, "off") == 0)
        return "0";
    if (strcmp(def, "auto") != 0)
        return def;
    (void)snprintf(text, 64, "%ld", sysconf(_SC_NPROCESSORS_ONLN));
    return text;
}

START_TEST(every_compat_row_has_its_effect)
{
    for (int gdnsd = 0; gdnsd < 2; gdnsd++) {
        struct rig r;
        char a[64], b[64];
        ck_assert_int_eq(rig_read(&r, "listen => 127.0.0.1", gdnsd), 0);
        for (const struct compat_row *row = compat_rows; row->name; row++)
            ck_assert_str_eq(shown(&r.o, row->name, a),
                             number_of(gdnsd ? row->gdnsd : row->native, b));
        rig_free(&r);
    }
}
END_TEST

START_TEST(behaviour_follows_the_mode)
{
    struct rig n, g;
    ck_assert_int_eq(rig_read(&n, "listen => 127.0.0.1", false), 0);
    ck_assert_int_eq(rig_read(&g, "listen => 127.0.0.1 compat => gdnsd3", false), 0);
    ck_assert(!n.o.gdnsd && g.o.gdnsd);
    ck_assert_int_eq(n.o.plug.flap_mode, FLAP_CONSECUTIVE);
    ck_assert_int_eq(g.o.plug.flap_mode, FLAP_CUMULATIVE);
    ck_assert_int_eq(n.o.plug.init, FLAP_INIT_LAST);
    ck_assert_int_eq(g.o.plug.init, FLAP_INIT_FIRST);
    ck_assert_uint_eq(g.o.plug.fast_interval_ms, 0); /* the interval */
    ck_assert(!n.o.plug.derived_ttl && g.o.plug.derived_ttl);
    ck_assert_uint_eq(n.o.answer.advertised_udp, 1232);
    ck_assert_uint_eq(g.o.answer.advertised_udp, 1024);
    ck_assert_uint_eq(n.o.plug.interval_ms, 5000);
    ck_assert_uint_eq(g.o.plug.interval_ms, 10000);
    ck_assert_uint_eq(g.o.plug.up_thresh, 20);
    ck_assert_uint_eq(g.o.plug.ok_thresh, 10);
    ck_assert_uint_eq(g.o.plug.down_thresh, 10);
    ck_assert_uint_eq(g.o.plug.timeout_ms, 0); /* half the interval */
    rig_free(&n);
    rig_free(&g);
}
END_TEST

/* Two names for one thing, one of them the opposite. */
START_TEST(chains_are_asked_for_by_two_names)
{
    static const struct {
        const char *text;
        bool chain;
    } texts[] = {{"", false},
                 {"cname_chain => true", true},
                 {"experimental_no_chain => false", true},
                 {"experimental_no_chain => true", false},
                 {"cname_chain => true experimental_no_chain => false", true}};
    struct rig r;
    ck_assert_int_eq(rig_read(&r, texts[_i].text, false), 0);
    ck_assert_int_eq(r.o.answer.cname_chain, texts[_i].chain);
    rig_free(&r);
}
END_TEST

START_TEST(profiles)
{
    static const struct {
        const char *text;
        uint32_t interval, timeout, down, up, fast;
    } rows[] = {
        {"profile => safe", 10000, 4000, 4, 3, 2000},
        {"profile => balanced", 5000, 2000, 3, 2, 1000},
        {"profile => fast", 1000, 500, 2, 3, 200},
        {"", 5000, 2000, 3, 2, 1000},
        {"compat => gdnsd3 profile => fast", 1000, 500, 2, 3, 200},
    };
    struct rig r;
    ck_assert_int_eq(rig_read(&r, rows[_i].text, false), 0);
    ck_assert_uint_eq(r.o.plug.interval_ms, rows[_i].interval);
    ck_assert_uint_eq(r.o.plug.timeout_ms, rows[_i].timeout);
    ck_assert_uint_eq(r.o.plug.down_thresh, rows[_i].down);
    ck_assert_uint_eq(r.o.plug.up_thresh, rows[_i].up);
    ck_assert_uint_eq(r.o.plug.fast_interval_ms, rows[_i].fast);
    rig_free(&r);
}
END_TEST

static const struct {
    const char *text, *want; /* addresses, in order */
} listens[] = {
    {"listen => any", "0.0.0.0:53 [::]:53 "},
    {"listen => any dns_port => 5300", "0.0.0.0:5300 [::]:5300 "},
    {"", "0.0.0.0:53 [::]:53 "},
    {"listen => 192.0.2.1", "192.0.2.1:53 "},
    {"listen => 192.0.2.1:99", "192.0.2.1:99 "},
    {"dns_port => 77 listen => [192.0.2.1, 192.0.2.1:99, ::1, \"[::2]\", \"[::3]:5\"]",
     "192.0.2.1:77 192.0.2.1:99 [::1]:77 [::2]:77 [::3]:5 "},
    {"listen => [fe00::1, fec0::1, ::1:ffff:0:0]", "[fe00::1]:53 [fec0::1]:53 [::1:ffff:0:0]:53 "},
    {"listen => { 192.0.2.1:13568 => { tcp_proxy => true } }", "192.0.2.1:13568 "},
    {"listen => { 192.0.2.1 => { }, \"[::1]:9\" => { udp_threads => 7 } }",
     "192.0.2.1:53 [::1]:9 "},
};

START_TEST(listen_forms)
{
    struct rig r;
    struct buf got = {0};
    char text[NETADDR_TEXT];
    if (rig_read(&r, listens[_i].text, false) != 0)
        ck_abort_msg("%s", r.d.entries[0].text);
    for (size_t i = 0; i < r.o.listen_count; i++)
        buf_printf(&got, "%s ", netaddr_print(&r.o.listen[i].addr, text));
    ck_assert_str_eq(got.data, listens[_i].want);
    buf_fini(&got);
    rig_free(&r);
}
END_TEST

START_TEST(listen_keys_override_the_global_ones)
{
    struct rig r;
    ck_assert_int_eq(
        rig_read(&r,
                 "udp_threads => 3 tcp_threads => 4 tcp_timeout => 9\n"
                 "listen => { 192.0.2.1 => { tcp_timeout => 11s, udp_rcvbuf => 4096 }\n"
                 " 192.0.2.2 => { udp_threads => 1, tcp_clients_per_thread => 16 } }",
                 false),
        0);
    const struct listen_spec *a = &r.o.listen[0], *b = &r.o.listen[1];
    ck_assert_uint_eq(a->udp_threads, 3);
    ck_assert_uint_eq(a->tcp_threads, 4);
    ck_assert_uint_eq(a->tcp_timeout_ms, 11000);
    ck_assert_uint_eq(a->udp_rcvbuf, 4096);
    ck_assert_uint_eq(a->udp_sndbuf, 1048576);
    ck_assert_uint_eq(b->udp_threads, 1);
    ck_assert_uint_eq(b->tcp_timeout_ms, 9000);
    ck_assert_uint_eq(b->tcp_clients_per_thread, 16);
    ck_assert_uint_eq(b->udp_rcvbuf, 1048576);
    rig_free(&r);
}
END_TEST

START_TEST(tcp_keys)
{
    struct rig r;
    if (rig_read(&r,
                 "tcp_backlog => 7 tcp_fastopen => 0 disable_tcp_dso => true dns_port => 5300\n"
                 "listen => { 192.0.2.1 => { }\n"
                 " 192.0.2.2 => { tcp_backlog => 0, tcp_fastopen => 1048576, tcp_pad => true }\n"
                 " 192.0.2.3:853 => { tcp_proxy => true }\n"
                 " 192.0.2.4 => { tcp_proxy => true tcp_pad => false }\n"
                 " 192.0.2.5:53 => { tcp_proxy => false udp_threads => 2 } }",
                 false) != 0)
        ck_abort_msg("%s", r.d.entries[0].text);
    const struct listen_spec *l = r.o.listen;
    static const struct {
        unsigned backlog, fastopen;
        bool pad, proxy;
    } want[] = {{7, 0, false, false},
                {0, 1048576, true, false},
                {7, 0, true, true},
                {7, 0, false, true},
                {7, 0, false, false}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        ck_assert_uint_eq(l[i].tcp_backlog, want[i].backlog);
        ck_assert_uint_eq(l[i].tcp_fastopen, want[i].fastopen);
        ck_assert_int_eq(l[i].tcp_pad, want[i].pad);
        ck_assert_int_eq(l[i].tcp_proxy, want[i].proxy);
        ck_assert_int_eq(l[i].udp_threads == 0, want[i].proxy);
        ck_assert(!l[i].dso && !l[i].proxy_strict);
    }
    rig_free(&r);
}
END_TEST

START_TEST(tcp_defaults)
{
    for (int gdnsd = 0; gdnsd < 2; gdnsd++) {
        struct rig r;
        ck_assert_int_eq(rig_read(&r, "listen => 192.0.2.1", gdnsd), 0);
        const struct listen_spec *l = &r.o.listen[0];
        ck_assert(l->dso && !l->tcp_pad && !l->tcp_proxy && l->proxy_strict == gdnsd);
        ck_assert_uint_eq(l->tcp_backlog, 0);
        ck_assert_uint_eq(l->tcp_fastopen, 256);
        rig_free(&r);
    }
}
END_TEST

static const struct {
    const char *text, *says;
} refused[] = {
    {"lisen => any", "did you mean \"listen\""},
    {"listen => [ ]", "listen is empty"},
    {"listen => { }", "listen is empty"},
    {"listen => 127.1", "\"127.1\" is no address"},
    {"listen => 192.0.2.1:0", "not within 1 to 65535"},
    {"listen => 192.0.2.1:65536", "not within 1 to 65535"},
    {"listen => :53", "no address"},
    {"listen => \"[::ffff:192.0.2.1]:53\"", "write the IPv4 address"},
    {"listen => { \"::ffff:192.0.2.1\" => { } }", "write the IPv4 address"},
    {"listen => fe80::1", "link-local"},
    {"listen => \"[febf::1]:53\"", "link-local"},
    {"listen => [192.0.2.1, ff02::1]", "multicast"},
    {"listen => [192.0.2.1, 192.0.2.1:53]", "named twice"},
    {"listen => [::1]:53", NULL}, /* an array and then a word: grammar, see below */
    {"listen => \"127.0.0.1:53\\0009\"", "an address is expected here"},
    {"listen => { 192.0.2.1 => 5 }", "{ keys } is expected"},
    {"listen => { 192.0.2.1 => { dns_port => 5 } }", "unknown key \"dns_port\""},
    {"dns_port => 0", "1 to 65535"},
    {"udp_threads => 1025", "or auto"},
    {"udp_threads => all", "or auto"},
    {"tcp_threads => 0", "1 to 1024"},
    {"tcp_clients_per_thread => 15", "16 to 65535"},
    {"tcp_timeout => 4", "5 to 1800"},
    {"udp_rcvbuf => 0", "4096 to 1048576"},
    {"tcp_backlog => 65536", "0 to 65535"},
    {"tcp_fastopen => 1048577", "0 to 1048576"},
    {"disable_tcp_dso => 1", "true or false"},
    {"tcp_proxy => true", "unknown key \"tcp_proxy\""},
    {"tcp_pad => true", "unknown key \"tcp_pad\""},
    {"listen => { 192.0.2.1 => { tcp_backlog => 65536 } }", "0 to 65535"},
    {"listen => { 192.0.2.1 => { tcp_proxy => maybe } }", "true or false"},
    {"listen => { 192.0.2.1 => { disable_tcp_dso => true } }", "unknown key"},
    /* the port that is used decides, wherever it is written */
    {"listen => { 192.0.2.1 => { tcp_proxy => true } }", "is port 53"},
    {"listen => { 192.0.2.1:53 => { tcp_proxy => true } }", "is port 53"},
    {"dns_port => 5300 listen => { 192.0.2.1:53 => { tcp_proxy => true } }", "is port 53"},
    {"listen => { \"[::1]:53\" => { tcp_proxy => true } }", "is port 53"},
    {"listen => { 192.0.2.1:9 => { tcp_proxy => true udp_threads => 1 } }",
     "udp_threads has no meaning with tcp_proxy"},
    {"listen => { 192.0.2.1:9 => { udp_rcvbuf => 4096 tcp_proxy => true } }",
     "udp_rcvbuf has no meaning with tcp_proxy"},
    {"listen => { 192.0.2.1:9 => { tcp_proxy => true udp_sndbuf => 4096 } }",
     "udp_sndbuf has no meaning with tcp_proxy"},
    {"max_edns_response => 511", "512 to 16384"},
    {"max_edns_response_v6 => 16385", "512 to 16384"},
    {"max_ncache_ttl => 9", "10 to 86400"},
    {"max_ncache_ttl => 20 min_ttl => 30", "below min_ttl"},
    {"min_ttl => 86400 max_ttl => 3600", "below min_ttl"},
    {"min_ttl => -1", "min_ttl"},
    {"dns_port => 053", "leading zero"},
    {"zones_strict_data => yes", "true or false"},
    {"zones_watch => inotify", "true or false"},
    {"zones_shrink_limit => 0", "1 to 100 percent"},
    {"zones_shrink_limit => 101", "1 to 100 percent"},
    {"ttl_policy => half", "halve or derived"},
    {"compat => gdnsd", "did you mean \"gdnsd3\""},
    {"profile => quick", "safe, balanced or fast"},
    {"zones_default_ttl => 0", "1 to 2147483647"},
    {"run_dir => \"\"", "run_dir"},
    {"startup_wait => 2h", "0 to 3600"},
    {"cname_chain => true experimental_no_chain => true", "contradict"},
    {"nsid => 0", "2 to 256"},
    {"nsid => 001", "hexadecimal"},
    {"nsid => 0g", "hexadecimal"},
    {"nsid => 00 nsid_ascii => a", "exclude"},
    {"nsid_ascii => \"a\\003b\"", "printable"},
    {"max_nocookie_response => 127", "128 to 1024"},
    {"max_nocookie_response => 1025", "128 to 1024"},
    {"max_nocookie_response => 512 disable_cookies => true", "exclude"},
    {"edns_client_subnet => 1", "true or false"},
    {"ede => text", "true or false"},
    {"rate_limit => 5", "{ keys }"},
    {"rate_limit => { slip => 2 }", "responses_per_second"},
    {"rate_limit => { responses_per_second => 100001 }", "1 to 100000"},
    {"rate_limit => { responses_per_second => 5 slip => 11 }", "1 to 10"},
    {"rate_limit => { responses_per_second => 5 ipv6_prefix_length => 65 }", "1 to 64"},
    {"rate_limit => { responses_per_second => 5 exempt => [192.0.2.0/24, 192.0.2.1/24] }",
     "192.0.2.1/24"},
    {"rate_limit => { responses_per_second => 5 rate => 1 }", "unknown key"},
    {"lock_mem => true", "unknown key"},
    {"realtime_stats => true", "unknown key"},
};

START_TEST(refused_with_reason)
{
    struct rig r = {0};
    const char *t = refused[_i].text;
    if (!refused[_i].says) {
        ck_assert_int_ne(vscf_parse_mem(t, strlen(t), "conf", &r.d, &r.tree), 0);
    } else {
        ck_assert_int_ne(rig_read(&r, t, false), 0);
        if (!says(&r.d, refused[_i].says))
            ck_abort_msg("\"%s\" not in: %s", refused[_i].says, r.d.entries[0].text);
    }
    ck_assert(says(&r.d, "conf:1:"));
    rig_free(&r);
}
END_TEST

START_TEST(gdnsd_reads_numbers_its_way)
{
    struct rig r = {0};
    static const char text[] =
        "compat => gdnsd3 dns_port => 010 tcp_threads => 0x4 listen => 127.0.0.1";
    ck_assert_int_eq(vscf_parse_mem(text, sizeof text - 1, "conf", &r.d, &r.tree), 0);
    vtree_set_lax(r.tree, true);
    ck_assert_int_eq(options_read(vtree_root(r.tree), true, false, &r.d, &r.o), 0);
    ck_assert_uint_eq(r.o.listen[0].addr.port, 8);
    ck_assert_uint_eq(r.o.listen[0].tcp_threads, 4);
    rig_free(&r);
}
END_TEST

#define LOOP(t, test, rows) tcase_add_loop_test(t, test, 0, (int)(sizeof(rows) / sizeof *(rows)))

static Suite *options_suite(void)
{
    Suite *s = suite_create("options");
    TCase *t = tcase_create("options");
    tcase_add_test(t, every_compat_row_has_its_effect);
    tcase_add_test(t, behaviour_follows_the_mode);
    tcase_add_loop_test(t, chains_are_asked_for_by_two_names, 0, 5);
    tcase_add_loop_test(t, profiles, 0, 5);
    LOOP(t, listen_forms, listens);
    tcase_add_test(t, listen_keys_override_the_global_ones);
    tcase_add_test(t, tcp_keys);
    tcase_add_test(t, tcp_defaults);
    LOOP(t, refused_with_reason, refused);
    tcase_add_test(t, gdnsd_reads_numbers_its_way);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(options_suite)
