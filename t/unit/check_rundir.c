/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_dir: who owns it, its modes, the lock, and what is refused by name. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "unit/ctl_fake.h"
#include "unit/run.h"

static unsigned mode_of(const struct fake *f, const char *name)
{
    char path[160];
    struct stat st;
    (void)snprintf(path, sizeof path, "%s/%s", f->dir, name); /* fits */
    ck_assert_int_eq(lstat(path, &st), 0);
    return st.st_mode & 07777;
}

START_TEST(files_are_private)
{
    mode_t old = umask(0);
    struct fake f;
    fake_open(&f);
    ck_assert_uint_eq(mode_of(&f, "run"), 0700);
    ck_assert_uint_eq(mode_of(&f, "run/control.lock"), 0600);
    ck_assert_uint_eq(mode_of(&f, "run/control.sock"), 0600);
    umask(old);
    fake_close(&f);
}
END_TEST

static int open_second(struct fake *f, const char *run_dir, struct diag *d)
{
    struct ctl_server *s = NULL;
    int e = ctl_server_open(f->loop, run_dir, &f->calls, d, &s);
    if (!e)
        ctl_server_close(s);
    return e;
}

START_TEST(second_server_is_refused)
{
    struct fake f;
    struct diag d = {0};
    fake_open(&f);
    ck_assert_int_eq(open_second(&f, f.run_dir, &d), ERR_EXISTS);
    ck_assert_uint_eq(d.error_count, 1);
    ck_assert_ptr_nonnull(strstr(d.entries[0].text, "control.lock"));
    close(fake_connect(&f)); /* the first one is unharmed */
    diag_fini(&d);
    fake_close(&f);
}
END_TEST

START_TEST(stale_socket_is_replaced)
{
    struct fake f;
    fake_open(&f);
    ctl_server_close(f.server);
    ck_assert_uint_eq(mode_of(&f, "run/control.sock"), 0600); /* stays */
    ck_assert_int_eq(ctl_server_open(f.loop, f.run_dir, &f.calls, &f.d, &f.server), 0);
    close(fake_connect(&f)); /* the old one would refuse */
    fake_close(&f);
}
END_TEST

static void put_file(const struct fake *f, const char *name)
{
    char path[160];
    (void)snprintf(path, sizeof path, "%s/%s", f->dir, name); /* fits */
    (void)unlink(path);                                       /* need not be there */
    int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    ck_assert_int_ge(fd, 0);
    close(fd);
}

static void expect_refusal(struct fake *f, const char *run_dir, const char *said)
{
    struct diag d = {0};
    ck_assert_int_eq(open_second(f, run_dir, &d), ERR_REFUSED);
    ck_assert_uint_eq(d.error_count, 1);
    ck_assert_msg(strstr(d.entries[0].text, said) && strstr(d.entries[0].text, run_dir), "%s",
                  d.entries[0].text);
    diag_fini(&d);
}

START_TEST(run_dir_is_refused_by_name)
{
    struct fake f;
    char path[300], longer[200];
    fake_open(&f);
    ctl_server_close(f.server);
    f.server = NULL;
    (void)snprintf(path, sizeof path, "%s/no/run", f.dir); /* fits */
    expect_refusal(&f, path, "directory above it does not exist");
    put_file(&f, "config");
    (void)snprintf(path, sizeof path, "%s/config", f.dir); /* fits */
    expect_refusal(&f, path, "not a directory");
    memset(longer, 'l', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    (void)snprintf(path, sizeof path, "%s/%.110s", f.dir, longer); /* fits */
    expect_refusal(&f, path, "shorter run_dir");
    char lock[320];
    (void)snprintf(lock, sizeof lock, "%s/control.lock", path); /* fits */
    ck_assert_int_eq(unlink(lock), 0);
    ck_assert_int_eq(rmdir(path), 0);
    put_file(&f, "run/control.sock");
    expect_refusal(&f, f.run_dir, "not a socket");
    ck_assert_int_eq(chmod(f.run_dir, 0777), 0);
    expect_refusal(&f, f.run_dir, "chmod 700");
    fake_close(&f);
}
END_TEST

static Suite *rundir_suite(void)
{
    Suite *s = suite_create("rundir");
    TCase *t = tcase_create("rundir");
    tcase_add_test(t, files_are_private);
    tcase_add_test(t, second_server_is_refused);
    tcase_add_test(t, stale_socket_is_replaced);
    tcase_add_test(t, run_dir_is_refused_by_name);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(rundir_suite)
