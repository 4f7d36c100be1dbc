/* SPDX-License-Identifier: GPL-3.0-or-later */
/* monitor: schedule, deadlines, generations, and what comes of a verdict, with a plugin whose
 * verdicts the test sets. */
#include <string.h>

#include "unit/fake_monitor.h"
#include "unit/run.h"

/* ---- tests --------------------------------------------------------------------------------- */

START_TEST(stops_without_start)
{
    struct rig r;
    rig_start(&r, NULL);
    rig_stop(&r);
    struct mbox box;
    struct ev_loop *loop = ev_loop_new(EVFLAG_AUTO);
    mbox_init(&box, loop);
    struct monitor_options o = {.main_mbox = &box};
    struct monitor *m = monitor_new(&o);
    struct fake fake;
    fake_init(&fake, TH_PROBE_UP);
    struct service s = fake_service(&fake, 100, 50);
    struct plugs *p = rig_plugs(&s, 1, 3);
    monitor_attach(m, p, 0, NULL, NULL);
    monitor_stop(m);
    monitor_stop(m);
    monitor_attach(m, p, 0, NULL, NULL); /* too late: dropped */
    monitor_free(m);
    mbox_fini(&box);
    ev_loop_destroy(loop);
    rig_plugs_free(p);
}
END_TEST

START_TEST(state_follows_verdicts)
{
    struct rig r;
    struct fake fake;
    fake_init(&fake, TH_PROBE_UP);
    struct service s = fake_service(&fake, 10, 5);
    struct plugs *p = rig_plugs(&s, 1, 2);
    rig_start(&r, NULL);
    rig_attach(&r, p, 5000);
    ck_assert_uint_eq(rig_word(p, 0).bits, th_word_up().bits);
    ck_assert_uint_eq(r.transition_count, 2);
    ck_assert(r.last_transition.first);
    ck_assert(th_word_has(r.last_transition.before, TH_PENDING));

    unsigned marks = p->marks;
    fake.verdict[2] = TH_PROBE_DOWN;
    rig_wait_word(&r, p, 1, TH_DOWN | TH_ANY_DOWN, true);
    ck_assert(!th_word_has(rig_word(p, 0), TH_DOWN));
    ck_assert_uint_eq(p->marks, marks + 1); /* told once, of the right one */
    ck_assert_uint_eq(p->last_mark, 1);
    ck_assert_uint_eq(r.transition_count, 3);
    ck_assert(!r.last_transition.first);
    ck_assert_int_eq(r.last_transition.verdict, TH_PROBE_DOWN);
    ck_assert_int_eq(r.last_transition.cause, TH_CAUSE_REFUSED);
    ck_assert_str_eq(r.last_transition.text, "as told");
    ck_assert_str_eq(r.last_transition.slot->desc, "127.0.0.2/fake");
    unsigned prepares = p->prepares;
    ck_assert_uint_gt(prepares, 0); /* after the mark, before main was woken */

    fake.verdict[2] = TH_PROBE_UP;
    rig_wait_word(&r, p, 1, TH_DOWN, false);
    ck_assert_uint_eq(p->marks, marks + 2);
    rig_detach(&r, p);
    ck_assert_ptr_nonnull(p->watches[0].slot);
    rig_stop(&r);
    ck_assert_int_eq(fake.opened, 2);
    ck_assert_int_eq(fake.closed, 2);
    rig_plugs_free(p);
}
END_TEST

START_TEST(deadline_is_a_timeout)
{
    struct rig r;
    struct fake fake;
    fake_init(&fake, HANG);
    struct service s = fake_service(&fake, 20, 10);
    struct plugs *p = rig_plugs(&s, 1, 1);
    rig_start(&r, NULL);
    rig_attach(&r, p, 5000);
    ck_assert(th_word_has(rig_word(p, 0), TH_DOWN)); /* the first result decides */
    ck_assert_int_eq(r.last_transition.verdict, TH_PROBE_TIMEOUT);
    ck_assert_int_eq(r.last_transition.cause, TH_CAUSE_TIMEOUT);
    ck_assert_str_eq(r.last_transition.text, "no verdict within 10 ms");
    ck_assert_uint_ge(r.last_transition.latency_us, 10000); /* never before the deadline */
    ck_assert_int_eq(fake.cancels, 1);
    rig_stop(&r); /* with a probe under way or not */
    ck_assert_int_eq(fake.running, 0);
    ck_assert_int_eq(fake.opened, fake.closed);
    rig_plugs_free(p);
}
END_TEST

