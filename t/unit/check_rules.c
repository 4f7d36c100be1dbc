/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rules of the monitor: words that answers see beside what probes found; maintenance. */
#include <stdatomic.h>
#include <string.h>

#include "base/mem.h"
#include "unit/monitor_rig.h"
#include "unit/run.h"

/* ---- a plugin that says what it is told ---------------------------------------------------- */

struct fake {
    _Atomic int verdict;
    _Atomic int starts;
};

struct fake_target {
    const struct th_host *host;
    struct fake *fake;
    struct th_target *t;
};

static int fake_open(const struct th_host *host, void *service, struct th_target *t,
                     const struct th_addr *addr, void **out)
{
    (void)addr;
    struct fake_target *f = mem_new(struct fake_target);
    *f = (struct fake_target){host, service, t};
    *out = f;
    return 0;
}

static void fake_start(void *target)
{
    struct fake_target *f = target;
    f->fake->starts++;
    f->host->probe_done(f->t, (enum th_verdict)f->fake->verdict, TH_CAUSE_NONE, "");
}

static void fake_cancel(void *target)
{
    (void)target; /* nothing is ever under way */
}

static const struct th_monitor fake_monitor = {.target_open = fake_open,
                                               .target_close = mem_free,
                                               .probe_start = fake_start,
                                               .probe_cancel = fake_cancel};
static const struct th_plugin fake_plugin = {TH_PLUGIN_HEAD, .name = "fake", .version = "1",
                                             .monitor = &fake_monitor};

static struct service fake_service(struct fake *fake)
{
    return (struct service){.kind = SERVICE_PROBED,
                            .name = "fake",
                            .plugin = &fake_plugin,
                            .instance = fake,
                            .flap = {.mode = FLAP_CONSECUTIVE,
                                     .up_thresh = 1,
                                     .ok_thresh = 1,
                                     .down_thresh = 1,
                                     .interval_ms = 5},
                            .timeout_ms = 4,
                            .identity = 1};
}

/* ---- rules --------------------------------------------------------------------------------- */

static void set_rule(struct rig *r, const char *glob, enum admin_state state, int64_t at_ns)
{
    struct admin *a = admin_new();
    const struct admin_rule rule = {.glob = glob,
                                    .state = state,
                                    .ttl_s = TH_TTL_MAX,
                                    .author = "",
                                    .reason = "",
                                    .at = {at_ns}};
    if (glob)
        admin_add(a, &rule);
    monitor_set_rules(r->monitor, a);
    admin_unref(a);
}

static struct th_word real(const struct plugs *p, size_t i)
{
    return slot_real(p->watches[i].slot);
}

START_TEST(rules_change_words)
{
    struct rig r;
    struct fake fake = {.verdict = TH_PROBE_UP};
    struct service s = fake_service(&fake);
    struct plugs *p = rig_plugs(&s, 1, 3);
    rig_start(&r, NULL);
    rig_attach(&r, p, 5000);
    unsigned marks = p->marks;
    set_rule(&r, "127.0.0.2/fake", ADMIN_DOWN, 7);
    rig_wait_word(&r, p, 1, TH_DOWN | TH_ANY_DOWN | TH_FORCED, true);
    ck_assert_uint_eq(real(p, 1).bits, th_word_up().bits);
    ck_assert_uint_eq(rig_word(p, 0).bits, th_word_up().bits);
    ck_assert_uint_eq(p->marks, marks + 1);
    ck_assert_uint_eq(p->last_mark, 1);
    set_rule(&r, "127.0.0.2/fake", ADMIN_DOWN, 8); /* the same again marks nothing */
    set_rule(&r, "*.3/fake", ADMIN_DRAIN, 9);
    rig_wait_word(&r, p, 2, TH_DRAIN | TH_FORCED, true);
    ck_assert_uint_eq(rig_word(p, 1).bits, th_word_up().bits); /* of 2 the old one is over */
    ck_assert_uint_eq(p->marks, marks + 3);
    ck_assert_int_eq(slot_drained(p->watches[2].slot).ns, 9);
    set_rule(&r, "127.0.0.3/fake", ADMIN_MAINT, 10); /* drained ever since */
    rig_wait_word(&r, p, 2, TH_MAINT, true);
    ck_assert_int_eq(slot_drained(p->watches[2].slot).ns, 9);
    set_rule(&r, NULL, ADMIN_UP, 0);
    rig_wait_word(&r, p, 2, TH_DRAIN, false);
    ck_assert_uint_eq(p->marks, marks + 5);
    monitor_stop(r.monitor);
    set_rule(&r, "*", ADMIN_UP, 0); /* too late: nothing */
    rig_stop(&r);
    rig_plugs_free(p);
}
END_TEST

