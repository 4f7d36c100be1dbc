/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flap: tables of the rules' corners, and random sequences against a naive model per mode. */
#include <string.h>

#include "base/prng.h"
#include "health/flap.h"
#include "unit/run.h"

/* A script: S success, F failure, T timeout, D drain, N not run, failures of a cause: R refused,
 * X reset, L TLS, C status; then what is expected. */
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
    case 'F':
    case 'R':
    case 'X':
    case 'L':
    case 'C': return TH_PROBE_DOWN;
    case 'T': return TH_PROBE_TIMEOUT;
    case 'D': return TH_PROBE_DRAIN;
    }
    return TH_PROBE_NOTRUN;
}

static enum th_cause cause_of(char c)
{
    switch (c) {
    case 'R': return TH_CAUSE_REFUSED;
    case 'X': return TH_CAUSE_RESET;
    case 'L': return TH_CAUSE_TLS;
    case 'C': return TH_CAUSE_STATUS;
    case 'T': return TH_CAUSE_TIMEOUT;
    }
    return TH_CAUSE_NONE;
}

static struct flap step(const struct flap_conf *c, struct flap f, char what, int64_t at_ms)
{
    struct flap_result r = {verdict_of(what), cause_of(what), mono_add_ms((struct mono){0}, at_ms)};
    return flap_step(c, f, &r);
}

static struct flap go_on(const struct flap_conf *c, struct flap f, const char *script)
{
    for (const char *s = script; *s; s++)
        f = step(c, f, *s, 0);
    return f;
}

static struct flap run(const struct flap_conf *c, const char *script)
{
    return go_on(c, flap_first(c), script);
}

static struct flap_conf conf(enum flap_mode mode, uint32_t up, uint32_t ok, uint32_t down)
{
    return (struct flap_conf){
        .mode = mode, .up_thresh = up, .ok_thresh = ok, .down_thresh = down, .interval_ms = 1000};
}

START_TEST(corners)
{
    struct flap_conf c = conf(table[_i].mode, table[_i].up, table[_i].ok, table[_i].down);
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
        f = go_on(&c, f, "FSSSSSSSSS");
    }
    return f;
}