/* libev's timers count from the start of a turn; a long turn must not cut deadlines short. */
START_TEST(long_turn_shortens_no_deadline)
{
    struct rig r;
    struct fake fake;
    fake_init(&fake, HANG);
    fake.burn_ms = 5;
    struct service s = fake_service(&fake, 3600000, 20);
    struct plugs *p = rig_plugs(&s, 1, 20);
    rig_start(&r, NULL);
    rig_attach(&r, p, 0);
    ck_assert_uint_eq(r.result_count, 20);
    ck_assert_uint_ge(r.least_latency_us, 20000);
    rig_stop(&r);
    rig_plugs_free(p);
}
END_TEST

START_TEST(notrun_changes_nothing)
{
    struct rig r;
    struct fake fake;
    fake_init(&fake, TH_PROBE_NOTRUN);
    struct service s = fake_service(&fake, 10, 5);
    struct plugs *p = rig_plugs(&s, 1, 1);
    rig_start(&r, NULL);
    rig_attach(&r, p, 60); /* wait_ms ends the wait */
    ck_assert(th_word_has(rig_word(p, 0), TH_PENDING));
    ck_assert(!th_word_has(rig_word(p, 0), TH_DOWN));
    ck_assert_uint_eq(r.transition_count, 0);
    ck_assert_uint_gt(r.notrun_count, 1); /* tried again at the next interval */

    fake.verdict[1] = TH_PROBE_UP;
    rig_wait_word(&r, p, 0, TH_PENDING, false);
    fake.verdict[1] = TH_PROBE_NOTRUN;
    size_t seen = r.notrun_count;
    while (r.notrun_count < seen + 5)
        rig_next_result(&r);
    ck_assert_uint_eq(rig_word(p, 0).bits, th_word_up().bits);
    ck_assert_uint_eq(r.last.fail, 0);
    ck_assert_uint_eq(r.transition_count, 1);
    rig_stop(&r);
    rig_plugs_free(p);
}
END_TEST

START_TEST(no_limit_waits_for_one_attempt)
{
    struct rig r;
    struct fake fake;
    fake_init(&fake, TH_PROBE_UP);
    fake.verdict[2] = TH_PROBE_NOTRUN;
    struct service s = fake_service(&fake, 3600000, 5000);
    struct plugs *p = rig_plugs(&s, 1, 3);
    rig_start(&r, NULL);
    rig_attach(&r, p, 0);
    ck_assert(th_word_has(rig_word(p, 1), TH_PENDING));
    ck_assert(!th_word_has(rig_word(p, 0), TH_PENDING));
    ck_assert(!th_word_has(rig_word(p, 2), TH_PENDING));
    ck_assert_int_eq(fake.starts, 3);
    rig_stop(&r);
    rig_plugs_free(p);
}
END_TEST

START_TEST(target_that_cannot_be_opened)
{
    struct rig r;
    struct fake fake;
    fake_init(&fake, TH_PROBE_UP);
    fake.refuse_open = 1;
    struct service s = fake_service(&fake, 10, 5);
    struct plugs *p = rig_plugs(&s, 1, 1);
    rig_start(&r, NULL);
    rig_attach(&r, p, 0);
    ck_assert(th_word_has(rig_word(p, 0), TH_PENDING));
    ck_assert_int_eq(r.last.verdict, TH_PROBE_NOTRUN);
    fake.refuse_open = 0;
    rig_wait_word(&r, p, 0, TH_PENDING, false);
    rig_stop(&r);
    ck_assert_int_eq(fake.opened, 1);
    ck_assert_int_eq(fake.closed, 1);
    rig_plugs_free(p);
}
END_TEST

START_TEST(fixed_services_are_ready_at_once)
{
    struct rig r;
    struct service up = {.kind = SERVICE_UP, .name = "up"},
                   down = {.kind = SERVICE_DOWN, .name = "down"};
    struct plugs *p = rig_plugs(&up, 1, 2), *q = rig_plugs(&down, 1, 1),
                 *none = rig_plugs(&up, 1, 0);
    rig_start(&r, NULL);
    rig_attach(&r, none, 0);
    rig_attach(&r, p, 0);
    rig_attach(&r, q, 0);
    ck_assert_uint_eq(rig_word(p, 1).bits, th_word_up().bits);
    ck_assert_uint_eq(rig_word(q, 0).bits, th_word_down(TH_TTL_MAX).bits);
    ck_assert_uint_eq(r.result_count, 0);
    rig_detach(&r, p);
    rig_stop(&r);
    rig_plugs_free(p);
    rig_plugs_free(q);
    rig_plugs_free(none);
}
END_TEST

