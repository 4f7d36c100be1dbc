/* SPDX-License-Identifier: GPL-3.0-or-later */
/* views.c: what the control socket shows, read from counters and slots. */
#include "daemon/daemon.h"
#include "stats/render.h"

void view_stats(void *arg, struct buf *out)
{
    const struct daemon *m = arg;
    uint64_t sum[COUNTER_COUNT] = {0};
    if (m->net)
        net_sum_counters(m->net, sum);
    if (m->monitor)
        counters_sum(monitor_counters(m->monitor), sum);
    render_stats(sum, (uint64_t)(mono_diff_ms(mono_now(), m->started) / 1000),
                 m->setup.options.gdnsd, out);
}

struct states_walk {
    struct plugs *plugs;
    size_t at;
};

static bool next_state(void *arg, struct render_state *out)
{
    struct states_walk *w = arg;
    if (w->at == plugs_watch_count(w->plugs))
        return false;
    const struct watch *watch = plugs_watch_at(w->plugs, w->at++);
    *out =
        (struct render_state){watch->desc, slot_word(watch->slot), slot_real(watch->slot), false};
    return true;
}

/* Before the monitor is ready its slots are still being made: nothing is shown. */
void view_states(void *arg, struct buf *out)
{
    struct daemon *m = arg;
    struct states_walk w = {m->setup.plugs, m->current ? 0 : plugs_watch_count(m->setup.plugs)};
    render_states(next_state, &w, out);
}

void view_why(void *arg, struct buf *out)
{
    const struct daemon *m = arg;
    if (m->why)
        buf_adds(out, m->why);
}
