/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * multifo against a naive model of drains, over every combination of up to 6 members, each UP or
 * DOWN and not drained, drained long ago, drained lately, or in maintenance.
 */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "unit/plug_rig.h"
#include "unit/run.h"

enum { MEMBERS_MAX = 6 };
enum kind { KIND_NONE, KIND_OLD, KIND_NEW, KIND_MAINT, KINDS };

struct state {
    bool is_down;
    enum kind kind;
};

/* What the fake host calls read and write; one thread. */
static struct {
    struct state members[MEMBERS_MAX];
    bool by_operator;
    unsigned answered; /* bits */
} now;

static struct th_word fake_slot(struct th_ctx *ctx, th_slot s)
{
    (void)ctx;
    static const uint64_t flags[KINDS] = {0, TH_DRAIN, TH_DRAIN, TH_DRAIN | TH_MAINT};
    const struct state *m = &now.members[s];
    uint64_t forced = now.by_operator && m->kind != KIND_NONE ? TH_FORCED : 0;
    return th_word_make((m->is_down ? TH_DOWN | TH_ANY_DOWN : 0) | flags[m->kind] | forced, 100 + s,
                        TH_WEIGHT_MAX);
}

static int64_t fake_since(struct th_ctx *ctx, th_slot s)
{
    (void)ctx;
    static const int64_t since_ms[KINDS] = {0, 1000, 2000, 3000};
    return since_ms[now.members[s].kind];
}

static void fake_push(struct th_ctx *ctx, const struct th_addr *addr)
{
    (void)ctx;
    now.answered |= 1u << addr->bytes[3];
}

/* ---- the model: DESIGN's sentences, one after another --------------------------------------- */

struct outcome {
    unsigned answered; /* bits */
    bool is_down, any_down, drain;
    uint32_t ttl_s;
};

static unsigned bits_of(unsigned n, bool (*is)(const struct state *))
{
    unsigned bits = 0;
    for (unsigned i = 0; i < n; i++)
        bits |= is(&now.members[i]) ? 1u << i : 0;
    return bits;
}

static bool is_up(const struct state *m)
{
    return !m->is_down;
}
static bool is_undrained(const struct state *m)
{
    return m->kind == KIND_NONE;
}
static bool is_old(const struct state *m)
{
    return m->kind == KIND_OLD;
}
static bool is_new(const struct state *m)
{
    return m->kind == KIND_NEW;
}
static bool is_maint(const struct state *m)
{
    return m->kind == KIND_MAINT;
}

static unsigned count(unsigned bits)
{
    return (unsigned)__builtin_popcount(bits);
}

static struct outcome model(unsigned n, unsigned need, bool ignore_health)
{
    const unsigned all = (1u << n) - 1;
    unsigned up = bits_of(n, is_up), undrained = bits_of(n, is_undrained);
    unsigned drains[] = {bits_of(n, is_new), bits_of(n, is_old), bits_of(n, is_maint)};
    if (ignore_health && !now.by_operator) { /* a drain seen by a probe is ignored */
        undrained = all;
        memset(drains, 0, sizeof drains);
    }
    unsigned usable = ignore_health ? all : up;
    unsigned set = usable & undrained; /* neither DOWN nor drained */
    for (int i = 0; i < 3 && count(set) < need; i++)
        set |= drains[i] & usable; /* lifted: the newest first, MAINT last */
    if (count(set) < need)
        set = all; /* the manual's fall-back */
    struct outcome o = {.answered = set, .is_down = count(up) < need, .drain = undrained == 0};
    o.ttl_s = TH_TTL_MAX;
    for (unsigned i = 0; i < n; i++) {
        bool is_answered = set >> i & 1, down = now.members[i].is_down;
        bool is_tried = is_answered || !down || (undrained >> i & 1);
        o.any_down = o.any_down || (is_tried && down);
        if (is_tried && 100 + i < o.ttl_s)
            o.ttl_s = 100 + i;
    }
    return o;
}

