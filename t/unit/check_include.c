/* SPDX-License-Identifier: GPL-3.0-or-later */
/* $INCLUDE: origin, owner and TTL stay inside; loops and depth; the way to a fault; the files that
 * a zone remembers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "unit/run.h"
#include "unit/zone_lib.h"

static char dir[64];

static void make_dir(void)
{
    strcpy(dir, "check_include.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(dir));
    char *sub = mem_printf("%s/.inc", dir);
    ck_assert_int_eq(mkdir(sub, 0755), 0);
    mem_free(sub);
}

static void remove_dir(void)
{
    char *command = mem_printf("rm -rf '%s'", dir);
    ck_assert_int_eq(system(command), 0);
    mem_free(command);
}

static struct zone_set *load(struct diag *d)
{
    struct zone_options o = lib_options();
    struct zone_set *s = NULL;
    int e = zone_load_dir(dir, &o, d, &s);
    ck_assert_int_eq(e == 0, s != NULL);
    return s;
}

static struct zone_set *load_well(void)
{
    struct diag d = {0};
    struct zone_set *s = load(&d);
    ck_assert_msg(s != NULL, "%s", d.count ? d.entries[0].text : "");
    diag_fini(&d);
    return s;
}

static uint32_t ttl_of(const struct zone_set *s, const char *name)
{
    struct zone_match m = lib_find(s, name);
    ck_assert_msg(m.exact && node_find_set(m.node, RRTYPE_TXT), "%s", name);
    return node_find_set(m.node, RRTYPE_TXT)->ttl_s;
}

/* B110 */
START_TEST(nothing_leaks)
{
    make_dir();
    lib_write(dir, "z",
              APEX "$ORIGIN s\nfoo TXT x\n$INCLUDE .inc/a\n TXT blank\nafter TXT x\n"
                   "$include \".inc/a\" q ; comment\nlast TXT x\n$INCLUDE .inc/b");
    lib_write(dir, ".inc/a",
              " 60 A 192.0.2.9\nin TXT x\nat.@F TXT x\n$TTL 77\n$ORIGIN deep\nin TXT x\n");
    lib_write(dir, ".inc/b", "$INCLUDE c\nb TXT x");
    lib_write(dir, ".inc/c", "c 7 TXT x");
    struct zone_set *s = load_well();
    ck_assert_uint_eq(ttl_of(s, "in.s.z."), 300);
    ck_assert_uint_eq(ttl_of(s, "at.s.z."), 300);
    ck_assert_uint_eq(ttl_of(s, "in.deep.s.z."), 77);
    ck_assert_uint_eq(ttl_of(s, "foo.s.z."), 300);
    ck_assert_uint_eq(node_find_set(lib_find(s, "foo.s.z.").node, RRTYPE_TXT)->count, 2);
    ck_assert_uint_eq(ttl_of(s, "after.s.z."), 300);
    ck_assert_uint_eq(ttl_of(s, "in.q.s.z."), 300);
    ck_assert_uint_eq(ttl_of(s, "in.deep.q.s.z."), 77);
    ck_assert_uint_eq(ttl_of(s, "last.s.z."), 300);
    ck_assert_uint_eq(ttl_of(s, "c.s.z."), 7);
    ck_assert_uint_eq(ttl_of(s, "b.s.z."), 300);
    ck_assert_ptr_nonnull(node_find_set(lib_find(s, "z.").node, RRTYPE_A)); /* blank owner */
    zone_set_unref(s);
    remove_dir();
}
END_TEST

