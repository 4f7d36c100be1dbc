/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reload.c: zones are read again on the loader, and swapped in by main.  One reload runs at a time.
 * Whoever asks meanwhile for the same zones shares the one that waits, which begins after the
 * running one has ended, so that it sees what was written before it was asked for.  Who names zones
 * has a reload of his own: somebody else's broken zone does not hold him up.
 */
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/rcu.h"
#include "daemon/daemon.h"

struct waiters {
    struct ctl_request **v;
    size_t count;
};

/* What is asked for, with names of its own. */
struct wish {
    struct buf bytes; /* of all names, a NUL behind each */
    const char **names;
    size_t count; /* 0 = all zones */
    bool force;
};

/* One that runs or waits. */
struct reload {
    struct loader_job job;
    struct daemon *daemon;
    struct reload *next;
    enum reload_origin origin;
    struct wish wish;
    struct waiters waiters;
    struct zone_set *previous, *zones;
    size_t read_count; /* zones that were read */
    struct buf files;  /* that they include, a NUL behind each */
    struct diag diag;
    int error;
};

struct reloads {
    struct reload *running, *first, **last; /* the queue of those that wait */
};

/* ---- on the loader -------------------------------------------------------------------------- */

static void note_read(void *arg, const struct zone *z)
{
    struct reload *r = arg;
    r->read_count++;
    for (size_t i = 1; i < z->file_count; i++)
        buf_add(&r->files, z->files[i].path, strlen(z->files[i].path) + 1);
}

static void reload_run(struct loader_job *j)
{
    struct reload *r = container_of(j, struct reload, job);
    const struct zone_reload what = {
        .previous = r->previous,
        .names = r->wish.names,
        .name_count = r->wish.count,
        .force = r->wish.force,
        .on_read = note_read,
        .arg = r,
    };
    r->error = setup_reload(&r->daemon->setup, &what, &r->diag, &r->zones);
}

/* ---- wishes --------------------------------------------------------------------------------- */

static void wish_init(struct wish *w, const struct ctl_reload *what)
{
    *w = (struct wish){.count = what->count, .force = what->force};
    for (size_t i = 0; i < what->count; i++)
        buf_add(&w->bytes, what->names[i], strlen(what->names[i]) + 1);
    w->names = mem_array(what->count, sizeof *w->names);
    const char *at = w->bytes.data;
    for (size_t i = 0; i < what->count; i++, at += strlen(at) + 1)
        w->names[i] = at;
}

static bool wish_equals(const struct wish *a, const struct wish *b)
{
    return a->force == b->force && a->bytes.len == b->bytes.len &&
           (a->bytes.len == 0 || memcmp(a->bytes.data, b->bytes.data, a->bytes.len) == 0);
}

static void wish_fini(struct wish *w)
{
    buf_fini(&w->bytes);
    mem_free(w->names);
}

/* ---- one reload ----------------------------------------------------------------------------- */

static char *diag_text(const struct diag *d, enum diag_severity severity)
{
    struct buf b = {0};
    for (size_t i = 0; i < d->count; i++)
        if (d->entries[i].severity == severity)
            buf_printf(&b, "%s\n", d->entries[i].text);
    return buf_take(&b);
}

/* Its reasons or its warnings go to everybody who waits. */
static void answer_waiters(struct reload *r, bool ok)
{
    char *text = diag_text(&r->diag, ok ? DIAG_WARNING : DIAG_ERROR);
    for (size_t i = 0; i < r->waiters.count; i++)
        ctl_request_done(r->waiters.v[i], ok, text, strlen(text));
    mem_free(r->waiters.v);
    r->waiters = (struct waiters){0};
    mem_free(text);
}

static void add_waiter(struct waiters *w, struct ctl_request *request)
{
    if (!request)
        return;
    w->v = mem_grow(w->v, w->count + 1, sizeof(struct ctl_request *));
    w->v[w->count++] = request;
}

static void reload_free(struct reload *r)
{
    answer_waiters(r, false);
    zone_set_unref(r->previous);
    zone_set_unref(r->zones);
    wish_fini(&r->wish);
    buf_fini(&r->files);
    diag_fini(&r->diag);
    mem_free(r);
}

