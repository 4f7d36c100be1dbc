/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/chaos.h"

#include <string.h>

#include "answer/body.h"
#include "wire/cursor.h"

#define NAME(text) (const uint8_t *)(text), sizeof(text)

/* sizeof counts the NUL: the root label. */
static const struct {
    const uint8_t *name;
    size_t len;
    bool is_version;
} names[] = {
    {NAME("\7version\4bind"), true},
    {NAME("\7version\6server"), true},
    {NAME("\2id\6server"), false},
    {NAME("\10hostname\4bind"), false},
};

/* The text that a name stands for; NULL = nothing of ours. */
static const struct answer_text *text_of(const struct response *r)
{
    const struct answer_options *o = &r->s->options;
    const struct qname *q = &r->rq->query.qname;
    if (o->gdnsd) /* any name */
        return &o->chaos_version;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].len == q->len && memcmp(names[i].name, q->wire, q->len) == 0)
            return names[i].is_version ? &o->chaos_version : &o->chaos_id;
    return NULL;
}

static void put_txt(struct response *r, const struct answer_text *text)
{
    uint8_t rr[16 + sizeof text->bytes];
    struct writer w = writer_on(rr, sizeof rr);
    if (r->rq->query.qname.len > 1)
        writer_u16(&w, 0xc000 | QUERY_OFFSET);
    else
        writer_u8(&w, 0); /* the root's name is no pointer */
    writer_u16(&w, RRTYPE_TXT);
    writer_u16(&w, RRCLASS_CH);
    writer_u32(&w, 0); /* TTL: not to be cached */
    writer_u16(&w, (uint16_t)(text->len + 1));
    writer_u8(&w, text->len);
    writer_bytes(&w, text->bytes, text->len);
    encoder_copy(&r->enc, SECTION_ANSWER, rr, w.at, 1);
}

void chaos_write(struct response *r)
{
    const struct answer_text *text = r->s->options.chaos ? text_of(r) : NULL;
    uint16_t qtype = r->rq->query.qtype;
    if (!text || !text->len) {
        r->rcode = RCODE_REFUSED;
        return;
    }
    r->aa = !r->s->options.gdnsd;
    if (r->s->options.gdnsd || qtype == RRTYPE_TXT || qtype == RRTYPE_ANY)
        put_txt(r, text);
}
