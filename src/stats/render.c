/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/render.h"

#include <inttypes.h>
#include <string.h>

#include "stats/json.h"

enum group { GROUP_STATS, GROUP_UDP, GROUP_TCP, GROUP_OURS, GROUP_RRL = GROUP_OURS, GROUP_MONITOR };

static const char *const group_names[] = {"stats", "udp", "tcp", "rrl", "monitor"};

static const struct row {
    enum group group;
    const char *key;
} rows[COUNTER_COUNT] = {
#define RENDER_ROW(name, group, key) [COUNTER_##name] = {GROUP_##group, key},
    COUNTERS(RENDER_ROW)
#undef RENDER_ROW
};

static bool starts_group(size_t i)
{
    return i == 0 || rows[i].group != rows[i - 1].group;
}

void render_stats(const uint64_t sum[COUNTER_COUNT], uint64_t uptime_s, bool gdnsd, struct buf *out)
{
    buf_printf(out, "{\n\t\"uptime\": %" PRIu64, uptime_s);
    for (size_t i = 0; i < COUNTER_COUNT && (!gdnsd || rows[i].group < GROUP_OURS); i++) {
        if (i && starts_group(i))
            buf_adds(out, "\n\t}");
        if (starts_group(i))
            buf_printf(out, ",\n\t\"%s\": {\n", group_names[rows[i].group]);
        else
            buf_adds(out, ",\n");
        buf_printf(out, "\t\t\"%s\": %" PRIu64, rows[i].key, sum[i]);
    }
    buf_adds(out, "\n\t}\n}\n");
}

static const char *word_text(struct th_word w, bool is_virtual)
{
    static const char *const texts[][2] = {
        {"UP", "UP!"}, {"DOWN", "DOWN!"}, {"DRAIN", "DRAIN!"}, {"MAINT", "MAINT!"}};
    bool is_forced = th_word_has(w, TH_FORCED);
    if (is_virtual && !is_forced)
        return "NA";
    if (th_word_has(w, TH_MAINT))
        return texts[3][is_forced];
    if (th_word_has(w, TH_DRAIN))
        return texts[2][is_forced];
    return texts[th_word_has(w, TH_DOWN)][is_forced];
}

void render_states(render_next_fn *next, void *arg, struct buf *out)
{
    struct render_state s = {0};
    const char *before = "\t";
    buf_adds(out, "{\n");
    while (next(arg, &s)) {
        buf_adds(out, before);
        json_add_text(out, s.desc, strlen(s.desc));
        buf_printf(out, ": {\"state\": \"%s\", \"real_state\": \"%s\"}",
                   word_text(s.state, s.is_virtual), word_text(s.real, s.is_virtual));
        before = ",\n\t";
    }
    buf_adds(out, "\n}\n");
}