START_TEST(cap_on_attempts_under_way)
{
    struct rig r;
    struct fake fake;
    fake_init(&fake, HANG);
    struct service s = fake_service(&fake, 3600000, 20);
    struct plugs *p = rig_plugs(&s, 1, 50);
    rig_start(&r, &(struct monitor_options){.max_in_flight = 7});
    rig_attach(&r, p, 0);
    ck_assert_int_eq(fake.running_max, 7);
    ck_assert_int_eq(fake.cancels, 50);
    ck_assert_uint_eq(r.result_count, 50);
    ck_assert_uint_ge(r.least_latency_us, 20000); /* the last had its whole timeout, too */
    rig_stop(&r);
    rig_plugs_free(p);
}
END_TEST

/* A reload with other thresholds keeps the state; one with another identity starts anew. */
START_TEST(generations_share_a_slot)
{
    struct rig r;
    struct fake fake, fake2;
    fake_init(&fake, TH_PROBE_DOWN);
    fake_init(&fake2, HANG);
    struct service s = fake_service(&fake, 10, 5), tuned = fake_service(&fake2, 5000, 4000),
                   moved = fake_service(&fake2, 5000, 4000);
    tuned.flap.up_thresh = 1;
    moved.identity = 2;
    struct plugs *p = rig_plugs(&s, 1, 1), *q = rig_plugs(&tuned, 1, 1),
                 *o = rig_plugs(&moved, 1, 1);
    rig_start(&r, NULL);
    rig_attach(&r, p, 0);
    ck_assert(th_word_has(rig_word(p, 0), TH_DOWN));
    rig_attach(&r, q, 5000); /* known already: ready at once */
    ck_assert_ptr_eq(p->watches[0].slot, q->watches[0].slot);
    ck_assert(th_word_has(rig_word(q, 0), TH_DOWN));
    rig_detach(&r, p);
    rig_plugs_free(p);
    ck_assert_int_eq(fake.opened, fake.closed); /* the target is the new generation's */
    rig_attach(&r, o, 1);
    ck_assert_ptr_ne(o->watches[0].slot, q->watches[0].slot);
    ck_assert(th_word_has(rig_word(o, 0), TH_PENDING));
    rig_stop(&r);
    ck_assert_int_eq(fake2.opened, fake2.closed);
    rig_plugs_free(q);
    rig_plugs_free(o);
}
END_TEST

/* The state stays under other thresholds, the counters do not; the same ones leave both. */
START_TEST(other_thresholds_clear_counters)
{
    struct rig r;
    struct fake fake;
    fake_init(&fake, TH_PROBE_UP);
    struct service s = fake_service(&fake, 5, 4), tuned = s;
    s.flap.down_thresh = 60000;
    tuned.flap.down_thresh = 50000;
    struct plugs *p = rig_plugs(&s, 1, 1), *same = rig_plugs(&s, 1, 1),
                 *other = rig_plugs(&tuned, 1, 1);
    rig_start(&r, NULL);
    rig_attach(&r, p, 0);
    fake.verdict[1] = TH_PROBE_DOWN;
    while (r.last.fail < 5)
        rig_next_result(&r);
    fake.verdict[1] = TH_PROBE_NOTRUN;
    while (r.last.verdict != TH_PROBE_NOTRUN)
        rig_next_result(&r);
    uint32_t fail = r.last.fail;
    rig_attach(&r, same, 0);
    rig_next_result(&r);
    ck_assert_uint_eq(r.last.fail, fail);
    rig_attach(&r, other, 0);
    monitor_drain_results(r.monitor); /* those of before */
    rig_next_result(&r);
    ck_assert_uint_eq(r.last.fail, 0);
    ck_assert_uint_eq(rig_word(other, 0).bits, th_word_up().bits);
    rig_stop(&r);
    rig_plugs_free(p);
    rig_plugs_free(same);
    rig_plugs_free(other);
}
END_TEST

