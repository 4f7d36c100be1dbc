/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zone/load.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/prng.h"
#include "zone/check.h"
#include "zone/freeze.h"
#include "zone/parse.h"

/* Places in a build are 32-bit numbers; gdnsd cut such files silently (known fault B116). */
#define FILE_MAX_BYTES ((uint64_t)2 << 30)

#define THREADS_MAX 64u /* a typing error must not start a million threads */

/* One directory that is being read by several threads. */
struct work {
    const char *dir;
    int dir_fd;
    char **names;
    struct zone **zones; /* zones[i] of names[i]; NULL = skipped or refused */
    struct diag *diags;  /* what was told of names[i], in the order of names and not of threads */
    size_t count;
    _Atomic size_t next; /* the shared counter */
    uint64_t seed;
    const struct zone_options *options;
};

/* One thread of it. */
struct worker {
    struct work *work;
    struct diag d;
    struct build b;
    struct prng r;
    char *text; /* of the file that is being read */
    size_t text_cap;
    struct stat st; /* of that file */
    pthread_t thread;
};

static uint64_t choose_seed(const struct zone_options *o)
{
    return o->seed ? o->seed : prng_secret();
}

static void worker_init(struct worker *w, struct work *work, const struct zone_options *o,
                        uint64_t seed)
{
    *w = (struct worker){.work = work};
    w->d.strict = o->strict;
    w->b.seed = seed;
    w->b.options = o;
    w->b.d = &w->d;
    if (o->seed)
        prng_init_from(&w->r, seed);
    else
        prng_init(&w->r);
}

static void worker_fini(struct worker *w, struct diag *d)
{
    diag_move(d, &w->d);
    build_fini(&w->b);
    mem_free(w->text);
}

/* The name of a zone from the name of its file (or as a person writes it). */
static int read_zone_name(const char *text, const char *path, struct diag *d, uint8_t *apex)
{
    char *copy = mem_strdup(text);
    for (char *p = copy; *p; p++)
        if (*p == '@')
            *p = '/';
    int len = strcmp(copy, "ROOT_ZONE") == 0 ? dname_parse(".", 1, NULL, apex)
                                             : dname_parse(copy, strlen(copy), NULL, apex);
    mem_free(copy);
    if (len < 0)
        return diag_error(d, (struct diag_loc){path, 0, 0},
                          "file name \"%s\" is not a zone's name; remove the file, or let its name "
                          "begin with a dot",
                          text);
    if (apex[0] == 1 && apex[1] == '*')
        return diag_error(d, (struct diag_loc){path, 0, 0},
                          "zone name \"%s\" is a wildcard, which no zone can be", text);
    return len;
}

/* The whole way from text to zone; NULL = refused, and w->d says why. */
static struct zone *make_zone(struct worker *w, const uint8_t *apex, const char *path,
                              const char *text, size_t len)
{
    size_t errors = w->d.error_count;
    build_start(&w->b, apex, len);
    build_add_source(&w->b, path, w->work ? &w->st : NULL);
    parse_text(&w->b, path, text, len);
    build_finish(&w->b);
    check_zone(&w->b, path);
    return w->d.error_count > errors ? NULL : freeze_zone(&w->b, &w->r);
}

static int read_fault(struct worker *w, const char *path)
{
    return diag_error(&w->d, (struct diag_loc){path, 0, 0}, "cannot be read: %s", strerror(errno));
}

static int read_all(struct worker *w, int fd, size_t size, const char *path)
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
static int read_file(struct worker *w, int fd, const char *path, size_t *len)
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

