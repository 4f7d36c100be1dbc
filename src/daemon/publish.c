/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * publish.c: main changes one part of what queries are answered from; all else is shared with the
 * snapshot before, which the loader frees when no worker reads it any more.
 */
#include "base/log.h"
#include "base/mem.h"
#include "base/rcu.h"
#include "daemon/cookies.h"
#include "daemon/daemon.h"

struct retire_job {
    struct loader_job job;
    struct snapshot *old;
    bool has_zones; /* that the next one has not: what takes memory */
};

static void retire_run(struct loader_job *j)
{
    struct retire_job *r = container_of(j, struct retire_job, job);
    rcu_wait();
    snapshot_free(r->old);
    if (r->has_zones)
        mem_trim();
}

static void retire_done(struct loader_job *j)
{
    mem_free(container_of(j, struct retire_job, job));
}

static void publish(struct daemon *m)
{
    struct snapshot *old = m->current;
    m->parts.plugs = m->setup.plugs;
    m->parts.options = &m->setup.options.answer;
    rcu_publish(&m->current, snapshot_new(&m->parts));
    if (m->closing) /* no reader, and no loader, is left */
        snapshot_free(old);
    if (!old || m->closing)
        return;
    struct retire_job *r = mem_new(struct retire_job);
    r->job.run = retire_run;
    r->job.done = retire_done;
    r->old = old;
    r->has_zones = old->zones != m->parts.zones;
    loader_submit(m->loader, &r->job);
}

void publish_zones(struct daemon *m, struct zone_set *zones)
{
    zone_set_unref(m->parts.zones);
    m->parts.zones = zones;
    publish(m);
}

void publish_challenges(struct daemon *m, struct challenges *c)
{
    challenges_unref(m->parts.challenges);
    m->parts.challenges = c;
    if (m->current)
        publish(m);
}

/* ---- cookies ------------------------------------------------------------------------------- */

static void set_cookies(struct daemon *m, struct cookie_keys *keys)
{
    cookie_keys_unref(m->parts.cookies);
    m->parts.cookies = keys;
}

/* One of the files changed. A change is often several steps: what cannot be read is left for the
 * next one. */
static void on_cookie_file(struct ev_loop *loop, ev_stat *s, int events)
{
    struct daemon *m = s->data;
    struct diag d = {0};
    struct cookie_keys *keys;
    (void)loop;
    (void)events;
    if (cookies_read(&m->setup.options.cookies, &d, &keys) != 0) {
        log_diag(&d);
        log_error("cookies: the old keys stay: file=%s", s->path);
    } else {
        log_info("cookies: new keys: file=%s", s->path);
        set_cookies(m, keys);
        if (m->current)
            publish(m);
    }
    diag_fini(&d);
}

static void watch_file(struct daemon *m, ev_stat *s, const char *path)
{
    ev_stat_init(s, on_cookie_file, path, 0.);
    s->data = m;
    ev_stat_start(m->loop, s);
}

int publish_open(struct daemon *m)
{
    const struct cookie_files *f = &m->setup.options.cookies;
    struct cookie_keys *keys;
    if (m->setup.options.rate_limit.enabled)
        m->parts.rrl = rrl_new(&m->setup.options.rate_limit.config);
    if (!f->enabled)
        return 0;
    int e = cookies_read(f, &m->diag, &keys);
    if (e)
        return e;
    set_cookies(m, keys ? keys : cookies_auto(m->setup.options.run_dir, f->gdnsd));
    if (f->key)
        watch_file(m, &m->cookie_files[0], f->key);
    if (f->secret)
        watch_file(m, &m->cookie_files[1], f->secret);
    return 0;
}

void publish_close(struct daemon *m)
{
    for (size_t i = 0; i < array_len(m->cookie_files); i++)
        ev_stat_stop(m->loop, &m->cookie_files[i]);
    set_cookies(m, NULL);
    rrl_unref(m->parts.rrl);
    challenges_unref(m->parts.challenges);
    snapshot_free(m->current);
    zone_set_unref(m->parts.zones);
}
