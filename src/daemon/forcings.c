/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * forcings.c: what administrators say of monitored items, as it is in force.
 *
 *   admin_state changes --> quiet for a second --> read --> rules --mail--> monitor: words, answers
 *                                     \-- a fault: what is in force stays
 *
 *   a command (commands.c) --> rules, likewise; they count before those of the file
 *
 * What changed for which item is logged here: lists are compared item by item, so a file that was
 * written again with the same meaning changes nothing.
 */
#include <inttypes.h>

#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "daemon/admin_file.h"
#include "daemon/forcings.h"

/* gdnsd's: how often stat() looks where the kernel does not tell, and how long a change waits for
 * more of it, so that no half-written file is read. */
#define STAT_HINT_S 3.
#define QUIET_S     1.02

/* ---- the file ------------------------------------------------------------------------------- */

static char *file_path(const struct setup *s)
{
    return mem_printf("%s/admin_state", s->options.state_dir);
}

static void warn_unmatched(const struct setup *s, const struct admin *rules, const char *path)
{
    for (size_t i = 0; i < admin_count(rules); i++) {
        const char *glob = admin_at(rules, i)->glob;
        bool found = false;
        for (size_t w = 0; w < plugs_watch_count(s->plugs) && !found; w++)
            found = admin_matches(glob, plugs_watch_at(s->plugs, w)->desc);
        if (!found && s->options.gdnsd)
            log_warning("admin_state: glob '%s' did not match anything!", glob);
        else if (!found)
            log_warning("admin: %s: glob \"%s\" matches no monitored item", path, glob);
    }
}

static int read_file(const struct setup *s, const char *path, struct diag *d, struct admin **out)
{
    const struct admin_file f = {.path = path,
                                 .gdnsd = s->options.gdnsd,
                                 .is_syntax_only = plugs_watch_count(s->plugs) == 0,
                                 .since = wall_now(),
                                 .at = mono_now()};
    struct admin *rules = admin_new();
    int e = admin_file_read(&f, d, rules);
    if (e == ERR_REFUSED) {
        admin_unref(rules);
        return e;
    }
    warn_unmatched(s, rules, path);
    *out = rules;
    return e;
}

int forcings_check(const struct setup *s, struct diag *d)
{
    char *path = file_path(s);
    struct admin *rules = NULL;
    int e = read_file(s, path, d, &rules);
    admin_unref(rules);
    mem_free(path);
    return e == ERR_NOTFOUND ? 0 : e;
}

/* ---- what changes --------------------------------------------------------------------------- */

/* An item that another rule than before holds for. NULL = none did, or does. */
struct change {
    const char *desc;
    const struct admin_rule *was, *now;
    struct th_word real;
};

static void log_change(const struct change *c, bool gdnsd)
{
    char a[STATE_TEXT], b[STATE_TEXT], r[STATE_TEXT];
    state_text(admin_apply(c->was, c->real), a);
    state_text(admin_apply(c->now, c->real), b);
    state_text(c->real, r);
    if (!c->was)
        log_info(gdnsd ? "admin_state: state of '%s' forced to %s, real state is %s"
                       : "admin: %s: forced: to=%s real=%s",
                 c->desc, b, r);
    else if (c->now)
        log_info(gdnsd ? "admin_state: state of '%s' re-forced from %s to %s, real state is %s"
                       : "admin: %s: forced anew: from=%s to=%s real=%s",
                 c->desc, a, b, r);
    else
        log_info(gdnsd ? "admin_state: state of '%s' no longer forced (was forced to %s), real and "
                         "current state is %s"
                       : "admin: %s: no longer forced: was=%s real=%s",
                 c->desc, a, r);
}

/* One line for each item that other rules than before hold for; how many. */
static size_t log_changes(const struct daemon *m, const struct admin *before,
                          const struct admin *after)
{
    size_t changes = 0;
    for (size_t i = 0; i < plugs_watch_count(m->setup.plugs); i++) {
        const struct watch *w = plugs_watch_at(m->setup.plugs, i);
        const struct change c = {w->desc, before ? admin_find(before, w->desc) : NULL,
                                 admin_find(after, w->desc), slot_real(w->slot)};
        if (admin_same(c.was, c.now))
            continue;
        changes++;
        log_change(&c, m->setup.options.gdnsd);
    }
    return changes;
}