static struct zone *load_file(struct worker *w, const char *name)
{
    uint8_t apex[DNAME_MAX];
    struct zone *z = NULL;
    size_t len = 0;
    char *path = mem_printf("%s/%s", w->work->dir, name);
    int fd = openat(w->work->dir_fd, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        (void)read_fault(w, path); /* told; the set is refused */
    else if (read_file(w, fd, path, &len) > 0 && read_zone_name(name, path, &w->d, apex) > 0)
        z = make_zone(w, apex, path, w->text, len);
    if (fd >= 0)
        close(fd);
    mem_free(path);
    return z;
}

static void *run_worker(void *arg)
{
    struct worker *w = arg;
    struct work *work = w->work;
    size_t i;
    while ((i = atomic_fetch_add(&work->next, 1)) < work->count) {
        work->zones[i] = load_file(w, work->names[i]);
        if (w->d.count)
            diag_move(&work->diags[i], &w->d);
    }
    return NULL;
}

/* Run all but one worker in threads of their own, as many as the system gives. */
static void run_workers(struct worker *workers, size_t count)
{
    size_t started = 1;
    while (started < count &&
           pthread_create(&workers[started].thread, NULL, run_worker, &workers[started]) == 0)
        started++;
    run_worker(&workers[0]);
    for (size_t i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
}

static void load_files(struct work *work, struct diag *d)
{
    size_t count = work->options->threads < THREADS_MAX ? work->options->threads : THREADS_MAX;
    count = count > work->count ? work->count : count;
    count = count ? count : 1;
    struct worker *workers = mem_array(count, sizeof *workers);
    for (size_t i = 0; i < count; i++)
        worker_init(&workers[i], work, work->options, work->seed);
    run_workers(workers, count);
    for (size_t i = 0; i < count; i++)
        worker_fini(&workers[i], d);
    for (size_t i = 0; i < work->count; i++)
        if (work->diags[i].count)
            diag_move(d, &work->diags[i]);
    mem_free(workers);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names of the directory in a fixed order, so that messages have one too. */
static void list_names(struct work *work, DIR *dir)
{
    size_t cap = 0;
    for (struct dirent *e; (e = readdir(dir));) {
        if (e->d_name[0] == '.' || e->d_type == DT_DIR)
            continue;
        if (work->count == cap) {
            cap = cap ? cap * 2 : 64;
            work->names = mem_grow(work->names, cap, sizeof *work->names);
        }
        work->names[work->count++] = mem_strdup(e->d_name);
    }
    if (work->count)
        qsort(work->names, work->count, sizeof *work->names, compare_names);
}

/* All zones into one set; a fault of any refuses it. */
static int make_set(const struct work *work, struct diag *d, size_t errors_before,
                    struct zone_set **out)
{
    struct zone_set *s = zone_set_new(work->seed, work->count);
    bool is_whole = d->error_count == errors_before;
    for (size_t i = 0; i < work->count; i++)
        if (work->zones[i] && zone_set_add(s, work->zones[i], d) < 0)
            is_whole = false;
    if (is_whole) {
        *out = s;
        return 0;
    }
    zone_set_unref(s);
    return ERR_REFUSED;
}

static int load_opened(DIR *dir, struct work *work, struct diag *d, struct zone_set **out)
{
    size_t errors_before = d->error_count;
    list_names(work, dir);
    work->dir_fd = dirfd(dir);
    work->zones = mem_array(work->count, sizeof(struct zone *));
    work->diags = mem_array(work->count, sizeof *work->diags);
    load_files(work, d);
    int e = make_set(work, d, errors_before, out);
    for (size_t i = 0; i < work->count; i++)
        mem_free(work->names[i]);
    mem_free(work->names);
    mem_free(work->zones);
    mem_free(work->diags);
    return e;
}

int zone_load_dir(const char *path, const struct zone_options *options, struct diag *d,
                  struct zone_set **out)
{
    struct work work = {.dir = path, .options = options, .seed = choose_seed(options)};
    DIR *dir = opendir(path);
    if (!dir && errno == ENOENT && options->gdnsd) {
        *out = zone_set_new(work.seed, 0);
        return 0;
    }
    if (!dir)
        return diag_error(d, (struct diag_loc){path, 0, 0},
                          "the folder of zone files cannot be read: %s", strerror(errno));
    int e = load_opened(dir, &work, d, out);
    closedir(dir);
    return e;
}

int zone_load_text(const char *name, const char *text, size_t len,
                   const struct zone_options *options, struct diag *d, struct zone_set **out)
{
    uint8_t apex[DNAME_MAX];
    struct zone *z = NULL;
    struct worker w;
    uint64_t seed = choose_seed(options);
    worker_init(&w, NULL, options, seed);
    if (len <= FILE_MAX_BYTES && read_zone_name(name, name, &w.d, apex) > 0)
        z = make_zone(&w, apex, name, text, len);
    worker_fini(&w, d);
    if (!z)
        return ERR_REFUSED;
    struct zone_set *s = zone_set_new(seed, 1);
    *out = s;
    return zone_set_add(s, z, d);
}
