/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of a query's OPT record: whatever they are, the reply has one OPT at its end whose
 * options fill it exactly, and the question as it was.  The first byte chooses the listener. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lib/bare.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TCP = 1, GDNSD = 2, PAD = 4, DATA_MAX = 900, OPT_BYTES = 11 };

static const uint8_t head[] = "\x12\x34\1\0\0\1\0\0\0\0\0\1\3www\7example\0\0\1\0\1"
                              "\0\0\x29\x10\0\0\0\0\0";

struct world {
    struct bare bare;
    struct snapshot *of[2]; /* ours, gdnsd's ways */
};

static void world_open(struct world *w)
{
    static const uint8_t primary[COOKIE_PRIMARY_BYTES] = {1};
    const struct zone_options zo = {.default_ttl_s = 60, .threads = 1, .seed = 1};
    struct bare *b = &w->bare;
    bare_open(b);
    b->options.ecs = b->options.ede_codes = b->options.ede_text = true;
    b->options.nsid_len = ANSWER_NSID_MAX;
    b->options.max_nocookie = 512;
    for (int gdnsd = 0; gdnsd < 2; gdnsd++) {
        b->options.gdnsd = gdnsd;
        b->parts.cookies =
            cookie_keys_new(&(struct cookie_config){.primary = primary, .gdnsd = gdnsd});
        w->of[gdnsd] =
            bare_load(b, "example", "@ SOA a a 1 2 3 4 5\n@ NS a.\nwww A 192.0.2.1\n", &zo, true);
        cookie_keys_unref(b->parts.cookies);
        if (!w->of[gdnsd])
            abort();
    }
}

/* One for all runs. */
static struct world *the_world(void)
{
    static struct world w;
    if (!w.of[0])
        world_open(&w);
    return &w;
}

static size_t get16(const uint8_t *p)
{
    return (size_t)p[0] << 8 | p[1];
}

/* Behind the header and question: one A record, if any, then OPT and nothing else. */
static void check_reply(const uint8_t *r, size_t len)
{
    const size_t question = sizeof head - 1 - 9;
    if (len < question || memcmp(r + 12, head + 12, question - 12) != 0 || get16(r + 10) != 1 ||
        get16(r + 6) > 1 || get16(r + 8) != 0)
        abort();
    size_t at = question + 16 * get16(r + 6);
    if (at + OPT_BYTES > len || r[at] != 0 || get16(r + at + 1) != 41 ||
        at + OPT_BYTES + get16(r + at + 9) != len)
        abort();
    for (at += OPT_BYTES; at < len; at += 4 + get16(r + at + 2))
        if (len - at < 4)
            abort();
    if (at != len)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct world *w = the_world();
    struct request rq = {.client = {.family = 4, .bytes = {127, 0, 0, 1}}};
    uint8_t query[sizeof head + 2 + DATA_MAX], *reply = mem_alloc(ANSWER_TCP_MAX);
    unsigned way = size ? data[0] : 0;
    size_t n = size > 1 ? size - 1 : 0, at = sizeof head - 1;
    n = n > DATA_MAX ? DATA_MAX : n;
    memcpy(query, head, at);
    query[at++] = (uint8_t)(n >> 8);
    query[at++] = (uint8_t)n;
    memcpy(query + at, data + 1, n);
    w->bare.a.tcp = w->bare.a.send_keepalive = way & TCP;
    w->bare.a.pad = way & PAD;
    size_t len = answer_one(&w->bare.a, &rq, w->of[(way & GDNSD) != 0], query, at + n, reply,
                            way & TCP ? ANSWER_TCP_MAX : 1232);
    check_reply(reply, len);
    mem_free(reply);
    return 0;
}
