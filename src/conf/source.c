/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "conf/source.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

void source_names_add(struct source_names *names, const char *name)
{
    if (names->count == names->cap) {
        names->cap = names->cap ? names->cap * 2 : 4;
        names->items = mem_grow(names->items, names->cap, sizeof *names->items);
    }
    names->items[names->count++] = mem_strdup(name);
}

void source_names_fini(struct source_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        mem_free(names->items[i]);
    mem_free(names->items);
    *names = (struct source_names){0};
}

/* Add text so that glob takes every byte of it as itself. */
static void add_literal(struct buf *pattern, const char *text)
{
    for (; *text; text++) {
        if (strchr("*?[\\", *text))
            buf_adds(pattern, "\\");
        buf_add(pattern, text, 1);
    }
}

/* Add what the pattern matches. ERR_NOTFOUND if nothing. */
static int add_matches(const char *pattern, struct source_names *out)
{
    glob_t g;
    int e = glob(pattern, GLOB_ERR, NULL, &g);
    for (size_t i = 0; e == 0 && i < g.gl_pathc; i++)
        source_names_add(out, g.gl_pathv[i]);
    int saved_errno = errno;
    globfree(&g);
    errno = e == GLOB_NOSPACE ? ENOMEM : saved_errno;
    return e == 0 ? 0 : e == GLOB_NOMATCH ? ERR_NOTFOUND : ERR_IO;
}

static int files_list(void *arg, const char *dir, const char *path, struct source_names *out)
{
    (void)arg; /* the file system is one */
    struct stat st;
    struct buf pattern = {0};
    char *whole = mem_printf("%s%s", *path == '/' ? "" : dir, path);
    bool is_dir = stat(whole, &st) == 0 && S_ISDIR(st.st_mode);
    if (is_dir) {
        add_literal(&pattern, whole);
        buf_adds(&pattern, "/*");
    } else {
        if (*path != '/')
            add_literal(&pattern, dir);
        buf_adds(&pattern, path);
    }
    int e = add_matches(pattern.data ? pattern.data : "", out);
    if (e == ERR_NOTFOUND) {
        e = 0; /* an empty directory is fine; else opening the path says what is wrong */
        if (!is_dir)
            source_names_add(out, whole);
    }
    buf_fini(&pattern);
    mem_free(whole);
    return e;
}

static int read_all(int fd, struct buf *out)
{
    for (;;) {
        ssize_t n = read(fd, buf_reserve(out, 65536), 65536);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? ERR_IO : 0;
        out->len += (size_t)n;
        if (out->len > SOURCE_BYTES_MAX)
            return ERR_RANGE;
    }
}

static int read_open_file(int fd, struct source *out)
{
    struct stat st;
    struct buf b = {0};
    if (fstat(fd, &st) != 0)
        return ERR_IO;
    if (!S_ISREG(st.st_mode))
        return ERR_REFUSED;
    int e = read_all(fd, &b);
    if (e) {
        int saved_errno = errno;
        buf_fini(&b);
        errno = saved_errno;
        return e;
    }
    size_t len = b.len;
    *out = (struct source){buf_take(&b), len, {st.st_dev, st.st_ino}};
    return 0;
}

static int files_read(void *arg, const char *path, struct source *out)
{
    (void)arg;                                              /* the file system is one */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a fifo must not hold us */
    if (fd < 0)
        return ERR_IO;
    int e = read_open_file(fd, out);
    int saved_errno = errno;
    close(fd);
    errno = saved_errno;
    return e;
}

const struct source_calls source_file_system = {files_list, files_read, NULL};
