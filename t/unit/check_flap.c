/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flap: tables of the rule's corners, then random sequences against a naive model per mode. */
#include <string.h>

#include "base/prng.h"
#include "health/flap.h"
#include "unit/run.h"

/* A script: S success, F failure, T timeout, D drain, N not run; then what is expected. */
static const struct {
    enum flap_mode mode;
    uint32_t up, ok, down;
    const char *script;
    bool known, is_down;
    uint32_t fail, succ;
} table[] = {
    /* the first result alone decides */
    {FLAP_CONSECUTIVE, 2, 2, 3, "", false, false, 0, 0},
    {FLAP_CONSECUTIVE, 2, 2, 3, "S", true, false, 0, 0},
    {FLAP_CONSECUTIVE, 2, 2, 3, "F", true, true, 0, 0},
    {FLAP_CUMULATIVE, 20, 10, 10, "F", true, true, 0, 0},
    {FLAP_CUMULATIVE, 20, 10, 10, "T", true, true, 0, 0},
    /* not run: nothing */
    {FLAP_CONSECUTIVE, 2, 2, 3, "NNN", false, false, 0, 0},
    {FLAP_CONSECUTIVE, 2, 2, 3, "SFNFN", true, false, 2, 0},
    {FLAP_CUMULATIVE, 2, 2, 3, "SFNSN", true, false, 1, 1},
    /* in a row */
    {FLAP_CONSECUTIVE, 2, 2, 3, "SFF", true, false, 2, 0},
    {FLAP_CONSECUTIVE, 2, 2, 3, "SFFS", true, false, 0, 0},
    {FLAP_CONSECUTIVE, 2, 2, 3, "SFFSFF", true, false, 2, 0},
    {FLAP_CONSECUTIVE, 2, 2, 3, "SFTF", true, true, 0, 0},
    {FLAP_CONSECUTIVE, 2, 2, 3, "FS", true, true, 0, 1},
    {FLAP_CONSECUTIVE, 2, 2, 3, "FSF", true, true, 0, 0},
    {FLAP_CONSECUTIVE, 2, 2, 3, "FSFS", true, true, 0, 1},
    {FLAP_CONSECUTIVE, 2, 2, 3, "FSD", true, false, 0, 0},
    {FLAP_CONSECUTIVE, 1, 1, 1, "SF", true, true, 0, 0},
    {FLAP_CONSECUTIVE, 1, 1, 1, "SFS", true, false, 0, 0},
    /* failures add up until ok_thresh successes in a row (B053) */
    {FLAP_CUMULATIVE, 2, 3, 3, "SFSSF", true, false, 2, 0},
    {FLAP_CUMULATIVE, 2, 3, 3, "SFSSFSSF", true, true, 0, 0},
    {FLAP_CUMULATIVE, 2, 3, 3, "SFSSS", true, false, 0, 0},
    {FLAP_CUMULATIVE, 2, 3, 3, "SFSSSFSSS", true, false, 0, 0},
    {FLAP_CUMULATIVE, 2, 3, 3, "SSSS", true, false, 0, 0},
    {FLAP_CUMULATIVE, 2, 3, 3, "SFFSSS", true, false, 0, 0},
    {FLAP_CUMULATIVE, 3, 3, 3, "FSSFSS", true, true, 0, 2},
    {FLAP_CUMULATIVE, 3, 3, 3, "FSSFSSS", true, false, 0, 0},
};

static enum th_verdict verdict_of(char c)
{
    switch (c) {
    case 'S': return TH_PROBE_UP;
    case 'F': return TH_PROBE_DOWN;
    case 'T': return TH_PROBE_TIMEOUT;
    case 'D': return TH_PROBE_DRAIN;
    }
    return TH_PROBE_NOTRUN;
}

static struct flap run(const struct flap_conf *c, const char *script)
{
    struct flap f = {0};
    for (const char *s = script; *s; s++)
        f = flap_step(c, f, verdict_of(*s));
    return f;
}

START_TEST(corners)
{
    struct flap_conf c = {table[_i].mode, table[_i].up, table[_i].ok, table[_i].down, 1000, false};
    struct flap f = run(&c, table[_i].script);
    ck_assert_msg(f.known == table[_i].known && f.down == table[_i].is_down &&
                      f.fail == table[_i].fail && f.succ == table[_i].succ,
                  "\"%s\": known=%d down=%d fail=%u succ=%u", table[_i].script, f.known, f.down,
                  f.fail, f.succ);
}
END_TEST

/* B053: one failure in ten, for ever. With ok_thresh 10 the nine successes between never suffice:
 * the tenth failure is DOWN. With ok_thresh 9 they do. Consecutive never minds. */
static struct flap one_failure_in_ten(struct flap_conf c, int rounds)
{
    struct flap f = run(&c, "S");
    for (int i = 0; i < rounds; i++) {
        f = flap_step(&c, f, TH_PROBE_DOWN);
        for (int k = 0; k < 9; k++)
            f = flap_step(&c, f, TH_PROBE_UP);
    }
    return f;
}

START_TEST(isolated_failures)
{
    struct flap_conf c = {FLAP_CUMULATIVE, 20, 10, 10, 1000, false};
    struct flap f = one_failure_in_ten(c, 9);
    ck_assert(!f.down);
    ck_assert_uint_eq(f.fail, 9);
    ck_assert_uint_eq(f.succ, 9);
    ck_assert(one_failure_in_ten(c, 10).down);
    c.ok_thresh = 11;
    ck_assert(one_failure_in_ten(c, 10).down);
    c.ok_thresh = 9;
    f = one_failure_in_ten(c, 1000);
    ck_assert(!f.down && f.fail == 0 && f.succ == 0);
    c.mode = FLAP_CONSECUTIVE;
    ck_assert(!one_failure_in_ten(c, 1000).down);
}
END_TEST

