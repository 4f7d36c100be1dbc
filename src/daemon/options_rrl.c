/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options_rrl.c: the hash `rate_limit` of the `options` section. */
#include <stddef.h>

#include "base/err.h"
#include "base/mem.h"
#include "conf/schema.h"
#include "daemon/options_answer.h"

struct raw {
    uint32_t responses, nodata, nxdomains, referrals, errors;
    uint32_t window_s, slip, v4_bits, v6_bits, accounts;
    struct th_list exempt;
};

/* Not written: the rate of responses holds. */
#define INHERITED UINT32_MAX

#define AT(field) .offset = offsetof(struct raw, field)
#define RATE      .type = TH_UINT, .min = 1, .max = RRL_RATE_MAX, .choices = "off", .unit = "per second"

/* clang-format off */
static const struct th_key keys[] = {
    {.name = "responses_per_second", RATE, AT(responses), .flags = TH_KEY_REQUIRED,
     .help = "answers with records, for each name and type"},
    {.name = "nodata_per_second", RATE, AT(nodata),
     .help = "answers that a name has no such type, for each name"},
    {.name = "nxdomains_per_second", RATE, AT(nxdomains),
     .help = "answers that there is no such name, for each zone"},
    {.name = "referrals_per_second", RATE, AT(referrals), .help = "for each delegation"},
    {.name = "errors_per_second", RATE, AT(errors), .help = "REFUSED, FORMERR and the like"},
    {.name = "window", .type = TH_TTL, AT(window_s), .min = 1, .max = 3600, .def = "15",
     .help = "how long a flood is remembered"},
    {.name = "slip", .type = TH_UINT, AT(slip), .min = 1, .max = 10, .choices = "0", .def = "2",
     .help = "each so-manieth limited response is sent truncated; 0: none, 1: all"},
    {.name = "ipv4_prefix_length", .type = TH_UINT, AT(v4_bits), .min = 1, .max = 32, .def = "24",
     .help = "bits of an IPv4 address that make a client's network"},
    {.name = "ipv6_prefix_length", .type = TH_UINT, AT(v6_bits), .min = 1, .max = 64, .def = "56",
     .help = "the same for IPv6"},
    {.name = "exempt", .type = TH_LIST, AT(exempt), .help = "networks that have no limit"},
    {.name = "table_size", .type = TH_UINT, AT(accounts), .min = 1024, .max = 16777216,
     .def = "131072", .help = "accounts; 8 bytes each"},
    {0},
};
/* clang-format on */

static uint32_t rate(uint32_t own, const struct raw *r)
{
    return own == INHERITED ? r->responses : own;
}

static int read_exempt(const struct th_list *list, struct diag *d, struct rrl_config *c)
{
    struct netprefix *nets = mem_array(list->count, sizeof *nets);
    int e = 0;
    c->exempt = nets;
    for (size_t i = 0; i < list->count; i++) {
        int bad = netprefix_parse(list->items[i], &nets[i]);
        if (bad)
            e = diag_error(d, vnode_loc(list->nodes[i]), "exempt: \"%s\" is no network; %s",
                           list->items[i],
                           bad == ERR_RANGE ? "its prefix is too long, or bits are set behind it"
                                            : "write ADDRESS/BITS, such as 192.0.2.0/24");
    }
    c->exempt_count = list->count;
    return e;
}

int rate_limit_read(const struct th_conf *conf, struct diag *d, struct rate_limit *out)
{
    struct raw r = {
        .nodata = INHERITED, .nxdomains = INHERITED, .referrals = INHERITED, .errors = INHERITED};
    *out = (struct rate_limit){.enabled = conf != NULL};
    schema_defaults(keys, &r);
    if (!conf)
        return 0;
    if (vnode_kind(conf) != VNODE_HASH)
        return diag_error(d, vnode_loc(conf), "rate_limit must be { keys }");
    int e = schema_read(keys, conf, "rate_limit", SCHEMA_REFUSE_REST, &r, d);
    int failed = read_exempt(&r.exempt, d, &out->config);
    out->config.per_second[RRL_ANSWER] = r.responses;
    out->config.per_second[RRL_NODATA] = rate(r.nodata, &r);
    out->config.per_second[RRL_NXDOMAIN] = rate(r.nxdomains, &r);
    out->config.per_second[RRL_REFERRAL] = rate(r.referrals, &r);
    out->config.per_second[RRL_ERROR] = rate(r.errors, &r);
    out->config.window_s = r.window_s;
    out->config.slip = r.slip;
    out->config.v4_bits = (uint8_t)r.v4_bits;
    out->config.v6_bits = (uint8_t)r.v6_bits;
    out->config.accounts = r.accounts;
    return failed ? failed : e;
}

void rate_limit_fini(struct rate_limit *r)
{
    mem_free((struct netprefix *)r->config.exempt); /* ours since read_exempt */
    *r = (struct rate_limit){0};
}