static const char *origin_name(enum reload_origin origin)
{
    switch (origin) {
    case RELOAD_ASKED: return "request";
    case RELOAD_SIGNAL: return "signal";
    case RELOAD_WATCH: break;
    }
    return "watch";
}

/* The same refusal again, of a retry that nobody asked for, is no news. */
static bool is_news(const struct daemon *m, const struct reload *r, const char *why)
{
    return r->origin != RELOAD_WATCH || !why || !m->why || strcmp(m->why, why) != 0;
}

static void reload_report(struct daemon *m, struct reload *r)
{
    const char *by = origin_name(r->origin);
    char *why = r->error ? diag_text(&r->diag, DIAG_ERROR) : NULL;
    if (is_news(m, r, why))
        log_diag(&r->diag);
    if (!r->error)
        log_info("zones: reloaded: by=%s named=%zu read=%zu zones=%zu records=%zu", by,
                 r->wish.count, r->read_count, r->zones->count, r->zones->rr_count);
    else if (is_news(m, r, why))
        log_error("zones: reload refused: what was served stays: by=%s named=%zu errors=%zu", by,
                  r->wish.count, r->diag.error_count);
    mem_free(m->why);
    m->why = why;
}

static void watch_files(struct daemon *m, const struct buf *files)
{
    if (!m->watch)
        return;
    for (size_t at = 0; at < files->len; at += strlen(files->data + at) + 1)
        watch_add_file(m->watch, files->data + at);
}

static void reload_publish(struct daemon *m, struct reload *r)
{
    bool is_same = r->zones == r->previous;
    zone_set_unref(r->previous); /* never the last one: the snapshot has its own */
    r->previous = NULL;
    watch_files(m, &r->files);
    if (is_same)
        zone_set_unref(r->zones);
    else
        publish_zones(m, r->zones);
    if (m->watch && !is_same)
        watch_zones_changed(m->watch);
    r->zones = NULL;
}

static void reload_done(struct loader_job *j)
{
    struct reload *r = container_of(j, struct reload, job);
    struct daemon *m = r->daemon;
    reload_report(m, r);
    if (!r->error)
        reload_publish(m, r);
    else if (m->watch && !m->closing)
        watch_retry(m->watch);
    answer_waiters(r, r->error == 0);
    reload_free(r);
    m->reloads->running = NULL;
    if (!m->closing)
        reload_start(m);
}

/* ---- all of them ---------------------------------------------------------------------------- */

static struct reloads *reloads_of(struct daemon *m)
{
    if (!m->reloads) {
        m->reloads = mem_new(struct reloads);
        m->reloads->last = &m->reloads->first;
    }
    return m->reloads;
}

void reload_start(struct daemon *m)
{
    struct reloads *all = reloads_of(m);
    struct reload *r = all->first;
    if (!r || all->running || !m->current) /* while starting, the first zones are still to come */
        return;
    all->first = r->next;
    if (!all->first)
        all->last = &all->first;
    all->running = r;
    r->previous = zone_set_ref(m->current->zones);
    loader_submit(m->loader, &r->job);
}

/* A reload that waits and reads the same, or NULL. */
static struct reload *find_equal(const struct reloads *all, const struct wish *w)
{
    struct reload *r = all->first;
    while (r && !wish_equals(&r->wish, w))
        r = r->next;
    return r;
}

void reload_request(struct daemon *m, enum reload_origin origin, const struct ctl_reload *what,
                    struct ctl_request *request)
{
    struct reloads *all = reloads_of(m);
    struct wish wish;
    wish_init(&wish, what);
    struct reload *r = find_equal(all, &wish);
    if (r) {
        wish_fini(&wish);
        add_waiter(&r->waiters, request);
        return;
    }
    r = mem_new(struct reload);
    r->job.run = reload_run;
    r->job.done = reload_done;
    r->daemon = m;
    r->origin = origin;
    r->wish = wish;
    add_waiter(&r->waiters, request);
    *all->last = r;
    all->last = &r->next;
    reload_start(m);
}

/* The loader has ended: nothing runs. */
void reload_fini(struct daemon *m)
{
    if (!m->reloads)
        return;
    while (m->reloads->first) {
        struct reload *r = m->reloads->first;
        m->reloads->first = r->next;
        reload_free(r);
    }
    mem_free(m->reloads);
    m->reloads = NULL;
}
