/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/opt.h"

#include <string.h>

#include "answer/body.h"
#include "wire/cursor.h"

enum { OPT_BYTES = 11, KEEPALIVE_BYTES = 2, ECS_HEAD = 4, INFO_CODE_BYTES = 2 };

/* RFC 8467 section 4.1: responses are padded to a multiple of this. */
#define PAD_BLOCK 468u

/* RFC 8914 section 4, and what we say with each where `ede` allows it. */
static const struct {
    uint16_t info_code;
    const char *text;
} errors[] = {
    [ANSWER_ERROR_NONE] = {0, ""},
    [ANSWER_ERROR_NOT_AUTHORITATIVE] = {20, "no zone of this server holds this name"},
    [ANSWER_ERROR_NOT_SUPPORTED] = {21, "operation, type or class not supported"},
    [ANSWER_ERROR_STALE] = {0, "health data is stale"},
};

static bool sends_keepalive(const struct response *r)
{
    return r->a->tcp && r->a->send_keepalive;
}

size_t opt_reserve(const struct response *r)
{
    const struct query *q = &r->rq->query;
    if (!q->edns)
        return 0;
    size_t n = OPT_BYTES;
    unsigned seen = q->opt.seen;
    if (sends_keepalive(r))
        n += EDNS_OPTION_HEAD + KEEPALIVE_BYTES;
    if (!seen)
        return n;
    if (seen & EDNS_SEEN_ECS)
        n += EDNS_OPTION_HEAD + ECS_HEAD + q->opt.ecs.addr_len;
    if (r->cookie != COOKIE_NONE)
        n += EDNS_OPTION_HEAD + cookie_answer_len(r->s->cookies);
    if ((seen & EDNS_SEEN_NSID) && r->s->options.nsid_len)
        n += EDNS_OPTION_HEAD + r->s->options.nsid_len;
    return n;
}

static void put_head(struct writer *w, enum edns_code code, size_t len)
{
    writer_u16(w, code);
    writer_u16(w, (uint16_t)len);
}

/* RFC 7871 section 7.2.1: family, source and address as asked; a source of 0 has no scope. */
static void put_ecs(struct writer *w, const struct response *r)
{
    const struct edns_ecs *ecs = &r->rq->query.opt.ecs;
    put_head(w, EDNS_ECS, ECS_HEAD + ecs->addr_len);
    writer_u16(w, ecs->family);
    writer_u8(w, ecs->source);
    writer_u8(w, ecs->source ? r->ecs_scope : 0);
    writer_bytes(w, ecs->addr, ecs->addr_len);
}

static void put_cookie(struct writer *w, struct response *r)
{
    uint8_t cookie[COOKIE_ANSWER_MAX];
    struct cookie_ask ask = response_cookie_ask(r);
    cookie_answer(r->s->cookies, &r->a->cookie_hours, &ask, r->cookie, cookie);
    put_head(w, EDNS_COOKIE, cookie_answer_len(r->s->cookies));
    writer_bytes(w, cookie, cookie_answer_len(r->s->cookies));
}

/* Left out, text first, where it does not fit (RFC 8914 section 3). */
static void put_error(struct writer *w, const struct response *r)
{
    const struct answer_options *o = &r->s->options;
    const char *text = o->ede_text ? errors[r->error].text : "";
    size_t text_len = strlen(text), fixed = EDNS_OPTION_HEAD + INFO_CODE_BYTES;
    if (r->error == ANSWER_ERROR_NONE || (!o->ede_codes && !o->ede_text))
        return;
    if (w->cap - w->at < fixed + text_len)
        text_len = 0;
    if (w->cap - w->at < fixed || (!text_len && !errors[r->error].info_code))
        return; /* "other" without a text says nothing */
    put_head(w, EDNS_ERROR, INFO_CODE_BYTES + text_len);
    writer_u16(w, errors[r->error].info_code);
    writer_bytes(w, text, text_len);
}

static void put_padding(struct writer *w)
{
    size_t bare = w->at + EDNS_OPTION_HEAD, padded = (bare + PAD_BLOCK - 1) / PAD_BLOCK * PAD_BLOCK;
    if (padded > w->cap)
        return;
    put_head(w, EDNS_PADDING, padded - bare);
    uint8_t *p = writer_room(w, padded - bare);
    if (p)
        memset(p, 0, padded - bare);
}

static void put_options(struct writer *w, struct response *r)
{
    unsigned seen = r->rq->query.opt.seen;
    if (seen & EDNS_SEEN_ECS)
        put_ecs(w, r);
    if (r->cookie != COOKIE_NONE)
        put_cookie(w, r);
    if (sends_keepalive(r)) {
        put_head(w, EDNS_KEEPALIVE, KEEPALIVE_BYTES);
        writer_u16(w, r->a->keepalive_100ms);
    }
    if ((seen & EDNS_SEEN_NSID) && r->s->options.nsid_len) {
        put_head(w, EDNS_NSID, r->s->options.nsid_len);
        writer_bytes(w, r->s->options.nsid, r->s->options.nsid_len);
    }
    put_error(w, r);
    if (r->a->pad)
        put_padding(w);
}

/* The record without options, rdlength 0, over p[0..OPT_BYTES-1]. */
static void write_fixed(const struct response *r, uint8_t *p)
{
    uint16_t size = r->s->options.advertised_udp;
    const uint8_t fixed[OPT_BYTES] = {0,
                                      RRTYPE_OPT >> 8,
                                      RRTYPE_OPT & 0xff,
                                      (uint8_t)(size >> 8),
                                      (uint8_t)size,
                                      (uint8_t)(r->rcode >> 4), /* extended rcode; version 0 */
                                      0,
                                      r->rq->query.dnssec_ok ? 0x80 : 0};
    memcpy(p, fixed, sizeof fixed);
}

void opt_write(struct response *r, size_t limit)
{
    write_fixed(r, r->enc.out + r->enc.len); /* room was kept */
    r->enc.len += OPT_BYTES;
    if (!r->rq->query.opt.seen && !r->a->tcp && r->error == ANSWER_ERROR_NONE)
        return;
    struct writer w = writer_on(r->enc.out, limit);
    size_t options = w.at = r->enc.len;
    put_options(&w, r);
    writer_set_u16(&w, options - 2, (uint16_t)(w.at - options));
    r->enc.len = w.at;
}
