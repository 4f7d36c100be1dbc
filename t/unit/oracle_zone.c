/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ldns as second opinion: a zone of more than 200 records is read by it and by us; all rrsets are
 * equal byte for byte, and every ready-made block, behind a header and a question, is a packet that
 * ldns reads as the same records. */
#include <ldns/ldns.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "unit/run.h"
#include "unit/zone_lib.h"
#include "wire/cursor.h"

#define APEX_TEXT "oracle.example."

/* Forms that both read; the bulk is generated below. */
static const char forms[] =
    "$TTL 3600\n$ORIGIN oracle.example.\n"
    "@ IN SOA ns1 host\\.master ( 2026010101 ; serial\n 7200 900\n 1209600 300 )\n"
    "@ IN NS ns1\n@ NS ns2.other.example.\n"
    "ns1 IN A 192.0.2.1\n IN AAAA 2001:db8::1\n"
    "MiXed 60 IN A 192.0.2.3\nmixed 60 IN A 192.0.2.2\n"
    "@ MX 10 mail\n@ MX 20 mail.sub\n@ MX 30 a.mail.sub\n@ MX 0 oracle.example.\n"
    "mail A 192.0.2.25\nmail.sub A 192.0.2.26\na.mail.sub A 192.0.2.27\n"
    "txt TXT plain \"quoted string\" \"semi;colon\" \"esc\\\"aped\" \"\\000\\255\" \"\"\n"
    "cn CNAME MAIL\ncn.deep.er CNAME elsewhere.example.\n"
    "*.wild TXT star\n*.wild MX 1 mail\n"
    "sub.deleg NS ns.sub.deleg\nns.sub.deleg A 192.0.2.40\n"
    "_sip._tcp 120 IN SRV 1 2 5060 mail\n_sip._tcp 120 IN SRV 1 2 5061 a.mail.sub\n"
    "caa CAA 0 issue \"ca.example; policy=1\"\ncaa CAA 128 iodef \"mailto:a@b.example\"\n"
    "naptr NAPTR 100 50 \"s\" \"z3950+I2L+N2L\" \"\" _z3950._tcp.mail\n"
    "unknown TYPE65500 \\# 5 0102 030405\nempty TYPE65501 \\# 0\n"
    "esc\\.aped.name A 192.0.2.50\n\\065bc A 192.0.2.51\n"
    "$ORIGIN 2.0.192.oracle.example.\n1 PTR one.example.\n2 PTR two.example.\n"
    "$ORIGIN oracle.example.\n";

static char *make_text(void)
{
    struct buf b = {0};
    buf_adds(&b, forms);
    for (int i = 0; i < 60; i++) {
        buf_printf(&b, "h%d %d IN A 10.0.%d.%d\n", i, 60 + i, i, i);
        buf_printf(&b, "h%d %d IN A 10.1.%d.%d\n", i, 60 + i, i, i);
        buf_printf(&b, "h%d IN AAAA 2001:db8::%x\n", i % 40, i);
        buf_printf(&b, "m%d MX %d h%d.n%d\n", i % 15, i, i % 3, i % 2);
        buf_printf(&b, "t%d.%s TXT \"number %d\" x%d\n", i, i % 2 ? "deep" : "a.b.c", i, i);
    }
    return buf_take(&b);
}

/* Owner and wire of one RR as we store it. */
struct rr {
    uint8_t owner[DNAME_MAX];
    uint16_t type;
    uint32_t ttl_s;
    const uint8_t *rdata;
    size_t rdata_len;
    ldns_buffer *wire;
};

static void rr_from_ldns(const ldns_rr *rr, struct rr *out)
{
    ldns_rr *canonical = ldns_rr_clone(rr);
    out->wire = ldns_buffer_new(LDNS_MAX_PACKETLEN);
    ldns_rr2canonical(canonical);
    ck_assert_int_eq(ldns_rr2buffer_wire(out->wire, canonical, LDNS_SECTION_ANSWER),
                     LDNS_STATUS_OK);
    ldns_rr_free(canonical);
    struct cursor c = cursor_on(ldns_buffer_begin(out->wire), ldns_buffer_position(out->wire));
    size_t len = cursor_name_len(&c);
    memcpy(out->owner, cursor_bytes(&c, len), len);
    dname_lower(out->owner, len);
    out->type = cursor_u16(&c);
    (void)cursor_u16(&c);
    out->ttl_s = cursor_u32(&c);
    out->rdata_len = cursor_u16(&c);
    out->rdata = cursor_bytes(&c, out->rdata_len);
    ck_assert(!c.failed);
}

/* All RRs of a set, one after another, uncompressed. */
static struct cursor rrs_of(const struct rrset *set)
{
    static uint8_t written[UINT16_MAX];
    struct prng r;
    prng_init_from(&r, 1);
    if (rrtype_is_address(set->type)) {
        addrset_write(&set->addrs, set->ttl_s, &r, written);
        return cursor_on(written, addrset_answer_bytes(&set->addrs));
    }
    return cursor_on(set->rrs.plain, set->rrs.plain_len);
}

static bool set_has(const struct rrset *set, const struct rr *rr)
{
    struct cursor c = rrs_of(set);
    for (unsigned i = 0; i < set->count; i++) {
        ck_assert_uint_eq(cursor_u16(&c), 0xc00c);
        ck_assert_uint_eq(cursor_u16(&c), set->type);
        ck_assert_uint_eq(cursor_u16(&c), RRCLASS_IN);
        ck_assert_uint_eq(cursor_u32(&c), set->ttl_s);
        size_t len = cursor_u16(&c);
        const uint8_t *rdata = cursor_bytes(&c, len);
        if (rdata && len == rr->rdata_len && memcmp(rdata, rr->rdata, len) == 0)
            return true;
    }
    return false;
}

