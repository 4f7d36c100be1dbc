/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http_status: real sockets, through the real monitor, native and as gdnsd. */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/mem.h"
#include "unit/probe_rig.h"
#include "unit/run.h"

#define TIMEOUT_MS 5000 /* of tests in which nothing times out */

static void init(struct probe *p, const struct fakesvc *f, bool gdnsd)
{
    probe_init(p, &th_plugin_http_status, gdnsd);
    probe_set_uint(p, "port", fakesvc_port(f));
}

static void start(struct probe *p, const char *addr, uint32_t timeout_ms)
{
    ck_assert_int_eq(probe_open(p), 0);
    probe_start(p, addr, 10, timeout_ms);
}

/* ---- configuration ------------------------------------------------------------------------- */

static const struct {
    const char *code;
    bool good;
} codes[] = {{"200", true},  {"100", true}, {"999", true},  {"99", false},  {"1000", false},
             {"0x1", false}, {"", false},   {"-20", false}, {"2OO", false}, {"020", false}};

START_TEST(ok_codes)
{
    struct probe p;
    const char *items[] = {"204", codes[_i].code};
    probe_init(&p, &th_plugin_http_status, false);
    probe_set_list(&p, "ok_codes", items, 2);
    ck_assert_int_eq(probe_open(&p) == 0, codes[_i].good);
    if (!codes[_i].good)
        ck_assert_ptr_nonnull(strstr(p.message, "is not a status code of 100 to 999"));
    probe_fini(&p);
}
END_TEST

static const struct {
    const char *path, *vhost;
    bool good;
} texts[] = {
    {"/", NULL, true},     {"/a?b=c", "www.example.com", true},
    {"", NULL, false},     {"health", NULL, false},
    {"/a b", NULL, false}, {"/\r\nX: y", NULL, false},
    {"/", "", false},      {"/", "a\r\nX: y", false},
};

START_TEST(no_request_within_a_request)
{
    struct probe p;
    probe_init(&p, &th_plugin_http_status, false);
    probe_set_text(&p, "url_path", texts[_i].path);
    probe_set_text(&p, "vhost", texts[_i].vhost);
    ck_assert_int_eq(probe_open(&p) == 0, texts[_i].good);
    probe_fini(&p);
}
END_TEST

START_TEST(port_limit)
{
    struct probe p;
    for (int gdnsd = 0; gdnsd < 2; gdnsd++) {
        probe_init(&p, &th_plugin_http_status, gdnsd);
        probe_set_uint(&p, "port", 65535);
        ck_assert_int_eq(probe_open(&p), gdnsd ? -1 : 0);
        probe_fini(&p);
    }
}
END_TEST

/* ---- requests ------------------------------------------------------------------------------ */

static const struct {
    bool gdnsd;
    const char *addr, *path, *vhost;
    const char *request; /* %u is the port */
} requests[] = {
    {false, "127.0.0.1", "/", NULL,
     "GET / HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nConnection: close\r\nUser-Agent: "
     "thresh-monitor\r\n\r\n"},
    {false, "::1", "/h?x=1", NULL,
     "GET /h?x=1 HTTP/1.1\r\nHost: [::1]:%u\r\nConnection: close\r\nUser-Agent: "
     "thresh-monitor\r\n\r\n"},
    {false, "127.0.0.1", "/", "www.example.com",
     "GET / HTTP/1.1\r\nHost: www.example.com\r\nConnection: close\r\nUser-Agent: "
     "thresh-monitor\r\n\r\n"},
    {true, "127.0.0.1", "/a", NULL, "GET /a HTTP/1.0\r\nUser-Agent: gdnsd-monitor\r\n\r\n"},
    {true, "::1", "/", "www.example.com",
     "GET / HTTP/1.1\r\nHost: www.example.com\r\nConnection: close\r\nUser-Agent: "
     "gdnsd-monitor\r\n\r\n"},
};

START_TEST(request_bytes)
{
    struct probe p;
    struct fakesvc *f = fakesvc_start(requests[_i].addr, 0);
    char wanted[256], seen[512];
    init(&p, f, requests[_i].gdnsd);
    probe_set_text(&p, "url_path", requests[_i].path);
    probe_set_text(&p, "vhost", requests[_i].vhost);
    start(&p, requests[_i].addr, TIMEOUT_MS);
    ck_assert_int_eq(p.rig.last.verdict, TH_PROBE_UP);
    ck_assert_str_eq(p.rig.last.text, "200");
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(wanted, sizeof wanted, requests[_i].request, (unsigned)fakesvc_port(f));
#pragma GCC diagnostic pop
    fakesvc_last_request(f, seen, sizeof seen);
    ck_assert_str_eq(seen, wanted);
    probe_stop(&p);
    fakesvc_stop(f);
}
END_TEST

