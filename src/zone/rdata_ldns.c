/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zone/rdata_ldns.h"

#include <ldns/ldns.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "wire/rrtype.h"
#include "zone/rdfield.h"

/* ldns has no row of its own for what it does not know, but one that says so. */
bool rdata_ldns_knows(uint16_t type)
{
    const ldns_rr_descriptor *row = ldns_rr_descript(type);
    return row && row->_type == (ldns_rr_type)type && row->_maximum > 0;
}

/* The record as one line, its tokens as they were written; leaves p->t at the record's end. */
static char *make_line(struct parse *p, uint16_t type)
{
    struct buf b = {0};
    char name[16];
    buf_printf(&b, ". 0 IN %s", rrtype_print(type, name));
    for (; token_is_value(&p->t); scan_next(&p->scan, &p->t)) {
        const char *quote = p->t.kind == TOKEN_QUOTED ? "\"" : "";
        buf_printf(&b, " %s%.*s%s", quote, (int)p->t.len, p->t.at, quote);
    }
    return buf_take(&b);
}

static void put_rdata(const ldns_rr *rr, struct writer *w)
{
    ldns_buffer *wire = ldns_buffer_new(LDNS_MAX_PACKETLEN);
    if (wire && ldns_rr_rdata2buffer_wire(wire, rr) == LDNS_STATUS_OK)
        writer_bytes(w, ldns_buffer_begin(wire), ldns_buffer_position(wire));
    else
        w->failed = true;
    ldns_buffer_free(wire);
}

int rdata_ldns_parse(struct parse *p, uint16_t type, struct writer *w)
{
    struct token start = p->t;
    char text[16];
    ldns_rr *rr = NULL;
    if (!token_is_value(&p->t))
        return rdtext_refuse(p, "rdata");
    char *line = make_line(p, type);
    ldns_rdf *origin = ldns_rdf_new_frm_data(LDNS_RDF_TYPE_DNAME, dname_len(p->origin), p->origin);
    ldns_status e = ldns_rr_new_frm_str(&rr, line, 0, origin, NULL);
    mem_free(line);
    ldns_rdf_deep_free(origin);
    if (e != LDNS_STATUS_OK)
        return diag_error(p->d, parse_loc(p, &start),
                          "not the rdata of %s: %s; \\# length hex is read for every type",
                          rrtype_print(type, text), ldns_get_errorstr_by_id(e));
    put_rdata(rr, w);
    ldns_rr_free(rr);
    return 0;
}

bool rdata_ldns_is_valid(uint16_t type, const uint8_t *rdata, size_t len)
{
    size_t pos = 0;
    ldns_rr *rr = NULL;
    if (!rdata_ldns_knows(type))
        return true;
    uint8_t *wire = mem_alloc(len + 11); /* the owner ".", type, class, TTL, length */
    struct writer w = writer_on(wire, len + 11);
    writer_u8(&w, 0);
    writer_u16(&w, type);
    writer_u16(&w, RRCLASS_IN);
    writer_u32(&w, 0);
    writer_u16(&w, (uint16_t)len);
    writer_bytes(&w, rdata, len);
    ldns_status e = ldns_wire2rr(&rr, wire, w.at, &pos, LDNS_SECTION_ANSWER);
    mem_free(wire);
    ldns_rr_free(rr);
    return e == LDNS_STATUS_OK && pos == len + 11;
}
