/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "daemon/options.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/mem.h"
#include "conf/schema.h"
#include "daemon/options_answer.h"
#include "daemon/sockets.h"

struct raw { /* the section as it is written */
    struct socket_keys socket;
    const struct th_conf *listen;
    uint32_t dns_port;
    const char *run_dir, *state_dir;
    uint32_t zones_default_ttl_s, max_ttl_s, min_ttl_s, max_ncache_ttl_s;
    uint32_t zones_rfc1035_threads, zones_shrink_limit;
    bool disable_tcp_dso, zones_watch, zones_strict_data;
    int compat, profile;
    struct raw_answer answer;
    uint32_t startup_wait_ms;
};

#define AT(field) .offset = offsetof(struct raw, field)

#define EDNS_SIZE .type = TH_UINT, .min = 512, .max = 16384, .unit = "bytes", .def = "1232"

/* The first fields of struct raw are a struct socket_keys: one table serves both places. */
_Static_assert(offsetof(struct raw, socket) == 0, "socket_keys are read in place");

/* clang-format off */
static const struct th_key option_keys[] = {
    UDP_SOCKET_KEYS,
    TCP_SOCKET_KEYS,
    {.name = "listen", .type = TH_ANY, AT(listen),
     .help = "any, ADDR, ADDR:PORT, [V6]:PORT, an array of these, or { ADDR => { keys } }"},
    {.name = "dns_port", .type = TH_UINT, AT(dns_port), .min = 1, .max = 65535, .def = "53",
     .help = "port where listen names none"},
    {.name = "disable_tcp_dso", .type = TH_BOOL, AT(disable_tcp_dso), .def = "false",
     .help = "no DNS Stateful Operations over TCP"},
    {.name = "run_dir", .type = TH_STRING, AT(run_dir), .min = 1, .max = 4096, .def = "",
     .help = "control socket and lock"},
    {.name = "state_dir", .type = TH_STRING, AT(state_dir), .min = 1, .max = 4096, .def = "",
     .help = "what is kept over restarts"},
    {.name = "zones_default_ttl", .type = TH_TTL, AT(zones_default_ttl_s), .min = 1,
     .max = 2147483647, .def = "", .help = "where a zone file has no $TTL"},
    {.name = "max_ttl", .type = TH_TTL, AT(max_ttl_s), .min = 3600, .max = 268435455,
     .def = "3600000", .help = "larger TTLs are lowered to it, with a warning"},
    {.name = "min_ttl", .type = TH_TTL, AT(min_ttl_s), .min = 0, .max = 86400, .def = "5",
     .help = "smaller TTLs are raised to it, with a warning"},
    {.name = "max_ncache_ttl", .type = TH_TTL, AT(max_ncache_ttl_s), .min = 10, .max = 86400,
     .def = "", .help = "largest TTL of negative answers"},
    {.name = "max_edns_response", EDNS_SIZE, AT(answer.max_edns_response),
     .help = "largest UDP response over IPv4 to a query with EDNS"},
    {.name = "max_edns_response_v6", EDNS_SIZE, AT(answer.max_edns_response_v6),
     .help = "the same over IPv6"},
    {.name = "zones_rfc1035_threads", THREADS, AT(zones_rfc1035_threads), .def = "2",
     .help = "threads that read zone files, and pieces of large ones"},
    {.name = "zones_strict_data", .type = TH_BOOL, AT(zones_strict_data), .def = "false",
     .help = "warnings about zone data are errors"},
    {.name = "zones_watch", .type = TH_BOOL, AT(zones_watch), .def = "false",
     .help = "reload zones by itself when their files change"},
    {.name = "zones_shrink_limit", .type = TH_UINT, AT(zones_shrink_limit), .min = 1, .max = 100,
     .unit = "percent", .choices = "off", .def = "",
     .help = "largest part of a zone that a reload may take away; off: no guard of reloads at all"},
    {.name = "experimental_no_chain", .type = TH_BOOL, AT(answer.experimental_no_chain), .def = "true",
     .help = "gdnsd's name for the opposite of cname_chain"},
    {.name = "cname_chain", .type = TH_BOOL, AT(answer.cname_chain), .def = "false",
     .help = "answer what is behind a CNAME into the same zone too"},
    {.name = "ttl_policy", .type = TH_ENUM, AT(answer.ttl_policy), .choices = "halve|derived", .def = "",
     .help = "TTL of dynamic answers: half while anything is DOWN, or derived from the probes"},
    {.name = "max_nocookie_response", .type = TH_UINT, AT(answer.max_nocookie_response),
     .min = 128, .max = 1024, .unit = "bytes", .choices = "0", .def = "0",
     .help = "largest UDP response to a client without a valid cookie; 0: no such limit"},
    {.name = "edns_client_subnet", .type = TH_BOOL, AT(answer.edns_client_subnet), .def = "true",
     .help = "read and answer the option of RFC 7871"},
    {.name = "disable_cookies", .type = TH_BOOL, AT(answer.disable_cookies), .def = "false",
     .help = "pass DNS cookies over"},
    {.name = "cookie_key_file", .type = TH_STRING, AT(answer.cookie_key_file), .min = 1,
     .max = 4096, .help = "32 random bytes that servers of one address share"},
    {.name = "cookie_secret_file", .type = TH_STRING, AT(answer.cookie_secret_file), .min = 1,
     .max = 4096, .help = "secrets of RFC 9018, shared with servers of other make"},
    {.name = "ede", .type = TH_BOOL, AT(answer.ede), .def = "false",
     .help = "extended errors (RFC 8914) with a text, also about this server's own state"},
    {.name = "chaos", .type = TH_BOOL, AT(answer.chaos), .def = "true",
     .help = "answer questions of class CH, such as version.bind"},
    {.name = "chaos_response", .type = TH_STRING, AT(answer.chaos_response), .max = 254, .def = "",
     .help = "the version that class CH tells"},
    {.name = "server_id", .type = TH_STRING, AT(answer.server_id), .min = 1, .max = 254,
     .help = "the name that id.server and hostname.bind tell; else that of nsid_ascii"},
    {.name = "nsid", .type = TH_STRING, AT(answer.nsid), .min = 2, .max = 256,
     .help = "name server identifier (RFC 5001), hexadecimal digits"},
    {.name = "nsid_ascii", .type = TH_STRING, AT(answer.nsid_ascii), .min = 1, .max = 128,
     .help = "the same, as text"},
    {.name = "acme_challenge_ttl", .type = TH_TTL, AT(answer.acme_challenge_ttl_s), .min = 60,
     .max = 3600, .def = "600", .help = "how long an ACME challenge is answered"},
    {.name = "acme_challenge_dns_ttl", .type = TH_TTL, AT(answer.acme_challenge_dns_ttl_s),
     .min = 0, .max = 3600, .def = "0", .help = "TTL of the records that answer it"},
    {.name = "rate_limit", .type = TH_ANY, AT(answer.rate_limit),
     .help = "{ keys }: limits of UDP responses per client network (RRL); without it there are none"},
    {.name = "compat", .type = TH_ENUM, AT(compat), .choices = "none|gdnsd3", .def = "none",
     .help = "gdnsd3: defaults and wording of gdnsd 3.8"},
    {.name = "profile", .type = TH_ENUM, AT(profile), .choices = "safe|balanced|fast",
     .help = "intervals, timeouts and thresholds of service types that say nothing"},
    {.name = "startup_wait", .type = TH_DURATION, AT(startup_wait_ms), .min = 0, .max = 3600,
     .def = "", .help = "longest wait for the first round of probes; 0: until it has ended"},
    {0},
};
/* clang-format on */

