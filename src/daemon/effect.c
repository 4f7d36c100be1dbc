/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "daemon/effect.h"

#include <string.h>

#include "base/mem.h"
#include "base/netaddr.h"
#include "daemon/daemon.h"
#include "plug/preview.h"

/* Items and answers under one list. */
struct side {
    struct plugs *plugs;
    const struct admin *rules;
    struct preview *preview;
};

struct effect {
    struct plugs *plugs;
    struct side before, after;
    bool *matches; /* by watch */
    size_t item_count;
    uint8_t *affected; /* by handle */
};

static struct th_word side_word(void *arg, uint32_t watch)
{
    const struct side *s = arg;
    const struct watch *w = plugs_watch_at(s->plugs, watch);
    return admin_apply(admin_find(s->rules, w->desc), slot_real(w->slot));
}

/* As the monitor will note it: a drain that goes on keeps its time. */
static struct mono side_drained(void *arg, uint32_t watch)
{
    const struct side *s = arg;
    const struct watch *w = plugs_watch_at(s->plugs, watch);
    if (th_word_has(slot_word(w->slot), TH_DRAIN))
        return slot_drained(w->slot);
    const struct admin_rule *r = admin_find(s->rules, w->desc);
    return r ? r->at : mono_now();
}

static void side_init(struct side *s, struct plugs *p, const struct admin *rules)
{
    *s = (struct side){.plugs = p, .rules = rules};
    s->preview = preview_new(p, &(struct preview_states){side_word, side_drained, s});
}

struct effect *effect_new(struct plugs *p, const char *glob, const struct admin *before,
                          const struct admin *after)
{
    struct effect *e = mem_new(struct effect);
    size_t count = plugs_watch_count(p);
    e->plugs = p;
    side_init(&e->before, p, before);
    side_init(&e->after, p, after);
    e->matches = mem_array(count, sizeof *e->matches);
    e->affected = mem_alloc(plugs_resource_count(p));
    for (size_t i = 0; i < count; i++) {
        if (!admin_matches(glob, plugs_watch_at(p, i)->desc))
            continue;
        e->matches[i] = true;
        e->item_count++;
        plugs_affected(p, (uint32_t)i, e->affected);
    }
    return e;
}

void effect_free(struct effect *e)
{
    preview_free(e->before.preview);
    preview_free(e->after.preview);
    mem_free(e->matches);
    mem_free(e->affected);
    mem_free(e);
}

size_t effect_item_count(const struct effect *e)
{
    return e->item_count;
}

/* ---- texts ---------------------------------------------------------------------------------- */

static void print_set(const struct addrset *s, uint8_t family, struct buf *out)
{
    for (unsigned i = 0; i < s->count; i++) {
        struct th_addr a = {.family = family};
        char text[NETADDR_TEXT];
        memcpy(a.bytes, addrset_at(s, i), th_addr_len(&a));
        buf_printf(out, " %s", netaddr_print_addr(&a, text));
    }
}

static void print_answer(const struct prepared *p, struct buf *out)
{
    print_set(&p->v4, 4, out);
    print_set(&p->v6, 6, out);
}

static void print_resource(struct effect *e, uint32_t handle, struct buf *out)
{
    struct buf before = {0}, after = {0};
    print_answer(preview_answer(e->before.preview, handle), &before);
    print_answer(preview_answer(e->after.preview, handle), &after);
    buf_add(&before, "", 1);
    buf_add(&after, "", 1);
    buf_printf(out, "%s:%s", plugs_resource_name(e->plugs, handle), before.data);
    if (strcmp(before.data, after.data) != 0)
        buf_printf(out, " ->%s", after.data);
    buf_adds(out, "\n");
    buf_fini(&before);
    buf_fini(&after);
}

void effect_print(struct effect *e, struct buf *out)
{
    char a[STATE_TEXT], b[STATE_TEXT];
    for (uint32_t watch = 0; watch < plugs_watch_count(e->plugs); watch++) {
        if (!e->matches[watch])
            continue;
        buf_printf(out, "%s: %s -> %s\n", plugs_watch_at(e->plugs, watch)->desc,
                   state_text(side_word(&e->before, watch), a),
                   state_text(side_word(&e->after, watch), b));
    }
    for (uint32_t h = 0; h < plugs_resource_count(e->plugs); h++)
        if (e->affected[h] != AFFECTED_NOT)
            print_resource(e, h, out);
}

/* ---- drains without an effect --------------------------------------------------------------- */

static bool has_addr(const struct prepared *p, const struct th_addr *addr)
{
    const struct addrset *s = addr->family == 4 ? &p->v4 : &p->v6;
    for (unsigned i = 0; i < s->count; i++)
        if (memcmp(addrset_at(s, i), addr->bytes, th_addr_len(addr)) == 0)
            return true;
    return false;
}

static bool is_lifted(struct effect *e, uint32_t handle, uint32_t watch)
{
    return e->matches[watch] && th_word_has(side_word(&e->after, watch), TH_DRAIN) &&
           has_addr(preview_answer(e->after.preview, handle),
                    &plugs_watch_at(e->plugs, watch)->addr);
}

static bool print_first_lifted(struct effect *e, uint32_t handle, struct buf *out)
{
    for (uint32_t i = 0; i < plugs_resource_watch_count(e->plugs, handle); i++) {
        uint32_t watch = plugs_resource_watch_at(e->plugs, handle, i);
        if (!is_lifted(e, handle, watch))
            continue;
        buf_printf(out, "%s would go on answering %s: too few of its members would be left\n",
                   plugs_resource_name(e->plugs, handle), plugs_watch_at(e->plugs, watch)->desc);
        return true;
    }
    return false;
}

size_t effect_print_lifted(struct effect *e, struct buf *out)
{
    size_t count = 0;
    for (uint32_t h = 0; h < plugs_resource_count(e->plugs); h++)
        if (e->affected[h] == AFFECTED_DIRECTLY)
            count += print_first_lifted(e, h, out);
    return count;
}
