/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zone/load.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/prng.h"
#include "zone/guard.h"
#include "zone/listing.h"
#include "zone/reader.h"

/* A file that is read: its entry, and what came of it. */
struct job {
    size_t entry;
    struct zone *zone; /* NULL = skipped or refused */
    struct diag d;     /* in the order of files, not of threads */
};

/* One load or reload. */
struct work {
    const struct zone_reload *r;
    uint64_t seed;
    DIR *dir;
    struct listing list;
    struct job *jobs; /* by name of file, so that messages have a fixed order */
    size_t job_count;
    struct crew crew;
    _Atomic size_t next; /* the shared counter of the threads */
};

/* ---- threads -------------------------------------------------------------------------------- */

/* Run `run` in as many threads as `items` are worth, this one among them; each gives itself back to
 * the crew when it finds no more. */
static void run_threads(struct work *w, size_t items, void *(*run)(void *))
{
    struct crew_band band = {.count = 0};
    atomic_store(&w->next, 0);
    crew_init(&w->crew, w->r->options->threads);
    (void)crew_take(&w->crew); /* there is one: this */
    while (band.count + 1 < items && crew_start(&w->crew, &band, run, w))
        ;
    run(w);
    crew_join(&band);
}

static void *look_run(void *arg)
{
    struct work *w = arg;
    size_t i;
    while ((i = atomic_fetch_add(&w->next, LISTING_BATCH)) < w->list.count) {
        size_t left = w->list.count - i;
        listing_look(&w->list, i, left < LISTING_BATCH ? left : LISTING_BATCH);
    }
    crew_give(&w->crew);
    return NULL;
}

static void *read_run(void *arg)
{
    struct work *w = arg;
    struct reader reader;
    size_t i;
    reader_init(&reader, w->r->options, w->seed, &w->crew);
    while ((i = atomic_fetch_add(&w->next, 1)) < w->job_count) {
        struct job *j = &w->jobs[i];
        const char *name = listing_name(&w->list, j->entry);
        j->zone = reader_file(&reader, w->r->dir, w->list.dir_fd, name);
        if (diag_failed(&reader.d) || reader.d.count)
            diag_move(&j->d, &reader.d);
    }
    reader_fini(&reader, &(struct diag){0}); /* nothing is left in it */
    crew_give(&w->crew);
    return NULL;
}

/* ---- reading -------------------------------------------------------------------------------- */

static int list_zones(struct work *w, struct diag *d)
{
    const struct zone_reload *r = w->r;
    int e = 0;
    w->list.dir_fd = w->dir ? dirfd(w->dir) : -1;
    w->list.previous = r->previous;
    for (size_t i = 0; i < r->name_count; i++)
        if (listing_find_zone(&w->list, w->dir, r->names[i], d) < 0)
            e = ERR_REFUSED;
    if (r->name_count)
        return e;
    if (w->dir)
        listing_read(&w->list, w->dir);
    run_threads(w, w->list.count / LISTING_BATCH + 1, look_run);
    listing_find_gone(&w->list);
    return 0;
}

static int compare_jobs(const void *a, const void *b, void *arg)
{
    const struct work *w = arg;
    return strcmp(listing_name(&w->list, ((const struct job *)a)->entry),
                  listing_name(&w->list, ((const struct job *)b)->entry));
}

static void make_jobs(struct work *w)
{
    for (size_t i = 0; i < w->list.count; i++)
        w->job_count += w->list.entries[i].is_changed;
    w->jobs = mem_array(w->job_count, sizeof *w->jobs);
    size_t n = 0;
    for (size_t i = 0; i < w->list.count; i++)
        if (w->list.entries[i].is_changed)
            w->jobs[n++].entry = i;
    if (n)
        qsort_r(w->jobs, n, sizeof *w->jobs, compare_jobs, w);
}

static void read_zones(struct work *w, struct diag *d)
{
    make_jobs(w);
    run_threads(w, w->job_count, read_run);
    for (size_t i = 0; i < w->job_count; i++)
        diag_move(d, &w->jobs[i].d);
}

/* ---- the new set ---------------------------------------------------------------------------- */

/* The zone that was read from a job's file before. */
static struct zone *known_of(const struct work *w, const struct job *j)
{
    return w->list.entries[j->entry].known;
}