#define OPTION_COUNT (array_len(option_keys))

struct profile {
    uint32_t interval_ms, timeout_ms, down_thresh, up_thresh, ok_thresh, fast_interval_ms;
};

static const struct profile profiles[] = {
    {10000, 4000, 4, 3, 3, 2000}, /* safe */
    {5000, 2000, 3, 2, 2, 1000},  /* balanced */
    {1000, 500, 2, 3, 3, 200},    /* fast */
};
enum { PROFILE_BALANCED = 1, PROFILE_UNSET = -1 };
/* timeout: half the interval, nothing is hurried */
static const struct profile gdnsd_profile = {10000, 0, 10, 20, 10, 0};

static const char *default_of(const struct th_key *k, bool gdnsd)
{
    for (const struct compat_row *r = compat_rows; r->name; r++)
        if (strcmp(r->name, k->name) == 0)
            return gdnsd ? r->gdnsd : r->native;
    return k->def;
}

const struct th_key *options_keys(bool gdnsd, struct th_key *room, size_t room_count)
{
    for (size_t i = 0; i < OPTION_COUNT && i < room_count; i++) {
        room[i] = option_keys[i];
        if (room[i].name)
            room[i].def = default_of(&room[i], gdnsd);
    }
    return room;
}

bool options_wants_gdnsd(const struct th_conf *conf)
{
    const struct th_conf *compat = conf ? vnode_find(conf, "compat") : NULL;
    const char *text = compat ? vnode_text(compat) : NULL;
    return text && strcasecmp(text, "gdnsd3") == 0;
}

