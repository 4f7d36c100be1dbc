/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tuning: the keys that every service type has: what they come to, in both modes; refusals. */
#include <string.h>

#include "base/buf.h"
#include "conf/vscf.h"
#include "plug/host.h"
#include "plug/plugs.h"
#include "unit/run.h"

/* ---- monitor plugins that are only there to be named --------------------------------------- */

static int open_nothing(const struct th_host *host, struct th_env *env, const char *name,
                        const void *conf, const struct th_conf *at, struct th_diag *d,
                        void **service)
{
    (void)host, (void)env, (void)name, (void)conf, (void)at, (void)d;
    *service = NULL;
    return 0;
}

static const struct th_monitor nop_monitor = {.service_open = open_nothing};
static const struct th_plugin nop = {TH_PLUGIN_HEAD, .name = "nop", .version = "1",
                                     .monitor = &nop_monitor};
static const struct th_monitor dial_monitor = {.service_open = open_nothing,
                                               .flags = TH_MONITOR_CONNECTS};
static const struct th_plugin dial = {TH_PLUGIN_HEAD, .name = "dial", .version = "1",
                                      .monitor = &dial_monitor};

static const struct th_plugin *const builtin[] = {&nop, &dial, NULL};

/* ---- one service type ---------------------------------------------------------------------- */

static const struct plug_options native = {.interval_ms = 5000,
                                           .fast_interval_ms = 1000,
                                           .timeout_ms = 2000,
                                           .up_thresh = 2,
                                           .ok_thresh = 2,
                                           .down_thresh = 3,
                                           .init = FLAP_INIT_LAST};
static const struct plug_options compat = {.interval_ms = 10000,
                                           .up_thresh = 20,
                                           .ok_thresh = 10,
                                           .down_thresh = 10,
                                           .flap_mode = FLAP_CUMULATIVE,
                                           .gdnsd = true};

struct rig {
    struct th_host host;
    struct plug_options options;
    struct vtree *tree;
    struct diag d;
    struct plugs *plugs;
};

/* keys: of a service type on `dial`, unless they name another plugin. */
static int rig_open(struct rig *r, const char *keys, const struct plug_options *o)
{
    struct buf text = {0};
    *r = (struct rig){.options = *o};
    r->options.builtin = builtin;
    r->options.host = &r->host;
    plug_host_fill(&r->host);
    buf_printf(&text, "a => { %s%s }", strstr(keys, "plugin") ? "" : "plugin => dial ", keys);
    ck_assert_int_eq(vscf_parse_mem(text.data, text.len, "conf", &r->d, &r->tree), 0);
    buf_fini(&text);
    vtree_set_lax(r->tree, o->gdnsd);
    return plugs_open(vtree_root(r->tree), NULL, &r->options, &r->d, &r->plugs);
}

static void rig_close(struct rig *r)
{
    plugs_unref(r->plugs);
    vtree_free(r->tree);
    diag_fini(&r->d);
}

static const struct service *tuned(struct rig *r, const char *keys, const struct plug_options *o)
{
    if (rig_open(r, keys, o) != 0)
        ck_abort_msg("%s: %s", keys, r->d.entries[0].text);
    return plugs_service_at(r->plugs, 2); /* behind up and down */
}

/* ---- tests --------------------------------------------------------------------------------- */