static struct zone_set *start_set(const struct work *w)
{
    if (!w->r->previous)
        return zone_set_new(w->seed, w->job_count);
    struct zone_set *s = zone_set_copy(w->r->previous);
    for (size_t i = 0; i < w->list.gone_count; i++)
        zone_set_remove(s, w->list.gone[i]->apex);
    for (size_t i = 0; i < w->job_count; i++)
        if (known_of(w, &w->jobs[i]))
            zone_set_remove(s, known_of(w, &w->jobs[i])->apex);
    return s;
}

static int add_zones(struct work *w, struct zone_set *s, struct diag *d)
{
    int e = 0;
    for (size_t i = 0; i < w->job_count; i++) {
        struct zone *z = w->jobs[i].zone;
        if (z && zone_set_add(s, z, d) < 0)
            e = ERR_REFUSED;
    }
    return e;
}

/* A zone that was removed, and may be there again from another file. */
static int guard_removed(const struct work *w, const struct zone_set *s, const struct zone *was,
                         struct diag *d)
{
    if (!was || zone_set_get(s, was->apex))
        return 0;
    return guard_check(w->r->options, w->r->force, was, NULL, d);
}

static int guard_set(const struct work *w, const struct zone_set *s, struct diag *d)
{
    int e = 0, failed;
    for (size_t i = 0; w->r->previous && i < w->job_count; i++) {
        const struct job *j = &w->jobs[i];
        const struct zone *was = j->zone ? zone_set_get(w->r->previous, j->zone->apex) : NULL;
        failed = was ? guard_check(w->r->options, w->r->force, was, j->zone, d) : 0;
        e = failed ? failed : e;
        failed = guard_removed(w, s, known_of(w, j), d);
        e = failed ? failed : e;
    }
    for (size_t i = 0; i < w->list.gone_count; i++) {
        failed = guard_removed(w, s, w->list.gone[i], d);
        e = failed ? failed : e;
    }
    return e;
}

static int make_set(struct work *w, struct diag *d, struct zone_set **out)
{
    if (w->r->previous && !w->job_count && !w->list.gone_count) {
        *out = zone_set_ref(w->r->previous);
        return 0;
    }
    struct zone_set *s = start_set(w);
    int e = add_zones(w, s, d);
    if (!e)
        e = guard_set(w, s, d);
    if (e) {
        zone_set_unref(s);
        return e;
    }
    for (size_t i = 0; w->r->on_read && i < w->job_count; i++)
        if (w->jobs[i].zone)
            w->r->on_read(w->r->arg, w->jobs[i].zone);
    *out = s;
    return 0;
}

static int load_opened(struct work *w, struct diag *d, struct zone_set **out)
{
    size_t errors_before = d->error_count;
    int e = list_zones(w, d);
    if (!e)
        read_zones(w, d);
    if (e || d->error_count > errors_before) {
        for (size_t i = 0; i < w->job_count; i++)
            zone_unref(w->jobs[i].zone);
        e = ERR_REFUSED;
    } else {
        e = make_set(w, d, out);
    }
    mem_free(w->jobs);
    listing_fini(&w->list);
    return e;
}

static uint64_t choose_seed(const struct zone_options *o)
{
    return o->seed ? o->seed : prng_secret();
}

int zone_reload(const struct zone_reload *r, struct diag *d, struct zone_set **out)
{
    struct work w = {.r = r, .dir = opendir(r->dir)};
    if (!w.dir && (errno != ENOENT || !r->options->gdnsd))
        return diag_error(d, (struct diag_loc){r->dir, 0, 0},
                          "the folder of zone files cannot be read: %s", strerror(errno));
    w.seed = r->previous ? r->previous->seed : choose_seed(r->options);
    int e = load_opened(&w, d, out);
    if (w.dir)
        closedir(w.dir);
    return e;
}

int zone_load_dir(const char *dir, const struct zone_options *options, struct diag *d,
                  struct zone_set **out)
{
    return zone_reload(&(struct zone_reload){.dir = dir, .options = options}, d, out);
}

int zone_load_text(const char *name, const char *text, size_t len,
                   const struct zone_options *options, struct diag *d, struct zone_set **out)
{
    struct reader reader;
    struct crew crew;
    uint64_t seed = choose_seed(options);
    crew_init(&crew, options->threads);
    (void)crew_take(&crew); /* there is one: this */
    reader_init(&reader, options, seed, &crew);
    struct zone *z = reader_text(&reader, name, text, len);
    reader_fini(&reader, d);
    if (!z)
        return ERR_REFUSED;
    *out = zone_set_new(seed, 1);
    return zone_set_add(*out, z, d);
}