/* ---- verdicts ------------------------------------------------------------------------------ */

#define ANY_TEXT NULL

static const struct {
    bool gdnsd;
    enum fakesvc_mode mode;
    unsigned value;
    const char *say;
    enum th_verdict verdict;
    enum th_cause cause;
    const char *text;
} verdicts[] = {
    {false, FAKESVC_OK, 0, NULL, TH_PROBE_UP, TH_CAUSE_NONE, "200"},
    {false, FAKESVC_STATUS, 204, NULL, TH_PROBE_UP, TH_CAUSE_NONE, "204"},
    {false, FAKESVC_STATUS, 301, NULL, TH_PROBE_DOWN, TH_CAUSE_STATUS, "301, not in ok_codes"},
    {false, FAKESVC_STATUS, 503, NULL, TH_PROBE_DOWN, TH_CAUSE_STATUS, "503, not in ok_codes"},
    {false, FAKESVC_STATUS, 101, NULL, TH_PROBE_DOWN, TH_CAUSE_STATUS, "101, not in ok_codes"},
    {false, FAKESVC_REFUSE, 0, NULL, TH_PROBE_DOWN, TH_CAUSE_REFUSED,
     "connect: Connection refused"},
    {false, FAKESVC_EOF, 0, NULL, TH_PROBE_DOWN, TH_CAUSE_EOF,
     "closed after 0 bytes, before the status was complete"},
    {false, FAKESVC_RESET, 0, NULL, TH_PROBE_DOWN, TH_CAUSE_RESET, ANY_TEXT},
    {false, FAKESVC_GARBAGE, 0, NULL, TH_PROBE_DOWN, TH_CAUSE_PROTOCOL, "not HTTP/1: \"S\""},
    {false, FAKESVC_SAY, 0, "OK", TH_PROBE_DOWN, TH_CAUSE_PROTOCOL, "not HTTP/1: \"O\""},
    {false, FAKESVC_SAY, 0, "HTTP/1.1 200 OK", TH_PROBE_DOWN, TH_CAUSE_EOF,
     "closed after 15 bytes, before the status was complete"},
    {false, FAKESVC_SAY_AND_WAIT, 0, "HTTP/1.1 200 OK\r\n", TH_PROBE_UP, TH_CAUSE_NONE, "200"},
    {false, FAKESVC_SAY, 0, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", TH_PROBE_UP,
     TH_CAUSE_NONE, "200"},
    {false, FAKESVC_SAY, 0, "HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\nHTTP/1.1 500 E\r\n",
     TH_PROBE_DOWN, TH_CAUSE_STATUS, "500, not in ok_codes"},
    {false, FAKESVC_SAY, 0, "HTTP/1.1 100 Continue\r\n\r\n", TH_PROBE_DOWN, TH_CAUSE_EOF, ANY_TEXT},
    {true, FAKESVC_OK, 0, NULL, TH_PROBE_UP, TH_CAUSE_NONE, "200"},
    {true, FAKESVC_SAY_AND_WAIT, 0, "HTTP/1.1 200 ", TH_PROBE_UP, TH_CAUSE_NONE, "200"},
    {true, FAKESVC_SAY, 0, "HTTP/1.1 200\r\n", TH_PROBE_DOWN, TH_CAUSE_PROTOCOL, ANY_TEXT},
    {true, FAKESVC_SAY, 0, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", TH_PROBE_DOWN,
     TH_CAUSE_STATUS, "100, not in ok_codes"},
    {true, FAKESVC_EOF, 0, NULL, TH_PROBE_DOWN, TH_CAUSE_EOF, ANY_TEXT},
    {true, FAKESVC_SAY, 0, "HTTP/1.1", TH_PROBE_DOWN, TH_CAUSE_EOF, ANY_TEXT},
};

