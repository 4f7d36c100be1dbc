/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * multifo: group fail-over of several addresses, all active (thresh-plugin-multifo(8)).
 *
 *   per family, of n addresses, need = ceil(up_thresh x n):
 *     1. answer those neither DOWN nor drained                (DOWN ones too, with ignore_health)
 *     2. fewer than need?  lift drains: the newest first, maintenance last, until there are
 *     3. still fewer?      answer all n, and say DOWN upward
 *     4. any DOWN among those tried: ANY_DOWN, for which the host halves the TTL, once
 *
 * The families are independent of each other; the resource is DOWN if either is, drained if all
 * members of both are.
 */
#include <thresh/plugin.h>

#include <arpa/inet.h>
#include <math.h>
#include <stdio.h>

/* up_thresh, service_types, ignore_health: on every level, inherited downward */
struct params {
    double up_thresh;
    struct th_list service_types;
    bool ignore_health;
};

static const struct th_key param_keys[] = {
    {.name = "up_thresh",
     .type = TH_FLOAT,
     .offset = offsetof(struct params, up_thresh),
     .min = 0,
     .max = 1,
     .flags = TH_KEY_MIN_EXCLUSIVE,
     .def = "0.5",
     .unit = "share of the addresses",
     .help = "share of the addresses that must not be DOWN, else all are answered"},
    {.name = "service_types",
     .type = TH_LIST,
     .offset = offsetof(struct params, service_types),
     .help = "what probes each address; the worst of them is its state; `up` if none is given"},
    {.name = "ignore_health",
     .type = TH_BOOL,
     .offset = offsetof(struct params, ignore_health),
     .def = "false",
     .help = "answer DOWN addresses too; TTL and upward state still follow health"},
    {0},
};

/* what may stand in a resource beside labels, for "did you mean" */
static const struct th_key resource_names[] = {
    {.name = "up_thresh", .type = TH_ANY},     {.name = "service_types", .type = TH_ANY},
    {.name = "ignore_health", .type = TH_ANY}, {.name = "addrs_v4", .type = TH_ANY},
    {.name = "addrs_v6", .type = TH_ANY},      {0},
};

struct member {
    struct th_addr addr;
    bool again; /* an earlier member has the same address: counted, but answered once */
    const th_slot *slots;
};

struct set {                          /* one family of a resource */
    unsigned count, need, slot_count; /* slot_count: per member */
    bool ignore_health;
    struct member *members;
};

struct resource {
    struct set v4, v6;
};

struct multifo {
    const struct th_host *host;
    struct resource **resources; /* by id */
};

/* What open() carries along. */
struct reader {
    const struct th_host *host;
    struct th_env *env;
    struct th_diag *d;
    const char *resource; /* being read */
};

/* ---- resolve ------------------------------------------------------------------------------- */

/* A member while its set is resolved. */
struct standing {
    struct th_word word;
    int64_t drained_ms; /* since when; among equals the oldest of its service types */
    bool is_in;         /* it will be answered */
};

static bool is_drained(const struct standing *m)
{
    return th_word_has(m->word, TH_DRAIN);
}

/* Whoever ignores health ignores what a probe says of drains too, not what an operator says. */
static struct standing member_standing(const struct th_host *h, struct th_ctx *ctx,
                                       const struct set *s, const struct member *m)
{
    struct standing st = {th_word_up(), INT64_MAX, false};
    for (unsigned i = 0; i < s->slot_count; i++) {
        struct th_word w = h->slot(ctx, m->slots[i]);
        if (s->ignore_health && !th_word_has(w, TH_FORCED))
            w.bits &= ~TH_FLAGS_DRAIN;
        if (th_word_has(w, TH_DRAIN)) {
            int64_t since_ms = h->drained_since(ctx, m->slots[i]);
            st.drained_ms = since_ms < st.drained_ms ? since_ms : st.drained_ms;
        }
        st.word = th_word_and_type(st.word, w);
    }
    return st;
}

static bool may_answer(const struct set *s, const struct standing *m)
{
    return s->ignore_health || !th_word_has(m->word, TH_DOWN);
}

