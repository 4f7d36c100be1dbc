/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tcp_connect: real sockets, through the real monitor. */
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "unit/probe_rig.h"
#include "unit/run.h"

static void start(struct probe *p, struct fakesvc *f, const char *addr)
{
    probe_init(p, &th_plugin_tcp_connect, false);
    probe_set_uint(p, "port", fakesvc_port(f));
    ck_assert_int_eq(probe_open(p), 0);
    probe_start(p, addr, 10, 2000);
}

START_TEST(port_limits)
{
    struct probe p;
    for (int gdnsd = 0; gdnsd < 2; gdnsd++) {
        probe_init(&p, &th_plugin_tcp_connect, gdnsd);
        probe_set_uint(&p, "port", 65534);
        ck_assert_int_eq(probe_open(&p), 0);
        probe_set_uint(&p, "port", 65535);
        ck_assert_int_eq(probe_open(&p), gdnsd ? -1 : 0);
        ck_assert_int_eq(strstr(p.message, "65535 is above 65534") != NULL, gdnsd);
        probe_fini(&p);
    }
}
END_TEST

/* In turn: up, refused, up again; a host that accepts and is silent, or speaks first, is UP. */
START_TEST(follows_the_port)
{
    struct probe p;
    const char *addr = _i ? "::1" : "127.0.0.1";
    struct fakesvc *f = fakesvc_start(addr, 0);
    start(&p, f, addr);
    ck_assert_int_eq(p.rig.last.verdict, TH_PROBE_UP);
    ck_assert_str_eq(p.rig.last.text, "connected");
    fakesvc_set(f, FAKESVC_REFUSE, 0);
    const struct monitor_result *r;
    do /* one that was under way may be reset */
        r = probe_until(&p, TH_PROBE_DOWN);
    while (r->cause != TH_CAUSE_REFUSED);
    ck_assert_str_eq(r->text, "connect: Connection refused");
    ck_assert(th_word_has(rig_word(p.plugs, 0), TH_DOWN));
    fakesvc_set(f, FAKESVC_SILENT, 0);
    probe_until(&p, TH_PROBE_UP);
    fakesvc_set(f, FAKESVC_GARBAGE, 0);
    for (int i = 0; i < 5; i++)
        ck_assert_int_eq(probe_result(&p)->verdict, TH_PROBE_UP);
    ck_assert_uint_gt(fakesvc_connections(f), 5);
    probe_stop(&p);
    fakesvc_stop(f);
}
END_TEST

/* No descriptor left: the state stays as it was, and probing goes on afterwards. */
START_TEST(no_descriptor_is_notrun)
{
    struct probe p;
    struct rlimit before, none;
    struct fakesvc *f = fakesvc_start("127.0.0.1", 0);
    start(&p, f, "127.0.0.1");
    getrlimit(RLIMIT_NOFILE, &before);
    none = before;
    none.rlim_cur = 3;
    setrlimit(RLIMIT_NOFILE, &none);
    const struct monitor_result *r = probe_until(&p, TH_PROBE_NOTRUN);
    ck_assert_int_eq(r->cause, TH_CAUSE_LOCAL);
    ck_assert_str_eq(r->text, "socket: Too many open files");
    struct th_word word = rig_word(p.plugs, 0); /* a busy machine may have made it DOWN before */
    for (int i = 0; i < 10; i++)
        ck_assert_int_eq(probe_result(&p)->verdict, TH_PROBE_NOTRUN);
    ck_assert_uint_eq(rig_word(p.plugs, 0).bits, word.bits);
    setrlimit(RLIMIT_NOFILE, &before);
    probe_until(&p, TH_PROBE_UP);
    fakesvc_set(f, FAKESVC_REFUSE, 0);
    probe_until(&p, TH_PROBE_DOWN);
    probe_stop(&p);
    fakesvc_stop(f);
}
END_TEST