static const struct rrset *find_set(const struct zone_set *s, const struct rr *rr)
{
    const struct node *n = zone_find_name(lib_zone(s), rr->owner, s->seed);
    ck_assert_ptr_nonnull(n);
    return node_find_set(n, rr->type);
}

static void same_record(const struct zone_set *s, const ldns_rr *theirs)
{
    struct rr rr;
    char *text = ldns_rr2str(theirs);
    rr_from_ldns(theirs, &rr);
    const struct rrset *set = find_set(s, &rr);
    ck_assert_msg(set != NULL, "missing: %s", text);
    ck_assert_msg(set->ttl_s == rr.ttl_s, "TTL %u of %s", set->ttl_s, text);
    ck_assert_msg(set_has(set, &rr), "differs: %s", text);
    ldns_buffer_free(rr.wire);
    free(text);
}

/* header, question, block -> the packet's answer section as ldns reads it. */
static void same_packet(const struct zone_set *s, const struct node *n, const struct rrset *set,
                        struct prng *r)
{
    static uint8_t packet[UINT16_MAX];
    struct writer w = writer_on(packet, sizeof packet);
    bool is_address = rrtype_is_address(set->type);
    writer_u16(&w, 1);
    writer_u16(&w, 0x8400);
    writer_u16(&w, 1);
    writer_u16(&w, set->count);
    writer_u32(&w, 0);
    writer_bytes(&w, n->name, n->name_len);
    writer_u16(&w, set->type);
    writer_u16(&w, RRCLASS_IN);
    if (is_address)
        addrset_write(&set->addrs, set->ttl_s, r,
                      writer_room(&w, addrset_answer_bytes(&set->addrs)));
    else
        writer_bytes(&w, set->rrs.block, set->rrs.block_len);
    ldns_pkt *p = NULL;
    ck_assert_int_eq(ldns_wire2pkt(&p, packet, w.at), LDNS_STATUS_OK);
    const ldns_rr_list *answer = ldns_pkt_answer(p);
    ck_assert_uint_eq(ldns_rr_list_rr_count(answer), set->count);
    for (size_t i = 0; i < set->count; i++) {
        struct rr rr;
        rr_from_ldns(ldns_rr_list_rr(answer, i), &rr);
        ck_assert(dname_equal(rr.owner, n->name));
        ck_assert_ptr_eq(find_set(s, &rr), set);
        ck_assert(set_has(set, &rr));
        ldns_buffer_free(rr.wire);
    }
    ldns_pkt_free(p);
}

static ldns_zone *read_by_ldns(const char *text)
{
    ldns_zone *z = NULL;
    FILE *f = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    ldns_rdf *origin = ldns_dname_new_frm_str(APEX_TEXT);
    ck_assert_int_eq(ldns_zone_new_frm_fp(&z, f, origin, 3600, LDNS_RR_CLASS_IN), LDNS_STATUS_OK);
    ldns_rdf_deep_free(origin);
    fclose(f);
    return z;
}

START_TEST(zone_equals_ldns)
{
    struct zone_options o = lib_options();
    struct diag d = {0};
    struct zone_set *s;
    char *text = make_text();
    int e = lib_load("oracle.example", text, &o, &d, &s);
    ck_assert_msg(e == 0, "%s", d.count ? d.entries[0].text : "");
    ldns_zone *z = read_by_ldns(text);
    size_t count = ldns_zone_rr_count(z);
    ck_assert_uint_ge(count, 200);
    same_record(s, ldns_zone_soa(z));
    for (size_t i = 0; i < count; i++)
        same_record(s, ldns_rr_list_rr(ldns_zone_rrs(z), i));
    ck_assert_uint_eq(s->rr_count, count + 1);
    ldns_zone_deep_free(z);
    mem_free(text);
    zone_set_unref(s);
    diag_fini(&d);
}
END_TEST

/* By way of the names that ldns read, each type at each. */
START_TEST(blocks_are_packets)
{
    struct zone_options o = lib_options();
    struct diag d = {0};
    struct zone_set *s;
    struct prng r;
    char *text = make_text();
    prng_init_from(&r, 3);
    ck_assert_int_eq(lib_load("oracle.example", text, &o, &d, &s), 0);
    ldns_zone *z = read_by_ldns(text);
    size_t sets = 0;
    for (size_t i = 0; i < ldns_zone_rr_count(z); i++) {
        struct rr rr;
        rr_from_ldns(ldns_rr_list_rr(ldns_zone_rrs(z), i), &rr);
        const struct node *n = zone_find_name(lib_zone(s), rr.owner, s->seed);
        for (unsigned k = 0; k < n->set_count; k++, sets++)
            if (!rrset_is_ready(n, &n->sets[k])) /* those are for other names */
                same_packet(s, n, &n->sets[k], &r);
        ldns_buffer_free(rr.wire);
    }
    ck_assert_uint_ge(sets, 200);
    ldns_zone_deep_free(z);
    mem_free(text);
    zone_set_unref(s);
    diag_fini(&d);
}
END_TEST

static Suite *oracle_suite(void)
{
    Suite *s = suite_create("oracle_zone");
    TCase *t = tcase_create("oracle_zone");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, zone_equals_ldns);
    tcase_add_test(t, blocks_are_packets);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(oracle_suite)