/* Is the drain of a lifted before that of b? */
static bool lifts_before(const struct standing *a, const struct standing *b)
{
    bool maint_a = th_word_has(a->word, TH_MAINT), maint_b = th_word_has(b->word, TH_MAINT);
    return maint_a != maint_b ? maint_b : a->drained_ms > b->drained_ms;
}

/* Lift the next drain: all members of one kind that were drained at the same time. Returns how many
 * came in, 0: there is none left. */
static unsigned lift(const struct set *s, struct standing *members)
{
    const struct standing *first = NULL;
    for (unsigned i = 0; i < s->count; i++) {
        const struct standing *m = &members[i];
        if (!m->is_in && is_drained(m) && may_answer(s, m) && (!first || lifts_before(m, first)))
            first = m;
    }
    if (!first)
        return 0;
    const struct standing key = *first;
    unsigned lifted = 0;
    for (unsigned i = 0; i < s->count; i++) {
        struct standing *m = &members[i];
        if (m->is_in || !is_drained(m) || !may_answer(s, m) || lifts_before(&key, m))
            continue;
        m->is_in = true;
        lifted++;
    }
    return lifted;
}

/* A drained member that is DOWN was not tried: neither ANY_DOWN nor its TTL are passed on. */
static struct th_word tried_word(const struct standing *m)
{
    if (m->is_in || !is_drained(m) || !th_word_has(m->word, TH_DOWN))
        return m->word;
    return th_word_make(m->word.bits & (TH_FLAGS_DRAIN | TH_FORCED), TH_TTL_MAX, TH_WEIGHT_MAX);
}

/* Push who is in; what is passed upward. */
static struct th_word answer_set(const struct th_host *h, struct th_ctx *ctx, const struct set *s,
                                 const struct standing *members)
{
    struct th_word sum = th_word_up();
    unsigned non_down = 0;
    for (unsigned i = 0; i < s->count; i++) {
        struct th_word w = tried_word(&members[i]);
        sum = i ? th_word_and_member(sum, w) : w;
        non_down += !th_word_has(members[i].word, TH_DOWN);
        if (members[i].is_in && !s->members[i].again)
            h->push(ctx, &s->members[i].addr);
    }
    sum.bits = (sum.bits & ~TH_DOWN) | (non_down < s->need ? TH_DOWN : 0);
    return sum;
}

static struct th_word resolve_set(const struct th_host *h, struct th_ctx *ctx, const struct set *s)
{
    struct standing members[TH_ADDRS_MAX];
    unsigned in = 0;
    for (unsigned i = 0; i < s->count; i++) {
        struct standing *m = &members[i];
        *m = member_standing(h, ctx, s, &s->members[i]);
        m->is_in = may_answer(s, m) && !is_drained(m);
        in += m->is_in;
    }
    for (unsigned lifted = 1; in < s->need && lifted; in += lifted)
        lifted = lift(s, members);
    for (unsigned i = 0; in < s->need && i < s->count; i++)
        members[i].is_in = true;
    return answer_set(h, ctx, s, members);
}

static struct th_word multifo_resolve(const void *instance, uint32_t id, struct th_ctx *ctx)
{
    const struct multifo *m = instance;
    const struct resource *r = m->resources[id];
    if (!r->v6.count)
        return resolve_set(m->host, ctx, &r->v4);
    struct th_word v6 = resolve_set(m->host, ctx, &r->v6);
    return r->v4.count ? th_word_and_member(resolve_set(m->host, ctx, &r->v4), v6) : v6;
}

/* ---- configuration ------------------------------------------------------------------------- */

/* The address of one item. A label that looks like a misspelt key is never an address in one of
 * the odd forms that only the compatible reading knows (0.03 is 0.0.0.3 there). */
