/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reload.c: zones are read again on the loader, and swapped in by main.  One reload runs at a time;
 * whoever asks meanwhile shares the next one, which begins after the running one has ended, so
 * that it sees what was written before it was asked for.
 */
#include "base/log.h"
#include "base/mem.h"
#include "base/rcu.h"
#include "daemon/daemon.h"

struct waiters {
    struct ctl_request **v;
    size_t count;
};

struct reload {
    struct loader_job job;
    struct daemon *daemon;
    bool running, again;
    struct waiters now, next; /* of the running one, of the one after it */
    struct zone_set *zones;
    struct diag diag;
    int error;
};

struct retire_job {
    struct loader_job job;
    struct snapshot *old;
};

static void retire_run(struct loader_job *j)
{
    struct retire_job *r = container_of(j, struct retire_job, job);
    rcu_wait();
    snapshot_free(r->old);
}

static void retire_done(struct loader_job *j)
{
    mem_free(container_of(j, struct retire_job, job));
}

void snapshot_swap(struct daemon *m, struct zone_set *zones)
{
    struct snapshot *old = m->current;
    struct snapshot *new = snapshot_new(zones, m->setup.plugs, &m->setup.options.answer);
    zone_set_unref(zones);
    rcu_publish(&m->current, new);
    if (m->closing) /* no reader, and no loader, is left */
        snapshot_free(old);
    if (!old || m->closing)
        return;
    struct retire_job *r = mem_new(struct retire_job);
    r->job.run = retire_run;
    r->job.done = retire_done;
    r->old = old;
    loader_submit(m->loader, &r->job);
}

static void reload_run(struct loader_job *j)
{
    struct reload *r = container_of(j, struct reload, job);
    r->error = setup_zones(&r->daemon->setup, &r->diag, &r->zones);
}

static void answer_waiters(struct waiters *w, bool ok)
{
    for (size_t i = 0; i < w->count; i++)
        ctl_request_done(w->v[i], ok);
    mem_free(w->v);
    *w = (struct waiters){0};
}

static char *diag_text(const struct diag *d)
{
    struct buf b = {0};
    for (size_t i = 0; i < d->count; i++)
        if (d->entries[i].severity == DIAG_ERROR)
            buf_printf(&b, "%s\n", d->entries[i].text);
    return buf_take(&b);
}

static void reload_begin(struct reload *r)
{
    r->running = true;
    r->again = false;
    r->now = r->next;
    r->next = (struct waiters){0};
    loader_submit(r->daemon->loader, &r->job);
}

static void reload_report(struct daemon *m, struct reload *r)
{
    log_diag(&r->diag);
    mem_free(m->why);
    m->why = r->error ? diag_text(&r->diag) : NULL;
    if (r->error)
        log_error("zones: reload refused: what was served stays: errors=%zu", r->diag.error_count);
    else
        log_info("zones: reloaded: zones=%zu records=%zu", r->zones->count, r->zones->rr_count);
}

static void reload_done(struct loader_job *j)
{
    struct reload *r = container_of(j, struct reload, job);
    struct daemon *m = r->daemon;
    reload_report(m, r);
    if (!r->error)
        snapshot_swap(m, r->zones);
    r->zones = NULL;
    diag_fini(&r->diag);
    answer_waiters(&r->now, r->error == 0);
    r->running = false;
    if (r->again && !m->closing)
        reload_begin(r);
}

void reload_request(struct daemon *m, struct ctl_request *request)
{
    if (!m->reload) {
        m->reload = mem_new(struct reload);
        m->reload->daemon = m;
        m->reload->job.run = reload_run;
        m->reload->job.done = reload_done;
    }
    struct reload *r = m->reload;
    if (request) {
        r->next.v = mem_grow(r->next.v, r->next.count + 1, sizeof(struct ctl_request *));
        r->next.v[r->next.count++] = request;
    }
    r->again = true;
    if (!r->running && m->current) /* while starting, the first zones are still to come */
        reload_begin(r);
}

void reload_fini(struct daemon *m)
{
    if (!m->reload)
        return;
    answer_waiters(&m->reload->now, false);
    answer_waiters(&m->reload->next, false);
    zone_set_unref(m->reload->zones);
    diag_fini(&m->reload->diag);
    mem_free(m->reload);
    m->reload = NULL;
}