START_TEST(isolated_failures)
{
    struct flap_conf c = conf(FLAP_CUMULATIVE, 20, 10, 10);
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

/* ---- models -------------------------------------------------------------------------------- */

/* The naive models look at the whole history since the state last changed, text not counters. */

static size_t ends_with(const char *since, char wanted)
{
    size_t row = 0, len = strlen(since);
    while (row < len && since[len - 1 - row] == wanted)
        row++;
    return row;
}

static bool model_consecutive_falls(const char *since, const struct flap_conf *c)
{
    return ends_with(since, 'F') >= c->down_thresh;
}

static bool model_cumulative_falls(const char *since, const struct flap_conf *c)
{
    size_t fails = 0, row = 0;
    for (const char *s = since; *s; s++) {
        fails += *s == 'F';
        row = *s == 'F' ? 0 : row + 1;
        if (row >= c->ok_thresh)
            fails = 0;
    }
    return fails >= c->down_thresh;
}

static bool model_window_falls(const char *since, const struct flap_conf *c)
{
    size_t fails = 0, len = strlen(since);
    for (size_t back = 1; back <= c->window && back <= len; back++)
        fails += since[len - back] == 'F';
    return fails >= c->down_thresh;
}

static bool model_falls(const char *since, const struct flap_conf *c)
{
    switch (c->mode) {
    case FLAP_CONSECUTIVE: return model_consecutive_falls(since, c);
    case FLAP_CUMULATIVE: return model_cumulative_falls(since, c);
    case FLAP_WINDOW: return model_window_falls(since, c);
    }
    return false;
}

/* 'U', 'D', or '?': nothing is known yet. */
static char model_first(const char *since, const struct flap_conf *c)
{
    size_t len = strlen(since);
    if (c->init == FLAP_INIT_FIRST)
        return len == 0 ? '?' : since[0] == 'S' ? 'U' : 'D';
    if (len < 2)
        return '?';
    if (len == 2 && since[0] == since[1])
        return since[0] == 'S' ? 'U' : 'D';
    return ends_with(since, 'S') >= c->up_thresh ? 'U' : model_falls(since, c) ? 'D' : '?';
}

struct model {
    char state, since[401];
    size_t len;
    int64_t falls[401]; /* all that ever were */
    size_t fall_count;
};

/* Those in the time before the newest, itself included; the factor is 2, 4, 8, ... */
static uint64_t model_rise(const struct model *m, const struct flap_conf *c)
{
    uint64_t need = c->up_thresh, n = 0;
    for (size_t i = 0; i < m->fall_count; i++)
        n += m->falls[m->fall_count - 1] - m->falls[i] < (int64_t)c->damp.window_ms;
    n = n > FLAP_FALLS_MAX ? FLAP_FALLS_MAX : n;
    for (uint64_t k = c->damp.falls; c->damp.falls && k <= n; k++)
        need *= 2;
    return c->damp.falls && need > c->damp.max_thresh ? c->damp.max_thresh : need;
}

static char model_next(const struct model *m, const struct flap_conf *c, bool hard)
{
    if (m->state == '?')
        return hard ? 'D' : model_first(m->since, c);
    if (m->state == 'D')
        return ends_with(m->since, 'S') >= model_rise(m, c) ? 'U' : 'D';
    return hard || model_falls(m->since, c) ? 'D' : 'U';
}

static void model_step(struct model *m, const struct flap_conf *c, char what, int64_t at_ms)
{
    bool hard = what == 'R' && c->hard_causes;
    m->since[m->len++] = what == 'S' ? 'S' : 'F';
    m->since[m->len] = '\0';
    char next = model_next(m, c, hard);
    if (next == m->state)
        return;
    if (m->state == 'U')
        m->falls[m->fall_count++] = at_ms;
    m->state = next;
    m->len = 0;
    m->since[0] = '\0';
}

#define STEPS 400

static char state_of(struct flap f)
{
    return !f.known ? '?' : f.down ? 'D' : 'U';
}

static void compare_with_model(struct prng *r, const struct flap_conf *c)
{
    static const char failures[] = "FFRTX";
    struct model m = {.state = c->init == FLAP_INIT_UP     ? 'U'
                               : c->init == FLAP_INIT_DOWN ? 'D'
                                                           : '?'};
    struct flap f = flap_first(c);
    int64_t at_ms = 0;
    unsigned bias = 1 + prng_below(r, 9);
    for (int i = 0; i < STEPS; i++) {
        char what = prng_below(r, 10) < bias ? failures[prng_below(r, 5)] : 'S';
        at_ms += prng_below(r, 2000);
        f = step(c, f, what, at_ms);
        f = step(c, f, 'N', at_ms); /* nothing */
        model_step(&m, c, what, at_ms);
        bool suspect = m.state == 'U' && strchr(m.since, 'F') && f.fail;
        bool fast = m.state == '?' || suspect || (m.state == 'D' && ends_with(m.since, 'S'));
        bool damped = m.state == 'D' && ends_with(m.since, 'S') >= c->up_thresh;
        if (state_of(f) != m.state || fast != (flap_pace(f) == FLAP_PACE_FAST) ||
            damped != flap_is_damped(c, f)) /* an assert that holds costs a system call */
            ck_abort_msg("mode %d init %d step %d thresh %u/%u/%u/%u: %c, not %c after \"%s\"",
                         (int)c->mode, (int)c->init, i, c->up_thresh, c->ok_thresh, c->down_thresh,
                         c->window, state_of(f), m.state, m.since);
    }
}

static struct flap_conf random_conf(struct prng *r, enum flap_mode mode)
{
    static const enum flap_init inits[] = {FLAP_INIT_FIRST, FLAP_INIT_UP, FLAP_INIT_DOWN,
                                           FLAP_INIT_LAST, FLAP_INIT_CONFIRM};
    struct flap_conf c =
        conf(mode, 1 + prng_below(r, 6), 1 + prng_below(r, 6), 1 + prng_below(r, 6));
    c.init = inits[prng_below(r, 5)];
    c.hard_causes = prng_below(r, 3) ? 0 : 1u << TH_CAUSE_REFUSED;
    if (mode == FLAP_WINDOW)
        c.window = c.down_thresh + prng_below(r, FLAP_WINDOW_MAX + 1 - c.down_thresh);
    if (prng_below(r, 2))
        c.damp = (struct flap_damp){.falls = 2 + prng_below(r, FLAP_FALLS_MAX - 1),
                                    .window_ms = 1000 + prng_below(r, 100000),
                                    .max_thresh = c.up_thresh + prng_below(r, 40)};
    return c;
}

START_TEST(random_sequences)
{
    struct prng r;
    prng_init_from(&r, 42 + (uint64_t)_i);
    for (int i = 0; i < 1000; i++) {
        struct flap_conf c = random_conf(&r, (enum flap_mode)_i);
        compare_with_model(&r, &c);
    }
}
END_TEST

/* ---- each rule by itself ------------------------------------------------------------------- */

START_TEST(window_corners)
{
    static const struct {
        uint32_t n, m;
        const char *script;
        char state;
    } rows[] = {
        {3, 5, "SFFSS", 'U'},    {3, 5, "SFFSF", 'D'},     {3, 5, "SFSFSF", 'D'},
        {3, 5, "SFFSSSF", 'U'},  {3, 5, "SFFSSSFF", 'U'},  {3, 5, "SFFSSSFFF", 'D'},
        {1, 1, "SF", 'D'},       {2, 2, "SFSFSFSFS", 'U'}, {2, 3, "SFSF", 'D'},
        {3, 5, "SFFFSS", 'U'},   {3, 5, "SFFFSSFF", 'U'}, /* what was before it fell is forgotten */
        {3, 5, "SFFFSFSS", 'U'}, {3, 5, "SFFFSFS", 'D'},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct flap_conf c = conf(FLAP_WINDOW, 2, 2, rows[i].n);
        c.window = rows[i].m;
        ck_assert_msg(state_of(run(&c, rows[i].script)) == rows[i].state, "%s", rows[i].script);
    }
}
END_TEST

/* The widest window keeps a failure for 64 results and not for 65. */
START_TEST(widest_window)
{
    struct flap_conf c = conf(FLAP_WINDOW, 1, 1, 2);
    c.window = FLAP_WINDOW_MAX;
    struct flap f = run(&c, "SF");
    for (unsigned i = 0; i < FLAP_WINDOW_MAX - 2; i++)
        f = go_on(&c, f, "S");
    ck_assert(go_on(&c, f, "F").down);
    ck_assert(!go_on(&c, f, "SF").down);
}
END_TEST

/* Each subset of causes makes exactly its members decide at once, from any state but DOWN. */
START_TEST(hard_causes)
{
    static const char causes[] = "RXLCFT";
    for (unsigned subset = 0; subset < 16; subset++) {
        struct flap_conf c = conf(FLAP_CONSECUTIVE, 2, 2, 3), confirmed;
        for (unsigned k = 0; k < 4; k++)
            c.hard_causes |= (subset >> k & 1) << cause_of(causes[k]);
        confirmed = c;
        confirmed.init = FLAP_INIT_CONFIRM;
        for (unsigned k = 0; k < 6; k++) {
            bool hard = subset >> k & 1;
            const char script[] = {'S', causes[k], '\0'};
            ck_assert_int_eq(run(&c, script).down, hard);
            ck_assert_int_eq(run(&confirmed, script + 1).known, hard);
        }
        ck_assert(!run(&c, "SRS").down || (subset & 1)); /* one success does not bring it back */
        ck_assert(!run(&c, "SRSS").down);
    }
}
END_TEST

START_TEST(ways_to_begin)
{
    static const struct {
        enum flap_init init;
        const char *script;
        char state;
    } rows[] = {
        {FLAP_INIT_FIRST, "", '?'},       {FLAP_INIT_FIRST, "F", 'D'},
        {FLAP_INIT_UP, "", 'U'},          {FLAP_INIT_UP, "FF", 'U'},
        {FLAP_INIT_UP, "FFF", 'D'},       {FLAP_INIT_DOWN, "", 'D'},
        {FLAP_INIT_DOWN, "S", 'D'},       {FLAP_INIT_DOWN, "SS", 'U'},
        {FLAP_INIT_CONFIRM, "F", '?'},    {FLAP_INIT_CONFIRM, "FF", 'D'},
        {FLAP_INIT_CONFIRM, "SS", 'U'},   {FLAP_INIT_CONFIRM, "NNSNS", 'U'},
        {FLAP_INIT_CONFIRM, "SF", '?'},   {FLAP_INIT_CONFIRM, "SFF", '?'},
        {FLAP_INIT_CONFIRM, "SFFF", 'D'}, {FLAP_INIT_CONFIRM, "FSS", 'U'},
        {FLAP_INIT_CONFIRM, "SFSF", '?'}, {FLAP_INIT_LAST, "SF", '?'},
        {FLAP_INIT_LAST, "TT", 'D'},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct flap_conf c = conf(FLAP_CONSECUTIVE, 2, 2, 3);
        c.init = rows[i].init;
        ck_assert_msg(state_of(run(&c, rows[i].script)) == rows[i].state, "init %d \"%s\"",
                      (int)c.init, rows[i].script);
    }
}
END_TEST

/* A saved state counts for init => last alone, and only before the first state. */
START_TEST(saved_state)
{
    for (int init = FLAP_INIT_FIRST; init <= FLAP_INIT_CONFIRM; init++) {
        struct flap_conf c = conf(FLAP_CONSECUTIVE, 2, 2, 3);
        c.init = (enum flap_init)init;
        struct flap fresh = flap_first(&c), f = flap_restore(&c, fresh, true);
        ck_assert_int_eq(state_of(f), init == FLAP_INIT_LAST ? 'D' : state_of(fresh));
    }
    struct flap_conf c = conf(FLAP_CONSECUTIVE, 2, 2, 3);
    c.init = FLAP_INIT_LAST;
    ck_assert(!flap_restore(&c, run(&c, "SS"), true).down);
    struct flap f = flap_restore(&c, run(&c, "S"), true);
    ck_assert(f.down && f.succ == 0); /* what was counted before is not of this state */
    ck_assert(!go_on(&c, f, "SS").down);
}
END_TEST

/* A reload that asks for another way to begin while nothing is known. */
START_TEST(init_changes_while_pending)
{
    struct flap_conf c = conf(FLAP_CONSECUTIVE, 2, 2, 3);
    c.init = FLAP_INIT_CONFIRM;
    struct flap f = flap_clear(run(&c, "F"));
    ck_assert(!f.known && f.seen == 0 && f.fail == 0);
    c.init = FLAP_INIT_UP;
    f = go_on(&c, f, "F");
    ck_assert(f.known && !f.down && f.fail == 1);
}
END_TEST

static uint32_t successes_to_return(const struct flap_conf *c, struct flap f)
{
    uint32_t n = 0;
    for (; f.down; n++)
        f = step(c, f, 'S', 0);
    return n;
}

/* Falls a second apart: 3, 3, then 6, 12, 24, and no more than 40; after a rest it is 3 again. */
START_TEST(damping_doubles_up_to_its_limit)
{
    static const uint32_t wanted[] = {3, 3, 6, 12, 24, 40, 40, 40, 40, 40};
    struct flap_conf c = conf(FLAP_CONSECUTIVE, 3, 1, 1);
    c.damp = (struct flap_damp){.falls = 3, .window_ms = 60000, .max_thresh = 40};
    struct flap f = run(&c, "S");
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        f = step(&c, f, 'F', (int64_t)i * 1000);
        ck_assert(f.down); /* the way down is never delayed */
        ck_assert_uint_eq(successes_to_return(&c, f), wanted[i]);
        while (f.down)
            f = step(&c, f, 'S', (int64_t)i * 1000);
    }
    ck_assert_uint_eq(successes_to_return(&c, step(&c, f, 'F', 67999)), 6); /* the third of 60 s */
    ck_assert_uint_eq(successes_to_return(&c, step(&c, f, 'F', 68000)), 3);
}
END_TEST

