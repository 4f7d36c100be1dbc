/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Directories of zone files: what is read, what is skipped, names of zones, all or nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "unit/run.h"
#include "unit/zone_lib.h"

static char dir[64];

static void make_dir(void)
{
    strcpy(dir, "check_load.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(dir));
}

static void remove_dir(void)
{
    char *command = mem_printf("rm -rf '%s'", dir);
    ck_assert_int_eq(system(command), 0);
    mem_free(command);
}

static int load(unsigned threads, struct diag *d, struct zone_set **s)
{
    struct zone_options o = lib_options();
    o.threads = threads;
    *s = NULL;
    return zone_load_dir(dir, &o, d, s);
}

static bool told(const struct diag *d, const char *part)
{
    for (size_t i = 0; i < d->count; i++)
        if (strstr(d->entries[i].text, part))
            return true;
    return false;
}

static void apex_is(const struct zone_set *s, const char *name, const char *apex)
{
    uint8_t wire[DNAME_MAX];
    char text[DNAME_TEXT_MAX];
    struct qname q;
    ck_assert_int_gt(dname_parse(name, strlen(name), NULL, wire), 0);
    qname_set(&q, wire, s->seed, s->max_depth);
    const struct zone *z = zone_set_find(s, &q);
    ck_assert_msg((z != NULL) == (apex != NULL), "%s", name);
    if (z)
        ck_assert_str_eq(dname_print(z->apex, text), apex);
}

START_TEST(files_are_zones)
{
    struct diag d = {0};
    struct zone_set *s;
    make_dir();
    lib_write(dir, "example.com", APEX "www TXT parent\n");
    lib_write(dir, "Sub.example.COM.", APEX);
    lib_write(dir, "0@25.2.0.192.in-addr.arpa", APEX);
    lib_write(dir, ".hidden", "not a zone");
    char *sub = mem_printf("%s/directory", dir), *link = mem_printf("%s/linked.example", dir);
    ck_assert_int_eq(mkdir(sub, 0755), 0);
    ck_assert_int_eq(symlink("example.com", link), 0);
    int e = load(3, &d, &s);
    ck_assert_msg(e == 0, "%s", d.count ? d.entries[0].text : "");
    ck_assert_uint_eq(s->count, 4);
    apex_is(s, "www.example.com.", "example.com.");
    apex_is(s, "www.sub.example.com.", "sub.example.com.");
    apex_is(s, "sub.example.com.", "sub.example.com.");
    apex_is(s, "bsub.example.com.", "example.com.");
    apex_is(s, "1.0/25.2.0.192.in-addr.arpa.", "0/25.2.0.192.in-addr.arpa.");
    apex_is(s, "linked.example.", "linked.example.");
    apex_is(s, "com.", NULL);
    apex_is(s, ".", NULL);
    zone_set_unref(zone_set_ref(s));
    zone_set_unref(s);
    mem_free(sub);
    mem_free(link);
    remove_dir();
}
END_TEST

START_TEST(root_zone_lives_beside_others)
{
    struct diag d = {0};
    struct zone_set *s;
    make_dir();
    lib_write(dir, "ROOT_ZONE", APEX "w MX 0 .\n");
    lib_write(dir, "example", APEX);
    ck_assert_int_eq(load(1, &d, &s), 0);
    apex_is(s, "com.", ".");
    apex_is(s, ".", ".");
    apex_is(s, "www.example.", "example.");
    zone_set_unref(s);
    diag_fini(&d);
    remove_dir();
}
END_TEST

/* One broken file of many refuses all, and all that is wrong is told (B118). */
START_TEST(all_or_nothing)
{
    for (unsigned threads = 1; threads <= 4; threads += 3) {
        struct diag d = {0};
        struct zone_set *s;
        make_dir();
        for (int i = 0; i < 50; i++) {
            char name[32];
            snprintf(name, sizeof name, "z%d.example", i);
            lib_write(dir, name, i == 20 ? APEX "w A x\nv A y\n" : i == 40 ? "" : APEX);
        }
        lib_write(dir, "a..b", APEX);
        lib_write(dir, "*.wild", APEX);
        ck_assert_int_lt(load(threads, &d, &s), 0);
        ck_assert_ptr_null(s);
        ck_assert_uint_eq(d.error_count, 6);
        ck_assert(told(&d, "/z20.example:7:5: \"x\" is not an IPv4"));
        ck_assert(told(&d, "/z20.example:8:5: \"y\" is not an IPv4"));
        ck_assert(told(&d, "/z40.example: zone \"z40.example.\" has no SOA"));
        ck_assert(told(&d, "file name \"a..b\" is not a zone's name"));
        ck_assert(told(&d, "zone name \"*.wild\" is a wildcard"));
        diag_fini(&d);
        remove_dir();
    }
}
END_TEST

START_TEST(duplicates_are_refused)
{
    struct diag d = {0};
    struct zone_set *s;
    make_dir();
    lib_write(dir, "example.com", APEX);
    lib_write(dir, "example.com.", APEX);
    ck_assert_int_lt(load(2, &d, &s), 0);
    ck_assert(told(&d, "/example.com.: zone \"example.com.\" is a duplicate of that in "));
    diag_fini(&d);
    remove_dir();
}
END_TEST

START_TEST(missing_folder)
{
    struct zone_options o = lib_options();
    struct diag d = {0};
    struct zone_set *s = NULL;
    ck_assert_int_lt(zone_load_dir("check_load.absent", &o, &d, &s), 0);
    ck_assert(told(&d, "check_load.absent: the folder of zone files cannot be read"));
    diag_fini(&d);
    o.gdnsd = true;
    ck_assert_int_eq(zone_load_dir("check_load.absent", &o, &d, &s), 0);
    ck_assert_uint_eq(s->count, 0);
    apex_is(s, "example.", NULL);
    zone_set_unref(s);
}
END_TEST

START_TEST(dangling_links_are_refused)
{
    struct diag d = {0};
    struct zone_set *s;
    make_dir();
    char *link = mem_printf("%s/gone.example", dir);
    ck_assert_int_eq(symlink("nowhere", link), 0);
    ck_assert_int_lt(load(1, &d, &s), 0);
    ck_assert(told(&d, "gone.example: cannot be read: No such file"));
    mem_free(link);
    diag_fini(&d);
    remove_dir();
}
END_TEST

START_TEST(pipes_do_not_block)
{
    struct diag d = {0};
    struct zone_set *s;
    make_dir();
    char *pipe_path = mem_printf("%s/pipe.example", dir);
    ck_assert_int_eq(mkfifo(pipe_path, 0600), 0);
    ck_assert_int_eq(load(1, &d, &s), 0);
    ck_assert_uint_eq(s->count, 0);
    zone_set_unref(s);
    mem_free(pipe_path);
    remove_dir();
}
END_TEST

/* Larger than places in a build can be: refused, not cut (B116). The file is sparse. */
START_TEST(huge_files_are_refused)
{
    struct diag d = {0};
    struct zone_set *s;
    make_dir();
    lib_write(dir, "huge.example", APEX);
    char *path = mem_printf("%s/huge.example", dir);
    if (truncate(path, ((off_t)5 << 30)) == 0) {
        ck_assert_int_lt(load(1, &d, &s), 0);
        ck_assert(told(&d, "huge.example: is larger than 2 GiB"));
    }
    mem_free(path);
    diag_fini(&d);
    remove_dir();
}
END_TEST

static Suite *load_suite(void)
{
    Suite *s = suite_create("load");
    TCase *t = tcase_create("load");
    tcase_add_test(t, files_are_zones);
    tcase_add_test(t, root_zone_lives_beside_others);
    tcase_add_test(t, all_or_nothing);
    tcase_add_test(t, duplicates_are_refused);
    tcase_add_test(t, missing_folder);
    tcase_add_test(t, dangling_links_are_refused);
    tcase_add_test(t, pipes_do_not_block);
    tcase_add_test(t, huge_files_are_refused);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(load_suite)