/* The naive models look at the whole history since the state last changed, text not counters. */

static bool model_consecutive_flips(const char *since, bool down, const struct flap_conf *c)
{
    size_t row = 0, len = strlen(since), need = down ? c->up_thresh : c->down_thresh;
    char wanted = down ? 'S' : 'F';
    while (row < len && since[len - 1 - row] == wanted)
        row++;
    return row >= need;
}

static bool model_cumulative_flips(const char *since, bool down, const struct flap_conf *c)
{
    if (down)
        return model_consecutive_flips(since, down, c);
    size_t fails = 0, row = 0;
    for (const char *s = since; *s; s++) {
        fails += *s == 'F';
        row = *s == 'F' ? 0 : row + 1;
        if (row >= c->ok_thresh)
            fails = 0;
    }
    return fails >= c->down_thresh;
}

#define STEPS 400

static void compare_with_model(struct prng *r, const struct flap_conf *c)
{
    struct flap f = {0};
    char since[STEPS + 1] = "";
    size_t len = 0;
    bool known = false, down = false;
    unsigned bias = 1 + prng_below(r, 9);
    for (int i = 0; i < STEPS; i++) {
        bool failed = prng_below(r, 10) < bias;
        f = flap_step(c, f, failed ? TH_PROBE_DOWN : TH_PROBE_UP);
        since[len++] = failed ? 'F' : 'S';
        since[len] = '\0';
        bool flips = c->mode == FLAP_CUMULATIVE ? model_cumulative_flips(since, down, c)
                                                : model_consecutive_flips(since, down, c);
        if (!known || flips) {
            down = known ? !down : failed;
            known = true;
            len = 0;
            since[0] = '\0';
        }
        bool counters = f.fail < c->down_thresh && f.succ < (f.down ? c->up_thresh : c->ok_thresh);
        if (f.down != down || !counters) /* an assert that holds costs a system call */
            ck_abort_msg("mode %d step %d thresh %u/%u/%u", (int)c->mode, i, c->up_thresh,
                         c->ok_thresh, c->down_thresh);
    }
}

START_TEST(random_sequences)
{
    struct prng r;
    prng_init_from(&r, 42 + (uint64_t)_i);
    for (int i = 0; i < 500; i++) {
        struct flap_conf c = {_i ? FLAP_CUMULATIVE : FLAP_CONSECUTIVE,
                              1 + prng_below(&r, 6),
                              1 + prng_below(&r, 6),
                              1 + prng_below(&r, 6),
                              1000,
                              false};
        compare_with_model(&r, &c);
    }
}
END_TEST

static const struct {
    uint32_t interval_ms, up, down;
    const char *script;
    uint32_t ttl_s;
} ttls[] = {
    {10000, 20, 10, "S", 100}, /* the manual's fresh UP and fresh DOWN */
    {10000, 20, 10, "F", 200},
    {10000, 20, 10, "SFFF", 70},
    {10000, 20, 10, "FSS", 180},
    {200, 3, 3, "S", 1}, /* below one second: at least 1 */
    {200, 3, 3, "SFF", 1},
    {500, 3, 3, "S", 2}, /* 1.5 s is rounded up */
    {1, 1, 1, "S", 1},
    {3600000, 65535, 65535, "F", 235926000},
    {3600000, 65535, 65535, "S", 235926000},
    {4294967295u, 65535, 65535, "S", TH_TTL_MAX},
};

START_TEST(derived_ttl)
{
    struct flap_conf c = {FLAP_CUMULATIVE, ttls[_i].up,          10,
                          ttls[_i].down,   ttls[_i].interval_ms, true};
    struct flap f = run(&c, ttls[_i].script);
    ck_assert_uint_eq(th_word_ttl(flap_word(&c, f)), ttls[_i].ttl_s);
    c.derived_ttl = false;
    ck_assert_uint_eq(th_word_ttl(flap_word(&c, f)), TH_TTL_MAX);
}
END_TEST

START_TEST(words)
{
    struct flap_conf c = {FLAP_CONSECUTIVE, 1, 1, 1, 1000, true};
    struct th_word w = flap_word(&c, (struct flap){0});
    ck_assert(w.bits == th_word_make(TH_PENDING, TH_TTL_MAX, TH_WEIGHT_MAX).bits);
    w = flap_word(&c, run(&c, "S"));
    ck_assert(w.bits == th_word_make(0, 1, TH_WEIGHT_MAX).bits);
    w = flap_word(&c, run(&c, "F"));
    ck_assert(w.bits == th_word_down(1).bits);
}
END_TEST

START_TEST(conf_equal)
{
    struct flap_conf a = {FLAP_CONSECUTIVE, 1, 2, 3, 4, true}, b = a;
    ck_assert(flap_conf_equal(&a, &b));
    b.down_thresh = 9;
    ck_assert(!flap_conf_equal(&a, &b));
    b = a;
    b.mode = FLAP_CUMULATIVE;
    ck_assert(!flap_conf_equal(&a, &b));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("flap");
    TCase *t = tcase_create("flap");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, corners, 0, (int)(sizeof table / sizeof *table));
    tcase_add_test(t, isolated_failures);
    tcase_add_loop_test(t, random_sequences, 0, 2);
    tcase_add_loop_test(t, derived_ttl, 0, (int)(sizeof ttls / sizeof *ttls));
    tcase_add_test(t, words);
    tcase_add_test(t, conf_equal);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