/* A reload that is given up: the old generation's probes go on. */
START_TEST(newer_generation_withdrawn)
{
    struct rig r;
    struct fake fake, fake2;
    fake_init(&fake, TH_PROBE_UP);
    fake_init(&fake2, HANG);
    struct service s = fake_service(&fake, 10, 5), other = fake_service(&fake2, 10, 60000);
    struct plugs *p = rig_plugs(&s, 1, 20), *q = rig_plugs(&other, 11, 20);
    rig_start(&r, NULL);
    rig_attach(&r, p, 0);
    rig_attach(&r, q, 50); /* items 11..20 are shared and hang now, 21..30 are new and hang */
    fake_wait(&r, &fake2.running, 20);
    rig_detach(&r, q);
    ck_assert_int_eq(fake2.running, 0);
    ck_assert_int_eq(fake2.opened, fake2.closed);
    rig_plugs_free(q);
    fake.verdict[20] = TH_PROBE_DOWN;
    rig_wait_word(&r, p, 19, TH_DOWN, true);
    rig_stop(&r);
    rig_plugs_free(p);
}
END_TEST

START_TEST(detach_before_ready)
{
    struct rig r;
    struct fake fake;
    fake_init(&fake, HANG);
    struct service s = fake_service(&fake, 60000, 50000);
    struct plugs *p = rig_plugs(&s, 1, 5);
    rig_start(&r, NULL);
    monitor_attach(r.monitor, p, 40000, NULL, NULL);
    rig_detach(&r, p);
    ck_assert_uint_eq(p->prepared_all, 0);
    ck_assert_int_eq(fake.opened, fake.closed);
    rig_stop(&r);
    rig_plugs_free(p);
}
END_TEST

START_TEST(many_cycles)
{
    struct rig r;
    struct fake fake;
    fake_init(&fake, TH_PROBE_UP);
    for (int i = 0; i < 256; i += 3)
        fake.verdict[i] = HANG;
    struct service s = fake_service(&fake, 5, 3);
    struct plugs *old = NULL;
    rig_start(&r, NULL);
    for (int i = 0; i < 200; i++) {
        struct plugs *p = rig_plugs(&s, 1 + (unsigned)i % 40, 60);
        rig_attach(&r, p, 20);
        if (old) {
            rig_detach(&r, old);
            rig_plugs_free(old);
        }
        old = p;
    }
    rig_detach(&r, old);
    rig_plugs_free(old);
    ck_assert_int_eq(fake.running, 0);
    ck_assert_int_eq(fake.opened, fake.closed);
    rig_stop(&r);
}
END_TEST

struct beat {
    const struct monitor *m;
    int64_t last;
};

static bool beat_moved(void *arg)
{
    struct beat *b = arg;
    return monitor_heartbeat_ns(b->m) > b->last;
}

START_TEST(heart_beats_when_idle)
{
    struct rig r;
    rig_start(&r, NULL);
    struct beat b = {r.monitor, 0};
    for (int i = 0; i < 3; i++) {
        rig_wait(&r, beat_moved, &b);
        b.last = monitor_heartbeat_ns(r.monitor);
        ck_assert_int_le(b.last, mono_now().ns);
    }
    rig_stop(&r);
}
END_TEST

START_TEST(ten_thousand_targets)
{
    struct rig r;
    struct fake fake;
    fake_init(&fake, TH_PROBE_UP);
    struct service s = fake_service(&fake, 200, 100);
    struct plugs *p = rig_plugs(&s, 1, 10000);
    rig_start(&r, NULL);
    rig_attach(&r, p, 0);
    ck_assert_int_ge(fake.starts, 10000);
    fake_wait(&r, &fake.starts, 30000);
    for (size_t i = 0; i < p->count; i++)
        ck_assert_uint_eq(rig_word(p, i).bits, th_word_up().bits);
    rig_detach(&r, p);
    rig_stop(&r);
    rig_plugs_free(p);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("monitor");
    TCase *t = tcase_create("monitor");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, stops_without_start);
    tcase_add_test(t, state_follows_verdicts);
    tcase_add_test(t, deadline_is_a_timeout);
    tcase_add_test(t, long_turn_shortens_no_deadline);
    tcase_add_test(t, notrun_changes_nothing);
    tcase_add_test(t, no_limit_waits_for_one_attempt);
    tcase_add_test(t, target_that_cannot_be_opened);
    tcase_add_test(t, fixed_services_are_ready_at_once);
    tcase_add_test(t, cap_on_attempts_under_way);
    tcase_add_test(t, generations_share_a_slot);
    tcase_add_test(t, other_thresholds_clear_counters);
    tcase_add_test(t, newer_generation_withdrawn);
    tcase_add_test(t, detach_before_ready);
    tcase_add_test(t, many_cycles);
    tcase_add_test(t, heart_beats_when_idle);
    tcase_add_test(t, ten_thousand_targets);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
