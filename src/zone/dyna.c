/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zone/dyna.h"

#include <string.h>

#include "base/err.h"
#include "wire/cursor.h"

#define DYNA_TEXT_MAX 255 /* as gdnsd's limit of plugin!resource */

/* MIN: written, else half of MAX; between min_ttl and MAX. */
static uint32_t least_ttl(struct parse *p, const struct record *r)
{
    uint32_t min = r->ttl_min_s;
    if (min == BUILD_NONE || min == 0)
        min = r->ttl_s / 2;
    else if (min > r->ttl_s)
        diag_strict_warn(p->d, parse_loc(p, &r->ttl),
                         "least TTL %u is above the greatest, %u, which is used", min, r->ttl_s);
    else if (min < p->options->min_ttl_s)
        diag_strict_warn(p->d, parse_loc(p, &r->ttl),
                         "least TTL %u is below min_ttl %u, which is used", min,
                         p->options->min_ttl_s);
    if (min < p->options->min_ttl_s)
        min = p->options->min_ttl_s;
    return min > r->ttl_s ? r->ttl_s : min;
}

static int bind(struct parse *p, const struct record *r, char *text, uint32_t *handle)
{
    char *bang = strchr(text, '!');
    bool is_dync = r->type == RRTYPE_DYNC;
    if (!p->options->bind)
        return diag_error(p->d, parse_loc(p, &p->t), "%s \"%s\": no plugins are loaded here to ask",
                          is_dync ? "DYNC" : "DYNA", text);
    if (bang)
        *bang = '\0';
    struct zone_bind_ask ask = {text, bang ? bang + 1 : "", p->apex, is_dync, parse_loc(p, &p->t)};
    return p->options->bind(p->options->bind_arg, &ask, p->d, handle);
}

int dyna_parse(struct parse *p, struct record *r)
{
    char text[DYNA_TEXT_MAX + 1];
    uint32_t handle = 0;
    if (!token_is_value(&p->t) || p->t.len == 0)
        return diag_error(p->d, parse_loc(p, &p->t), "%s wants plugin!resource",
                          r->type == RRTYPE_DYNC ? "DYNC" : "DYNA");
    if (p->t.len > DYNA_TEXT_MAX)
        return diag_error(p->d, parse_loc(p, &p->t), "plugin!resource is longer than 255 bytes");
    memcpy(text, p->t.at, p->t.len);
    text[p->t.len] = '\0';
    if (bind(p, r, text, &handle) < 0)
        return ERR_REFUSED;
    if (r->type == RRTYPE_DYNC)
        diag_warn(p->d, parse_loc(p, &r->at), "DYNC is deprecated and works as DYNA; write DYNA");
    struct writer w = writer_on(r->rdata, UINT16_MAX);
    writer_u32(&w, handle);
    writer_u32(&w, least_ttl(p, r));
    writer_bytes(&w, p->t.at, p->t.len);
    r->rdata_len = (uint16_t)w.at;
    scan_next(&p->scan, &p->t);
    if (token_is_value(&p->t))
        return diag_error(p->d, parse_loc(p, &p->t), "\"%.*s\" is more than the record needs",
                          TOKEN_ARG(&p->t));
    return p->t.kind == TOKEN_BAD ? diag_error(p->d, parse_loc(p, &p->t), "%s", p->scan.fault) : 0;
}

struct zone_dyn dyna_read(const struct build *b, uint32_t rec)
{
    struct cursor c = cursor_on(build_rdata(b, rec), b->recs[rec].rdata_len);
    uint32_t handle = cursor_u32(&c), min = cursor_u32(&c);
    return (struct zone_dyn){handle, b->recs[rec].ttl_s, min};
}
