/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * commands.c: orders that came through the control socket.
 *
 *   order --> checked, its effect looked at --> written to STATE_DIR/overrides --> in force
 *   its time is over, or clear --> likewise
 *
 * An order that cannot be kept is refused: it would be gone after a restart.
 */
#include <errno.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "conf/schema_parse.h"
#include "daemon/effect.h"
#include "daemon/forcings.h"
#include "daemon/overrides.h"
#include "stats/json.h"

/* Long enough for a day's work, short enough that nothing is forgotten for ever. */
#define LIFE_DEFAULT_S 86400
/* What is meant for longer belongs into admin_state. */
#define LIFE_MAX_S (400u * 86400)

/* ---- in force ------------------------------------------------------------------------------- */

static void set_expiry(struct daemon *m)
{
    struct forcings *f = m->forcings;
    int64_t first_ns = INT64_MAX;
    for (size_t i = 0; i < admin_count(f->commands); i++) {
        int64_t end_ns = override_end(admin_at(f->commands, i)).ns;
        first_ns = end_ns < first_ns ? end_ns : first_ns;
    }
    ev_timer_stop(m->loop, &f->expiry);
    if (first_ns == INT64_MAX)
        return;
    double after_s = (double)(first_ns - mono_now().ns) / 1e9;
    ev_now_update(m->loop); /* the timer counts from here */
    ev_timer_set(&f->expiry, after_s > 0 ? after_s : 0, 0.);
    ev_timer_start(m->loop, &f->expiry);
}

/* The reference moves in. */
static void obey(struct daemon *m, struct admin *commands)
{
    admin_unref(m->forcings->commands);
    m->forcings->commands = commands;
    set_expiry(m);
    (void)forcings_enforce(m);
}

static void log_ended(const struct admin *commands, struct mono now)
{
    for (size_t i = 0; i < admin_count(commands); i++) {
        const struct admin_rule *r = admin_at(commands, i);
        if (override_end(r).ns <= now.ns)
            log_info("admin: command has ended: glob=\"%s\" state=%s by=%s", r->glob,
                     admin_state_name(r->state), r->author);
    }
}

static void on_expiry(struct ev_loop *loop, ev_timer *t, int events)
{
    struct daemon *m = t->data;
    struct mono now = mono_now();
    struct admin *lasting = overrides_lasting(m->forcings->commands, now);
    (void)loop;
    (void)events;
    log_ended(m->forcings->commands, now);
    if (overrides_write(m->forcings->kept_path, lasting) != 0)
        log_error("admin: cannot write %s: %s; its commands that have ended stay in it",
                  m->forcings->kept_path, strerror(errno));
    obey(m, lasting);
}

/* ---- start ---------------------------------------------------------------------------------- */

/* What cannot be read is kept for its reader under another name. */
static int set_aside(struct daemon *m, const char *path)
{
    char *aside = mem_printf("%s.broken-%" PRId64, path, wall_now().ns / 1000000000);
    int e = rename(path, aside) == 0
                ? 0
                : diag_error(&m->diag, (struct diag_loc){path, 0, 0},
                             "cannot be read, and cannot be renamed: %s", strerror(errno));
    if (!e)
        log_error("admin: %s cannot be read: what was ordered is not in force; it is kept as %s",
                  path, aside);
    mem_free(aside);
    return e;
}

int commands_open(struct daemon *m)
{
    struct forcings *f = m->forcings;
    struct diag d = {0};
    struct admin *commands = admin_new();
    ev_init(&f->expiry, on_expiry);
    f->expiry.data = m;
    int e = overrides_read(f->kept_path, both_now(), &d, commands);
    log_diag(&d);
    diag_fini(&d);
    f->commands = commands;
    if (e == ERR_REFUSED) { /* a part of what was meant could be worse than nothing */
        admin_unref(commands);
        f->commands = admin_new();
        return set_aside(m, f->kept_path);
    }
    set_expiry(m);
    return 0;
}

/* ---- an order ------------------------------------------------------------------------------- */

