/* SPDX-License-Identifier: GPL-3.0-or-later */
/* results: order across the ring and the spill list, what may be lost, and the life of the mail. */
#include <pthread.h>

#include "base/mem.h"
#include "monitor/note.h"
#include "unit/run.h"

struct reader {
    struct ev_loop *loop;
    struct mbox mbox;
    struct results *results;
    uint32_t last; /* results carry a rising number in latency_us */
    size_t seen, transitions;
};

static void on_result(void *arg, const struct monitor_result *r)
{
    struct reader *reader = arg;
    ck_assert_uint_gt(r->latency_us, reader->last);
    reader->last = r->latency_us;
    reader->seen++;
    reader->transitions += result_is_transition(r);
}

static void reader_init(struct reader *r)
{
    *r = (struct reader){.loop = ev_loop_new(EVFLAG_AUTO)};
    mbox_init(&r->mbox, r->loop);
    r->results = results_new(&r->mbox, on_result, r);
}

static void reader_fini(struct reader *r)
{
    results_close(r->results);
    results_unref(r->results);
    mbox_fini(&r->mbox);
    ev_loop_destroy(r->loop);
}

static struct monitor_result numbered(uint32_t n, bool transition)
{
    return (struct monitor_result){.latency_us = n,
                                   .before = th_word_up(),
                                   .after = transition ? th_word_down(5) : th_word_up()};
}

static void push(struct reader *r, uint32_t n, bool transition)
{
    struct monitor_result result = numbered(n, transition);
    results_push(r->results, &result);
}

START_TEST(transitions)
{
    struct monitor_result r = numbered(1, true);
    ck_assert(result_is_transition(&r));
    r = numbered(1, false);
    ck_assert(!result_is_transition(&r));
    r.after = th_word_make(0, 7, TH_WEIGHT_MAX); /* the TTL alone is none */
    ck_assert(!result_is_transition(&r));
    r.first = true;
    ck_assert(result_is_transition(&r));
}
END_TEST

START_TEST(full_ring_keeps_transitions)
{
    struct reader r;
    reader_init(&r);
    uint32_t n = 0;
    for (uint32_t i = 0; i < RESULTS_CAP; i++)
        push(&r, ++n, false);
    for (int i = 0; i < 1000; i++)
        push(&r, ++n, i % 10 == 0);
    ck_assert_uint_eq(results_lost(r.results), 900);
    results_drain(r.results);
    ck_assert_uint_eq(r.seen, RESULTS_CAP + 100);
    ck_assert_uint_eq(r.transitions, 100);
    push(&r, ++n, false); /* the ring is in use again */
    results_drain(r.results);
    ck_assert_uint_eq(r.last, n);
    ck_assert_uint_eq(results_lost(r.results), 900);
    reader_fini(&r);
}
END_TEST

START_TEST(one_mail_per_batch)
{
    struct reader r;
    reader_init(&r);
    push(&r, 1, false);
    push(&r, 2, false);
    results_wake(r.results);
    results_wake(r.results);
    ev_run(r.loop, EVRUN_ONCE);
    ck_assert_uint_eq(r.seen, 2);
    push(&r, 3, false);
    results_wake(r.results); /* stays in the box until after the close */
    reader_fini(&r);
    ck_assert_uint_eq(r.seen, 2);
}
END_TEST

struct seen_by_note {
    const struct reader *reader;
    size_t seen;
};

static void look(void *arg)
{
    struct seen_by_note *s = arg;
    s->seen = s->reader->seen;
}

/* ready() and done() come after the results that were pushed before them. */
START_TEST(notes_do_not_overtake)
{
    struct reader r;
    reader_init(&r);
    struct seen_by_note s = {&r, 0};
    push(&r, 1, true);
    push(&r, 2, false);
    note_call(r.results, &r.mbox, look, &s, NULL);
    results_wake(r.results);
    ev_run(r.loop, EVRUN_ONCE);
    ck_assert_uint_eq(s.seen, 2);
    note_call(r.results, &r.mbox, look, &s, NULL); /* delivered after the close */
    push(&r, 3, false);
    reader_fini(&r);
    ck_assert_uint_eq(s.seen, 2);
}
END_TEST

/* A spill that is never drained is freed. */
START_TEST(spill_dropped_at_close)
{
    struct reader r;
    reader_init(&r);
    for (uint32_t n = 1; n <= RESULTS_CAP + 10; n++)
        push(&r, n, true);
    reader_fini(&r);
    ck_assert_uint_eq(r.seen, 0);
}
END_TEST

#define PUSHES    400000u
#define EVERY_NTH 37u

static void *writer(void *arg)
{
    struct reader *r = arg;
    for (uint32_t n = 1; n <= PUSHES; n++) {
        push(r, n, n % EVERY_NTH == 0);
        if (n % 64 == 0)
            results_wake(r->results);
    }
    results_wake(r->results);
    return NULL;
}

START_TEST(two_threads)
{
    struct reader r;
    pthread_t thread;
    reader_init(&r);
    ck_assert_int_eq(pthread_create(&thread, NULL, writer, &r), 0);
    while (r.transitions < PUSHES / EVERY_NTH)
        ev_run(r.loop, EVRUN_ONCE);
    pthread_join(thread, NULL);
    results_drain(r.results);
    ck_assert_uint_eq(r.transitions, PUSHES / EVERY_NTH);
    ck_assert_uint_eq(r.seen + results_lost(r.results), PUSHES);
    reader_fini(&r);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("results");
    TCase *t = tcase_create("results");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, transitions);
    tcase_add_test(t, full_ring_keeps_transitions);
    tcase_add_test(t, one_mail_per_batch);
    tcase_add_test(t, notes_do_not_overtake);
    tcase_add_test(t, spill_dropped_at_close);
    tcase_add_test(t, two_threads);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
