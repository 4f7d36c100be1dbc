/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zone/soa.h"

#include "wire/cursor.h"

struct soa soa_read(const struct build *b, uint32_t rec)
{
    struct cursor c = cursor_on(build_rdata(b, rec), b->recs[rec].rdata_len);
    struct soa s;
    s.mname = cursor_bytes(&c, cursor_name_len(&c));
    (void)cursor_bytes(&c, cursor_name_len(&c)); /* rname; the rdata was made by our parser */
    s.serial = cursor_u32(&c);
    (void)cursor_bytes(&c, 3 * sizeof(uint32_t)); /* refresh, retry, expire */
    s.minimum_s = cursor_u32(&c);
    return s;
}

static uint32_t ncache_max(const struct build *b)
{
    return b->options->max_ncache_ttl_s ? b->options->max_ncache_ttl_s : UINT32_MAX;
}

static void set_minimum(struct build *b, uint32_t rec, uint32_t minimum_s)
{
    struct writer w = writer_on(b->bytes + b->recs[rec].rdata_at, b->recs[rec].rdata_len);
    (void)writer_room(&w, w.cap - 4); /* the minimum is the last field */
    writer_u32(&w, minimum_s);
}

/* gdnsd: the SOA's TTL is at most its minimum, and that between min_ttl and max_ncache_ttl. */
static void settle_gdnsd(struct build *b, uint32_t rec)
{
    const struct zone_options *o = b->options;
    uint32_t was = soa_read(b, rec).minimum_s;
    uint32_t minimum = was > ncache_max(b)  ? ncache_max(b)
                       : was < o->min_ttl_s ? o->min_ttl_s
                                            : was;
    if (minimum != was) {
        diag_strict_warn(b->d, build_loc(b, rec),
                         "SOA minimum %u is outside min_ttl %u .. "
                         "max_ncache_ttl %u; %u is used",
                         was, o->min_ttl_s, ncache_max(b), minimum);
        set_minimum(b, rec, minimum);
    }
    if (b->recs[rec].ttl_s > minimum) {
        diag_strict_warn(b->d, build_loc(b, rec),
                         "TTL %u of the SOA is above its minimum %u, which "
                         "is used",
                         b->recs[rec].ttl_s, minimum);
        b->recs[rec].ttl_s = minimum;
    }
}

void soa_settle(struct build *b, uint32_t rec)
{
    uint32_t minimum = soa_read(b, rec).minimum_s;
    if (b->options->gdnsd)
        settle_gdnsd(b, rec);
    else if (minimum > ncache_max(b))
        diag_warn(b->d, build_loc(b, rec),
                  "SOA minimum %u is above max_ncache_ttl %u: negative "
                  "answers use the latter",
                  minimum, ncache_max(b));
}

uint32_t soa_neg_ttl(const struct build *b, uint32_t rec)
{
    uint32_t minimum = soa_read(b, rec).minimum_s, ttl = b->recs[rec].ttl_s;
    uint32_t least = ttl < minimum ? ttl : minimum;
    return least < ncache_max(b) ? least : ncache_max(b);
}
