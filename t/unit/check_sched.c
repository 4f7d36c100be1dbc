/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sched: when a target is due, as a pure function; who is next; what our own delays mean. */
#include <string.h>

#include "monitor/sched.h"
#include "unit/run.h"

/* The grid: no drift, the same phase for the same key, phases spread over the interval. */
START_TEST(grid)
{
    struct service s = {.flap = {.interval_ms = 1000}};
    unsigned tenths[10] = {0};
    for (uint64_t i = 1; i <= 1000; i++) {
        struct slot slot = {.key = i * 0x9e3779b97f4a7c15u};
        struct th_target t = {.slot = &slot, .service = &s};
        struct mono first = target_next_due(&t, (struct mono){123456789});
        ck_assert_int_gt(first.ns, 123456789);
        ck_assert_int_le(first.ns, 1123456789);
        /* however late the attempt ends, the next lies on the grid; missed points are skipped */
        ck_assert_int_eq(target_next_due(&t, first).ns, first.ns + 1000000000);
        ck_assert_int_eq(target_next_due(&t, (struct mono){first.ns + 1}).ns,
                         first.ns + 1000000000);
        ck_assert_int_eq(target_next_due(&t, (struct mono){first.ns - 1}).ns, first.ns);
        ck_assert_int_eq(target_next_due(&t, (struct mono){first.ns + 7999999999}).ns,
                         first.ns + 8000000000);
        tenths[first.ns % 1000000000 / 100000000]++;
    }
    for (int i = 0; i < 10; i++)
        ck_assert(tenths[i] > 70 && tenths[i] < 130);
}
END_TEST

/* Each pace has its interval; the fast one counts from when the attempt before was due. */
START_TEST(paces)
{
    struct service s = {
        .flap = {.interval_ms = 1000, .fast_interval_ms = 70, .down_interval_ms = 9000}};
    struct slot slot = {.key = 0x123456789abcdef, .flap = {.known = true}};
    struct th_target t = {.slot = &slot, .service = &s, .planned = {5000000001}};
    struct mono now = {5000000002};
    struct mono usual = target_next_due(&t, now);
    ck_assert_int_eq(target_next_due(&t, usual).ns - usual.ns, 1000000000);
    slot.flap.down = true;
    struct mono down = target_next_due(&t, now);
    ck_assert_int_eq(target_next_due(&t, down).ns - down.ns, 9000000000);
    slot.flap.succ = 1;
    ck_assert_int_eq(target_next_due(&t, now).ns, 5070000001);
    ck_assert_int_eq(target_next_due(&t, (struct mono){5070000001}).ns, 5140000001);
    ck_assert_int_eq(target_next_due(&t, (struct mono){5200000000}).ns, 5210000001);
    slot.flap = (struct flap){.known = true}; /* and back on the same grid as ever */
    ck_assert_int_eq((target_next_due(&t, (struct mono){99999999999}).ns - usual.ns) % 1000000000,
                     0);
}
END_TEST

/* Jitter only delays, below its share; every round comes once, in order, also when each attempt
 * begins and ends late; nothing adds up; the same target and round are always the same. */
START_TEST(jitter)
{
    enum { ROUNDS = 20000 };
    const int64_t interval = 1000000000;
    struct service s = {.flap = {.interval_ms = 1000}}, jittered = s;
    jittered.jitter = (_i + 1) * 0.25; /* 0.25, 0.5 */
    struct slot slot = {.key = 0xfedcba987654321};
    struct th_target plain = {.slot = &slot, .service = &s},
                     t = {.slot = &slot, .service = &jittered}, again = t;
    struct mono point = target_next_due(&plain, (struct mono){77});
    struct mono now = {point.ns - 1};
    int64_t largest = 0, smallest = interval;
    for (int i = 0; i < ROUNDS; i++) {
        struct mono due = target_next_due(&t, now);
        int64_t delay = due.ns - point.ns - i * interval;
        if (delay < 0 || delay >= (int64_t)((double)interval * jittered.jitter) ||
            due.ns != target_next_due(&again, now).ns || due.ns <= now.ns ||
            due.ns != target_next_due(&t, (struct mono){due.ns - 1}).ns) /* until it is there */
            ck_abort_msg("round %d: delay %lld", i, (long long)delay);
        largest = delay > largest ? delay : largest;
        smallest = delay < smallest ? delay : smallest;
        now.ns = due.ns + i % 7 * (interval / 16); /* taken up and finished late */
    }
    ck_assert_int_gt(largest, (int64_t)((double)interval * jittered.jitter * 0.99));
    ck_assert_int_lt(smallest, interval / 100);
}
END_TEST

