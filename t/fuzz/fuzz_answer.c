/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packets: whatever is received, the reply is well formed, in bounds, and built alike in place and
 * elsewhere; responses and runts get none. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer.h"
#include "base/mem.h"
#include "plug/host.h"
#include "zone/load.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char zone_text[] =
    "$TTL 3600\n@ SOA ns1 hm 1 7200 1800 259200 900\n@ NS ns1\n@ NS ns.other.\n@ MX 5 mail\n"
    "ns1 A 192.0.2.1\nmail A 192.0.2.2\nmail A 192.0.2.3\nmail AAAA 2001:db8::2\nwww CNAME mail\n"
    "*.w MX 5 mail\n*.c CNAME mail\na.b.c.d TXT x\nsub NS ns.sub\nns.sub A 192.0.2.4\n";

struct world {
    struct snapshot *snapshot;
    struct counters *counters;
};

static struct world world_new(void)
{
    static const struct th_plugin *const none[] = {NULL};
    const struct zone_options zo = {.default_ttl_s = 60, .threads = 1, .seed = 1};
    const struct answer_options ao = {
        .max_edns_v4 = 1232, .max_edns_v6 = 1232, .advertised_udp = 1232, .cname_chain = true};
    struct th_host host = {0};
    struct plug_options po = {.up_thresh = 1, .builtin = none, .host = &host};
    struct diag d = {0};
    struct zone_set *zones = NULL;
    struct plugs *plugs = NULL;
    struct world w;
    plug_host_fill(&host);
    if (zone_load_text("example", zone_text, sizeof zone_text - 1, &zo, &d, &zones) != 0 ||
        plugs_open(NULL, NULL, &po, &d, &plugs) != 0)
        abort();
    w.snapshot =
        snapshot_new(&(struct snapshot_parts){.zones = zones, .plugs = plugs, .options = &ao});
    w.counters = mem_aligned(CACHE_LINE, sizeof *w.counters);
    zone_set_unref(zones);
    plugs_unref(plugs);
    diag_fini(&d);
    return w;
}

static void world_free(struct world *w)
{
    snapshot_free(w->snapshot);
    mem_free(w->counters);
}

static size_t ask(const struct world *w, const uint8_t *msg, size_t len, uint8_t *out, size_t cap,
                  bool tcp)
{
    struct answerer a = {.counters = w->counters, .tcp = tcp};
    struct request rq = {0};
    prng_init_from(&a.prng, 1);
    return answer_one(&a, &rq, w->snapshot, msg, len, out, cap);
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct world w = world_new();
    uint8_t in_place[1232], elsewhere[1232], *large = mem_alloc(ANSWER_TCP_MAX);
    if (size > sizeof in_place)
        size = sizeof in_place;
    memcpy(in_place, data, size);
    size_t n = ask(&w, in_place, size, in_place, sizeof in_place, false);
    size_t m = ask(&w, data, size, elsewhere, sizeof elsewhere, false);
    if (n != m || n > sizeof in_place || memcmp(in_place, elsewhere, n) != 0)
        abort();
    check_header(data, size, elsewhere, m);
    check_header(data, size, large, ask(&w, data, size, large, ANSWER_TCP_MAX, true));
    mem_free(large);
    world_free(&w);
    return 0;
}