/* What probes find goes on beneath what is forced, and is told as it is. */
START_TEST(results_go_on_beneath)
{
    struct rig r;
    struct fake fake = {.verdict = TH_PROBE_UP};
    struct service s = fake_service(&fake);
    struct plugs *p = rig_plugs(&s, 1, 1);
    rig_start(&r, NULL);
    set_rule(&r, "*", ADMIN_UP, 0); /* before the attach: from the first answer on */
    rig_attach(&r, p, 5000);
    ck_assert(th_word_has(rig_word(p, 0), TH_FORCED));
    size_t before = r.transition_count;
    unsigned marks = p->marks;
    fake.verdict = TH_PROBE_DOWN;
    while (!th_word_has(real(p, 0), TH_DOWN))
        rig_next_result(&r);
    monitor_drain_results(r.monitor);
    ck_assert_uint_eq(r.transition_count, before + 1);
    ck_assert(th_word_has(r.last_transition.after, TH_DOWN));
    ck_assert(!th_word_has(rig_word(p, 0), TH_DOWN));
    ck_assert_uint_eq(p->marks, marks); /* no answer depends on it */
    set_rule(&r, NULL, ADMIN_UP, 0);
    rig_wait_word(&r, p, 0, TH_DOWN | TH_ANY_DOWN, true);
    rig_stop(&r);
    rig_plugs_free(p);
}
END_TEST

/* Others are probed three times more. */
static void three_rounds(struct rig *r, const struct fake *other)
{
    int wanted = other->starts + 3;
    while (other->starts < wanted)
        rig_next_result(r);
}

START_TEST(maintenance_is_not_probed)
{
    struct rig r;
    struct fake fake = {.verdict = TH_PROBE_UP}, other = {.verdict = TH_PROBE_UP};
    struct service s = fake_service(&fake), s2 = fake_service(&other);
    struct plugs *p = rig_plugs(&s, 1, 1), *q = rig_plugs(&s2, 2, 1);
    rig_start(&r, NULL);
    rig_attach(&r, p, 5000);
    rig_attach(&r, q, 5000);
    set_rule(&r, "127.0.0.1/fake", ADMIN_MAINT, 0);
    rig_wait_word(&r, p, 0, TH_DRAIN | TH_MAINT | TH_FORCED, true);
    int starts = fake.starts;
    fake.verdict = TH_PROBE_DOWN;
    three_rounds(&r, &other);
    ck_assert_int_eq(fake.starts, starts);
    ck_assert(!th_word_has(real(p, 0), TH_DOWN));
    set_rule(&r, "127.0.0.1/fake", ADMIN_DRAIN, 0); /* a drained one is */
    rig_wait_word(&r, p, 0, TH_DRAIN | TH_DOWN, true);
    rig_stop(&r);
    rig_plugs_free(p);
    rig_plugs_free(q);
}
END_TEST

/* An item in maintenance from the start has no result, and nobody waits for one. wait_ms 0: no
 * limit. */
START_TEST(maintenance_holds_nobody_up)
{
    struct rig r;
    struct fake fake = {.verdict = TH_PROBE_UP};
    struct service s = fake_service(&fake);
    struct plugs *p = rig_plugs(&s, 1, 2), *q = rig_plugs(&s, 1, 2);
    rig_start(&r, NULL);
    set_rule(&r, "127.0.0.1/fake", ADMIN_MAINT, 0);
    rig_attach(&r, p, _i ? 600000 : 0);
    ck_assert(th_word_has(rig_word(p, 0), TH_PENDING | TH_MAINT));
    ck_assert(th_word_has(real(p, 0), TH_PENDING));
    rig_attach(&r, q, _i ? 600000 : 0);
    set_rule(&r, NULL, ADMIN_UP, 0);
    rig_wait_word(&r, p, 0, TH_PENDING | TH_MAINT, false); /* probed from now on */
    rig_stop(&r);
    rig_plugs_free(p);
    rig_plugs_free(q);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("rules");
    TCase *t = tcase_create("rules");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, rules_change_words);
    tcase_add_test(t, results_go_on_beneath);
    tcase_add_test(t, maintenance_is_not_probed);
    tcase_add_loop_test(t, maintenance_holds_nobody_up, 0, 2);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
