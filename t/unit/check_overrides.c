/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overrides: lists of commands, and the file that keeps them. */
#include <stdio.h>
#include <string.h>

#include "base/attrs.h"
#include "base/err.h"
#include "daemon/overrides.h"
#include "lib/scratch.h"
#include "unit/run.h"

#define SECOND 1000000000ll
/* 2025-12-01, and an hour after the machine was started */
static const struct both_clocks now = {{1764547200 * SECOND}, {3600 * SECOND}};

static struct admin_rule rule(const char *glob, int64_t since_s, int64_t life_s)
{
    return (struct admin_rule){.glob = glob,
                               .state = ADMIN_DRAIN,
                               .ttl_s = TH_TTL_MAX,
                               .origin = ADMIN_COMMAND,
                               .author = "alice",
                               .reason = "",
                               .since = {now.wall.ns + since_s * SECOND},
                               .until = {now.wall.ns + (since_s + life_s) * SECOND},
                               .at = {now.mono.ns + since_s * SECOND}};
}

static void print_globs(const struct admin *a, char out[64])
{
    out[0] = '\0';
    for (size_t i = 0; i < admin_count(a); i++)
        strcat(strcat(out, admin_at(a, i)->glob), " ");
}

START_TEST(lists)
{
    char globs[64];
    struct admin *a = admin_new();
    const struct admin_rule rules[] = {rule("a/x", 0, 10), rule("b/*", 0, 20), rule("*", 0, 30)};
    for (size_t i = 0; i < array_len(rules); i++)
        admin_add(a, &rules[i]);
    struct admin *b =
        overrides_with(a, &(struct admin_rule){.glob = "b/*", .author = "", .reason = ""});
    print_globs(b, globs);
    ck_assert_str_eq(globs, "a/x * b/* ");
    admin_unref(b);
    b = overrides_without(a, "?/*");
    print_globs(b, globs);
    ck_assert_str_eq(globs, "* ");
    admin_unref(b);
    b = overrides_without(a, "c");
    print_globs(b, globs);
    ck_assert_str_eq(globs, "a/x b/* * ");
    admin_unref(b);
    b = overrides_lasting(a, (struct mono){now.mono.ns + 10 * SECOND});
    print_globs(b, globs);
    ck_assert_str_eq(globs, "b/* * ");
    admin_unref(b);
    admin_unref(a);
}
END_TEST

struct file {
    char dir[SCRATCH_PATH], path[SCRATCH_PATH + 16];
};

static void file_open(struct file *f)
{
    scratch_dir(f->dir);
    (void)snprintf(f->path, sizeof f->path, "%s/overrides", f->dir); /* fits */
}

START_TEST(what_is_written_is_read)
{
    struct file f;
    char any[256];
    struct admin *a = admin_new(), *b = admin_new();
    struct diag d = {0};
    for (int i = 0; i < 255; i++)
        any[i] = (char)(i + 1);
    any[255] = '\0';
    struct admin_rule first = rule(any, -7, 86400), second = rule("b/*", -3, 100);
    first.author = any;
    first.reason = any;
    second.state = ADMIN_DOWN;
    second.ttl_s = 33;
    second.since.ns += 250 * SECOND / 1000;
    second.until.ns += 250 * SECOND / 1000;
    admin_add(a, &first);
    admin_add(a, &second);
    file_open(&f);
    ck_assert_int_eq(overrides_read(f.path, now, &d, b), ERR_NOTFOUND);
    ck_assert_int_eq(overrides_write(f.path, a), 0);
    ck_assert(!scratch_exists(f.dir, "overrides.new"));
    int e = overrides_read(f.path, now, &d, b);
    ck_assert_msg(e == 0, "%s", d.count ? d.entries[0].text : "");
    ck_assert_uint_eq(admin_count(b), 2);
    for (size_t i = 0; i < 2; i++) {
        const struct admin_rule *was = admin_at(a, i), *is = admin_at(b, i);
        ck_assert_str_eq(is->glob, was->glob);
        ck_assert_str_eq(is->author, was->author);
        ck_assert_str_eq(is->reason, was->reason);
        ck_assert(admin_same(is, was) && is->origin == ADMIN_COMMAND);
        ck_assert_int_eq(is->since.ns, was->since.ns);
        ck_assert_int_eq(is->until.ns, was->until.ns);
    }
    ck_assert_int_eq(admin_at(b, 0)->at.ns, now.mono.ns - 7 * SECOND);
    admin_unref(a);
    admin_unref(b);
}
END_TEST

/* Ended meanwhile; a clock that was ahead when it was written. */
START_TEST(times)
{
    struct file f;
    struct admin *a = admin_new(), *b = admin_new();
    struct diag d = {0};
    const struct admin_rule rules[] = {rule("ended", -20, 20), rule("ahead", 1000, 60)};
    for (size_t i = 0; i < array_len(rules); i++)
        admin_add(a, &rules[i]);
    file_open(&f);
    ck_assert_int_eq(overrides_write(f.path, a), 0);
    ck_assert_int_eq(overrides_read(f.path, now, &d, b), 0);
    ck_assert_uint_eq(admin_count(b), 1);
    ck_assert_str_eq(admin_at(b, 0)->glob, "ahead");
    ck_assert_int_eq(admin_at(b, 0)->at.ns, now.mono.ns);
    ck_assert_int_eq(override_end(admin_at(b, 0)).ns, now.mono.ns + 60 * SECOND);
    admin_unref(a);
    admin_unref(b);
}
END_TEST

#define ENTRY(rest) "[ { glob => x state => UP since => 1 " rest " } ]"

static const struct {
    const char *text, *says;
} refused[] = {
    {"a => b", "overrides:1:1: the file must be [ { glob"},
    {"[ a ]", "overrides:1:3: each rule must be { ... }"},
    {"[ { state => UP since => 1 until => 2 } ]", "glob"},
    {ENTRY(""), "until"},
    {ENTRY("until => 2 who => me"), "unknown key \"who\""},
    {ENTRY("until => never"), "never"},
    {ENTRY("until => 1e10"), "1e10"},
    {"[ { glob => x state => UPP since => 1 until => 2 } ]", "read \"UPP\""},
    {"[ {", "overrides:1:"},
};

START_TEST(refusals)
{
    struct file f;
    struct admin *a = admin_new();
    struct diag d = {0};
    file_open(&f);
    scratch_write(f.dir, "overrides", refused[_i].text);
    ck_assert_int_eq(overrides_read(f.path, now, &d, a), ERR_REFUSED);
    ck_assert_msg(strstr(d.entries[0].text, refused[_i].says) != NULL, "%s", d.entries[0].text);
    diag_fini(&d);
    admin_unref(a);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("overrides");
    TCase *t = tcase_create("overrides");
    tcase_add_test(t, lists);
    tcase_add_test(t, what_is_written_is_read);
    tcase_add_test(t, times);
    tcase_add_loop_test(t, refusals, 0, (int)array_len(refused));
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    scratch_open();
    SRunner *runner = srunner_create(suite());
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    scratch_close();
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
