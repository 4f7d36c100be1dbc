/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reloads of zone directories: what is read again, what is shared, what stays when one is broken.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "unit/run.h"
#include "unit/zone_lib.h"

/* Ten records. */
#define TEN APEX "a A 192.0.2.3\nb A 192.0.2.3\nc A 192.0.2.3\nd A 192.0.2.3\ne A 192.0.2.3\n"

static char dir[64];
static struct zone_set *now; /* what is served */
static struct diag d;
static struct zone_options options;
static unsigned read_count; /* zones that the last reload read */

static void setup(void)
{
    strcpy(dir, "check_reload.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(dir));
    options = lib_options();
    options.shrink_limit = 25;
    options.threads = 3;
    now = NULL;
}

static void teardown(void)
{
    char *command = mem_printf("rm -rf '%s'", dir);
    ck_assert_int_eq(system(command), 0);
    mem_free(command);
    zone_set_unref(now);
    diag_fini(&d);
}

static void remove_file(const char *name)
{
    char *path = mem_printf("%s/%s", dir, name);
    ck_assert_int_eq(unlink(path), 0);
    mem_free(path);
}

static void rename_file(const char *from, const char *to)
{
    char *a = mem_printf("%s/%s", dir, from), *b = mem_printf("%s/%s", dir, to);
    ck_assert_int_eq(rename(a, b), 0);
    mem_free(a);
    mem_free(b);
}

static bool told(const char *part)
{
    for (size_t i = 0; i < d.count; i++)
        if (strstr(d.entries[i].text, part))
            return true;
    return false;
}

static void note_read(void *arg, const struct zone *z)
{
    ck_assert_uint_ge(z->file_count, 1);
    ++*(unsigned *)arg;
}

static int reload_as(bool force, const char *const *names, size_t count)
{
    struct zone_set *next = NULL;
    const struct zone_reload r = {.dir = dir,
                                  .options = &options,
                                  .previous = now,
                                  .names = names,
                                  .name_count = count,
                                  .force = force,
                                  .on_read = note_read,
                                  .arg = &read_count};
    read_count = 0;
    diag_fini(&d);
    int e = zone_reload(&r, &d, &next);
    ck_assert_msg((e == 0) == (next != NULL), "a set comes with success alone");
    if (e)
        return e;
    zone_set_unref(now);
    now = next;
    return 0;
}

static int reload(void)
{
    return reload_as(false, NULL, 0);
}

static int reload_named(const char *name)
{
    return reload_as(false, &name, 1);
}

static void must(int e)
{
    ck_assert_msg(e == 0, "%s", d.count ? d.entries[0].text : "refused without a reason");
}

static struct zone *zone(const char *name)
{
    uint8_t apex[DNAME_MAX];
    ck_assert_int_gt(dname_parse(name, strlen(name), NULL, apex), 0);
    return zone_set_get(now, apex);
}

/* As if the zones had been read long after their files were last changed. */
static void age(void)
{
    struct zone *z;
    for (struct zone_walk w = {0}; (z = zone_set_next(now, &w));)
        z->loaded.ns += (int64_t)10 * 1000000000;
}

static void start(void)
{
    lib_write(dir, "a.example", TEN);
    lib_write(dir, "b.example", TEN);
    must(reload());
    ck_assert_uint_eq(now->count, 2);
    age();
}

START_TEST(nothing_changed_is_the_same_set)
{
    start();
    struct zone_set *before = now;
    must(reload());
    ck_assert_ptr_eq(now, before);
    must(reload_named("a.example"));
    ck_assert_ptr_eq(now, before);
    ck_assert_uint_eq(read_count, 0);
}
END_TEST

START_TEST(changed_zone_alone_is_read)
{
    start();
    struct zone *a = zone("a.example."), *b = zone("b.example.");
    uint64_t seed = now->seed;
    lib_write(dir, "a.example", TEN "new A 192.0.2.9\n");
    must(reload());
    ck_assert_ptr_ne(zone("a.example."), a);
    ck_assert_ptr_eq(zone("b.example."), b);
    ck_assert_uint_eq(now->seed, seed);
    ck_assert_uint_eq(read_count, 1);
    ck_assert(lib_find(now, "new.a.example.").exact);
    ck_assert_uint_eq(now->count, 2);
    ck_assert_uint_eq(now->rr_count, 21);
}
END_TEST

/* Same size, same inode, times set back as a tool may do: ctime tells. */
START_TEST(times_set_back_are_seen_through)
{
    start();
    char *path = mem_printf("%s/a.example", dir);
    struct stat st;
    ck_assert_int_eq(stat(path, &st), 0);
    lib_write(dir, "a.example",
              APEX "a A 192.0.2.3\nb A 192.0.2.3\nc A 192.0.2.3\nd A 192.0.2.3\n"
                   "e A 192.0.2.4\n");
    const struct timespec times[2] = {st.st_atim, st.st_mtim};
    ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
    uint64_t before = zone("a.example.")->content_hash;
    must(reload());
    ck_assert_uint_ne(zone("a.example.")->content_hash, before);
    mem_free(path);
}
END_TEST

/* touch: read again, equal content, equal hash, no warning about its serial. */
START_TEST(touched_zone_keeps_its_hash)
{
    start();
    struct zone *a = zone_ref(zone("a.example."));
    char *path = mem_printf("%s/a.example", dir);
    const struct timespec times[2] = {{1000, 0}, {1000, 0}};
    ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
    must(reload());
    ck_assert_ptr_ne(zone("a.example."), a);
    ck_assert_uint_eq(zone("a.example.")->content_hash, a->content_hash);
    ck_assert_uint_eq(d.count, 0);
    zone_unref(a);
    mem_free(path);
}
END_TEST

/* A file read within 2 s of its last change is read once more, whatever its times say. */
START_TEST(young_file_is_read_again)
{
    lib_write(dir, "a.example", TEN);
    must(reload());
    struct zone *a = zone_ref(zone("a.example."));
    must(reload());
    ck_assert_ptr_ne(zone("a.example."), a);
    zone_unref(a);
    age();
    struct zone_set *before = now;
    must(reload());
    ck_assert_ptr_eq(now, before);
}
END_TEST

/* A change of an included file is one of the zone; its vanishing too. */
START_TEST(included_files_count)
{
    lib_write(dir, ".hosts", "h A 192.0.2.3\n");
    lib_write(dir, "a.example", TEN "$INCLUDE .hosts\n");
    lib_write(dir, "b.example", TEN);
    must(reload());
    age();
    struct zone *b = zone("b.example.");
    struct zone_set *before = now;
    must(reload());
    ck_assert_ptr_eq(now, before);
    lib_write(dir, ".hosts", "h A 192.0.2.3\ni A 192.0.2.3\n");
    must(reload());
    ck_assert(lib_find(now, "i.a.example.").exact);
    ck_assert_ptr_eq(zone("b.example."), b);
    ck_assert_uint_eq(read_count, 1);
    age();
    remove_file(".hosts");
    ck_assert_int_lt(reload(), 0);
    ck_assert(told(".hosts"));
    ck_assert(lib_find(now, "i.a.example.").exact);
    lib_write(dir, ".hosts", "h A 192.0.2.4\ni A 192.0.2.3\n");
    must(reload_named("a.example"));
    ck_assert_uint_eq(read_count, 1);
}
END_TEST

START_TEST(renamed_over_is_seen)
{
    start();
    lib_write(dir, ".tmp", TEN "new A 192.0.2.9\n");
    rename_file(".tmp", "a.example");
    must(reload());
    ck_assert(lib_find(now, "new.a.example.").exact);
}
END_TEST

/* The same zone from a file with another name that means it. */
START_TEST(zone_may_move_to_another_file)
{
    start();
    rename_file("a.example", "A.example.");
    must(reload());
    ck_assert(strstr(zone("a.example.")->file, "/A.example.") != NULL);
    rename_file("A.example.", "a.example.");
    must(reload_named("a.example"));
    ck_assert(strstr(zone("a.example.")->file, "/a.example.") != NULL);
    ck_assert_uint_eq(now->count, 2);
    lib_write(dir, "a.example", TEN);
    ck_assert_int_lt(reload(), 0);
    ck_assert(told("is a duplicate of that in"));
}
END_TEST

START_TEST(new_zone_comes_and_goes)
{
    start();
    lib_write(dir, "sub.a.example", TEN);
    must(reload());
    ck_assert_uint_eq(now->count, 3);
    ck_assert_ptr_nonnull(zone("sub.a.example."));
    remove_file("sub.a.example");
    ck_assert_int_lt(reload(), 0);
    ck_assert(told("zone \"sub.a.example.\" would be dropped, since its file has gone"));
    ck_assert_ptr_nonnull(zone("sub.a.example."));
    must(reload_as(true, NULL, 0));
    ck_assert_ptr_null(zone("sub.a.example."));
    ck_assert_uint_eq(now->count, 2);
    ck_assert(told("will be dropped"));
}
END_TEST

/* B118: what was served stays whole, and a repair is all that is needed. */
START_TEST(broken_then_repaired)
{
    start();
    struct zone_set *before = now;
    lib_write(dir, "a.example",
              APEX "w A 192.0.2.1\nx.elsewhere. TXT out-of-zone\nv A 192.0.2.1\n");
    lib_write(dir, "b.example", TEN "new A 192.0.2.1\n");
    for (int i = 0; i < 3; i++) {
        ck_assert_int_lt(reload(), 0);
        ck_assert_ptr_eq(now, before);
        ck_assert(told("/a.example:8:"));
    }
    lib_write(dir, "a.example", TEN "repaired A 192.0.2.1\n");
    must(reload());
    ck_assert(lib_find(now, "repaired.a.example.").exact);
    ck_assert(lib_find(now, "new.b.example.").exact);
}
END_TEST

START_TEST(named_zone_beside_a_broken_one)
{
    start();
    lib_write(dir, "a.example", "broken");
    lib_write(dir, "b.example", TEN "new A 192.0.2.1\n");
    lib_write(dir, "c.example", TEN);
    struct zone *a = zone("a.example.");
    ck_assert_int_lt(reload(), 0);
    must(reload_named("B.Example."));
    ck_assert(lib_find(now, "new.b.example.").exact);
    ck_assert_ptr_eq(zone("a.example."), a);
    ck_assert_ptr_null(zone("c.example."));
    must(reload_named("c.example"));
    ck_assert_ptr_nonnull(zone("c.example."));
    ck_assert_int_lt(reload_named("a.example"), 0);
    const char *both[] = {"b.example", "a.example"}, *twice[] = {"b.example", "b.example."};
    ck_assert_int_lt(reload_as(false, both, 2), 0);
    must(reload_as(false, twice, 2));
}
END_TEST

START_TEST(named_zone_may_be_gone)
{
    start();
    const char *twice[] = {"a.example", "a.example"};
    remove_file("a.example");
    ck_assert_int_lt(reload_named("a.example"), 0);
    ck_assert(told("would be dropped"));
    must(reload_as(true, twice, 2));
    ck_assert_uint_eq(now->count, 1);
    ck_assert_int_lt(reload_named("a.example"), 0);
    ck_assert(told("zone \"a.example\" has no file, and is not served"));
    ck_assert_int_lt(reload_named("../a"), 0);
    ck_assert_int_lt(reload_named("a..b"), 0);
    ck_assert(told("\"a..b\" is not a zone's name"));
}
END_TEST

START_TEST(odd_names_by_name)
{
    lib_write(dir, "ROOT_ZONE", TEN);
    lib_write(dir, "0@25.2.0.192.in-addr.arpa", TEN);
    must(reload_named("."));
    must(reload_named("0/25.2.0.192.in-addr.arpa"));
    ck_assert_uint_eq(now->count, 2);
    lib_write(dir, "ROOT_ZONE", TEN "new A 192.0.2.1\n");
    must(reload_named("ROOT_ZONE"));
    ck_assert(lib_find(now, "new.").exact);
}
END_TEST

/* A file that becomes a folder is no zone any more. */
START_TEST(file_that_is_no_file)
{
    start();
    remove_file("a.example");
    char *path = mem_printf("%s/a.example", dir);
    ck_assert_int_eq(mkdir(path, 0755), 0);
    ck_assert_int_lt(reload(), 0);
    ck_assert(told("would be dropped"));
    must(reload_as(true, NULL, 0));
    ck_assert_uint_eq(now->count, 1);
    mem_free(path);
}
END_TEST

START_TEST(missing_folder)
{
    start();
    struct zone_set *before = now;
    char saved[64];
    strcpy(saved, dir);
    strcpy(dir, "no.such.folder");
    ck_assert_int_lt(reload(), 0);
    ck_assert(told("the folder of zone files cannot be read"));
    ck_assert_ptr_eq(now, before);
    options.gdnsd = true;
    options.shrink_limit = 0;
    must(reload());
    ck_assert_uint_eq(now->count, 0);
    strcpy(dir, saved);
}
END_TEST

/* Many changes at once, over threads, with everything else shared. */
START_TEST(many_zones)
{
    enum { MANY = 2000 };
    static struct zone *before[MANY];
    char name[32];
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "z%d.example", i);
        lib_write(dir, name, APEX);
    }
    must(reload());
    age();
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "z%d.example", i);
        before[i] = zone(name);
        if (i % 5 == 0)
            lib_write(dir, name, APEX "new A 192.0.2.1\n");
        if (i % 5 == 1)
            remove_file(name);
    }
    must(reload_as(true, NULL, 0));
    ck_assert_uint_eq(now->count, MANY - MANY / 5);
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "z%d.example", i);
        if (i % 5 > 1)
            ck_assert_ptr_eq(zone(name), before[i]);
        else
            ck_assert_msg((zone(name) != NULL) == (i % 5 == 0), "%s", name);
    }
}
END_TEST

static Suite *suite_of_reload(void)
{
    Suite *s = suite_create("reload");
    TCase *t = tcase_create("reload");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, nothing_changed_is_the_same_set);
    tcase_add_test(t, changed_zone_alone_is_read);
    tcase_add_test(t, times_set_back_are_seen_through);
    tcase_add_test(t, touched_zone_keeps_its_hash);
    tcase_add_test(t, young_file_is_read_again);
    tcase_add_test(t, included_files_count);
    tcase_add_test(t, renamed_over_is_seen);
    tcase_add_test(t, zone_may_move_to_another_file);
    tcase_add_test(t, new_zone_comes_and_goes);
    tcase_add_test(t, broken_then_repaired);
    tcase_add_test(t, named_zone_beside_a_broken_one);
    tcase_add_test(t, named_zone_may_be_gone);
    tcase_add_test(t, odd_names_by_name);
    tcase_add_test(t, file_that_is_no_file);
    tcase_add_test(t, missing_folder);
    tcase_add_test(t, many_zones);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite_of_reload)