START_TEST(verdict)
{
    static const char *const ok[] = {"200", "204"};
    struct probe p;
    struct fakesvc *f = fakesvc_start("127.0.0.1", 0);
    if (verdicts[_i].say)
        fakesvc_set_bytes(f, verdicts[_i].say, strlen(verdicts[_i].say));
    fakesvc_set(f, verdicts[_i].mode, verdicts[_i].value);
    init(&p, f, verdicts[_i].gdnsd);
    probe_set_list(&p, "ok_codes", ok, 2);
    start(&p, "127.0.0.1", TIMEOUT_MS); /* all of these are told at once, none by the deadline */
    for (int i = 0; i < 3; i++) {
        const struct monitor_result *r = &p.rig.last;
        ck_assert_msg(r->verdict == verdicts[_i].verdict && r->cause == verdicts[_i].cause,
                      "verdict %d cause %d: %s", (int)r->verdict, (int)r->cause, r->text);
        if (verdicts[_i].text)
            ck_assert_str_eq(r->text, verdicts[_i].text);
        probe_result(&p);
    }
    probe_stop(&p);
    ck_assert_uint_eq(fakesvc_resets(f), 0); /* we close by FIN */
    fakesvc_stop(f);
}
END_TEST

/* B032: bytes keep coming, but the whole takes longer than the one deadline. B040, B056: silence.
 */
START_TEST(one_deadline)
{
    struct probe p;
    struct fakesvc *f = fakesvc_start("127.0.0.1", 0);
    fakesvc_set(f, _i ? FAKESVC_SILENT : FAKESVC_DRIP, 30);
    init(&p, f, false);
    start(&p, "127.0.0.1", 100);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(p.rig.last.verdict, TH_PROBE_TIMEOUT);
        ck_assert_int_eq(p.rig.last.cause, TH_CAUSE_TIMEOUT);
        ck_assert_uint_ge(p.rig.last.latency_us, 100000);
        probe_result(&p);
    }
    fakesvc_set(f, FAKESVC_DRIP, 1); /* slow, but in time */
    probe_until(&p, TH_PROBE_UP);
    fakesvc_set(f, FAKESVC_OK, 0);
    probe_until(&p, TH_PROBE_UP);
    probe_stop(&p);
    fakesvc_stop(f);
}
END_TEST

START_TEST(huge_headers)
{
    struct probe p;
    struct fakesvc *f = fakesvc_start("127.0.0.1", 0);
    size_t size = 1 << 20;
    char *bytes = mem_alloc(size);
    memset(bytes, 'x', size);
    memcpy(bytes, "HTTP/1.1 100 Continue\r\nX: ", 26);
    fakesvc_set_bytes(f, bytes, size);
    fakesvc_set(f, FAKESVC_SAY, 0);
    init(&p, f, false);
    start(&p, "127.0.0.1", TIMEOUT_MS);
    ck_assert_int_eq(p.rig.last.verdict, TH_PROBE_DOWN);
    ck_assert_int_eq(p.rig.last.cause, TH_CAUSE_PROTOCOL);
    ck_assert_str_eq(p.rig.last.text, "no end of the status in 8192 bytes");
    memcpy(bytes, "HTTP/1.1 200 OK\r\nX: ", 20); /* behind the status line it does not matter */
    fakesvc_set_bytes(f, bytes, size);
    probe_until(&p, TH_PROBE_UP);
    probe_stop(&p);
    fakesvc_stop(f);
    mem_free(bytes);
}
END_TEST

/* B034: a peer that closes early costs one look, not a spin until the timeout. */
START_TEST(early_eof_burns_no_cpu)
{
    struct probe p;
    struct fakesvc *f = fakesvc_start("127.0.0.1", 0);
    fakesvc_set(f, FAKESVC_EOF, 0);
    init(&p, f, true);
    start(&p, "127.0.0.1", TIMEOUT_MS);
    for (int i = 0; i < 20; i++)
        ck_assert_int_eq(probe_result(&p)->verdict, TH_PROBE_DOWN);
    ck_assert_uint_ge(fakesvc_connections(f), 20); /* each ended, and the next began */
    probe_stop(&p);
    fakesvc_stop(f);
}
END_TEST

/* B046: long down, then up. */
START_TEST(comes_back)
{
    struct probe p;
    struct fakesvc *f = fakesvc_start("127.0.0.1", 0);
    init(&p, f, false);
    start(&p, "127.0.0.1", TIMEOUT_MS);
    for (int i = 0; i < 3; i++) {
        fakesvc_set(f, FAKESVC_REFUSE, 0);
        for (int k = 0; k < 10; k++)
            probe_until(&p, TH_PROBE_DOWN);
        fakesvc_set(f, FAKESVC_OK, 0);
        probe_until(&p, TH_PROBE_UP);
        ck_assert(!th_word_has(rig_word(p.plugs, 0), TH_DOWN));
    }
    probe_stop(&p);
    fakesvc_stop(f);
}
END_TEST

