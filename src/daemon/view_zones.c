/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * view_zones.c: every zone that is served, as JSON, sorted by name, so that two servers' lists can
 * be compared line by line.  Made by the loader: there may be a hundred thousand.
 *
 *   [
 *   {"name": "example.org.", "serial": 7, "records": 12, "hash": "91ab...", "file": "...",
 *    "loaded": "2026-01-31T12:00:00Z"},                                     one line each
 *   ]
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "daemon/daemon.h"
#include "stats/json.h"

struct zones_job {
    struct loader_job job;
    struct zone_set *zones; /* NULL = none are served yet */
    struct ctl_request *request;
    struct buf text;
};

struct named {
    const char *name;
    const struct zone *zone;
};

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

static struct named *sort_zones(const struct zone_set *s, struct arena *a)
{
    char name[DNAME_TEXT_MAX];
    struct named *list = mem_array(s->count + 1, sizeof *list);
    const struct zone *z;
    size_t n = 0;
    for (struct zone_walk w = {0}; (z = zone_set_next(s, &w));)
        list[n++] = (struct named){arena_strdup(a, dname_print(z->apex, name)), z};
    qsort(list, n, sizeof *list, compare_names);
    return list;
}

static void add_zone(struct buf *out, const struct named *n)
{
    const struct zone *z = n->zone;
    char loaded[sizeof "2026-01-31T12:00:00Z"] = "";
    time_t t = (time_t)(z->loaded.ns / 1000000000);
    struct tm utc;
    if (gmtime_r(&t, &utc))
        (void)strftime(loaded, sizeof loaded, "%Y-%m-%dT%H:%M:%SZ", &utc); /* else "" */
    buf_adds(out, "{\"name\": ");
    json_add_text(out, n->name, strlen(n->name));
    buf_printf(out, ", \"serial\": %" PRIu32 ", \"records\": %zu, \"hash\": \"%016" PRIx64 "\"",
               z->serial, z->rr_count, z->content_hash);
    buf_adds(out, ", \"file\": ");
    json_add_text(out, z->file, strlen(z->file));
    buf_printf(out, ", \"loaded\": \"%s\"}", loaded);
}

static void print_zones(const struct zone_set *s, struct buf *out)
{
    struct arena a;
    arena_init(&a, 0);
    struct named *list = sort_zones(s, &a);
    for (size_t i = 0; i < s->count; i++) {
        add_zone(out, &list[i]);
        buf_adds(out, i + 1 < s->count ? ",\n" : "\n");
    }
    mem_free(list);
    arena_fini(&a);
}

static void zones_run(struct loader_job *j)
{
    struct zones_job *z = container_of(j, struct zones_job, job);
    buf_adds(&z->text, "[\n");
    if (z->zones)
        print_zones(z->zones, &z->text);
    buf_adds(&z->text, "]\n");
    zone_set_unref(z->zones);
}

static void zones_done(struct loader_job *j)
{
    struct zones_job *z = container_of(j, struct zones_job, job);
    ctl_request_done(z->request, true, z->text.data, z->text.len);
    buf_fini(&z->text);
    mem_free(z);
}

void view_zones(void *arg, struct ctl_request *r)
{
    struct daemon *m = arg;
    struct zones_job *z = mem_new(struct zones_job);
    z->job.run = zones_run;
    z->job.done = zones_done;
    z->zones = m->current ? zone_set_ref(m->current->zones) : NULL;
    z->request = r;
    if (m->loader) {
        loader_submit(m->loader, &z->job);
        return;
    }
    zones_run(&z->job); /* starting or stopping */
    zones_done(&z->job);
}