static const struct {
    const struct plug_options *options;
    const char *keys, *says;
} refused[] = {
    {&native, "fall_mode => windw", "read \"windw\", allowed: consecutive"},
    {&native, "fall_mode => \"window 6/5\"", "1 <= N <= M <= 64"},
    {&native, "fall_mode => \"window 0/5\"", "read \"window 0/5\""},
    {&native, "fall_mode => \"window 5/65\"", "read \"window 5/65\""},
    {&native, "fall_mode => \"window 3/05\"", "read \"window 3/05\""},
    {&native, "fall_mode => \"window 3/5x\"", "read \"window 3/5x\""},
    {&native, "fall_mode => \"window 3/5/7\"", "read \"window 3/5/7\""},
    {&native, "fall_mode => \"window 3\"", "read \"window 3\""},
    {&native, "fall_mode => \"window /3\"", "read \"window /3\""},
    {&native, "fall_mode => [ window, 3, 5 ]", "read \"window 3 5\""},
    {&native, "fall_mode => []", "read \"\", allowed"},
    {&native, "fall_mode => { window => 3 }", "allowed: consecutive"},
    {&native, "fall_mode => \"window 3/5\" down_thresh => 2", "down_thresh has no meaning"},
    {&native, "hard_fail => [ refused, rst ]", "read \"rst\", allowed: refused, reset, tls"},
    {&native, "init => pending", "init"},
    {&native, "damp => on", "damp must be {"},
    {&native, "damp => { falls => 9 }", "falls"},
    {&native, "damp => { falls => 1 }", "falls"},
    {&native, "damp => { max_thresh => 1 }", "max_thresh 1 is below up_thresh 2"},
    {&native, "damp => { fals => 3 }", "did you mean \"falls\""},
    {&native, "fast_interval => 6", "fast_interval 6 s is longer than the interval of 5 s"},
    {&native, "jitter => 0.6", "jitter"},
    {&native, "plugin => nop connect_timeout => 1", "the plugin nop does not connect"},
    {&native, "timeout => 1 connect_timeout => 2", "2 s is longer than the timeout of 1 s"},
    {&native, "timeout => 6", "timeout 6 s is longer than the interval of 5 s"},
    {&compat, "interval => 1", "at least 2"},
    {&compat, "interval => 2500ms", "whole seconds"},
    {&compat, "interval => 2 timeout => 2", "longer"},
};

START_TEST(refused_with_reason)
{
    struct rig r;
    ck_assert_int_ne(rig_open(&r, refused[_i].keys, refused[_i].options), 0);
    ck_assert_uint_eq(r.d.count, 1);
    if (!strstr(r.d.entries[0].text, refused[_i].says))
        ck_abort_msg("\"%s\" not in: %s", refused[_i].says, r.d.entries[0].text);
    ck_assert_ptr_nonnull(strstr(r.d.entries[0].text, "conf:1:"));
    rig_close(&r);
}
END_TEST

START_TEST(ways_to_fall)
{
    static const struct {
        const char *keys;
        enum flap_mode mode;
        uint32_t down, window;
    } rows[] = {
        {"", FLAP_CONSECUTIVE, 3, 0},
        {"fall_mode => Cumulative", FLAP_CUMULATIVE, 3, 0},
        {"fall_mode => consecutive down_thresh => 7", FLAP_CONSECUTIVE, 7, 0},
        {"fall_mode => \"window 3/5\"", FLAP_WINDOW, 3, 5},
        {"fall_mode => [ window, 1/64 ]", FLAP_WINDOW, 1, 64},
        {"fall_mode => \"window 64/64\"", FLAP_WINDOW, 64, 64},
    };
    struct rig r;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct flap_conf *f = &tuned(&r, rows[i].keys, &native)->flap;
        ck_assert_int_eq(f->mode, rows[i].mode);
        ck_assert_uint_eq(f->down_thresh, rows[i].down);
        ck_assert_uint_eq(f->window, rows[i].window);
        rig_close(&r);
    }
    ck_assert_int_eq(tuned(&r, "", &compat)->flap.mode, FLAP_CUMULATIVE);
    rig_close(&r);
}
END_TEST

START_TEST(hard_failures_and_first_states)
{
    static const struct {
        const char *keys;
        uint32_t causes;
        enum flap_init init;
    } rows[] = {
        {"", 0, FLAP_INIT_LAST},
        {"hard_fail => [] init => first", 0, FLAP_INIT_FIRST},
        {"hard_fail => refused init => up", 1u << TH_CAUSE_REFUSED, FLAP_INIT_UP},
        {"hard_fail => [ reset, status ] init => down",
         1u << TH_CAUSE_RESET | 1u << TH_CAUSE_STATUS, FLAP_INIT_DOWN},
        {"hard_fail => [ TLS ] init => confirm", 1u << TH_CAUSE_TLS, FLAP_INIT_CONFIRM},
        {"init => last", 0, FLAP_INIT_LAST},
    };
    struct rig r;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct flap_conf *f = &tuned(&r, rows[i].keys, &native)->flap;
        ck_assert_uint_eq(f->hard_causes, rows[i].causes);
        ck_assert_int_eq(f->init, rows[i].init);
        rig_close(&r);
    }
    ck_assert_int_eq(tuned(&r, "", &compat)->flap.init, FLAP_INIT_FIRST);
    rig_close(&r);
}
END_TEST