static void add_all(struct admin *to, const struct admin *from)
{
    for (size_t i = 0; i < admin_count(from); i++)
        admin_add(to, admin_at(from, i));
}

struct admin *forcings_join(const struct admin *file, const struct admin *commands)
{
    struct admin *a = admin_new();
    add_all(a, file);
    add_all(a, commands);
    return a;
}

size_t forcings_enforce(struct daemon *m)
{
    struct forcings *f = m->forcings;
    struct admin *before = f->rules;
    f->rules = forcings_join(f->file, f->commands);
    monitor_set_rules(m->monitor, f->rules);
    size_t changes = before && m->current ? log_changes(m, before, f->rules) : 0;
    admin_unref(before);
    return changes;
}

/* ---- loading -------------------------------------------------------------------------------- */

static void log_loaded(const struct daemon *m, bool is_deleted, size_t changes)
{
    const char *what = is_deleted ? " (file deleted)" : changes ? "" : ", no net changes";
    if (m->setup.options.gdnsd)
        log_info("admin_state: load complete%s", what);
    else
        log_info("admin: admin_state loaded%s: rules=%zu changed=%zu", what,
                 admin_count(m->forcings->file), changes);
}

static void load(struct daemon *m)
{
    struct forcings *f = m->forcings;
    struct diag d = {0};
    struct admin *rules = NULL;
    int e = read_file(&m->setup, f->path, &d, &rules);
    log_diag(&d);
    diag_fini(&d);
    if (e == ERR_REFUSED) {
        log_error("admin: %s is refused: what was forced stays so", f->path);
        return;
    }
    admin_unref(f->file);
    f->file = rules;
    log_loaded(m, e == ERR_NOTFOUND, forcings_enforce(m));
}

static void on_quiet(struct ev_loop *loop, ev_timer *t, int events)
{
    struct daemon *m = t->data;
    (void)events;
    if (!m->current) /* the monitor's slots are still being made; wait for another while */
        return;
    ev_timer_stop(loop, t);
    load(m);
}

static void on_change(struct ev_loop *loop, ev_stat *s, int events)
{
    struct daemon *m = s->data;
    (void)events;
    ev_timer_again(loop, &m->forcings->quiet);
}

/* ---- life ----------------------------------------------------------------------------------- */

/* Watching begins before the first look, so that no change is missed. */
static void watch(struct daemon *m)
{
    struct forcings *f = m->forcings;
    ev_timer_init(&f->quiet, on_quiet, 0., QUIET_S);
    f->quiet.data = m;
    ev_stat_init(&f->stat, on_change, f->path, STAT_HINT_S);
    f->stat.data = m;
    ev_stat_start(m->loop, &f->stat);
}

int forcings_open(struct daemon *m)
{
    struct forcings *f = m->forcings = mem_new(struct forcings);
    f->path = file_path(&m->setup);
    f->kept_path = mem_printf("%s/overrides", m->setup.options.state_dir);
    watch(m);
    int e = read_file(&m->setup, f->path, &m->diag, &f->file);
    if (e == ERR_REFUSED)
        return e;
    if (e == ERR_NOTFOUND && m->setup.options.gdnsd)
        log_info("admin_state: state file '%s' does not yet exist at startup", f->path);
    e = commands_open(m);
    if (!e)
        (void)forcings_enforce(m); /* nothing is served yet: told by forcings_start */
    return e;
}

void forcings_start(struct daemon *m)
{
    (void)log_changes(m, NULL, m->forcings->rules); /* lines alone */
}

void forcings_close(struct daemon *m)
{
    struct forcings *f = m->forcings;
    if (!f)
        return;
    ev_stat_stop(m->loop, &f->stat);
    ev_timer_stop(m->loop, &f->quiet);
    ev_timer_stop(m->loop, &f->expiry);
    admin_unref(f->file);
    admin_unref(f->commands);
    admin_unref(f->rules);
    mem_free(f->path);
    mem_free(f->kept_path);
    mem_free(f);
    m->forcings = NULL;
}
