/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * options_answer.h: the part of the `options` section that decides how answers look; for
 * options.c, whose table names these fields.
 * Thread rule: [main].
 */
#ifndef DAEMON_OPTIONS_ANSWER_H
#define DAEMON_OPTIONS_ANSWER_H

#include "daemon/options.h"

/* As it is written. */
struct raw_answer {
    uint32_t max_edns_response, max_edns_response_v6, max_nocookie_response;
    uint32_t acme_challenge_ttl_s, acme_challenge_dns_ttl_s;
    bool experimental_no_chain, cname_chain, edns_client_subnet, disable_cookies, ede, chaos;
    const char *chaos_response, *server_id, *nsid, *nsid_ascii;
    const char *cookie_key_file, *cookie_secret_file;
    const struct th_conf *rate_limit;
    int ttl_policy;
};

/* Fill o->answer and o->cookies; o->gdnsd is set. Negative with reasons in d. conf: the section, or
 * NULL. */
int options_answer(const struct raw_answer *r, const struct th_conf *conf, struct diag *d,
                   struct options *o) must_check;

/* options_rrl.c: read `rate_limit`; NULL = off. */
int rate_limit_read(const struct th_conf *conf, struct diag *d, struct rate_limit *out) must_check;
void rate_limit_fini(struct rate_limit *r);

#endif