/* ---- all combinations ----------------------------------------------------------------------- */

static void set_members(unsigned n, unsigned combination)
{
    for (unsigned i = 0; i < n; i++, combination /= 2 * KINDS)
        now.members[i] = (struct state){combination % 2, (enum kind)(combination / 2 % KINDS)};
}

static void compare(struct rig *r, unsigned n, unsigned need, bool ignore_health)
{
    unsigned combinations = 1;
    for (unsigned i = 0; i < n; i++)
        combinations *= 2 * KINDS;
    for (unsigned c = 0; c < combinations; c++) {
        set_members(n, c);
        now.answered = 0;
        plugs_prepare_all(r->plugs);
        struct th_word w = prepared_word(plugs_prepared(r->plugs, 0));
        struct outcome o = model(n, need, ignore_health);
        if (now.answered != o.answered || th_word_has(w, TH_DOWN) != o.is_down ||
            th_word_has(w, TH_ANY_DOWN) != o.any_down || th_word_has(w, TH_DRAIN) != o.drain ||
            th_word_ttl(w) != o.ttl_s) /* an assert that holds costs a system call */
            ck_abort_msg("n %u need %u combination %u: answered 0x%x, not 0x%x; word 0x%llx", n,
                         need, c, now.answered, o.answered, (unsigned long long)w.bits);
    }
}

static void open_set(struct rig *r, unsigned n, unsigned need, bool ignore_health)
{
    struct buf b = {0};
    buf_printf(&b, "plugins => { multifo => { s => { up_thresh => %.3f ignore_health => %s",
               need == n ? 1. : (need - 0.5) / n, ignore_health ? "true" : "false");
    for (unsigned i = 0; i < n; i++)
        buf_printf(&b, " m%u => 192.0.2.%u", i, i);
    buf_adds(&b, " } } }");
    rig_need(r, b.data);
    buf_fini(&b);
    r->host.slot = fake_slot;
    r->host.push = fake_push;
    r->host.drained_since = fake_since;
}

/* Every threshold that differs, by the number of members that it needs. */
START_TEST(every_combination)
{
    bool ignore_health = _i & 1;
    now.by_operator = _i & 2;
    for (unsigned n = 1; n <= MEMBERS_MAX; n++)
        for (unsigned need = 1; need <= n; need++) {
            struct rig r;
            open_set(&r, n, need, ignore_health);
            compare(&r, n, need, ignore_health);
            rig_close(&r);
        }
}
END_TEST

/* ---- on the real host ----------------------------------------------------------------------- */

static void set_word(struct rig *r, const char *desc, uint64_t flags, int64_t drained_ns)
{
    size_t i = find_watch(r, desc);
    slot_set_drained(&r->slots[i], (struct mono){drained_ns});
    slot_set_word(&r->slots[i], th_word_make(flags, TH_TTL_MAX, TH_WEIGHT_MAX));
    plugs_mark(r->plugs, (uint32_t)i);
    ck_assert(!plugs_prepare(r->plugs, mono_add_ms(mono_now(), 1000)));
}

/* A member is drained if one of its service types is, since the first of them; the host tells when;
 * a plugin above sees DRAIN when all are. */
