/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * crowd.c: many idle clients, many slow ones and a flood of resets at once; those who ask properly
 * are answered as before, and afterwards everything is as at the beginning.
 *
 * THRESH_CROWD=N for N idle clients and N/10 slow ones (make bench-crowd: 10,000); else 500.  Fewer
 * where the system does not grant the descriptors.  Prints times and memory; only answers, memory
 * and descriptors decide.
 */
#include <check.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "e2e/run.h"
#include "e2e/tcp_client.h"
#include "lib/daemon.h"
#include "lib/dns.h"

/* The strings of a record whose answer is 51 KiB, and how often a slow reader asks for it. */
enum { HUGE_STRINGS = 200, HUGE_ASKED = 40 };
/* Questions of each kind while it is quiet and while it is not. */
enum { ROUNDS = 200 };
enum { THREADS = 2, WORKERS = 2 * THREADS }; /* two addresses */
/* What an idle client may cost, what the connections of a thread may hold (docs/architecture.md),
 * and what else may come and go: stacks, allocator. */
enum { IDLE_BYTES = 512, HELD_BYTES = 16 << 20, SLACK_BYTES = 8 << 20 };

struct crowd {
    struct test_daemon daemon;
    size_t idle_count, slow_count;
    int *idle, *slow; /* descriptors */
    pthread_t flood;
    atomic_bool over;
    atomic_ulong resets;
};

/* ---- the zone ------------------------------------------------------------------------------ */

static char *zone_text(void)
{
    static const char head[] = "$TTL 300\n@ SOA ns1 root 1 1h 1h 1w 10\n@ NS ns1\n"
                               "ns1 A 127.0.0.1\nwww A 192.0.2.1\nhuge TXT";
    char *text = calloc(1, sizeof head + HUGE_STRINGS * 260 + 2), string[256];
    ck_assert_ptr_nonnull(text);
    memset(string, 'x', sizeof string - 1);
    string[sizeof string - 1] = '\0';
    char *end = stpcpy(text, head);
    for (int i = 0; i < HUGE_STRINGS; i++)
        end += sprintf(end, " \"%s\"", string);
    (void)stpcpy(end, "\n"); /* room was made for it */
    return text;
}