static int check_order(const struct th_conf *conf, const char *name, uint32_t value,
                       const struct raw *r, struct diag *d)
{
    const struct th_conf *at = conf ? vnode_find(conf, name) : NULL;
    if (value >= r->min_ttl_s)
        return 0;
    return diag_error(d, at ? vnode_loc(at) : DIAG_NOWHERE, "%s (%u) is below min_ttl (%u)", name,
                      value, r->min_ttl_s);
}

static void fill_zone(struct options *o, const struct raw *r, bool strict)
{
    o->zone = (struct zone_options){
        .default_ttl_s = r->zones_default_ttl_s,
        .max_ttl_s = r->max_ttl_s,
        .min_ttl_s = r->min_ttl_s,
        .max_ncache_ttl_s = r->max_ncache_ttl_s,
        .shrink_limit = r->zones_shrink_limit,
        .threads = r->zones_rfc1035_threads,
        .strict = strict || r->zones_strict_data,
        .gdnsd = o->gdnsd,
    };
}

static void fill_plug(struct options *o, const struct raw *r)
{
    const struct profile *p = r->profile != PROFILE_UNSET ? &profiles[r->profile]
                              : o->gdnsd                  ? &gdnsd_profile
                                                          : &profiles[PROFILE_BALANCED];
    o->plug = (struct plug_options){
        .interval_ms = p->interval_ms,
        .timeout_ms = p->timeout_ms,
        .fast_interval_ms = p->fast_interval_ms,
        .up_thresh = p->up_thresh,
        .ok_thresh = p->ok_thresh,
        .down_thresh = p->down_thresh,
        .flap_mode = o->gdnsd ? FLAP_CUMULATIVE : FLAP_CONSECUTIVE,
        .init = o->gdnsd ? FLAP_INIT_FIRST : FLAP_INIT_LAST,
        .derived_ttl = r->answer.ttl_policy != 0,
        .gdnsd = o->gdnsd,
    };
}

int options_read(const struct th_conf *conf, bool gdnsd, bool strict, struct diag *d,
                 struct options *out)
{
    struct th_key keys[OPTION_COUNT];
    struct raw r = {.profile = PROFILE_UNSET};
    struct options o = {.gdnsd = gdnsd};
    schema_defaults(options_keys(gdnsd, keys, OPTION_COUNT), &r);
    if (conf && vnode_kind(conf) != VNODE_HASH)
        return diag_error(d, vnode_loc(conf), "options must be { ... }");
    int e = conf ? schema_read(keys, conf, "options", SCHEMA_REFUSE_REST, &r, d) : 0;
    const struct sockets_rules rules = {&r.socket, (uint16_t)r.dns_port, !r.disable_tcp_dso};
    int failed = sockets_read(r.listen, &rules, d, &o);
    e = failed ? failed : e;
    failed = check_order(conf, "max_ttl", r.max_ttl_s, &r, d);
    e = failed ? failed : e;
    failed = check_order(conf, "max_ncache_ttl", r.max_ncache_ttl_s, &r, d);
    e = failed ? failed : e;
    failed = options_answer(&r.answer, conf, d, &o);
    e = failed ? failed : e;
    if (e) {
        options_fini(&o);
        return e;
    }
    o.run_dir = r.run_dir;
    o.state_dir = r.state_dir;
    o.startup_wait_ms = r.startup_wait_ms;
    o.zones_watch = r.zones_watch;
    fill_zone(&o, &r, strict);
    fill_plug(&o, &r);
    *out = o;
    return 0;
}

void options_fini(struct options *o)
{
    mem_free(o->listen);
    rate_limit_fini(&o->rate_limit);
    *o = (struct options){0};
}