static int read_addr(const struct reader *rd, const struct th_conf *value, const char *label,
                     unsigned family, struct th_addr *out)
{
    const struct th_host *h = rd->host;
    const char *text = h->conf_text(value);
    unsigned char raw[16];
    bool strict =
        text && (inet_pton(AF_INET, text, raw) == 1 || inet_pton(AF_INET6, text, raw) == 1);
    const char *near = strict ? NULL : h->conf_near(resource_names, label);
    if (!near && !strict) /* a misspelt parameter of the plugin itself looks like a resource */
        near = h->conf_near(param_keys, rd->resource);
    if (near || !text || h->conf_addr(value, out) != 0)
        return h->error(rd->d, value, "\"%s\" => %s is not an IP address%s%s%s", label,
                        text ? text : "{ ... }", near ? "; did you mean the key \"" : "",
                        near ? near : "", near ? "\"?" : "");
    if (family && out->family != family)
        return h->error(rd->d, value, "\"%s\" => %s is an IPv%u address in a set of IPv%u", label,
                        text, out->family, family);
    return 0;
}

static int watch_member(const struct reader *rd, uint32_t id, const struct params *params,
                        const struct th_conf *at, struct member *m)
{
    const struct th_list *types = &params->service_types;
    th_slot *slots = rd->host->alloc(rd->env, types->count * sizeof *slots);
    for (size_t i = 0; i < types->count; i++) {
        const struct th_conf *where = types->nodes ? types->nodes[i] : at;
        int e = rd->host->watch(rd->env, id, types->items[i], &m->addr, where, rd->d, &slots[i]);
        if (e)
            return e;
    }
    m->slots = slots;
    return 0;
}

/* Every member is watched alike: the first that cannot be says it for all. */
static int watch_members(const struct reader *rd, uint32_t id, const struct params *params,
                         const struct th_conf *conf, struct set *s)
{
    s->slot_count = (unsigned)params->service_types.count;
    int e = 0;
    for (unsigned i = 0; i < s->count && !e; i++)
        e = watch_member(rd, id, params, conf, &s->members[i]);
    return e;
}

/* Items of `conf` (array, text, or the labels of a hash) become members. family 0: the first
 * address decides. */
static int read_members(const struct reader *rd, const struct th_conf *conf, unsigned family,
                        struct set *s)
{
    const struct th_host *h = rd->host;
    bool hash = h->conf_kind(conf) == TH_CONF_HASH;
    size_t count = h->conf_count(conf);
    s->members = h->alloc(rd->env, count * sizeof *s->members);
    int e = 0;
    for (size_t i = 0; i < count; i++) {
        char number[24];
        const char *label = hash ? h->conf_key_at(conf, i) : number;
        if (hash && h->conf_is_key(param_keys, label))
            continue;
        if (!hash)
            (void)snprintf(number, sizeof number, "%zu", i + 1); /* fits 24 bytes */
        if (h->conf_kind(conf) == TH_CONF_TEXT)
            label = rd->resource; /* NAME => ADDRESS: what the person wrote */
        if (s->count == TH_ADDRS_MAX)
            return h->error(rd->d, conf, "more than %u addresses in one set", TH_ADDRS_MAX);
        struct member *m = &s->members[s->count];
        int failed = read_addr(rd, h->conf_at(conf, i), label, family, &m->addr);
        if (!failed) {
            family = m->addr.family;
            s->count++;
        }
        e = failed ? failed : e;
    }
    if (!s->count && !e)
        e = h->error(rd->d, conf, "no address: a set needs at least one");
    return e;
}

/* Duplicates are allowed, as the manual's families of labels may meet; an answer holds each record
 * once (RFC 2181 section 5). */
static void mark_again(const struct reader *rd, const struct th_conf *conf, struct set *s)
{
    for (unsigned i = 1; i < s->count; i++)
        for (unsigned k = 0; k < i && !s->members[i].again; k++)
            s->members[i].again = th_addr_equal(&s->members[i].addr, &s->members[k].addr);
    for (unsigned i = 1; i < s->count; i++)
        if (s->members[i].again) {
            rd->host->warn(rd->d, conf,
                           "%s: an address stands twice: it counts twice for up_thresh "
                           "and is answered once",
                           rd->resource);
            return;
        }
}

static int read_set(const struct reader *rd, uint32_t id, const struct params *params,
                    const struct th_conf *conf, unsigned family, struct set *s)
{
    int e = read_members(rd, conf, family, s);
    mark_again(rd, conf, s);
    s->need = (unsigned)ceil(params->up_thresh * s->count);
    s->ignore_health = params->ignore_health;
    return e ? e : watch_members(rd, id, params, conf, s);
}