/* ---- the queue ----------------------------------------------------------------------------- */

enum { SIX = 6 };

struct queue_rig {
    struct sched s;
    struct counters counters;
    struct service service;
    struct slot slots[64];
    struct th_target *targets[64];
    enum th_verdict last;
    unsigned ended;
};

static int open_target(const struct th_host *host, void *service, struct th_target *t,
                       const struct th_addr *addr, void **out)
{
    (void)host, (void)service, (void)addr;
    *out = t;
    return 0;
}

static void nothing(void *target)
{
    (void)target;
}

static const struct th_monitor hanging = {.target_open = open_target,
                                          .target_close = nothing,
                                          .probe_start = nothing,
                                          .probe_cancel = nothing};
static const struct th_plugin hanging_plugin = {TH_PLUGIN_HEAD, .name = "hang", .version = "1",
                                                .monitor = &hanging};

static void on_attempt(void *arg, struct th_target *t, const struct attempt *a)
{
    struct queue_rig *r = arg;
    (void)t;
    r->last = a->verdict;
    r->ended++;
}

static void queue_rig_init(struct queue_rig *r, uint32_t timeout_ms)
{
    memset(r, 0, sizeof *r);
    r->service = (struct service){.plugin = &hanging_plugin,
                                  .flap = {.interval_ms = 3600000, .fast_interval_ms = 3600000},
                                  .timeout_ms = timeout_ms};
    sched_init(&r->s, ev_loop_new(EVFLAG_AUTO), 1);
    r->s.counters = &r->counters;
    r->s.on_attempt = on_attempt;
    r->s.arg = r;
}

static void add(struct queue_rig *r, size_t i, struct flap state)
{
    r->slots[i] = (struct slot){.key = i, .flap = state};
    r->targets[i] = target_new(&r->s, &r->slots[i], &r->service, NULL);
}

static void queue_rig_fini(struct queue_rig *r)
{
    for (size_t i = 0; i < 64; i++)
        if (r->targets[i])
            target_free(r->targets[i]);
    ev_loop_destroy(r->s.loop);
}

/* The index of the one that is started now. */
static size_t start_next(struct queue_rig *r)
{
    ck_assert(!sched_run_queue(&r->s, (struct mono){INT64_MAX}));
    for (size_t i = 0; i < 64; i++)
        if (r->targets[i] && r->targets[i]->phase == TARGET_RUNNING)
            return i;
    ck_abort_msg("nothing was started");
    return 0;
}

static size_t take_next(struct queue_rig *r)
{
    size_t i = start_next(r);
    target_done(r->targets[i], TH_PROBE_UP, TH_CAUSE_NONE, "");
    return i;
}

static const struct flap dead = {.known = true, .down = true}, well = {.known = true},
                         rising = {.known = true, .down = true, .succ = 1},
                         suspect = {.known = true, .fail = 1}, fresh = {0},
                         half_confirmed = {.seen = 1, .fail = 1};

START_TEST(confirmations_first_and_the_dead_last)
{
    static const size_t order[SIX] = {2, 3, 5, 1, 4, 0};
    struct queue_rig r;
    queue_rig_init(&r, 1000);
    const struct flap states[SIX] = {dead, well, rising, suspect, fresh, half_confirmed};
    for (size_t i = 0; i < SIX; i++)
        add(&r, i, states[i]);
    for (size_t i = 0; i < SIX; i++)
        ck_assert_uint_eq(take_next(&r), order[i]);
    queue_rig_fini(&r);
}
END_TEST

