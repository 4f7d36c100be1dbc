/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * watch.c: zones_watch: reload zones when their files change.
 *
 *   inotify --> name of a zone file, or of an included one --> noted
 *   1 s without a further event (10 s at most) --> reload of each noted zone, or of all
 *
 * Each zone is reloaded for itself, so that a broken one holds up no other.  Guards hold: nothing
 * is ever forced from here.
 *
 * The folders are watched from before the zones are read, so that no change is lost and nothing is
 * read twice.  Included files are known once the zones are: what changed by then shows in stat.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hashmap.h"
#include "base/log.h"
#include "base/mem.h"
#include "daemon/daemon.h"

/* A tool that writes many files is waited for; one that never ends is not. */
#define QUIET_S     1.
#define PATIENCE_MS 10000

/* More changed files than this, and looking at all of them is simpler. */
#define NAMED_MAX 16

/* After a refusal all is looked at again this often: what mends it may be a file that is not
 * watched, such as one that a broken zone includes. */
#define RETRY_S 10.

/* After a reload the folders that nobody includes from any more are looked for: a walk over all
 * zones, so not after each of many reloads. */
#define SWEEP_S 2.

#define WATCHED_EVENTS                                                                             \
    (IN_CLOSE_WRITE | IN_ATTRIB | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE |            \
     IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

struct watch_dirs {
    struct daemon *daemon;
    ev_io io;
    ev_timer quiet;
    int zones_wd, parent_wd; /* the zones folder, and the one above it; -1 = not watched */
    struct arena keys;       /* of included */
    struct hashmap included; /* "wd/name" of every included file */
    int *wds;                /* of the folders of included files, each once */
    size_t wd_count;
    ev_timer sweep;
    char *names[NAMED_MAX]; /* zone files that have changed */
    size_t name_count;
    bool is_all;       /* too many, or an included one */
    bool is_retry;     /* nothing was seen to change */
    struct mono since; /* the first of these changes */
};

/* ---- what has changed ----------------------------------------------------------------------- */

static void forget_changes(struct watch_dirs *w)
{
    for (size_t i = 0; i < w->name_count; i++)
        mem_free(w->names[i]);
    w->name_count = 0;
    w->is_all = w->is_retry = false;
}

static void note_change(struct watch_dirs *w, const char *name)
{
    if (w->is_retry)
        forget_changes(w);
    if (!w->is_all && !w->name_count)
        w->since = mono_now();
    if (mono_diff_ms(mono_now(), w->since) < PATIENCE_MS)
        ev_timer_again(w->daemon->loop, &w->quiet);
    for (size_t i = 0; name && i < w->name_count; i++)
        if (strcmp(w->names[i], name) == 0)
            return;
    if (!name || w->name_count == NAMED_MAX)
        w->is_all = true;
    else
        w->names[w->name_count++] = mem_strdup(name);
}

static void on_quiet(struct ev_loop *loop, ev_timer *t, int events)
{
    struct watch_dirs *w = t->data;
    (void)events;
    ev_timer_stop(loop, t);
    if (!w->is_retry)
        log_info("zones: files changed: zones_watch reloads %s",
                 w->is_all ? "all" : "some by name");
    if (w->is_all)
        reload_request(w->daemon, RELOAD_WATCH, &(struct ctl_reload){0}, NULL);
    for (size_t i = 0; !w->is_all && i < w->name_count; i++) {
        const char *name = w->names[i];
        reload_request(w->daemon, RELOAD_WATCH, &(struct ctl_reload){&name, 1, false}, NULL);
    }
    forget_changes(w);
}

void watch_retry(struct watch_dirs *w)
{
    if (ev_is_active(&w->quiet))
        return; /* there is a newer change */
    w->is_all = true;
    w->is_retry = true;
    w->since = mono_now();
    ev_timer_set(&w->quiet, RETRY_S, QUIET_S);
    ev_timer_start(w->daemon->loop, &w->quiet);
}

/* ---- events --------------------------------------------------------------------------------- */

static const char *zones_dir(const struct watch_dirs *w)
{
    return w->daemon->setup.zones_dir;
}

static bool has_wd(const struct watch_dirs *w, int wd)
{
    for (size_t i = 0; i < w->wd_count; i++)
        if (w->wds[i] == wd)
            return true;
    return false;
}

static void add_wd(struct watch_dirs *w, int wd)
{
    if (has_wd(w, wd))
        return;
    w->wds = mem_grow(w->wds, w->wd_count + 1, sizeof *w->wds);
    w->wds[w->wd_count++] = wd;
}

void watch_add_file(struct watch_dirs *w, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *dir = slash ? mem_printf("%.*s", (int)(slash - path + 1), path) : mem_strdup(".");
    int wd = inotify_add_watch(w->io.fd, dir, WATCHED_EVENTS);
    mem_free(dir);
    if (wd < 0) {
        log_warning("zones: cannot watch %s: %s", path, strerror(errno));
        return;
    }
    add_wd(w, wd);
    char key[NAME_MAX + 16];
    uint32_t unused;
    int len = snprintf(key, sizeof key, "%d/%s", wd, slash ? slash + 1 : path);
    if (len < (int)sizeof key && hashmap_find(&w->included, key, (size_t)len, &unused) != 0)
        (void)hashmap_put(&w->included, arena_strndup(&w->keys, key, (size_t)len), (size_t)len, 0,
                          NULL); /* is new */
}

/* Every included file of the zones that are served, under the watches of now. */
static void watch_included(struct watch_dirs *w)
{
    const struct zone *z;
    for (struct zone_walk at = {0}; (z = zone_set_next(w->daemon->current->zones, &at));)
        for (size_t i = 1; i < z->file_count; i++)
            watch_add_file(w, z->files[i].path);
}

/* All included files anew: watches of folders that have none any more end. */
static void on_sweep(struct ev_loop *loop, ev_timer *t, int events)
{
    struct watch_dirs *w = t->data;
    int *old = w->wds;
    size_t old_count = w->wd_count;
    (void)events;
    ev_timer_stop(loop, t);
    w->wds = NULL;
    w->wd_count = 0;
    hashmap_fini(&w->included);
    arena_fini(&w->keys);
    arena_init(&w->keys, 0);
    watch_included(w);
    for (size_t i = 0; i < old_count; i++)
        if (old[i] != w->zones_wd && old[i] != w->parent_wd && !has_wd(w, old[i]))
            (void)inotify_rm_watch(w->io.fd, old[i]); /* the folder may be gone, too */
    mem_free(old);
}

void watch_zones_changed(struct watch_dirs *w)
{
    if (w->wd_count)
        ev_timer_again(w->daemon->loop, &w->sweep);
}

/* Both folders anew: the zones folder may be another one than it was. */
static void watch_folders(struct watch_dirs *w)
{
    const char *dir = zones_dir(w), *slash = strrchr(dir, '/'); /* CONFIG_DIR/zones */
    char *parent = mem_printf("%.*s", (int)(slash - dir + 1), dir);
    int old = w->zones_wd;
    w->zones_wd = inotify_add_watch(w->io.fd, dir, WATCHED_EVENTS);
    w->parent_wd = inotify_add_watch(w->io.fd, parent, WATCHED_EVENTS);
    if (old >= 0 && old != w->zones_wd)
        (void)inotify_rm_watch(w->io.fd, old); /* the folder may be gone, and its watch with it */
    mem_free(parent);
}

/* A new file is read when it is closed; a link is whole at once, and is never closed. */
static bool is_link(const struct watch_dirs *w, const char *name)
{
    struct stat st;
    char *path = mem_printf("%s/%s", zones_dir(w), name);
    bool yes = lstat(path, &st) == 0 && (S_ISLNK(st.st_mode) || st.st_nlink > 1);
    mem_free(path);
    return yes;
}

static bool is_included(const struct watch_dirs *w, const struct inotify_event *e)
{
    char key[NAME_MAX + 16];
    uint32_t unused;
    int len = snprintf(key, sizeof key, "%d/%s", e->wd, e->name);
    return hashmap_find(&w->included, key, (size_t)len, &unused) == 0;
}

static void take_event(struct watch_dirs *w, const struct inotify_event *e)
{
    const char *name = e->len ? e->name : "";
    if (e->mask & IN_Q_OVERFLOW) {
        note_change(w, NULL);
    } else if (e->wd == w->parent_wd && strcmp(name, strrchr(zones_dir(w), '/') + 1) == 0) {
        watch_folders(w);
        watch_included(w); /* those inside it have new watches */
        note_change(w, NULL);
    } else if (!name[0] || (e->mask & IN_ISDIR)) {
        return; /* of the folder itself: its parent tells */
    } else if (is_included(w, e)) {
        note_change(w, NULL);
    } else if (e->wd == w->zones_wd && name[0] != '.' &&
               (!(e->mask & IN_CREATE) || is_link(w, name))) {
        note_change(w, name);
    }
}

static void on_events(struct ev_loop *loop, ev_io *io, int events)
{
    struct watch_dirs *w = io->data;
    _Alignas(struct inotify_event) char room[8192];
    (void)loop;
    (void)events;
    ssize_t len = read(io->fd, room, sizeof room);
    for (ssize_t at = 0; at < len;) {
        const struct inotify_event *e = (const void *)(room + at);
        take_event(w, e);
        at += (ssize_t)(sizeof *e + e->len);
    }
}

/* ---- life ----------------------------------------------------------------------------------- */

void watch_open(struct daemon *m)
{
    int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (fd < 0) {
        log_warning("zones: cannot watch files, reload by hand: %s", strerror(errno));
        return;
    }
    struct watch_dirs *w = m->watch = mem_new(struct watch_dirs);
    w->daemon = m;
    w->zones_wd = w->parent_wd = -1;
    arena_init(&w->keys, 0);
    ev_io_init(&w->io, on_events, fd, EV_READ);
    w->io.data = w;
    ev_timer_init(&w->quiet, on_quiet, 0., QUIET_S);
    w->quiet.data = w;
    ev_timer_init(&w->sweep, on_sweep, 0., SWEEP_S);
    w->sweep.data = w;
    watch_folders(w);
    if (w->zones_wd < 0)
        log_warning("zones: cannot watch %s: %s", zones_dir(w), strerror(errno));
}

static bool is_as_read(const struct zone_file *f)
{
    struct stat st;
    return stat(f->path, &st) == 0 && st.st_dev == f->dev && st.st_ino == f->inode &&
           (uint64_t)st.st_size == f->size &&
           (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec == f->mtime_ns &&
           (int64_t)st.st_ctim.tv_sec * 1000000000 + st.st_ctim.tv_nsec == f->ctime_ns;
}

void watch_start(struct daemon *m)
{
    struct watch_dirs *w = m->watch;
    const struct zone *z;
    if (!w)
        return;
    watch_included(w);
    for (struct zone_walk at = {0}; (z = zone_set_next(m->current->zones, &at));)
        for (size_t i = 1; i < z->file_count; i++)
            if (!is_as_read(&z->files[i]))
                note_change(w, NULL);
    ev_io_start(m->loop, &w->io);
}

void watch_close(struct daemon *m)
{
    struct watch_dirs *w = m->watch;
    if (!w)
        return;
    ev_io_stop(m->loop, &w->io);
    ev_timer_stop(m->loop, &w->quiet);
    ev_timer_stop(m->loop, &w->sweep);
    (void)close(w->io.fd); /* nothing was written */
    forget_changes(w);
    hashmap_fini(&w->included);
    arena_fini(&w->keys);
    mem_free(w->wds);
    mem_free(w);
    m->watch = NULL;
}