START_TEST(damping_is_off_unless_asked_for)
{
    struct rig r;
    ck_assert_uint_eq(tuned(&r, "", &native)->flap.damp.falls, 0);
    rig_close(&r);
    const struct flap_damp *d = &tuned(&r, "damp => { }", &native)->flap.damp;
    ck_assert(d->falls == 3 && d->window_ms == 600000 && d->max_thresh == 16);
    rig_close(&r);
    d = &tuned(&r, "damp => { falls => 2 window => 30s max_thresh => 2 }", &native)->flap.damp;
    ck_assert(d->falls == 2 && d->window_ms == 30000 && d->max_thresh == 2);
    rig_close(&r);
}
END_TEST

/* In milliseconds; connect 0 = as the timeout. */
START_TEST(times_of_a_service_type)
{
    static const struct {
        const char *keys;
        const struct plug_options *options;
        uint32_t usual, fast, down, timeout, connect;
    } rows[] = {
        {"", &native, 5000, 1000, 5000, 2000, 0},
        {"interval => 500ms", &native, 500, 500, 500, 250, 0},
        {"interval => 3600", &native, 3600000, 1000, 3600000, 2000, 0},
        {"fast_interval => 5", &native, 5000, 5000, 5000, 2000, 0},
        {"fast_interval => 50ms down_interval => 30", &native, 5000, 50, 30000, 2000, 0},
        {"connect_timeout => 0.5", &native, 5000, 1000, 5000, 2000, 500},
        {"", &compat, 10000, 10000, 10000, 5000, 0},
        {"interval => 5", &compat, 5000, 5000, 5000, 2000, 0}, /* gdnsd halves whole seconds */
        {"interval => 3600", &compat, 3600000, 3600000, 3600000, 1800000, 0},
        {"interval => 4 fast_interval => 1", &compat, 4000, 1000, 4000, 2000, 0},
    };
    struct rig r;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct service *s = tuned(&r, rows[i].keys, rows[i].options);
        const struct flap_conf *f = &s->flap;
        ck_assert_msg(f->interval_ms == rows[i].usual && f->fast_interval_ms == rows[i].fast &&
                          f->down_interval_ms == rows[i].down && s->timeout_ms == rows[i].timeout &&
                          s->connect_timeout_ms == rows[i].connect && s->jitter == 0,
                      "%s", rows[i].keys);
        rig_close(&r);
    }
    ck_assert(tuned(&r, "jitter => 0.25", &native)->jitter == 0.25);
    rig_close(&r);
}
END_TEST

/* What is tuned is not what is probed: the state outlives any change of these. */
START_TEST(no_tuning_changes_the_identity)
{
    static const char *const keys[] = {"fast_interval => 1",   "down_interval => 9",
                                       "connect_timeout => 1", "jitter => 0.1",
                                       "hard_fail => [tls]",   "fall_mode => \"window 1/2\"",
                                       "init => up",           "damp => { falls => 4 }"};
    struct rig r;
    uint64_t plain = tuned(&r, "", &native)->identity;
    rig_close(&r);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        ck_assert_msg(tuned(&r, keys[i], &native)->identity == plain, "%s", keys[i]);
        rig_close(&r);
    }
}
END_TEST

static Suite *tuning_suite(void)
{
    Suite *s = suite_create("tuning");
    TCase *t = tcase_create("tuning");
    tcase_add_loop_test(t, refused_with_reason, 0, (int)(sizeof refused / sizeof *refused));
    tcase_add_test(t, ways_to_fall);
    tcase_add_test(t, hard_failures_and_first_states);
    tcase_add_test(t, damping_is_off_unless_asked_for);
    tcase_add_test(t, times_of_a_service_type);
    tcase_add_test(t, no_tuning_changes_the_identity);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(tuning_suite)