/* ---- those who ask properly ---------------------------------------------------------------- */

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int compare_times(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static double median_us(int64_t times[ROUNDS])
{
    qsort(times, ROUNDS, sizeof *times, compare_times);
    return (double)times[ROUNDS / 2] / 1000;
}

static int64_t time_udp(const struct test_daemon *d, bool v6)
{
    const struct dns_question q = {
        .port = d->port, .v6 = v6, .name = "www.e2e.example", .type = LDNS_RR_TYPE_A};
    uint8_t query[DNS_MAX], reply[DNS_MAX];
    size_t len = dns_query(&q, query);
    int64_t begin = now_ns();
    size_t n = dns_exchange(&q, query, len, reply);
    int64_t end = now_ns();
    ck_assert_uint_gt(n, LDNS_HEADER_SIZE);
    ck_assert_mem_eq(reply, query, 2);
    ck_assert_uint_eq(reply[7], 1); /* one record */
    return end - begin;
}

static int64_t time_ask(int fd)
{
    int64_t begin = now_ns();
    ask(fd, 7);
    return now_ns() - begin;
}

static int64_t time_new(const struct test_daemon *d, bool v6)
{
    int64_t begin = now_ns();
    int fd = connect_to(d, v6);
    ask(fd, 8);
    int64_t end = now_ns();
    close(fd);
    return end - begin;
}

/* Every question must be answered. */
static void ask_properly(const struct crowd *w, int persistent, const char *when)
{
    int64_t udp[ROUNDS], tcp[ROUNDS], fresh[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        udp[i] = time_udp(&w->daemon, i & 1);
        tcp[i] = time_ask(persistent);
        fresh[i] = time_new(&w->daemon, i & 1);
    }
    printf("%s: median of %d, us: udp %.0f, tcp %.0f, new tcp connection %.0f\n", when, ROUNDS,
           median_us(udp), median_us(tcp), median_us(fresh));
}

/* ---- those who do not ---------------------------------------------------------------------- */

static void reset(int fd)
{
    const struct linger none = {.l_onoff = 1, .l_linger = 0};
    ck_assert_int_eq(setsockopt(fd, SOL_SOCKET, SO_LINGER, &none, sizeof none), 0);
    close(fd);
}

/* Connections that are reset: as they are, or in the middle of a query. */
static void *flood(void *arg)
{
    struct crowd *w = arg;
    while (!atomic_load(&w->over)) {
        unsigned long n = atomic_fetch_add(&w->resets, 1);
        int fd = connect_to(&w->daemon, n & 1);
        if (n & 2)
            send_all(fd, (const uint8_t *)"\0\x21", 2);
        reset(fd);
    }
    return NULL;
}

/* Some are half through a query, the others want much and read nothing. */
static int connect_slow(const struct test_daemon *d, size_t i)
{
    uint8_t query[512];
    int fd = connect_narrow(d, i & 1);
    if (i & 2) {
        send_all(fd, query, put_query(query, "www.e2e.example", LDNS_RR_TYPE_A, 1) / 2);
        return fd;
    }
    size_t len = put_query(query, "huge.e2e.example", LDNS_RR_TYPE_TXT, 1);
    for (int k = 0; k < HUGE_ASKED; k++)
        (void)send(fd, query, len, MSG_NOSIGNAL | MSG_DONTWAIT); /* as many as are taken */
    return fd;
}

/* A byte now and then, in or out; the daemon may have closed it. */
static void dribble(int fd, size_t i)
{
    char byte = 0;
    if (i & 2)
        (void)send(fd, &byte, 1, MSG_NOSIGNAL | MSG_DONTWAIT); /* may be closed */
    else
        (void)recv(fd, &byte, 1, MSG_DONTWAIT); /* may be closed */
}

static void close_all(int *fds, size_t count)
{
    for (size_t i = 0; i < count; i++)
        close(fds[i]);
    free(fds);
}

/* ---- the test ------------------------------------------------------------------------------ */

static void size_crowd(struct crowd *w)
{
    const char *text = getenv("THRESH_CROWD");
    size_t wanted = text ? strtoul(text, NULL, 10) : 500, most = descriptors_for_clients();
    w->idle_count = wanted + wanted / 10 <= most ? wanted : most * 10 / 11;
    w->slow_count = w->idle_count / 10;
    w->idle = calloc(w->idle_count, sizeof *w->idle);
    w->slow = calloc(w->slow_count, sizeof *w->slow);
    ck_assert(w->idle && w->slow);
    if (w->idle_count < wanted)
        printf("only %zu descriptors are granted: %zu idle clients instead of %zu\n", most,
               w->idle_count, wanted);
}

/* A sanitizer keeps what was freed, and more of its own. */
static bool memory_counts(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return false;
#else
    return true;
#endif
}

static void check_memory(const struct crowd *w, size_t before, size_t more, const char *when)
{
    size_t now = program_memory(&w->daemon.program), most = before + more + SLACK_BYTES;
    printf("%s: %zu KiB of memory, %zu at the beginning\n", when, now / 1024, before / 1024);
    ck_assert_msg(!memory_counts() || now <= most, "%s: %zu bytes of memory, more than %zu", when,
                  now, most);
}

static void await_connections(const struct crowd *w, size_t count)
{
    daemon_await_counter(&w->daemon, "tcp", "conns", count);
}

static void make_slow(struct crowd *w)
{
    for (size_t i = 0; i < w->slow_count; i++)
        w->slow[i] = connect_slow(&w->daemon, i);
    for (size_t i = 0; i < w->slow_count; i++)
        dribble(w->slow[i], i);
}

static void await_descriptors(const struct crowd *w, unsigned count)
{
    int left_ms = PATIENCE_MS;
    while (program_descriptors(&w->daemon.program) != count)
        patience(&left_ms, "the daemon's descriptors to be as at the beginning");
}

START_TEST(a_crowd_does_no_harm)
{
    struct crowd w = {0};
    char *text = zone_text();
    const struct daemon_zone zones[] = {{"e2e.example", text}, {0}};
    const struct daemon_conf conf = {.options = "tcp_threads => 2 tcp_clients_per_thread => 65535",
                                     .zones = zones};
    size_crowd(&w);
    daemon_start(&w.daemon, &conf);
    unsigned descriptors = program_descriptors(&w.daemon.program);
    int persistent = connect_to(&w.daemon, false);
    ask_properly(&w, persistent, "quiet");
    size_t memory = program_memory(&w.daemon.program);

    for (size_t i = 0; i < w.idle_count; i++)
        w.idle[i] = connect_to(&w.daemon, i & 1);
    for (size_t i = 0; i < w.idle_count; i++)
        ask(w.idle[i], (unsigned)i & 0xffff);
    await_connections(&w, w.idle_count);
    printf("idle clients: %zu\n", w.idle_count);
    check_memory(&w, memory, w.idle_count * IDLE_BYTES, "idle");

    make_slow(&w);
    printf("slow clients: %zu\n", w.slow_count);
    ck_assert_int_eq(pthread_create(&w.flood, NULL, flood, &w), 0);
    ask_properly(&w, persistent, "crowded");
    for (size_t i = 0; i < w.slow_count; i++)
        dribble(w.slow[i], i);
    ask_properly(&w, persistent, "crowded");
    atomic_store(&w.over, true);
    pthread_join(w.flood, NULL);
    printf("resets: %lu, connections that gave up their memory: %lu\n", atomic_load(&w.resets),
           daemon_counter(&w.daemon, "tcp", "close_s_kill"));
    check_memory(&w, memory, w.idle_count * IDLE_BYTES + WORKERS * HELD_BYTES, "crowded");

    for (size_t i = 0; i < w.idle_count; i++)
        ask(w.idle[i], (unsigned)i & 0xffff); /* none of them was harmed */
    close(persistent);
    close_all(w.idle, w.idle_count);
    close_all(w.slow, w.slow_count);
    await_descriptors(&w, descriptors);
    daemon_stop(&w.daemon);
    free(text);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *s = suite_create("crowd");
    tcase_add_test(e2e_case(s, "crowd"), a_crowd_does_no_harm);
    return s;
}

E2E_MAIN(make_suite)
