/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plug/tuning.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/err.h"
#include "conf/schema.h"

#define THRESH_RANGE .min = 1, .max = 65535, .unit = "results"
#define AT(field)    .offset = offsetof(struct tuning, field)
#define INTERVAL     .type = TH_DURATION, .min = 0.05, .max = 3600

/* clang-format off */
const struct th_key tuning_keys[] = {
    {.name = "plugin", .type = TH_STRING, AT(plugin), .min = 1, .max = 255,
     .flags = TH_KEY_REQUIRED, .help = "the monitor plugin that probes"},
    {.name = "up_thresh", .type = TH_UINT, AT(up_thresh), THRESH_RANGE,
     .help = "successes in a row that make a DOWN address UP"},
    {.name = "ok_thresh", .type = TH_UINT, AT(ok_thresh), THRESH_RANGE,
     .help = "successes in a row that forget earlier failures"},
    {.name = "down_thresh", .type = TH_UINT, AT(down_thresh), THRESH_RANGE,
     .help = "failures that make an UP address DOWN"},
    {.name = "interval", INTERVAL, AT(interval_ms), .help = "between probes of one address"},
    {.name = "fast_interval", INTERVAL, AT(fast_interval_ms),
     .help = "the same while a change of state is under way; at most the interval"},
    {.name = "down_interval", INTERVAL, AT(down_interval_ms),
     .help = "the same while an address stays DOWN"},
    {.name = "jitter", .type = TH_FLOAT, AT(jitter), .min = 0, .max = 0.5, .unit = "intervals",
     .help = "share of the interval by which a probe may be later than its place"},
    {.name = "timeout", .type = TH_DURATION, AT(timeout_ms), .min = 0.01, .max = 300,
     .help = "after which a probe has failed; at most the interval"},
    {.name = "connect_timeout", .type = TH_DURATION, AT(connect_timeout_ms), .min = 0.01, .max = 300,
     .help = "after which a connection has failed; at most the timeout"},
    {.name = "fall_mode", .type = TH_ANY, AT(fall_mode),
     .help = "consecutive, cumulative, or \"window N/M\": how failures count"},
    {.name = "hard_fail", .type = TH_LIST, AT(hard_fail),
     .help = "failures that make an address DOWN at once: refused, reset, tls, status"},
    {.name = "init", .type = TH_ENUM, AT(init), .choices = "first|up|down|last|confirm",
     .help = "what the first state comes from"},
    {.name = "damp", .type = TH_ANY, AT(damp),
     .help = "{ falls, window, max_thresh }: who goes DOWN often comes back later"},
    {0},
};
/* clang-format on */

struct tuning tuning_defaults(const struct plug_options *o)
{
    return (struct tuning){.up_thresh = o->up_thresh,
                           .ok_thresh = o->ok_thresh,
                           .down_thresh = o->down_thresh,
                           .interval_ms = o->interval_ms,
                           .init = (int)o->init};
}

static struct diag_loc loc_of(const struct th_conf *conf, const char *key)
{
    const struct th_conf *at = vnode_find(conf, key);
    return vnode_loc(at ? at : conf);
}

/* ---- times --------------------------------------------------------------------------------- */

/* gdnsd halves whole seconds, of which it has at least 2. */
static uint32_t default_timeout_ms(const struct tuning *t, const struct plug_options *o)
{
    uint32_t half_ms = t->interval_ms / 2;
    if (o->gdnsd && half_ms >= 1000)
        half_ms -= half_ms % 1000;
    return o->timeout_ms && o->timeout_ms < half_ms ? o->timeout_ms : half_ms;
}

static int read_timeout(const struct tuning *t, const struct th_conf *conf,
                        const struct plug_options *o, struct diag *d, struct service *s)
{
    s->timeout_ms = t->timeout_ms ? t->timeout_ms : default_timeout_ms(t, o);
    if (s->timeout_ms > t->interval_ms || (o->gdnsd && s->timeout_ms == t->interval_ms))
        return diag_error(d, loc_of(conf, "timeout"),
                          "timeout %g s is longer than the interval of %g s", s->timeout_ms / 1e3,
                          t->interval_ms / 1e3);
    return 0;
}

