/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Zone files: whatever the text is, it is loaded or refused with a reason; what was loaded answers.
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/err.h"
#include "zone/load.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int bind_any(void *arg, const struct zone_bind_ask *ask, struct diag *d, uint32_t *handle)
{
    (void)arg;
    if (ask->plugin[0] != 'p')
        return diag_error(d, ask->loc, "no plugin \"%s\" with \"%s\"", ask->plugin, ask->resource);
    *handle = (uint32_t)ask->plugin[0];
    return 0;
}

/* Ask for the apex, a name that is not there, and every name that is. */
static void look_up(const struct zone_set *s)
{
    static const uint8_t absent[] = "\6absent\1x\7example";
    struct zone_walk w = {0};
    const struct zone *z = zone_set_next(s, &w);
    struct qname q;
    qname_set(&q, absent, s->seed, s->max_depth);
    struct zone_match m = zone_find(z, &q);
    if (!zone_set_find(s, &q) || m.exact || !m.node)
        abort();
    qname_set(&q, z->apex, s->seed, s->max_depth);
    m = zone_find(z, &q);
    if (!m.exact || m.node != z->apex_node || node_find_set(m.node, RRTYPE_SOA) != z->soa)
        abort();
    for (const struct node *n = m.node; n < m.node + z->node_count; n++)
        if (zone_find_name(z, n->name, s->seed) != n)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct zone_options o = {
        .default_ttl_s = 3600,
        .max_ttl_s = 2419200,
        .min_ttl_s = 5,
        .max_ncache_ttl_s = 900,
        .generate_max = 20,
        .threads = 1,
        .strict = size & 1,
        .gdnsd = size & 2,
        .seed = 1,
        .bind = bind_any,
    };
    struct diag d = {0};
    struct zone_set *s = NULL;
    int e = zone_load_text("example", (const char *)data, size, &o, &d, &s);
    if ((e < 0) != diag_failed(&d) || (e == 0) != (s != NULL))
        abort();
    if (s)
        look_up(s);
    zone_set_unref(s);
    diag_fini(&d);
    return 0;
}