enum { NAME_BYTES = 64 };

static const char *user_name(uint32_t uid, char out[NAME_BYTES])
{
    const struct passwd *p = getpwuid(uid);
    if (p && strlen(p->pw_name) < NAME_BYTES)
        (void)snprintf(out, NAME_BYTES, "%s", p->pw_name); /* fits */
    else
        (void)snprintf(out, NAME_BYTES, "uid-%" PRIu32, uid); /* fits */
    return out;
}

static bool parse_seconds(const char *text, uint32_t min, uint32_t max, uint32_t *out,
                          struct buf *why)
{
    if (!text[0] || (schema_parse_uint(text, false, out) == 0 && *out >= min && *out <= max))
        return true;
    buf_printf(why, "read \"%s\", allowed: %u to %u seconds\n", text, (unsigned)min, (unsigned)max);
    return false;
}

static bool parse_state(const char *text, enum admin_state *out, struct buf *why)
{
    for (int s = ADMIN_UP; s <= ADMIN_MAINT; s++) {
        *out = (enum admin_state)s;
        if (strcmp(text, admin_state_name(*out)) == 0)
            return true;
    }
    buf_printf(why, "read \"%s\", allowed: UP, DOWN, DRAIN, MAINT, CLEAR\n", text);
    return false;
}

static bool parse_rule(const struct ctl_order *o, struct admin_rule *r, struct buf *why)
{
    uint32_t life_s = LIFE_DEFAULT_S;
    struct both_clocks now = both_now();
    *r = (struct admin_rule){.glob = o->glob,
                             .ttl_s = TH_TTL_MAX,
                             .origin = ADMIN_COMMAND,
                             .reason = o->reason,
                             .since = now.wall,
                             .at = now.mono};
    if (!parse_state(o->state, &r->state, why) ||
        !parse_seconds(o->ttl, 0, TH_TTL_MAX, &r->ttl_s, why) ||
        !parse_seconds(o->life, 1, LIFE_MAX_S, &life_s, why))
        return false;
    r->until = (struct wall){now.wall.ns + (int64_t)life_s * 1000000000};
    return true;
}

/* Would the order have an effect? A drain that would be lifted at once has none. */
static bool has_effect(const struct ctl_order *o, struct effect *e, struct buf *out)
{
    struct buf lifted = {0};
    if (effect_item_count(e) == 0) {
        buf_printf(out, "no monitored item matches \"%s\"\n", o->glob);
        return false;
    }
    bool ok = o->force || effect_print_lifted(e, &lifted) == 0;
    if (!ok) {
        buf_add(out, lifted.data, lifted.len);
        buf_adds(out, "nothing is done; --force does it all the same\n");
    }
    buf_fini(&lifted);
    return ok;
}

/* commands: the list as it would be; the reference moves in. */
static bool carry_out(struct daemon *m, const struct ctl_order *o, struct admin *commands,
                      struct effect *e, struct buf *out)
{
    if (!o->dry_run && overrides_write(m->forcings->kept_path, commands) != 0) {
        log_error("admin: command refused: cannot write %s: %s", m->forcings->kept_path,
                  strerror(errno));
        buf_printf(out, "cannot write %s: %s; nothing is done\n", m->forcings->kept_path,
                   strerror(errno));
        admin_unref(commands);
        return false;
    }
    effect_print(e, out);
    if (o->dry_run)
        admin_unref(commands);
    else
        obey(m, commands);
    return true;
}

static void log_order(const struct ctl_order *o, const char *author, const struct admin_rule *r)
{
    if (o->dry_run)
        return;
    if (r)
        log_info("admin: command: state=%s glob=\"%s\" by=%s for_s=%" PRId64 " reason=\"%s\"",
                 o->state, o->glob, author, (r->until.ns - r->since.ns) / 1000000000, o->reason);
    else
        log_info("admin: command: state=CLEAR glob=\"%s\" by=%s reason=\"%s\"", o->glob, author,
                 o->reason);
}

