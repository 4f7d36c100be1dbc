/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/scratch.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Names the root for check's forks. */
#define ROOT "THRESH_SCRATCH"

static void make_path(char out[SCRATCH_PATH], const char *dir, const char *name)
{
    int n = snprintf(out, SCRATCH_PATH, "%s/%s", dir, name);
    ck_assert_msg(n > 0 && n < SCRATCH_PATH, "path too long: %s/%s", dir, name);
}

void scratch_open(void)
{
    const char *tmp = getenv("TMPDIR");
    char root[SCRATCH_PATH];
    (void)snprintf(root, sizeof root, "%s/thresh-e2e-XXXXXX",
                   tmp ? tmp : "/tmp"); /* mkdtemp says */
    if (!mkdtemp(root)) {
        perror(root);
        abort();
    }
    setenv(ROOT, root, 1);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return remove(path);
}

void scratch_close(void)
{
    const char *root = getenv(ROOT);
    if (root && nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS) != 0)
        perror(root);
}

void scratch_dir(char out[SCRATCH_PATH])
{
    make_path(out, getenv(ROOT), "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(out));
}

static void make_parents(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        ck_assert_msg(mkdir(path, 0755) == 0 || errno == EEXIST, "%s: %s", path, strerror(errno));
        *slash = '/';
    }
}

static void write_all(int fd, const char *text, size_t len)
{
    while (len) {
        ssize_t n = write(fd, text, len);
        ck_assert_int_gt(n, 0);
        text += n;
        len -= (size_t)n;
    }
}

void scratch_write(const char *dir, const char *name, const char *text)
{
    char path[SCRATCH_PATH], beside[SCRATCH_PATH];
    make_path(path, dir, name);
    make_path(beside, dir, ".new");
    make_parents(path);
    int fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    ck_assert_msg(fd >= 0, "%s: %s", beside, strerror(errno));
    write_all(fd, text, strlen(text));
    close(fd);
    ck_assert_int_eq(rename(beside, path), 0);
}

void scratch_remove(const char *dir, const char *name)
{
    char path[SCRATCH_PATH];
    make_path(path, dir, name);
    ck_assert_int_eq(remove(path), 0);
}

bool scratch_exists(const char *dir, const char *name)
{
    char path[SCRATCH_PATH];
    struct stat st;
    make_path(path, dir, name);
    return lstat(path, &st) == 0;
}

char *scratch_read(const char *path)
{
    FILE *f = fopen(path, "re");
    char *text = calloc(1, 1);
    size_t len = 0, got;
    ck_assert_ptr_nonnull(text);
    if (!f)
        return text;
    do {
        text = realloc(text, len + 4096 + 1);
        ck_assert_ptr_nonnull(text);
        got = fread(text + len, 1, 4096, f);
        len += got;
    } while (got);
    text[len] = '\0';
    fclose(f);
    return text;
}
