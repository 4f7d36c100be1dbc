/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * challenges.c: ACME challenges that were told through the control socket: each is answered for
 * acme_challenge_ttl, then forgotten.  Every change is a new part of the snapshot.
 */
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "ctl/proto.h"
#include "daemon/daemon.h"
#include "wire/cursor.h"

_Static_assert(PROTO_CHALLENGE_PAYLOAD == CHALLENGE_PAYLOAD, "one payload");

/* At 300 bytes each about 5 MiB, and as many certificates in ten minutes as no host has names. */
#define LIVE_MAX 16384u

struct live_challenges {
    struct challenge *items; /* in order of `ends` */
    struct mono *ends;
    size_t count, cap;
    ev_timer timer; /* at the end of the first */
};

static bool is_same(const struct challenge *a, const struct challenge *b)
{
    return a->name_len == b->name_len && memcmp(a->name, b->name, a->name_len) == 0 &&
           memcmp(a->payload, b->payload, CHALLENGE_PAYLOAD) == 0;
}

static void drop(struct live_challenges *l, size_t i)
{
    size_t behind = l->count - i - 1;
    memmove(l->items + i, l->items + i + 1, behind * sizeof *l->items);
    memmove(l->ends + i, l->ends + i + 1, behind * sizeof *l->ends);
    l->count--;
}

/* One that is told again lives on from now. */
static void put(struct live_challenges *l, const struct challenge *c, struct mono ends)
{
    for (size_t i = 0; i < l->count; i++)
        if (is_same(&l->items[i], c)) {
            drop(l, i);
            break;
        }
    if (l->count == l->cap) {
        l->cap = l->cap ? 2 * l->cap : 16;
        l->items = mem_grow(l->items, l->cap, sizeof *l->items);
        l->ends = mem_grow(l->ends, l->cap, sizeof *l->ends);
    }
    l->items[l->count] = *c;
    l->ends[l->count++] = ends;
}

static void publish_live(struct daemon *m)
{
    struct live_challenges *l = m->challenges;
    ev_timer_stop(m->loop, &l->timer);
    if (l->count) {
        double left_s = (double)(l->ends[0].ns - mono_now().ns) / 1e9;
        ev_timer_set(&l->timer, left_s > 0 ? left_s : 0, 0.);
        ev_timer_start(m->loop, &l->timer);
    }
    publish_challenges(m, challenges_new(l->items, l->count));
}

static void on_end(struct ev_loop *loop, ev_timer *t, int events)
{
    struct daemon *m = t->data;
    struct live_challenges *l = m->challenges;
    size_t over = 0;
    (void)loop;
    (void)events;
    while (over < l->count && l->ends[over].ns <= mono_now().ns)
        over++;
    l->count -= over;
    memmove(l->items, l->items + over, l->count * sizeof *l->items);
    memmove(l->ends, l->ends + over, l->count * sizeof *l->ends);
    publish_live(m);
}

/* ---- as they come -------------------------------------------------------------------------- */

/* A length byte, a name of just that length, the payload, a NUL. */
static bool read_challenge(struct cursor *c, struct challenge *out)
{
    size_t len = cursor_u8(c);
    bool fits = len && len < PROTO_CHALLENGE_NAME_MAX && cursor_name_len(c) == len;
    const uint8_t *name = cursor_bytes(c, len), *payload = cursor_bytes(c, CHALLENGE_PAYLOAD);
    uint8_t end = cursor_u8(c);
    if (!fits || c->failed || end != 0)
        return false;
    memcpy(out->name, name, len);
    out->name_len = (uint8_t)len;
    dname_lower(out->name, len);
    memcpy(out->payload, payload, CHALLENGE_PAYLOAD);
    for (size_t i = 0; i < CHALLENGE_PAYLOAD; i++)
        if (!out->payload[i] || !strchr(PROTO_CHALLENGE_CHARS, out->payload[i]))
            return false;
    return true;
}

static bool read_all(const uint8_t *data, size_t len, struct challenge *out, unsigned count)
{
    struct cursor c = cursor_on(data, len);
    for (unsigned i = 0; i < count; i++)
        if (!read_challenge(&c, &out[i]))
            return false;
    return cursor_left(&c) == 0;
}

bool challenges_add(void *arg, const uint8_t *data, size_t len, unsigned count)
{
    struct daemon *m = arg;
    struct challenge *read = mem_array(count, sizeof *read);
    size_t live = m->challenges ? m->challenges->count : 0;
    bool ok = read_all(data, len, read, count);
    if (!ok) {
        log_error("acme: challenges refused: not of the protocol's form: count=%u bytes=%zu", count,
                  len);
    } else if (live + count > LIVE_MAX) {
        log_error("acme: challenges refused: there are %zu already, the most is %u", live,
                  LIVE_MAX);
        ok = false;
    } else {
        struct mono ends = mono_add_ms(mono_now(), 1000ll * m->setup.options.challenge_life_s);
        if (!m->challenges) {
            m->challenges = mem_new(struct live_challenges);
            ev_init(&m->challenges->timer, on_end);
            m->challenges->timer.data = m;
        }
        for (unsigned i = 0; i < count; i++)
            put(m->challenges, &read[i], ends);
        log_info("acme: challenges added: count=%u live=%zu", count, m->challenges->count);
        publish_live(m);
    }
    mem_free(read);
    return ok;
}

void challenges_flush(void *arg)
{
    struct daemon *m = arg;
    if (!m->challenges || !m->challenges->count)
        return;
    log_info("acme: challenges flushed: count=%zu", m->challenges->count);
    m->challenges->count = 0;
    publish_live(m);
}

void challenges_close(struct daemon *m)
{
    if (!m->challenges)
        return;
    ev_timer_stop(m->loop, &m->challenges->timer);
    mem_free(m->challenges->items);
    mem_free(m->challenges->ends);
    mem_free(m->challenges);
}
