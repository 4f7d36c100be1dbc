/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zone/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "zone/check.h"
#include "zone/freeze.h"
#include "zone/split.h"

void reader_init(struct reader *w, const struct zone_options *o, uint64_t seed, struct crew *crew)
{
    *w = (struct reader){.d.strict = o->strict, .crew = crew};
    w->b.seed = seed;
    w->b.options = o;
    w->b.d = &w->d;
}

void reader_fini(struct reader *w, struct diag *d)
{
    diag_move(d, &w->d);
    build_fini(&w->b);
    mem_free(w->text);
}

/* ---- names ---------------------------------------------------------------------------------- */

size_t reader_find_name(const char *text, uint8_t apex[DNAME_MAX])
{
    char copy[DNAME_TEXT_MAX];
    size_t len = strlen(text);
    if (len >= sizeof copy)
        return 0;
    memcpy(copy, text, len + 1);
    for (char *p = copy; (p = strchr(p, '@'));)
        *p = '/';
    int e = strcmp(copy, "ROOT_ZONE") == 0 ? dname_parse(".", 1, NULL, apex)
                                           : dname_parse(copy, len, NULL, apex);
    return e < 0 ? 0 : (size_t)e;
}

int reader_zone_name(const char *text, const char *path, struct diag *d, uint8_t apex[DNAME_MAX])
{
    size_t len = reader_find_name(text, apex);
    if (!len)
        return diag_error(d, (struct diag_loc){path, 0, 0},
                          "file name \"%s\" is not a zone's name; remove the file, or let its name "
                          "begin with a dot",
                          text);
    if (apex[0] == 1 && apex[1] == '*')
        return diag_error(d, (struct diag_loc){path, 0, 0},
                          "zone name \"%s\" is a wildcard, which no zone can be", text);
    return (int)len;
}

/* ---- text to zone --------------------------------------------------------------------------- */

/* From text to zone, once the build is started; NULL = refused, and w->d says why. */
static struct zone *make_zone(struct reader *w, const char *path, const char *text, size_t len)
{
    size_t errors = w->d.error_count;
    split_text(&w->b, w->crew, path, text, len);
    build_finish(&w->b);
    check_zone(&w->b, path);
    if (w->d.error_count > errors)
        return NULL;
    return freeze_zone(&w->b, split_is_worth(w->b.options, len) ? w->crew : NULL);
}

struct zone *reader_text(struct reader *w, const char *name, const char *text, size_t len)
{
    uint8_t apex[DNAME_MAX];
    if (len > FILE_MAX_BYTES || reader_zone_name(name, name, &w->d, apex) < 0)
        return NULL;
    build_start(&w->b, apex, len);
    build_add_source(&w->b, name, NULL);
    return make_zone(w, name, text, len);
}

/* ---- files ---------------------------------------------------------------------------------- */

static int read_fault(struct reader *w, const char *path)
{
    return diag_error(&w->d, (struct diag_loc){path, 0, 0}, "cannot be read: %s", strerror(errno));
}

static int read_all(struct reader *w, int fd, size_t size, const char *path)
{
    if (size + 1 > w->text_cap) {
        mem_free(w->text);
        w->text_cap = size + 1;
        w->text = mem_alloc(w->text_cap);
    }
    for (size_t got = 0; got < size;) {
        ssize_t n = read(fd, w->text + got, size - got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return read_fault(w, path);
        if (n == 0)
            return diag_error(&w->d, (struct diag_loc){path, 0, 0},
                              "became shorter while it was read; write a new file and rename it");
        got += (size_t)n;
    }
    return 0;
}

/* Read the file's text. 1 = read, 0 = not a regular file, negative = refused. */
static int read_file(struct reader *w, int fd, const char *path, size_t *len)
{
    if (fstat(fd, &w->st) < 0)
        return read_fault(w, path);
    if (!S_ISREG(w->st.st_mode))
        return 0;
    if ((uint64_t)w->st.st_size > FILE_MAX_BYTES)
        return diag_error(&w->d, (struct diag_loc){path, 0, 0},
                          "is larger than 2 GiB, the most that a zone file may have");
    *len = (size_t)w->st.st_size;
    int e = read_all(w, fd, *len, path);
    return e < 0 ? e : 1;
}

static struct zone *read_opened(struct reader *w, int fd, const char *path, const char *name)
{
    uint8_t apex[DNAME_MAX];
    size_t len = 0;
    struct wall started = wall_now();
    if (read_file(w, fd, path, &len) <= 0 || reader_zone_name(name, path, &w->d, apex) < 0)
        return NULL;
    build_start(&w->b, apex, len);
    build_add_source(&w->b, path, &w->st);
    w->b.started = started; /* before fstat: what changes after it is seen by the next reload */
    return make_zone(w, path, w->text, len);
}

struct zone *reader_file(struct reader *w, const char *dir, int dir_fd, const char *name)
{
    char *path = mem_printf("%s/%s", dir, name);
    struct zone *z = NULL;
    int fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        (void)read_fault(w, path); /* told; the set is refused */
    else
        z = read_opened(w, fd, path, name);
    if (fd >= 0)
        close(fd);
    mem_free(path);
    return z;
}