/* What our own kernel refuses to send is our trouble. */
START_TEST(no_route_is_notrun)
{
    struct probe p;
    probe_init(&p, &th_plugin_tcp_connect, false);
    probe_set_uint(&p, "port", 80);
    ck_assert_int_eq(probe_open(&p), 0);
    probe_start(&p, "255.255.255.255", 10, 2000); /* TCP has no broadcast */
    ck_assert_int_eq(p.rig.last.verdict, TH_PROBE_NOTRUN);
    ck_assert_int_eq(p.rig.last.cause, TH_CAUSE_LOCAL);
    ck_assert(th_word_has(rig_word(p.plugs, 0), TH_PENDING));
    probe_stop(&p);
}
END_TEST

static struct th_addr loopback(void)
{
    return (struct th_addr){4, {127, 0, 0, 1}};
}

/* B043: descriptors after thousands of probes, and after generations with probes under way. */
START_TEST(descriptors_stay_flat)
{
    struct probe p;
    struct fakesvc *f = fakesvc_start("127.0.0.1", 0);
    start(&p, f, "127.0.0.1");
    p.service.flap.interval_ms = 1; /* for generations to come */
    struct th_addr a = loopback();
    struct plugs *next = rig_plugs_of(&p.service, &a, 1);
    rig_attach(&p.rig, next, 0);
    size_t wanted = p.rig.result_count + 3000;
    while (p.rig.result_count < wanted)
        probe_result(&p);
    rig_detach(&p.rig, next);
    rig_plugs_free(next);
    unsigned before = probe_fd_count();
    for (int i = 0; i < 300; i++) {
        next = rig_plugs_of(&p.service, &a, 1);
        if (i % 10 == 0)
            fakesvc_set(f, i % 20 ? FAKESVC_OK : FAKESVC_REFUSE, 0);
        rig_attach(&p.rig, next, 0);
        rig_detach(&p.rig, next);
        rig_plugs_free(next);
    }
    rig_detach(&p.rig, p.plugs);
    fakesvc_set(f, FAKESVC_REFUSE, 0); /* closes the service's side of what is left */
    unsigned after = probe_fd_count();
    ck_assert_uint_le(after, before + 1); /* a probe may have been under way before, none is now */
    probe_stop(&p);
    fakesvc_stop(f);
}
END_TEST

/* A socket whose queue is full: the kernel drops what else wants to connect, as a silent host does.
 */
struct full {
    int fd, clients[8];
    uint16_t port;
};

static void full_open(struct full *f)
{
    struct sockaddr_in sin = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof sin;
    f->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_eq(bind(f->fd, (struct sockaddr *)&sin, sizeof sin), 0);
    ck_assert_int_eq(listen(f->fd, 0), 0);
    ck_assert_int_eq(getsockname(f->fd, (struct sockaddr *)&sin, &len), 0);
    f->port = ntohs(sin.sin_port);
    for (size_t i = 0; i < 8; i++) {
        f->clients[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        ck_assert(connect(f->clients[i], (struct sockaddr *)&sin, sizeof sin) == 0 ||
                  errno == EINPROGRESS);
    }
}

static void full_close(struct full *f)
{
    for (size_t i = 0; i < 8; i++)
        close(f->clients[i]);
    close(f->fd);
}

START_TEST(no_connection_within_connect_timeout)
{
    struct probe p;
    struct full f;
    full_open(&f);
    probe_init(&p, &th_plugin_tcp_connect, false);
    probe_set_uint(&p, "port", f.port);
    ck_assert_int_eq(probe_open(&p), 0);
    p.connect_timeout_ms = 30;
    probe_start(&p, "127.0.0.1", 10, 60000);
    const struct monitor_result *r = probe_until(&p, TH_PROBE_TIMEOUT);
    ck_assert_str_eq(r->text, "no connection within 30 ms");
    probe_stop(&p);
    full_close(&f);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tcp_connect");
    TCase *t = tcase_create("tcp_connect");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, port_limits);
    tcase_add_loop_test(t, follows_the_port, 0, 2);
    tcase_add_test(t, no_descriptor_is_notrun);
    tcase_add_test(t, no_route_is_notrun);
    tcase_add_test(t, descriptors_stay_flat);
    tcase_add_test(t, no_connection_within_connect_timeout);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