/* B035: with no descriptor left a dead backend is not news, and neither is a live one. */
START_TEST(no_descriptor_is_notrun)
{
    struct probe p;
    struct rlimit before, none;
    struct fakesvc *f = fakesvc_start("127.0.0.1", 0);
    init(&p, f, false);
    start(&p, "127.0.0.1", TIMEOUT_MS);
    getrlimit(RLIMIT_NOFILE, &before);
    none = before;
    none.rlim_cur = 3;
    setrlimit(RLIMIT_NOFILE, &none);
    ck_assert_int_eq(probe_until(&p, TH_PROBE_NOTRUN)->cause, TH_CAUSE_LOCAL);
    struct th_word word = rig_word(p.plugs, 0); /* a busy machine may have made it DOWN before */
    for (int i = 0; i < 10; i++)
        ck_assert_int_eq(probe_until(&p, TH_PROBE_NOTRUN)->cause, TH_CAUSE_LOCAL);
    ck_assert_uint_eq(rig_word(p.plugs, 0).bits, word.bits);
    setrlimit(RLIMIT_NOFILE, &before);
    probe_until(&p, TH_PROBE_UP);
    probe_stop(&p);
    fakesvc_stop(f);
}
END_TEST

START_TEST(descriptors_stay_flat)
{
    struct probe p;
    static const enum fakesvc_mode modes[] = {FAKESVC_OK,     FAKESVC_EOF,   FAKESVC_GARBAGE,
                                              FAKESVC_SILENT, FAKESVC_RESET, FAKESVC_REFUSE};
    struct fakesvc *f = fakesvc_start("127.0.0.1", 0);
    fakesvc_set(f, FAKESVC_REFUSE, 0);
    init(&p, f, false);
    start(&p, "127.0.0.1", 5);
    struct th_addr a = {4, {127, 0, 0, 1}};
    unsigned before = probe_fd_count();
    for (int i = 0; i < 600; i++) {
        struct plugs *next = rig_plugs_of(&p.service, &a, 1);
        if (i % 20 == 0)
            fakesvc_set(f, modes[i / 20 % 6], 0);
        rig_attach(&p.rig, next, 0);
        rig_detach(&p.rig, next); /* a probe is under way, or the attempt was just queued */
        rig_plugs_free(next);
        if (i % 5 == 0)
            probe_result(&p);
    }
    rig_detach(&p.rig, p.plugs);
    fakesvc_set(f, FAKESVC_REFUSE, 0); /* closes the service's side */
    ck_assert_uint_le(probe_fd_count(), before);
    probe_stop(&p);
    fakesvc_stop(f);
}
END_TEST

/* Silence after the connection is limited by the timeout, not by connect_timeout. */
START_TEST(connect_timeout_ends_with_the_connection)
{
    struct probe p;
    struct fakesvc *f = fakesvc_start("127.0.0.1", 0);
    fakesvc_set(f, FAKESVC_SILENT, 0);
    probe_init(&p, &th_plugin_http_status, false);
    probe_set_uint(&p, "port", fakesvc_port(f));
    ck_assert_int_eq(probe_open(&p), 0);
    p.connect_timeout_ms = 2000; /* long enough to connect on any machine */
    probe_start(&p, "127.0.0.1", 10, 2200);
    const struct monitor_result *r = probe_until(&p, TH_PROBE_TIMEOUT);
    ck_assert_str_eq(r->text, "no verdict within 2200 ms");
    probe_stop(&p);
    fakesvc_stop(f);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("http_status");
    TCase *t = tcase_create("http_status");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, ok_codes, 0, (int)(sizeof codes / sizeof *codes));
    tcase_add_loop_test(t, no_request_within_a_request, 0, (int)(sizeof texts / sizeof *texts));
    tcase_add_test(t, port_limit);
    tcase_add_loop_test(t, request_bytes, 0, (int)(sizeof requests / sizeof *requests));
    tcase_add_loop_test(t, verdict, 0, (int)(sizeof verdicts / sizeof *verdicts));
    tcase_add_loop_test(t, one_deadline, 0, 2);
    tcase_add_test(t, huge_headers);
    tcase_add_test(t, early_eof_burns_no_cpu);
    tcase_add_test(t, comes_back);
    tcase_add_test(t, no_descriptor_is_notrun);
    tcase_add_test(t, descriptors_stay_flat);
    tcase_add_test(t, connect_timeout_ends_with_the_connection);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