static void file_is(const struct zone_file *f, const char *name)
{
    struct stat st;
    char *path = mem_printf("%s/%s", dir, name);
    ck_assert_str_eq(f->path, path);
    ck_assert_int_eq(stat(path, &st), 0);
    ck_assert_uint_eq(f->dev, st.st_dev);
    ck_assert_uint_eq(f->inode, st.st_ino);
    ck_assert_uint_eq(f->size, (uint64_t)st.st_size);
    ck_assert_int_eq(f->mtime_ns, (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec);
    ck_assert_int_eq(f->ctime_ns, (int64_t)st.st_ctim.tv_sec * 1000000000 + st.st_ctim.tv_nsec);
    mem_free(path);
}

START_TEST(files_are_remembered)
{
    make_dir();
    lib_write(dir, "y", APEX);
    lib_write(dir, "z", APEX "$INCLUDE .inc/a\n$INCLUDE .inc/b\n$INCLUDE .inc/b o\n");
    lib_write(dir, ".inc/a", "$INCLUDE b x");
    lib_write(dir, ".inc/b", "w TXT x");
    struct zone_set *s = load_well();
    const struct zone *y = zone_set_get(s, (const uint8_t *)"\1y"),
                      *z = zone_set_get(s, (const uint8_t *)"\1z");
    ck_assert_uint_eq(y->file_count, 1);
    file_is(&y->files[0], "y");
    ck_assert_uint_eq(z->file_count, 3);
    ck_assert_str_eq(z->files[0].path, z->file);
    file_is(&z->files[0], "z");
    file_is(&z->files[1], ".inc/a");
    file_is(&z->files[2], ".inc/b");
    zone_set_unref(s);
    remove_dir();
}
END_TEST

static void fault_is(const char *fmt)
{
    struct diag d = {0};
    struct buf wanted = {0};
    ck_assert_ptr_null(load(&d));
    for (const char *p = fmt; *p; p++) /* every "%" is the folder */
        if (*p == '%')
            buf_adds(&wanted, dir);
        else
            buf_printf(&wanted, "%c", *p);
    bool is_there = strncmp(d.entries[0].text, wanted.data, wanted.len) == 0;
    ck_assert_msg(is_there, "wanted %s, got %s", wanted.data, d.entries[0].text);
    buf_fini(&wanted);
    diag_fini(&d);
    remove_dir();
}

START_TEST(faults_say_the_way)
{
    make_dir();
    lib_write(dir, "z", APEX "$INCLUDE .inc/a\n");
    lib_write(dir, ".inc/a", "\n\n$INCLUDE b\n");
    lib_write(dir, ".inc/b", "\nw A x\n");
    fault_is("%/z:7 -> %/.inc/a:3 -> %/.inc/b:2:5: \"x\" is not an IPv4 address");
}
END_TEST

START_TEST(checks_say_the_way)
{
    make_dir();
    lib_write(dir, "z", APEX "w CNAME ns1\n$INCLUDE .inc/a\n");
    lib_write(dir, ".inc/a", "\nw A 192.0.2.1\n");
    fault_is("%/z:7: CNAME at \"w.z.\" and A at %/z:8 -> %/.inc/a:2: a CNAME stands alone");
}
END_TEST

START_TEST(loops_are_refused)
{
    make_dir();
    lib_write(dir, "z", APEX "$INCLUDE .inc/a\n");
    lib_write(dir, ".inc/a", "$INCLUDE ../z\n");
    fault_is("%/z:7 -> %/.inc/a:1:10: $INCLUDE \"%/.inc/../z\": the file includes itself");
}
END_TEST

START_TEST(depth_is_bounded)
{
    make_dir();
    lib_write(dir, "z", APEX "$INCLUDE .inc/0\n");
    for (int i = 0; i < 20; i++) {
        char name[16], text[32];
        snprintf(name, sizeof name, ".inc/%d", i);
        snprintf(text, sizeof text, "$INCLUDE %d\n", i + 1);
        lib_write(dir, name, text);
    }
    struct diag d = {0};
    ck_assert_ptr_null(load(&d));
    ck_assert_ptr_nonnull(strstr(d.entries[0].text, "more than 16 deep"));
    ck_assert_uint_eq(d.error_count, 1);
    diag_fini(&d);
    remove_dir();
}
END_TEST

START_TEST(bad_files_are_refused)
{
    make_dir();
    lib_write(dir, "z", APEX "$INCLUDE .inc/none\n$INCLUDE .inc\n$INCLUDE\n$INCLUDE .inc/a o p\n");
    lib_write(dir, ".inc/a", "");
    struct diag d = {0};
    ck_assert_ptr_null(load(&d));
    ck_assert_uint_eq(d.error_count, 4);
    ck_assert_ptr_nonnull(strstr(d.entries[0].text, "No such file"));
    ck_assert_ptr_nonnull(strstr(d.entries[1].text, "is not a regular file"));
    ck_assert_ptr_nonnull(strstr(d.entries[2].text, "ends where the path of a file"));
    ck_assert_ptr_nonnull(strstr(d.entries[3].text, "\"p\" is more than $INCLUDE needs"));
    diag_fini(&d);
    remove_dir();
}
END_TEST

/* What threads tell comes in the order of files. */
START_TEST(order_is_of_files)
{
    struct zone_options o = lib_options();
    struct diag d = {0};
    struct zone_set *s = NULL;
    char name[32];
    make_dir();
    for (int i = 0; i < 40; i++) {
        snprintf(name, sizeof name, "z%02d", i);
        lib_write(dir, name, APEX "w A x\n");
    }
    o.threads = 4;
    ck_assert_int_lt(zone_load_dir(dir, &o, &d, &s), 0);
    ck_assert_uint_eq(d.count, 40);
    for (size_t i = 0; i < d.count; i++) {
        snprintf(name, sizeof name, "/z%02zu:7:5:", i);
        ck_assert_msg(strstr(d.entries[i].text, name) != NULL, "%s", d.entries[i].text);
    }
    diag_fini(&d);
    remove_dir();
}
END_TEST

static Suite *include_suite(void)
{
    Suite *s = suite_create("include");
    TCase *t = tcase_create("include");
    tcase_add_test(t, nothing_leaks);
    tcase_add_test(t, files_are_remembered);
    tcase_add_test(t, faults_say_the_way);
    tcase_add_test(t, checks_say_the_way);
    tcase_add_test(t, loops_are_refused);
    tcase_add_test(t, depth_is_bounded);
    tcase_add_test(t, bad_files_are_refused);
    tcase_add_test(t, order_is_of_files);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(include_suite)