/* With more to do than can be done nobody waits for ever: one start in SCHED_FAIR is the dead's. */
START_TEST(the_dead_do_not_starve)
{
    struct queue_rig r;
    queue_rig_init(&r, 1000);
    for (size_t i = 0; i < 60; i++)
        add(&r, i, suspect);
    for (size_t i = 60; i < 63; i++)
        add(&r, i, dead);
    for (size_t i = 0; i < 3 * SCHED_FAIR; i++)
        ck_assert_int_eq(take_next(&r) >= 60, i % SCHED_FAIR == SCHED_FAIR - 1);
    queue_rig_fini(&r);
}
END_TEST

START_TEST(what_waiting_costs_is_counted)
{
    static const struct {
        int64_t ms;
        unsigned skipped, late;
    } rows[] = {{0, 0, 0}, {900, 0, 0}, {1500, 1, 0}, {2500, 2, 0}, {3500, 3, 1}, {10500, 10, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct queue_rig r;
        queue_rig_init(&r, 1000);
        r.service.flap.interval_ms = 10000; /* of the paces that do not hold here */
        r.service.flap.fast_interval_ms = 1000;
        add(&r, 0, suspect);
        r.targets[0]->due = mono_add_ms(mono_now(), -rows[i].ms);
        (void)start_next(&r);
        ck_assert_uint_eq(counter_get(&r.counters, COUNTER_MONITOR_PROBES), 1);
        ck_assert_uint_ge(counter_get(&r.counters, COUNTER_MONITOR_SKIPPED), rows[i].skipped);
        ck_assert_uint_ge(counter_get(&r.counters, COUNTER_MONITOR_LATE), rows[i].late);
        if (mono_diff_ms(r.targets[0]->started, r.targets[0]->planned) < rows[i].ms + 90) {
            ck_assert_uint_eq(counter_get(&r.counters, COUNTER_MONITOR_SKIPPED), rows[i].skipped);
            ck_assert_uint_eq(counter_get(&r.counters, COUNTER_MONITOR_LATE), rows[i].late);
        }
        queue_rig_fini(&r);
    }
}
END_TEST

/* ---- our own delays ------------------------------------------------------------------------ */

/* One attempt to its deadline, with our loop held up meanwhile for so many times so long. */
static enum th_verdict attempt_with_stalls(struct queue_rig *r, unsigned times, int64_t ms)
{
    unsigned before = r->ended;
    target_free(r->targets[0]);
    add(r, 0, well);
    (void)start_next(r);
    while (times--)
        sched_note_stall(&r->s, ms * 1000000);
    while (r->ended == before)
        ev_run(r->s.loop, EVRUN_ONCE);
    return r->last;
}

START_TEST(a_stall_in_the_middle_is_not_their_timeout)
{
    struct queue_rig r;
    queue_rig_init(&r, 100);
    add(&r, 0, well);
    ck_assert_int_eq(attempt_with_stalls(&r, 1, 26), TH_PROBE_NOTRUN); /* above a quarter */
    ck_assert_int_eq(attempt_with_stalls(&r, 2, 13), TH_PROBE_NOTRUN);
    while (attempt_with_stalls(&r, 1, 24) != TH_PROBE_TIMEOUT) /* a busy machine adds its own */
        ;
    while (attempt_with_stalls(&r, 50, SCHED_STALL_MS) != TH_PROBE_TIMEOUT)
        ;
    ck_assert_uint_ge(counter_get(&r.counters, COUNTER_MONITOR_NOTRUN), 2);
    ck_assert_uint_ge(counter_get(&r.counters, COUNTER_MONITOR_TIMEOUT), 2);
    queue_rig_fini(&r);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("sched");
    TCase *t = tcase_create("sched");
    tcase_add_test(t, grid);
    tcase_add_test(t, paces);
    tcase_add_loop_test(t, jitter, 0, 2);
    tcase_add_test(t, confirmations_first_and_the_dead_last);
    tcase_add_test(t, the_dead_do_not_starve);
    tcase_add_test(t, what_waiting_costs_is_counted);
    tcase_add_test(t, a_stall_in_the_middle_is_not_their_timeout);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