START_TEST(times_and_service_types)
{
    struct rig r;
    rig_need(&r, "service_types => { x => { plugin => nop } }\n"
                 "plugins => { multifo => { service_types => [ up, x ]\n"
                 " s => { up_thresh => 0.1 a => 192.0.2.1 b => 192.0.2.2 } }\n"
                 " upward => { u => multifo!s } }");
    const struct prepared *p;
    set_word(&r, "192.0.2.1/x", TH_DRAIN, 5000000);
    p = answer(&r, "multifo!s");
    ck_assert_uint_eq(p->v4.count, 1);
    ck_assert_int_eq(addrset_at(&p->v4, 0)[3], 2);
    ck_assert(!th_word_has(prepared_word(p), TH_DRAIN));
    set_word(&r, "192.0.2.2/x", TH_DRAIN, 7000000); /* the newer is lifted */
    p = answer(&r, "multifo!s");
    ck_assert_uint_eq(p->v4.count, 1);
    ck_assert_int_eq(addrset_at(&p->v4, 0)[3], 2);
    ck_assert(th_word_has(prepared_word(answer(&r, "upward!u")), TH_DRAIN));
    set_word(&r, "192.0.2.2/up", TH_DRAIN, 3000000); /* it has been drained for longer */
    p = answer(&r, "multifo!s");
    ck_assert_uint_eq(p->v4.count, 1);
    ck_assert_int_eq(addrset_at(&p->v4, 0)[3], 1);
    set_word(&r, "192.0.2.2/up", TH_DRAIN, 5000000); /* the same time as the other one */
    ck_assert_uint_eq(answer(&r, "multifo!s")->v4.count, 2);
    set_word(&r, "192.0.2.2/up", 0, 3000000); /* 7000000 is left */
    ck_assert_int_eq(addrset_at(&answer(&r, "multifo!s")->v4, 0)[3], 2);
    rig_close(&r);
}
END_TEST

struct told {
    unsigned count;
    struct plugs_drain last;
};

static void on_drain(void *arg, const struct plugs_drain *d)
{
    struct told *t = arg;
    t->count++;
    t->last = *d;
}

/* Told once when the last member is drained, and once when one no longer is. */
START_TEST(all_drained_is_told)
{
    struct rig r;
    struct told t = {0};
    rig_need(&r, "plugins => { multifo => { s => [ 192.0.2.1, 192.0.2.2 ] } }");
    plugs_on_drain(r.plugs, on_drain, &t);
    set_word(&r, "192.0.2.1/up", TH_DRAIN, 1000000);
    ck_assert_uint_eq(t.count, 0);
    set_word(&r, "192.0.2.2/up", TH_DRAIN, 1000000);
    ck_assert_uint_eq(t.count, 1);
    ck_assert_str_eq(t.last.resource, "multifo!s");
    ck_assert(t.last.is_drained && t.last.answered == 2);
    set_word(&r, "192.0.2.2/up", TH_DRAIN | TH_DOWN, 1000000); /* still */
    ck_assert_uint_eq(t.count, 1);
    set_word(&r, "192.0.2.1/up", 0, 0);
    ck_assert_uint_eq(t.count, 2);
    ck_assert(!t.last.is_drained);
    rig_close(&r);
}
END_TEST

/* Drained is passed upward when all members of both families are. */
START_TEST(both_families)
{
    struct rig r;
    rig_need(&r, "plugins => { multifo => { s => { addrs_v4 => 192.0.2.1\n"
                 "  addrs_v6 => [ 2001:db8::1, 2001:db8::2 ] } } }");
    set_word(&r, "192.0.2.1/up", TH_DRAIN, 1000000);
    set_word(&r, "2001:db8::1/up", TH_DRAIN, 1000000);
    ck_assert(!th_word_has(prepared_word(answer(&r, "multifo!s")), TH_DRAIN));
    ck_assert_uint_eq(answer(&r, "multifo!s")->v4.count, 1);
    ck_assert_uint_eq(answer(&r, "multifo!s")->v6.count, 1);
    set_word(&r, "2001:db8::2/up", TH_DRAIN, 1000000);
    ck_assert(th_word_has(prepared_word(answer(&r, "multifo!s")), TH_DRAIN));
    ck_assert_uint_eq(answer(&r, "multifo!s")->v6.count, 2); /* all at once: all are answered */
    rig_close(&r);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("multifo");
    TCase *t = tcase_create("multifo");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, every_combination, 0, 4);
    tcase_add_test(t, times_and_service_types);
    tcase_add_test(t, both_families);
    tcase_add_test(t, all_drained_is_told);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