/* Where no connection is told of, its deadline would end every probe. */
static int read_connect_timeout(const struct tuning *t, const struct th_conf *conf, struct diag *d,
                                struct service *s)
{
    if (!t->connect_timeout_ms)
        return 0;
    if (!(s->plugin->monitor->flags & TH_MONITOR_CONNECTS))
        return diag_error(d, loc_of(conf, "connect_timeout"),
                          "connect_timeout: the plugin %s does not connect", s->plugin->name);
    if (t->connect_timeout_ms > s->timeout_ms)
        return diag_error(d, loc_of(conf, "connect_timeout"),
                          "connect_timeout %g s is longer than the timeout of %g s",
                          t->connect_timeout_ms / 1e3, s->timeout_ms / 1e3);
    s->connect_timeout_ms = t->connect_timeout_ms;
    return 0;
}

static int read_intervals(const struct tuning *t, const struct th_conf *conf,
                          const struct plug_options *o, struct diag *d, struct service *s)
{
    uint32_t fast_ms = t->fast_interval_ms ? t->fast_interval_ms : o->fast_interval_ms;
    if (t->fast_interval_ms > t->interval_ms)
        return diag_error(d, loc_of(conf, "fast_interval"),
                          "fast_interval %g s is longer than the interval of %g s", fast_ms / 1e3,
                          t->interval_ms / 1e3);
    bool is_short = t->interval_ms < 2000 && vnode_find(conf, "interval");
    if (o->gdnsd && (t->interval_ms % 1000 || is_short))
        return diag_error(
            d, loc_of(conf, "interval"),
            "service type \"%s\": the interval is %g s; it is whole seconds, at least "
            "2, with compat => gdnsd3",
            s->name, t->interval_ms / 1e3);
    s->jitter = t->jitter;
    s->flap.interval_ms = t->interval_ms;
    s->flap.fast_interval_ms = fast_ms && fast_ms < t->interval_ms ? fast_ms : t->interval_ms;
    s->flap.down_interval_ms = t->down_interval_ms ? t->down_interval_ms : t->interval_ms;
    return 0;
}

/* ---- fall_mode ----------------------------------------------------------------------------- */

/* The words of an array, or the one text, with a blank between. */
static void print_words(const struct th_conf *c, struct buf *out)
{
    for (size_t i = 0; vnode_kind(c) != VNODE_HASH && i < vnode_list_count(c); i++) {
        const char *word = vnode_text(vnode_list_at(c, i));
        buf_printf(out, "%s%s", i ? " " : "", word ? word : "?");
    }
}

static bool parse_window(const char *text, struct flap_conf *f)
{
    static const char word[] = "window ";
    unsigned n, m;
    int end = 0;
    if (strncasecmp(text, word, sizeof word - 1) != 0)
        return false;
    text += sizeof word - 1;
    if (strspn(text, "0123456789/") != strlen(text) || strlen(text) > 5 || text[0] == '0')
        return false;
    const char *slash = strchr(text, '/');
    if (!slash || slash[1] == '0')
        return false;
    if (sscanf(text, "%2u/%2u%n", &n, &m, &end) != 2 || text[end] != '\0' || n < 1 || m < n ||
        m > FLAP_WINDOW_MAX)
        return false;
    f->mode = FLAP_WINDOW;
    f->down_thresh = n;
    f->window = m;
    return true;
}

static bool parse_fall_mode(const char *text, struct flap_conf *f)
{
    if (strcasecmp(text, "consecutive") == 0)
        f->mode = FLAP_CONSECUTIVE;
    else if (strcasecmp(text, "cumulative") == 0)
        f->mode = FLAP_CUMULATIVE;
    else
        return parse_window(text, f);
    return true;
}

static int read_fall_mode(const struct tuning *t, const struct th_conf *conf, struct diag *d,
                          struct flap_conf *f)
{
    struct buf text = {0};
    int e = 0;
    if (!t->fall_mode)
        return 0;
    print_words(t->fall_mode, &text);
    if (!parse_fall_mode(text.data ? text.data : "", f))
        e = diag_error(d, vnode_loc(t->fall_mode),
                       "fall_mode: read \"%s\", allowed: consecutive, cumulative, or "
                       "\"window N/M\": N failures among the last M results, 1 <= N <= M <= %u",
                       text.data ? text.data : "", FLAP_WINDOW_MAX);
    else if (f->mode == FLAP_WINDOW && vnode_find(conf, "down_thresh"))
        e = diag_error(d, loc_of(conf, "down_thresh"),
                       "down_thresh has no meaning beside fall_mode => \"%s\", which says how many "
                       "failures make an address DOWN",
                       text.data);
    buf_fini(&text);
    return e;
}