START_TEST(damped_is_told)
{
    struct flap_conf c = conf(FLAP_CONSECUTIVE, 2, 1, 1);
    c.damp = (struct flap_damp){.falls = 2, .window_ms = 60000, .max_thresh = 8};
    struct flap f = run(&c, "SFSSF");
    ck_assert_uint_eq(f.rise, 4);
    ck_assert(!flap_is_damped(&c, go_on(&c, f, "S")));
    ck_assert(flap_is_damped(&c, go_on(&c, f, "SS")));
    ck_assert(!flap_is_damped(&c, go_on(&c, f, "SSF")));
    ck_assert(!flap_is_damped(&c, go_on(&c, f, "SSSS")));
    f = flap_clear(f); /* other thresholds: falls are forgotten with the counters */
    ck_assert_uint_eq(successes_to_return(&c, f), 2);
}
END_TEST

START_TEST(paces)
{
    struct flap_conf c = conf(FLAP_CUMULATIVE, 2, 2, 3), bare = c;
    c.fast_interval_ms = 200;
    c.down_interval_ms = 7000;
    c.init = FLAP_INIT_CONFIRM;
    static const struct {
        const char *script;
        uint32_t ms;
    } rows[] = {{"", 1000},      {"N", 1000},   {"S", 200},      {"SS", 1000},
                {"SSF", 200},    {"SSFS", 200}, {"SSFSS", 1000}, {"SSFFF", 7000},
                {"SSFFFS", 200}, {"FF", 7000},  {"FFSF", 7000},  {"FFSS", 1000}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_uint_eq(flap_interval_ms(&c, flap_pace(run(&c, rows[i].script))), rows[i].ms);
    for (int pace = FLAP_PACE_FAST; pace <= FLAP_PACE_DOWN; pace++)
        ck_assert_uint_eq(flap_interval_ms(&bare, (enum flap_pace)pace), 1000);
}
END_TEST

/* ---- words --------------------------------------------------------------------------------- */

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
    struct flap_conf c = conf(FLAP_CUMULATIVE, ttls[_i].up, 10, ttls[_i].down);
    c.interval_ms = ttls[_i].interval_ms;
    c.derived_ttl = true;
    struct flap f = run(&c, ttls[_i].script);
    ck_assert_uint_eq(th_word_ttl(flap_word(&c, f)), ttls[_i].ttl_s);
    c.derived_ttl = false;
    ck_assert_uint_eq(th_word_ttl(flap_word(&c, f)), TH_TTL_MAX);
}
END_TEST

