/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "net/dso.h"

#include "wire/cursor.h"
#include "wire/query.h"
#include "wire/rrtype.h"

/* Section 10.3 */
enum { TLV_KEEPALIVE = 1, TLV_RETRY_DELAY = 2, TLV_PADDING = 3 };
enum { KEEPALIVE_BYTES = 8, TLV_HEAD = 4, FLAG_QR = 0x80, OPCODE_SHIFT = 3, OPCODE_MASK = 15 };
/* Section 6.5.2: no keepalive traffic is asked for. */
#define INTERVAL_INFINITE 0xffffffffu

bool dso_is_request(const uint8_t *msg, size_t len)
{
    return len >= DNS_HEADER && !(msg[2] & FLAG_QR) &&
           (msg[2] >> OPCODE_SHIFT & OPCODE_MASK) == OPCODE_DSO;
}

/* Additional TLVs: they must fit, and nothing in them concerns us (section 5.4.5). */
static bool rest_fits(struct cursor *c)
{
    while (!c->failed && cursor_left(c)) {
        (void)cursor_u16(c); /* the type */
        (void)cursor_bytes(c, cursor_u16(c));
    }
    return !c->failed;
}

static enum dso_verdict judge_primary(unsigned type, size_t len)
{
    switch (type) {
    case TLV_KEEPALIVE: return len == KEEPALIVE_BYTES ? DSO_KEEPALIVE : DSO_FATAL;
    case TLV_RETRY_DELAY: /* for servers to send (section 7.2.1) */
    case TLV_PADDING: /* never the primary one (section 7.3) */ return DSO_FATAL;
    }
    return DSO_TYPENI;
}

enum dso_verdict dso_parse(const uint8_t *msg, size_t len)
{
    struct cursor c = cursor_on(msg, len);
    unsigned id = cursor_u16(&c), counts = 0;
    (void)cursor_u16(&c); /* bits that are ignored (section 5.4.1) */
    for (int i = 0; i < 4; i++)
        counts |= cursor_u16(&c);
    if (counts)
        return DSO_FORMERR;
    if (id == 0) /* unidirectional: there is none that a client may send us (5.4.5, 7.1.2) */
        return DSO_FATAL;
    unsigned type = cursor_u16(&c);
    size_t tlv_len = cursor_u16(&c);
    (void)cursor_bytes(&c, tlv_len);
    return rest_fits(&c) ? judge_primary(type, tlv_len) : DSO_FATAL;
}

static void write_header(struct writer *w, const uint8_t *id, unsigned flags, unsigned rcode)
{
    const uint8_t head[DNS_HEADER] = {id[0], id[1], (uint8_t)(flags | OPCODE_DSO << OPCODE_SHIFT),
                                      (uint8_t)rcode};
    writer_bytes(w, head, sizeof head);
}

static void write_keepalive(struct writer *w, const struct dso_terms *t)
{
    writer_u16(w, TLV_KEEPALIVE);
    writer_u16(w, KEEPALIVE_BYTES);
    writer_u32(w, INTERVAL_INFINITE);
    writer_u32(w, t->inactivity_ms);
    if (!t->pad)
        return;
    size_t zeros = DSO_REPLY_MAX - w->at - TLV_HEAD;
    writer_u16(w, TLV_PADDING);
    writer_u16(w, (uint16_t)zeros);
    memset(writer_room(w, zeros), 0, zeros);
}

static unsigned rcode_of(enum dso_verdict v)
{
    switch (v) {
    case DSO_KEEPALIVE: return RCODE_NOERROR;
    case DSO_TYPENI: return RCODE_DSOTYPENI;
    case DSO_NOTIMP: return RCODE_NOTIMP;
    case DSO_FORMERR:
    case DSO_FATAL: break; /* has no reply */
    }
    return RCODE_FORMERR;
}

size_t dso_reply(enum dso_verdict v, const uint8_t *msg, const struct dso_terms *t,
                 uint8_t out[DSO_REPLY_MAX])
{
    struct writer w = writer_on(out, DSO_REPLY_MAX);
    write_header(&w, msg, FLAG_QR, rcode_of(v));
    if (v == DSO_KEEPALIVE)
        write_keepalive(&w, t);
    return w.at;
}

size_t dso_notice(const struct dso_terms *t, uint8_t out[DSO_REPLY_MAX])
{
    static const uint8_t no_id[2];
    struct writer w = writer_on(out, DSO_REPLY_MAX);
    write_header(&w, no_id, 0, RCODE_NOERROR);
    write_keepalive(&w, t);
    return w.at;
}