/* ---- hard_fail ----------------------------------------------------------------------------- */

static const struct {
    const char *word;
    enum th_cause cause;
} hard_causes[] = {
    {"refused", TH_CAUSE_REFUSED},
    {"reset", TH_CAUSE_RESET},
    {"tls", TH_CAUSE_TLS},
    {"status", TH_CAUSE_STATUS},
};

static uint32_t find_cause(const char *word)
{
    for (size_t i = 0; i < array_len(hard_causes); i++)
        if (strcasecmp(hard_causes[i].word, word) == 0)
            return UINT32_C(1) << hard_causes[i].cause;
    return 0;
}

static int read_hard_fail(const struct th_list *list, struct diag *d, struct flap_conf *f)
{
    int e = 0;
    for (size_t i = 0; i < list->count; i++) {
        uint32_t cause = find_cause(list->items[i]);
        f->hard_causes |= cause;
        if (!cause)
            e = diag_error(d, vnode_loc(list->nodes[i]),
                           "hard_fail: read \"%s\", allowed: refused, reset, tls, status",
                           list->items[i]);
    }
    return e;
}

/* ---- damp ---------------------------------------------------------------------------------- */

static const struct th_key damp_keys[] = {
    {.name = "falls",
     .type = TH_UINT,
     .offset = offsetof(struct flap_damp, falls),
     .min = 2,
     .max = FLAP_FALLS_MAX,
     .def = "3",
     .help = "times DOWN within the window from which on the way up is longer"},
    {.name = "window",
     .type = TH_DURATION,
     .offset = offsetof(struct flap_damp, window_ms),
     .min = 1,
     .max = 86400,
     .def = "10m",
     .help = "how long a time DOWN counts"},
    {.name = "max_thresh",
     .type = TH_UINT,
     .offset = offsetof(struct flap_damp, max_thresh),
     .min = 1,
     .max = 65535,
     .unit = "results",
     .help = "most successes in a row that are asked for; 8 x up_thresh if none is given"},
    {0},
};

static int read_damp(const struct th_conf *conf, struct diag *d, struct flap_conf *f)
{
    if (!conf)
        return 0;
    if (vnode_kind(conf) != VNODE_HASH)
        return diag_error(d, vnode_loc(conf), "damp must be { falls, window, max_thresh }");
    struct flap_damp damp = {.max_thresh = f->up_thresh * 8 < 65535 ? f->up_thresh * 8 : 65535};
    schema_defaults(damp_keys, &damp);
    int e = schema_read(damp_keys, conf, "damp", SCHEMA_REFUSE_REST, &damp, d);
    if (!e && damp.max_thresh < f->up_thresh)
        e = diag_error(d, loc_of(conf, "max_thresh"), "max_thresh %u is below up_thresh %u",
                       (unsigned)damp.max_thresh, (unsigned)f->up_thresh);
    f->damp = damp;
    return e;
}

int tuning_read(const struct tuning *t, const struct th_conf *conf, const struct plug_options *o,
                struct diag *d, struct service *s)
{
    s->flap = (struct flap_conf){.mode = o->flap_mode,
                                 .up_thresh = t->up_thresh,
                                 .ok_thresh = t->ok_thresh,
                                 .down_thresh = t->down_thresh,
                                 .derived_ttl = o->derived_ttl,
                                 .init = (enum flap_init)t->init};
    int e[] = {read_timeout(t, conf, o, d, s),
               read_connect_timeout(t, conf, d, s),
               read_intervals(t, conf, o, d, s),
               read_fall_mode(t, conf, d, &s->flap),
               read_hard_fail(&t->hard_fail, d, &s->flap),
               read_damp(t->damp, d, &s->flap)};
    for (size_t i = 0; i < array_len(e); i++)
        if (e[i])
            return e[i];
    return 0;
}