static void list_globs(const struct admin *commands, struct buf *out)
{
    buf_adds(out, admin_count(commands) ? "; there are" : "; there are none");
    for (size_t i = 0; i < admin_count(commands); i++)
        buf_printf(out, " \"%s\"", admin_at(commands, i)->glob);
    buf_adds(out, "\n");
}

static bool clear(struct daemon *m, const struct ctl_order *o, const char *author, struct buf *out)
{
    struct forcings *f = m->forcings;
    struct admin *commands = overrides_without(f->commands, o->glob);
    if (admin_count(commands) == admin_count(f->commands)) {
        buf_printf(out, "no command has the glob \"%s\"", o->glob);
        list_globs(f->commands, out);
        admin_unref(commands);
        return false;
    }
    struct admin *after = forcings_join(f->file, commands), *before = admin_ref(f->rules);
    struct effect *e = effect_new(m->setup.plugs, o->glob, before, after);
    log_order(o, author, NULL);
    bool ok = carry_out(m, o, commands, e, out);
    effect_free(e);
    admin_unref(after);
    admin_unref(before);
    return ok;
}

static bool order(struct daemon *m, const struct ctl_order *o, const char *author, struct buf *out)
{
    struct forcings *f = m->forcings;
    struct admin_rule rule;
    if (!parse_rule(o, &rule, out))
        return false;
    rule.author = author;
    struct admin *commands = overrides_with(f->commands, &rule), *before = admin_ref(f->rules);
    struct admin *after = forcings_join(f->file, commands);
    struct effect *e = effect_new(m->setup.plugs, o->glob, before, after);
    bool ok = has_effect(o, e, out);
    if (ok) {
        log_order(o, author, &rule);
        ok = carry_out(m, o, commands, e, out);
    } else {
        admin_unref(commands);
    }
    effect_free(e);
    admin_unref(after);
    admin_unref(before);
    return ok;
}

bool commands_order(void *arg, const struct ctl_order *o, struct buf *out)
{
    struct daemon *m = arg;
    char author[NAME_BYTES];
    if (!m->current) {
        buf_adds(out, "the server is still starting\n");
        return false;
    }
    user_name(o->uid, author);
    return strcmp(o->state, "CLEAR") == 0 ? clear(m, o, author, out) : order(m, o, author, out);
}

/* ---- the list ------------------------------------------------------------------------------- */

static void add_time(struct buf *out, const char *key, struct wall t)
{
    time_t s = (time_t)(t.ns / 1000000000);
    struct tm tm;
    char text[32];
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&s, &tm));
    if (t.ns)
        buf_printf(out, ", \"%s\": \"%s\"", key, text);
    else
        buf_printf(out, ", \"%s\": null", key);
}

static void add_text(struct buf *out, const char *key, const char *text)
{
    buf_printf(out, ", \"%s\": ", key);
    json_add_text(out, text, strlen(text));
}

static void add_rule(struct buf *out, const struct admin_rule *r)
{
    buf_adds(out, "{\"glob\": ");
    json_add_text(out, r->glob, strlen(r->glob));
    add_text(out, "state", admin_state_name(r->state));
    if (r->ttl_s == TH_TTL_MAX)
        buf_adds(out, ", \"ttl\": null");
    else
        buf_printf(out, ", \"ttl\": %" PRIu32, r->ttl_s);
    add_text(out, "origin", r->origin == ADMIN_FILE ? "file" : "command");
    add_text(out, "author", r->author);
    add_text(out, "reason", r->reason);
    add_time(out, "since", r->since);
    add_time(out, "until", r->until);
    buf_adds(out, "}");
}

void commands_list(void *arg, struct buf *out)
{
    const struct daemon *m = arg;
    const struct admin *rules = m->forcings ? m->forcings->rules : NULL;
    buf_adds(out, "[");
    for (size_t i = 0; rules && i < admin_count(rules); i++) {
        buf_adds(out, i ? ",\n\t" : "\n\t");
        add_rule(out, admin_at(rules, i));
    }
    buf_adds(out, "\n]\n");
}
