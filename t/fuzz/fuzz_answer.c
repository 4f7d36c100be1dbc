/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packets: whatever is received, the reply is well formed, in bounds, and built alike in place and
 * elsewhere; responses and runts get none. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lib/bare.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char zone_text[] =
    "$TTL 3600\n@ SOA ns1 hm 1 7200 1800 259200 900\n@ NS ns1\n@ NS ns.other.\n@ MX 5 mail\n"
    "ns1 A 192.0.2.1\nmail A 192.0.2.2\nmail A 192.0.2.3\nmail AAAA 2001:db8::2\nwww CNAME mail\n"
    "*.w MX 5 mail\n*.c CNAME mail\na.b.c.d TXT x\nsub NS ns.sub\nns.sub A 192.0.2.4\n";

struct world {
    struct bare bare;
    struct snapshot *snapshot;
};

static void world_open(struct world *w)
{
    const struct zone_options zo = {.default_ttl_s = 60, .threads = 1, .seed = 1};
    bare_open(&w->bare);
    w->snapshot = bare_load(&w->bare, "example", zone_text, &zo, true);
    if (!w->snapshot)
        abort();
}

static size_t ask(struct world *w, const uint8_t *msg, size_t len, uint8_t *out, size_t cap,
                  bool tcp)
{
    struct request rq = {0};
    w->bare.a.tcp = tcp;
    prng_init_from(&w->bare.a.prng, 1);
    return answer_one(&w->bare.a, &rq, w->snapshot, msg, len, out, cap);
}

static void check_header(const uint8_t *q, size_t q_len, const uint8_t *r, size_t r_len)
{
    bool must_be_silent = q_len < 12 || (q[2] & 0x80);
    if (must_be_silent != (r_len == 0))
        abort();
    if (r_len == 0)
        return;
    if (r_len < 12 || memcmp(q, r, 2) != 0 || !(r[2] & 0x80) || ((r[2] ^ q[2]) & 0x79) ||
        (r[3] & 0xf0) || r[4] || r[5] > 1)
        abort();
}

/* One for all runs: making it costs a hundred times what a query does. */
static struct world *the_world(void)
{
    static struct world w;
    if (!w.snapshot)
        world_open(&w);
    return &w;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct world *w = the_world();
    uint8_t in_place[1232], elsewhere[1232], *large = mem_alloc(ANSWER_TCP_MAX);
    if (size > sizeof in_place)
        size = sizeof in_place;
    memcpy(in_place, data, size);
    size_t n = ask(w, in_place, size, in_place, sizeof in_place, false);
    size_t m = ask(w, data, size, elsewhere, sizeof elsewhere, false);
    if (n != m || n > sizeof in_place || memcmp(in_place, elsewhere, n) != 0)
        abort();
    check_header(data, size, elsewhere, m);
    check_header(data, size, large, ask(w, data, size, large, ANSWER_TCP_MAX, true));
    mem_free(large);
    return 0;
}
