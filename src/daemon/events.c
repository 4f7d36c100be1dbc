/* SPDX-License-Identifier: GPL-3.0-or-later */
/* events.c: what the monitor found, as log lines; gdnsd's wording under compat. */
#include <inttypes.h>
#include <stdio.h>

#include "base/log.h"
#include "daemon/daemon.h"

static const char *state_name(struct th_word w)
{
    if (th_word_has(w, TH_DRAIN))
        return th_word_has(w, TH_MAINT) ? "MAINT" : "DRAIN";
    return th_word_has(w, TH_DOWN) ? "DOWN" : "UP";
}

const char *state_text(struct th_word w, char out[STATE_TEXT])
{
    uint32_t ttl = th_word_ttl(w);
    const char *name = state_name(w);
    if (ttl == 0 || ttl == TH_TTL_MAX)
        (void)snprintf(out, STATE_TEXT, "%s/%s", name, ttl ? "MAX" : "MIN"); /* fits */
    else
        (void)snprintf(out, STATE_TEXT, "%s/%" PRIu32, name, ttl); /* fits */
    return out;
}

static void log_as_gdnsd(const struct monitor_result *r)
{
    char before[STATE_TEXT], after[STATE_TEXT];
    if (r->first)
        log_info("state of '%s' initialized to %s", r->slot->desc, state_text(r->after, after));
    else
        log_info("state of '%s' changed from %s to %s", r->slot->desc,
                 state_text(r->before, before), state_text(r->after, after));
}

static const char *damped_text(const struct monitor_result *r, char out[STATE_TEXT])
{
    out[0] = '\0';
    if (th_word_has(r->after, TH_DOWN) && r->rise)
        (void)snprintf(out, STATE_TEXT, " returns_after=%" PRIu32, r->rise); /* fits */
    return out;
}

static void log_native(const struct monitor_result *r)
{
    char damped[STATE_TEXT];
    bool down = th_word_has(r->after, TH_DOWN);
    const char *to = down ? "DOWN" : "UP", *from = down ? "UP" : "DOWN";
    log_line(down ? LOG_LEVEL_WARNING : LOG_LEVEL_INFO,
             "monitor: %s: %s -> %s: %s=%" PRIu32 " of=%" PRIu32 " reason=\"%s\" ms=%.1f%s",
             r->slot->desc, r->first ? "PENDING" : from, to, down ? "failed" : "passed", r->counted,
             r->among, r->text, r->latency_us / 1e3, damped_text(r, damped));
}

void events_result(void *arg, const struct monitor_result *r)
{
    const struct daemon *m = arg;
    bool down_before = th_word_has(r->before, TH_DOWN), down = th_word_has(r->after, TH_DOWN);
    log_debug("probe: %s: verdict=%d cause=%d ms=%.1f text=\"%s\"", r->slot->desc, r->verdict,
              r->cause, r->latency_us / 1e3, r->text);
    if (!r->first && down_before == down)
        return;
    if (m->setup.options.gdnsd)
        log_as_gdnsd(r);
    else
        log_native(r);
}