static int read_params(const struct reader *rd, const struct th_conf *hash, struct params *params)
{
    return rd->host->conf_read(param_keys, hash, rd->resource, 1, params, rd->d);
}

static int read_family(const struct reader *rd, uint32_t id, struct params params,
                       const struct th_conf *conf, unsigned family, struct set *s)
{
    if (!conf)
        return 0;
    if (rd->host->conf_kind(conf) == TH_CONF_HASH) {
        int e = read_params(rd, conf, &params);
        if (e)
            return e;
    }
    return read_set(rd, id, &params, conf, family, s);
}

/* With addrs_v4 or addrs_v6 nothing but the parameters may stand beside them. */
static int check_no_direct(const struct reader *rd, const struct th_conf *conf)
{
    const struct th_host *h = rd->host;
    int e = 0;
    for (size_t i = 0; i < h->conf_count(conf); i++) {
        const char *key = h->conf_key_at(conf, i), *near = h->conf_near(resource_names, key);
        if (h->conf_is_key(resource_names, key))
            continue;
        if (near)
            e = h->error(rd->d, h->conf_at(conf, i), "unknown key \"%s\"; did you mean \"%s\"?",
                         key, near);
        else
            e = h->error(rd->d, h->conf_at(conf, i),
                         "\"%s\" cannot stand beside addrs_v4 or "
                         "addrs_v6: put it into one of them",
                         key);
    }
    return e;
}

/* Direct pairs and arrays may be of either family; the set goes where it belongs. */
static int read_direct(const struct reader *rd, uint32_t id, const struct params *params,
                       const struct th_conf *conf, struct resource *r)
{
    struct set s = {0};
    int e = read_set(rd, id, params, conf, 0, &s);
    if (!e)
        *(s.members[0].addr.family == 4 ? &r->v4 : &r->v6) = s;
    return e;
}

static int read_resource(const struct reader *rd, struct params params, const char *name,
                         const struct th_conf *conf, struct resource *r)
{
    const struct th_host *h = rd->host;
    uint32_t id;
    int e = h->resource(rd->env, name, conf, rd->d, &id);
    if (e || h->conf_kind(conf) != TH_CONF_HASH)
        return e ? e : read_direct(rd, id, &params, conf, r);
    e = read_params(rd, conf, &params);
    if (e)
        return e;
    const struct th_conf *v4 = h->conf_find(conf, "addrs_v4"), *v6 = h->conf_find(conf, "addrs_v6");
    if (!v4 && !v6)
        return read_direct(rd, id, &params, conf, r);
    e = check_no_direct(rd, conf);
    int failed = read_family(rd, id, params, v4, 4, &r->v4);
    e = failed ? failed : e;
    failed = read_family(rd, id, params, v6, 6, &r->v6);
    return failed ? failed : e;
}

static int multifo_open(const struct th_host *host, struct th_env *env, const struct th_conf *conf,
                        struct th_diag *d, void **instance)
{
    static const char *const up[] = {"up"};
    struct reader rd = {host, env, d, ""};
    struct multifo *m = host->alloc(env, sizeof *m);
    struct params params = {.service_types = {up, NULL, 1}};
    host->conf_defaults(param_keys, &params);
    int e = host->conf_read(param_keys, conf, "multifo", 1, &params, d);
    if (e)
        return e;
    size_t count = host->conf_count(conf), n = 0;
    m->host = host;
    m->resources = host->alloc(env, count * sizeof(struct resource *));
    for (size_t i = 0; i < count; i++) {
        const char *name = host->conf_key_at(conf, i);
        if (host->conf_is_key(param_keys, name))
            continue;
        struct resource *r = host->alloc(env, sizeof *r);
        m->resources[n++] = r;
        rd.resource = name;
        int failed = read_resource(&rd, params, name, host->conf_at(conf, i), r);
        e = failed ? failed : e;
    }
    *instance = m;
    return e;
}

static const struct th_resolver multifo_resolver = {
    .open = multifo_open,
    .resolve = multifo_resolve,
};

TH_PLUGIN(multifo) = {
    TH_PLUGIN_HEAD,
    .name = "multifo",
    .version = "1",
    .resolver = &multifo_resolver,
};
