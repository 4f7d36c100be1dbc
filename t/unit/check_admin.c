/* SPDX-License-Identifier: GPL-3.0-or-later */
/* admin: which rule counts for an item, and the word that comes of it. */
#include <string.h>

#include "health/admin.h"
#include "unit/run.h"

/* A list from words: "GLOB=STATE" of the file, "GLOB!STATE" a command; then who counts. */
static const struct {
    const char *rules[4], *desc, *expected;
} finds[] = {
    {{NULL}, "192.0.2.1/web", "none"},
    {{"192.0.2.2/web=UP"}, "192.0.2.1/web", "none"},
    {{"192.0.2.1/web=DOWN"}, "192.0.2.1/web", "DOWN"},
    {{"*=UP"}, "192.0.2.1/web", "UP"}, /* "*" matches "/" too */
    {{"192.0.2.?/w*=DRAIN"}, "192.0.2.1/web", "DRAIN"},
    {{"192.0.2.[13]/web=MAINT"}, "192.0.2.3/web", "MAINT"},
    {{"192.0.2.[13]/web=MAINT"}, "192.0.2.2/web", "none"},
    {{"*/WEB=UP"}, "192.0.2.1/web", "none"},     /* letter case counts */
    {{"192.0.2.1=UP"}, "192.0.2.1/web", "none"}, /* the whole description */
    {{"192.0.2.1/w\\eb=UP"}, "192.0.2.1/web", "UP"},
    {{"*=UP", "192.0.2.*=DOWN", "*/smtp=MAINT"},
     "192.0.2.1/web",
     "DOWN"}, /* the last of the file */
    {{"192.0.2.*=DOWN", "*=UP"}, "192.0.2.1/web", "UP"},
    {{"*!DRAIN", "192.0.2.1/web=DOWN"}, "192.0.2.1/web", "DRAIN"}, /* a command before the file */
    {{"192.0.2.1/web=DOWN", "*!DRAIN"}, "192.0.2.1/web", "DRAIN"},
    {{"*!DRAIN", "192.0.2.*!UP", "*=DOWN"}, "192.0.2.1/web", "UP"}, /* the last command */
    {{"*/smtp!DRAIN", "*=DOWN"}, "192.0.2.1/web", "DOWN"},
};

static enum admin_state state_of(const char *name)
{
    for (int s = ADMIN_UP; s <= ADMIN_MAINT; s++)
        if (strcmp(admin_state_name((enum admin_state)s), name) == 0)
            return (enum admin_state)s;
    ck_abort_msg("no state \"%s\"", name);
    return ADMIN_UP;
}

static void add(struct admin *a, const char *text)
{
    char glob[64];
    size_t len = strcspn(text, "=!");
    memcpy(glob, text, len);
    glob[len] = '\0';
    struct admin_rule r = {.glob = glob,
                           .state = state_of(text + len + 1),
                           .ttl_s = TH_TTL_MAX,
                           .origin = text[len] == '!' ? ADMIN_COMMAND : ADMIN_FILE,
                           .author = "",
                           .reason = ""};
    admin_add(a, &r);
    memset(glob, 'x', sizeof glob); /* the list's texts are its own */
}

START_TEST(find)
{
    struct admin *a = admin_new();
    for (size_t i = 0; i < 4 && finds[_i].rules[i]; i++)
        add(a, finds[_i].rules[i]);
    const struct admin_rule *r = admin_find(a, finds[_i].desc);
    ck_assert_str_eq(r ? admin_state_name(r->state) : "none", finds[_i].expected);
    admin_unref(a);
}
END_TEST

#define BITS(flags, ttl)                                                                           \
    {                                                                                              \
        (flags) | (ttl) | 9ull << TH_WEIGHT_SHIFT                                                  \
    }
#define GONE   (TH_DOWN | TH_ANY_DOWN)
#define NO_TTL TH_TTL_MAX

static const struct {
    enum admin_state state;
    uint32_t ttl_s;
    struct th_word real, expected;
} words[] = {
    {ADMIN_UP, NO_TTL, BITS(0, 5), BITS(TH_FORCED, TH_TTL_MAX)},
    {ADMIN_UP, 33, BITS(GONE, 5), BITS(TH_FORCED, 33)},
    {ADMIN_UP, 0, BITS(TH_PENDING | TH_STALE | TH_DRAIN, 5), BITS(TH_FORCED, 0)},
    {ADMIN_DOWN, NO_TTL, BITS(0, 5), BITS(GONE | TH_FORCED, TH_TTL_MAX)},
    {ADMIN_DOWN, 33, BITS(TH_DRAIN, 5), BITS(GONE | TH_FORCED, 33)},
    {ADMIN_DRAIN, NO_TTL, BITS(0, 5), BITS(TH_DRAIN | TH_FORCED, 5)},
    {ADMIN_DRAIN, 3, BITS(GONE, 5), BITS(GONE | TH_DRAIN | TH_FORCED, 3)},
    {ADMIN_DRAIN, 7, BITS(TH_PENDING, 5), BITS(TH_PENDING | TH_DRAIN | TH_FORCED, 5)},
    {ADMIN_MAINT, NO_TTL, BITS(TH_STALE, 5), BITS(TH_STALE | TH_DRAIN | TH_MAINT | TH_FORCED, 5)},
    {ADMIN_MAINT, NO_TTL, BITS(GONE, 5), BITS(GONE | TH_DRAIN | TH_MAINT | TH_FORCED, 5)},
};

START_TEST(apply)
{
    struct admin_rule r = {.state = words[_i].state, .ttl_s = words[_i].ttl_s};
    struct th_word w = admin_apply(&r, words[_i].real);
    ck_assert_msg(w.bits == words[_i].expected.bits, "row %d: 0x%llx", _i,
                  (unsigned long long)w.bits);
    ck_assert(admin_apply(NULL, words[_i].real).bits == words[_i].real.bits);
}
END_TEST

START_TEST(same)
{
    struct admin_rule a = {.state = ADMIN_UP, .ttl_s = 3, .origin = ADMIN_FILE}, b = a;
    b.origin = ADMIN_COMMAND;
    ck_assert(admin_same(NULL, NULL));
    ck_assert(!admin_same(&a, NULL) && !admin_same(NULL, &a));
    ck_assert(admin_same(&a, &b));
    b.ttl_s = 4;
    ck_assert(!admin_same(&a, &b));
    b = a;
    b.state = ADMIN_DRAIN;
    ck_assert(!admin_same(&a, &b));
}
END_TEST

START_TEST(many_and_shared)
{
    struct admin *a = admin_new(), *b = admin_ref(a);
    for (int i = 0; i < 1000; i++)
        add(a, i == 500 ? "500/x=UP" : "a/x=DOWN");
    admin_unref(a);
    ck_assert_uint_eq(admin_count(b), 1000);
    ck_assert_str_eq(admin_at(b, 500)->glob, "500/x");
    ck_assert_ptr_eq(admin_find(b, "a/x"), admin_at(b, 999));
    admin_unref(b);
    admin_unref(NULL);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("admin");
    TCase *t = tcase_create("admin");
    tcase_add_loop_test(t, find, 0, (int)(sizeof finds / sizeof *finds));
    tcase_add_loop_test(t, apply, 0, (int)(sizeof words / sizeof *words));
    tcase_add_test(t, same);
    tcase_add_test(t, many_and_shared);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
