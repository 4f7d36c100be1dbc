/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pace: when the running monitor probes next, by the state, and which delays are its own. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit/fake_monitor.h"
#include "unit/run.h"

static bool has_notruns(void *arg)
{
    const struct rig *r = arg;
    return r->notrun_count >= 6;
}

/* A deadline that we are late for ourselves says nothing of the target. */
START_TEST(held_up_loop_is_notrun)
{
    struct rig r;
    struct fake fake;
    fake_init(&fake, TH_PROBE_UP);
    struct service s = fake_service(&fake, 50, 20);
    s.flap.down_thresh = 1;
    struct plugs *p = rig_plugs(&s, 1, 1);
    rig_start(&r, NULL);
    rig_attach(&r, p, 5000);
    fake.burn_ms = 80;
    fake_set(&fake, HANG);
    rig_wait(&r, has_notruns, &r);
    ck_assert(!th_word_has(rig_word(p, 0), TH_DOWN));
    fake.burn_ms = 0; /* now it is the target's silence */
    rig_wait_word(&r, p, 0, TH_DOWN, true);
    ck_assert_int_eq(r.last_transition.verdict, TH_PROBE_TIMEOUT);
    rig_stop(&r);
    rig_plugs_free(p);
}
END_TEST

/* Held up in the middle, and in time for the deadline: what came late may be our own request. */
START_TEST(stall_before_the_deadline_is_notrun)
{
    struct rig r;
    struct fake fake;
    fake_init(&fake, TH_PROBE_UP);
    struct service s = fake_service(&fake, 400, 300);
    s.flap.down_thresh = 1;
    struct plugs *p = rig_plugs(&s, 1, 1);
    rig_start(&r, NULL);
    rig_attach(&r, p, 5000);
    fake.burn_ms = 100; /* inside of the attempt, which has 200 ms left then */
    fake_set(&fake, HANG);
    rig_wait(&r, has_notruns, &r);
    ck_assert(!th_word_has(rig_word(p, 0), TH_DOWN));
    ck_assert_uint_ge(counter_get(monitor_counters(r.monitor), COUNTER_MONITOR_NOTRUN), 6);
    fake.burn_ms = 0;
    rig_wait_word(&r, p, 0, TH_DOWN, true);
    rig_stop(&r);
    rig_plugs_free(p);
}
END_TEST

/* Stops this process for 400 ms of every 600, until it has ended. */
static pid_t start_stopper(void)
{
    pid_t tested = getpid(), stopper = fork();
    ck_assert_int_ge(stopper, 0);
    if (stopper != 0)
        return stopper;
    while (getppid() == tested && kill(tested, SIGSTOP) == 0) {
        (void)usleep(400000); /* how long is what is tested */
        (void)kill(tested, SIGCONT);
        (void)usleep(200000);
    }
    _exit(0);
}

/* A process that is stopped (a debugger, a suspended machine) sleeps too long; every attempt of
 * 900 ms here has a whole stop in it, wherever its deadline falls. */
START_TEST(stopped_process_is_notrun)
{
    struct rig r;
    struct fake fake;
    fake_init(&fake, TH_PROBE_UP);
    struct service s = fake_service(&fake, 1000, 900);
    s.flap.down_thresh = 1;
    struct plugs *p = rig_plugs(&s, 1, 8);
    rig_start(&r, NULL);
    rig_attach(&r, p, 5000);
    pid_t stopper = start_stopper();
    fake_set(&fake, HANG);
    while (r.notrun_count < 24) /* three rounds: deadlines at all places between two stops */
        rig_next_result(&r);
    for (size_t i = 0; i < 8; i++)
        ck_assert(!th_word_has(rig_word(p, i), TH_DOWN));
    (void)kill(stopper, SIGKILL);
    ck_assert_int_eq(waitpid(stopper, NULL, 0), stopper);
    (void)kill(getpid(), SIGCONT);
    rig_stop(&r);
    rig_plugs_free(p);
}
END_TEST

/* The connection has a deadline of its own; once it stands, timeout limits the whole. */
START_TEST(connect_has_its_own_deadline)
{
    struct rig r;
    struct fake fake;
    fake_init(&fake, HANG);
    fake.connects = _i;
    struct service s = fake_service(&fake, 3600000, 60);
    s.connect_timeout_ms = 20;
    struct plugs *p = rig_plugs(&s, 1, 1);
    rig_start(&r, NULL);
    rig_attach(&r, p, 0);
    ck_assert_uint_ge(r.last.latency_us, _i ? 60000 : 20000);
    if (r.last.verdict == TH_PROBE_TIMEOUT) /* else this machine was too busy to say */
        ck_assert_str_eq(r.last.text,
                         _i ? "no verdict within 60 ms" : "no connection within 20 ms");
    rig_stop(&r);
    rig_plugs_free(p);
}
END_TEST