/* The next result comes after the interval of now, those after it after the fast one. */
START_TEST(derived_ttl_knows_the_schedule)
{
    static const struct {
        const char *script;
        uint32_t ttl_s;
    } rows[] = {{"S", 10 + 2 + 2}, {"SF", 4}, {"SFF", 2}, {"SFFF", 60 + 2}, {"SFFFS", 2}};
    struct flap_conf c = conf(FLAP_CONSECUTIVE, 2, 2, 3);
    c.interval_ms = 10000;
    c.fast_interval_ms = 2000;
    c.down_interval_ms = 60000;
    c.derived_ttl = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_uint_eq(th_word_ttl(flap_word(&c, run(&c, rows[i].script))), rows[i].ttl_s);
    c.hard_causes = 1u << TH_CAUSE_RESET; /* one result may be enough */
    ck_assert_uint_eq(th_word_ttl(flap_word(&c, run(&c, "S"))), 10);
    ck_assert_uint_eq(th_word_ttl(flap_word(&c, run(&c, "SFFF"))), 62);
    c.damp = (struct flap_damp){.falls = 2, .window_ms = 60000, .max_thresh = 16};
    ck_assert_uint_eq(th_word_ttl(flap_word(&c, run(&c, "SFFFSSFFF"))), 60 + 3 * 2);
}
END_TEST

