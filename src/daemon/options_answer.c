/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "daemon/options_answer.h"

#include <ctype.h>
#include <sodium.h>
#include <string.h>

#include "conf/schema.h"

/* What we advertise is what our receive buffers hold; gdnsd says 1,024. */
enum { ADVERTISED = 1232, ADVERTISED_GDNSD = 1024 };

static struct diag_loc place(const struct th_conf *conf, const char *name)
{
    const struct th_conf *at = conf ? vnode_find(conf, name) : NULL;
    return at ? vnode_loc(at) : DIAG_NOWHERE;
}

static int both(const struct th_conf *conf, const char *name, const char *other, struct diag *d)
{
    return diag_error(d, place(conf, name), "%s and %s exclude each other", name, other);
}

/* gdnsd's name for it says the opposite. */
static int check_chain(const struct raw_answer *r, const struct th_conf *conf, struct diag *d)
{
    if (!conf || !vnode_find(conf, "cname_chain") || !vnode_find(conf, "experimental_no_chain") ||
        r->cname_chain != r->experimental_no_chain)
        return 0;
    return diag_error(d, place(conf, "cname_chain"),
                      "cname_chain and experimental_no_chain contradict each other");
}

static int read_nsid_hex(const char *text, struct answer_options *a)
{
    size_t len = 0;
    if (sodium_hex2bin(a->nsid, sizeof a->nsid, text, strlen(text), NULL, &len, NULL) != 0)
        return -1;
    a->nsid_len = (uint8_t)len;
    return 0;
}

static int read_nsid(const struct raw_answer *r, const struct th_conf *conf, struct diag *d,
                     struct answer_options *a)
{
    if (r->nsid && r->nsid_ascii)
        return both(conf, "nsid", "nsid_ascii", d);
    if (r->nsid && read_nsid_hex(r->nsid, a) != 0)
        return diag_error(d, place(conf, "nsid"),
                          "nsid: \"%s\" is not an even number of hexadecimal digits", r->nsid);
    for (const char *p = r->nsid_ascii; p && *p; p++) {
        if (!isascii(*p) || !isprint(*p))
            return diag_error(d, place(conf, "nsid_ascii"),
                              "nsid_ascii: only printable ASCII is allowed; write the bytes in "
                              "hexadecimal as nsid");
        a->nsid[a->nsid_len++] = (uint8_t)*p;
    }
    return 0;
}

static struct answer_text text_of(const char *text)
{
    struct answer_text t = {0};
    if (text) {
        t.len = (uint8_t)strlen(text); /* the table limits it */
        memcpy(t.bytes, text, t.len);
    }
    return t;
}

static int read_cookies(const struct raw_answer *r, const struct th_conf *conf, struct diag *d,
                        struct options *o)
{
    o->cookies = (struct cookie_files){!r->disable_cookies, r->cookie_key_file,
                                       r->cookie_secret_file, o->gdnsd};
    if (r->disable_cookies && r->max_nocookie_response)
        return both(conf, "max_nocookie_response", "disable_cookies", d);
    return 0;
}

int options_answer(const struct raw_answer *r, const struct th_conf *conf, struct diag *d,
                   struct options *o)
{
    struct answer_options *a = &o->answer;
    *a = (struct answer_options){
        .max_edns_v4 = (uint16_t)r->max_edns_response,
        .max_edns_v6 = (uint16_t)r->max_edns_response_v6,
        .advertised_udp = o->gdnsd ? ADVERTISED_GDNSD : ADVERTISED,
        .ttl_policy = r->ttl_policy ? TTL_DERIVED : TTL_HALVE,
        .cname_chain = r->cname_chain || !r->experimental_no_chain,
        .gdnsd = o->gdnsd,
        .ecs = r->edns_client_subnet,
        .ede_codes = !o->gdnsd,
        .ede_text = r->ede,
        .max_nocookie = (uint16_t)r->max_nocookie_response,
        .challenge_ttl_s = r->acme_challenge_dns_ttl_s,
        .chaos = r->chaos,
        .chaos_version = text_of(r->chaos_response),
        .chaos_id = text_of(r->server_id ? r->server_id : r->nsid_ascii),
    };
    o->challenge_life_s = r->acme_challenge_ttl_s;
    int e = check_chain(r, conf, d), failed = read_nsid(r, conf, d, a);
    e = failed ? failed : e;
    failed = rate_limit_read(r->rate_limit, d, &o->rate_limit);
    e = failed ? failed : e;
    failed = read_cookies(r, conf, d, o);
    return failed ? failed : e;
}