/* interval is an hour: every attempt but the first comes of the fast one. */
START_TEST(fast_interval_until_the_verdict)
{
    struct rig r;
    struct fake fake;
    fake_init(&fake, _i ? TH_PROBE_DOWN : TH_PROBE_UP);
    struct service s = fake_service(&fake, 3600000, 1000);
    s.flap.fast_interval_ms = 5;
    s.flap.init = FLAP_INIT_CONFIRM;
    struct plugs *p = rig_plugs(&s, 1, 3);
    rig_start(&r, NULL);
    rig_attach(&r, p, _i ? 0 : 5000); /* without a limit, too, the round is two results */
    for (size_t i = 0; i < 3; i++)
        ck_assert(!th_word_has(rig_word(p, i), TH_PENDING));
    ck_assert_int_eq(fake.starts, 6);
    ck_assert_uint_eq(r.last_transition.counted, 2);
    ck_assert_uint_eq(r.last_transition.among, 2);
    rig_stop(&r);
    rig_plugs_free(p);
}
END_TEST

/* The usual interval is an hour; who is DOWN is asked again soon, and comes up at the fast one. */
START_TEST(down_interval_while_down)
{
    struct rig r;
    struct fake fake;
    fake_init(&fake, TH_PROBE_DOWN);
    struct service s = fake_service(&fake, 3600000, 1000);
    s.flap.down_interval_ms = 5;
    s.flap.fast_interval_ms = 5;
    struct plugs *p = rig_plugs(&s, 1, 1);
    rig_start(&r, NULL);
    rig_attach(&r, p, 5000);
    fake_wait(&r, &fake.starts, 5);
    fake.verdict[1] = TH_PROBE_UP;
    rig_wait_word(&r, p, 0, TH_DOWN, false);
    ck_assert_uint_eq(r.last_transition.counted, 2);
    rig_stop(&r);
    rig_plugs_free(p);
}
END_TEST

START_TEST(hard_failure_is_down_at_once)
{
    struct rig r;
    struct fake fake;
    fake_init(&fake, TH_PROBE_UP);
    struct service s = fake_service(&fake, 10, 5);
    s.flap.down_thresh = 60000;
    s.flap.hard_causes = 1u << TH_CAUSE_REFUSED; /* which the fake gives for DOWN */
    struct plugs *p = rig_plugs(&s, 1, 1);
    rig_start(&r, NULL);
    rig_attach(&r, p, 5000);
    fake.verdict[1] = TH_PROBE_DOWN;
    rig_wait_word(&r, p, 0, TH_DOWN, true);
    ck_assert_uint_eq(r.last_transition.counted, 1);
    rig_stop(&r);
    rig_plugs_free(p);
}
END_TEST

struct beat {
    const struct monitor *monitor;
    int64_t last;
};

static bool beat_moved(void *arg)
{
    const struct beat *b = arg;
    return monitor_heartbeat_ns(b->monitor) > b->last;
}

/* Three turns of the loop, each of which would start what is queued. */
static void let_it_turn(struct rig *r)
{
    for (int i = 0; i < 3; i++) {
        struct beat b = {r->monitor, monitor_heartbeat_ns(r->monitor)};
        rig_wait(r, beat_moved, &b);
    }
}

/* What is known keeps its place on the grid, under other thresholds and intervals, too. */
START_TEST(a_reload_makes_no_burst)
{
    enum { TARGETS = 500, DUE_ANYWAY = 20 };
    struct rig r;
    struct fake fake;
    fake_init(&fake, TH_PROBE_UP);
    struct service s = fake_service(&fake, 3600000, 1000), tuned = s;
    tuned.flap.interval_ms = 3000000;
    tuned.flap.up_thresh = 9;
    struct plugs *p = rig_plugs(&s, 1, TARGETS), *q = rig_plugs(&tuned, 1, TARGETS);
    rig_start(&r, NULL);
    rig_attach(&r, p, 5000);
    rig_attach(&r, q, 5000);
    rig_detach(&r, p);
    let_it_turn(&r);
    ck_assert_int_ge(fake.starts, TARGETS);
    ck_assert_int_lt(fake.starts, TARGETS + DUE_ANYWAY);
    rig_stop(&r);
    rig_plugs_free(p);
    rig_plugs_free(q);
}
END_TEST

START_TEST(known_states_are_not_waited_for)
{
    struct rig r;
    struct fake fake;
    fake_init(&fake, HANG);
    struct service s = fake_service(&fake, 3600000, 60000);
    s.flap.init = _i ? FLAP_INIT_DOWN : FLAP_INIT_UP;
    struct plugs *p = rig_plugs(&s, 1, 2);
    rig_start(&r, NULL);
    rig_attach(&r, p, 3600000);
    ck_assert_int_eq(th_word_has(rig_word(p, 1), TH_DOWN), _i);
    ck_assert(!th_word_has(rig_word(p, 1), TH_PENDING));
    rig_stop(&r);
    rig_plugs_free(p);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("pace");
    TCase *t = tcase_create("pace");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, held_up_loop_is_notrun);
    tcase_add_test(t, stall_before_the_deadline_is_notrun);
    tcase_add_test(t, stopped_process_is_notrun);
    tcase_add_loop_test(t, connect_has_its_own_deadline, 0, 2);
    tcase_add_loop_test(t, fast_interval_until_the_verdict, 0, 2);
    tcase_add_test(t, down_interval_while_down);
    tcase_add_test(t, hard_failure_is_down_at_once);
    tcase_add_test(t, a_reload_makes_no_burst);
    tcase_add_loop_test(t, known_states_are_not_waited_for, 0, 2);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