START_TEST(words)
{
    struct flap_conf c = conf(FLAP_CONSECUTIVE, 1, 1, 1);
    c.derived_ttl = true;
    struct th_word w = flap_word(&c, (struct flap){0});
    ck_assert(w.bits == th_word_make(TH_PENDING, TH_TTL_MAX, TH_WEIGHT_MAX).bits);
    w = flap_word(&c, run(&c, "S"));
    ck_assert(w.bits == th_word_make(0, 1, TH_WEIGHT_MAX).bits);
    w = flap_word(&c, run(&c, "F"));
    ck_assert(w.bits == th_word_down(1).bits);
}
END_TEST

/* Whatever is changed, it is noticed. */
START_TEST(conf_equal)
{
    const struct flap_conf a = conf(FLAP_CONSECUTIVE, 1, 2, 3);
    struct flap_conf v[14];
    ck_assert(flap_conf_equal(&a, &a));
    for (size_t i = 0; i < sizeof v / sizeof *v; i++)
        v[i] = a;
    v[0].mode = FLAP_CUMULATIVE;
    v[1].up_thresh = v[2].ok_thresh = v[3].down_thresh = 9;
    v[4].interval_ms = v[5].fast_interval_ms = v[6].down_interval_ms = 9;
    v[7].window = 9;
    v[8].hard_causes = 9;
    v[9].init = FLAP_INIT_UP;
    v[10].damp.falls = v[11].damp.window_ms = v[12].damp.max_thresh = 9;
    v[13].derived_ttl = true;
    for (size_t i = 0; i < sizeof v / sizeof *v; i++)
        ck_assert_msg(!flap_conf_equal(&a, &v[i]) && !flap_conf_equal(&v[i], &a), "%zu", i);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("flap");
    TCase *t = tcase_create("flap");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, corners, 0, (int)(sizeof table / sizeof *table));
    tcase_add_test(t, isolated_failures);
    tcase_add_loop_test(t, random_sequences, 0, 3);
    tcase_add_test(t, window_corners);
    tcase_add_test(t, widest_window);
    tcase_add_test(t, hard_causes);
    tcase_add_test(t, ways_to_begin);
    tcase_add_test(t, saved_state);
    tcase_add_test(t, init_changes_while_pending);
    tcase_add_test(t, damping_doubles_up_to_its_limit);
    tcase_add_test(t, damped_is_told);
    tcase_add_test(t, paces);
    tcase_add_loop_test(t, derived_ttl, 0, (int)(sizeof ttls / sizeof *ttls));
    tcase_add_test(t, derived_ttl_knows_the_schedule);
    tcase_add_test(t, words);
    tcase_add_test(t, conf_equal);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
