/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ldns as second opinion on rdata: for every type that ldns can read, random values in text are
 * read by it and by us; the bytes are equal, ldns reads ours, and reads the same out of the answer
 * to a question for them.  THRESH_LONG=1 makes ten times as many.  Values are made from the rows of
 * wire/rdata; types without a row, which ldns reads for us, from texts with placeholders. */
#include <stdbool.h>

#include <arpa/inet.h>
#include <ldns/ldns.h>
#include <string.h>
#include <time.h>

#include "base/attrs.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/prng.h"
#include "lib/bare.h"
#include "unit/run.h"
#include "unit/zone_lib.h"
#include "wire/cursor.h"
#include "wire/rdata.h"
#include "zone/rdata_ldns.h"

#define VALUES 2000 /* of each type, in a zone of their own */

static uint32_t below(struct prng *r, uint32_t n)
{
    return prng_below(r, n);
}

/* --- one field --- */

static void make_name(struct buf *b, struct prng *r)
{
    unsigned labels = 1 + below(r, 4);
    for (unsigned i = 0; i < labels; i++) {
        for (unsigned n = 1 + below(r, 6); n > 0; n--)
            buf_printf(b, "%c", "abcdefghijklmnopqrstuvwxyz0123456789-_"[below(r, 38)]);
        buf_adds(b, i + 1 < labels || below(r, 2) ? "." : "");
    }
}

static void make_chars(struct buf *b, struct prng *r, const char *from, unsigned n)
{
    for (; n > 0; n--)
        buf_printf(b, "%c", from[below(r, (uint32_t)strlen(from))]);
}

static void make_string(struct buf *b, struct prng *r, unsigned least)
{
    buf_adds(b, "\"");
    for (unsigned n = least + below(r, 40); n > 0; n--) {
        unsigned c = below(r, 256);
        if (c < 32 || c > 126 || below(r, 10) == 0)
            buf_printf(b, "\\%03u", c);
        else if (c == '"' || c == '\\')
            buf_printf(b, "\\%c", (char)c);
        else
            buf_printf(b, "%c", (char)c);
    }
    buf_adds(b, "\"");
}

static void make_address(struct buf *b, struct prng *r, int family)
{
    uint8_t addr[16];
    char text[INET6_ADDRSTRLEN];
    for (unsigned i = 0; i < sizeof addr; i++)
        addr[i] = (uint8_t)(below(r, 3) ? below(r, 256) : 0);
    buf_adds(b, inet_ntop(family, addr, text, sizeof text));
}

static void make_hex(struct buf *b, struct prng *r, unsigned bytes)
{
    make_chars(b, r, "0123456789abcdefABCDEF", bytes * 2);
}

static void make_base64(struct buf *b, struct prng *r)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    make_chars(b, r, digits, 4 * (1 + below(r, 30)));
    switch (below(r, 3)) {
    case 0: buf_printf(b, "%cA==", digits[below(r, 64)]); break;
    case 1: buf_printf(b, "%c%cA=", digits[below(r, 64)], digits[below(r, 64)]); break;
    }
}

static void make_groups(struct buf *b, struct prng *r, unsigned groups, unsigned bytes, char mark)
{
    for (unsigned i = 0; i < groups; i++) {
        if (i)
            buf_printf(b, "%c", mark);
        make_hex(b, r, bytes);
    }
}

static void make_time(struct buf *b, struct prng *r)
{
    time_t t = (time_t)below(r, UINT32_MAX);
    struct tm tm;
    char text[16];
    gmtime_r(&t, &tm);
    strftime(text, sizeof text, "%Y%m%d%H%M%S", &tm);
    buf_adds(b, text);
}

static const char *type_name(struct prng *r)
{
    static const char *const names[] = {"A",  "NS",   "SOA",  "MX",    "TXT",    "AAAA",  "SRV",
                                        "DS", "TLSA", "NSEC", "RRSIG", "DNSKEY", "TYPE7", "CAA"};
    return names[below(r, array_len(names))];
}

static void make_types(struct buf *b, struct prng *r)
{
    for (unsigned n = 1 + below(r, 6); n > 0; n--) {
        if (below(r, 4))
            buf_printf(b, "%s ", type_name(r));
        else
            buf_printf(b, "TYPE%u ", 256 + below(r, 60000));
    }
}

static void make_loc(struct buf *b, struct prng *r)
{
    buf_printf(b, "%u %u %u.%03u %c ", below(r, 90), below(r, 60), below(r, 60), below(r, 1000),
               "NS"[below(r, 2)]);
    buf_printf(b, "%u %u %u.%03u %c ", below(r, 180), below(r, 60), below(r, 60), below(r, 1000),
               "EW"[below(r, 2)]);
    buf_printf(b, "%s%u.00m %um %um %um", below(r, 2) ? "-" : "", below(r, 90000), 1 + below(r, 9),
               10 * (1 + below(r, 9)), 1000 * (1 + below(r, 9)));
}

static void make_apl(struct buf *b, struct prng *r)
{
    for (unsigned n = 1 + below(r, 4); n > 0; n--) {
        bool is_ipv4 = below(r, 2);
        buf_printf(b, "%s%d:", below(r, 2) ? "!" : "", is_ipv4 ? 1 : 2);
        make_address(b, r, is_ipv4 ? AF_INET : AF_INET6);
        buf_printf(b, "/%u ", below(r, is_ipv4 ? 33 : 129));
    }
}

static void make_host(struct buf *b, struct prng *r, unsigned kind)
{
    switch (kind) {
    case 0: buf_adds(b, "."); break;
    case 1: make_address(b, r, AF_INET); break;
    case 2: make_address(b, r, AF_INET6); break;
    case 3:
        make_name(b, r);
        buf_adds(b, b->data[b->len - 1] == '.' ? "" : "."); /* ldns knows no origin here */
        break;
    }
}

static void make_params(struct buf *b, struct prng *r)
{
    if (below(r, 2))
        buf_printf(b, "alpn=h2%s ", below(r, 2) ? ",h3" : "");
    if (below(r, 2))
        buf_printf(b, "port=%u ", below(r, 65536));
    if (below(r, 2)) {
        buf_adds(b, "ipv4hint=");
        make_address(b, r, AF_INET);
        buf_adds(b, ",");
        make_address(b, r, AF_INET);
        buf_adds(b, " ");
    }
    if (below(r, 2))
        buf_printf(b, "key%u=abc", 1000 + below(r, 1000));
}

static void make_field(struct buf *b, struct prng *r, enum rdata_kind kind)
{
    switch (kind) {
    case RDATA_END: break;
    case RDATA_NAME_COMPRESSED:
    case RDATA_NAME: make_name(b, r); break;
    case RDATA_U8:
    case RDATA_ALGORITHM:
    case RDATA_SCHEME: buf_printf(b, "%u", below(r, 256)); break;
    case RDATA_U16:
    case RDATA_CERT: buf_printf(b, "%u", below(r, 65536)); break;
    case RDATA_U32:
    case RDATA_TTL:
    case RDATA_SERIAL: buf_printf(b, "%u", below(r, UINT32_MAX)); break;
    case RDATA_IPV4: make_address(b, r, AF_INET); break;
    case RDATA_IPV6: make_address(b, r, AF_INET6); break;
    case RDATA_STRING: make_string(b, r, 0); break;
    case RDATA_STRINGS:
        make_string(b, r, 0);
        buf_adds(b, " ");
        make_string(b, r, 0);
        break;
    case RDATA_TAG: make_chars(b, r, "abcdefghij0123456789", 1 + below(r, 12)); break;
    case RDATA_TEXT:
    case RDATA_URI: make_string(b, r, 1); break;
    case RDATA_TIME: make_time(b, r); break;
    case RDATA_TYPE: buf_adds(b, type_name(r)); break;
    case RDATA_EUI48: make_groups(b, r, 6, 1, '-'); break;
    case RDATA_EUI64: make_groups(b, r, 8, 1, '-'); break;
    case RDATA_ILNP64: make_groups(b, r, 4, 2, ':'); break;
    case RDATA_HEX: make_hex(b, r, 1 + below(r, 60)); break;
    case RDATA_BASE64:
    case RDATA_IPSECKEY: make_base64(b, r); break;
    case RDATA_SALT: make_hex(b, r, 1 + below(r, 8)); break;
    case RDATA_BASE32: make_chars(b, r, "0123456789abcdefghijklmnopqrstuv", 32); break;
    case RDATA_BITMAP: make_types(b, r); break;
    case RDATA_LOC: make_loc(b, r); break;
    case RDATA_APL: make_apl(b, r); break;
    case RDATA_GATEWAY:
    case RDATA_RELAY: break; /* made whole, below */
    case RDATA_SVCPARAMS: make_params(b, r); break;
    }
}

/* --- one record --- */

static void make_ipseckey(struct buf *b, struct prng *r)
{
    unsigned kind = below(r, 4);
    buf_printf(b, "%u %u %u ", below(r, 256), kind, 1 + below(r, 3));
    make_host(b, r, kind);
    buf_adds(b, " ");
    make_base64(b, r);
}

static void make_row(struct buf *b, struct prng *r, const struct rdata_type *row)
{
    if (row->type == 45) {
        make_ipseckey(b, r);
        return;
    }
    for (const uint8_t *kind = row->fields; *kind != RDATA_END; kind++) {
        buf_adds(b, kind == row->fields ? "" : " ");
        make_field(b, r, (enum rdata_kind) * kind);
    }
    if (row->type == RRTYPE_SVCB || row->type == RRTYPE_HTTPS)
        for (char *p = b->data; *p == '0'; p++) /* priority 0 has no parameters */
            *p = '1';
}

/* Types that only ldns reads: # a number, d digits, h hexadecimal, n a name, b base64, s a string,
 * 4 an IPv4 address. */
static const struct {
    uint16_t type;
    const char *form;
} rare[] = {
    {11, "4 tcp 25 80"},       {19, "\"d\""},        {20, "\"d\" \"d\""}, {22, "0xh"},
    {27, "\"d\" \"d\" \"d\""}, {55, "2 h b n n"},    {58, "n n"},         {31 /* EID */, "h"},
    {32 /* NIMLOC */, "h"},    {34 /* ATMA */, "h"},
};

static void make_rare(struct buf *b, struct prng *r, const char *form)
{
    for (; *form; form++) {
        switch (*form) {
        case '#': buf_printf(b, "%u", below(r, 256)); break;
        case 'd': make_chars(b, r, "0123456789", 4 + below(r, 12)); break;
        case 'h': make_hex(b, r, 16); break;
        case 'n':
            make_chars(b, r, "abcdefgh", 3);
            buf_adds(b, ".z.");
            break;
        case 'b': make_base64(b, r); break;
        case '4': make_address(b, r, AF_INET); break;
        default: buf_printf(b, "%c", *form);
        }
    }
}

/* --- comparison --- */

/* "x TYPEn text" read by ldns, in canonical form, and its rdata; false = ldns cannot. */
static bool rdata_by_ldns(const char *line, ldns_buffer *wire)
{
    ldns_rr *rr = NULL;
    ldns_rdf *origin = ldns_dname_new_frm_str("z.");
    ldns_status e = ldns_rr_new_frm_str(&rr, line, 300, origin, NULL);
    ldns_rdf_deep_free(origin);
    if (e != LDNS_STATUS_OK)
        return false;
    ldns_buffer_clear(wire);
    ck_assert_int_eq(ldns_rr_rdata2buffer_wire(wire, rr), LDNS_STATUS_OK);
    ldns_rr_free(rr);
    return true;
}

static char *hex(const uint8_t *bytes, size_t len)
{
    struct buf b = {0};
    for (size_t i = 0; i < len; i++)
        buf_printf(&b, "%02x", bytes[i]);
    return buf_take(&b);
}

/* Rdata of the only record of a type at the name. */
static struct cursor rdata_of(const struct zone_set *s, const char *owner, uint16_t type)
{
    struct zone_match m = lib_find(s, owner);
    ck_assert(m.exact);
    const struct rrset *set = node_find_set(m.node, type);
    ck_assert_ptr_nonnull(set);
    if (rrtype_is_address(type))
        return cursor_on(set->addrs.addrs, set->addrs.addr_bytes);
    struct cursor c = cursor_on(set->rrs.plain, set->rrs.plain_len);
    (void)cursor_bytes(&c, 10);
    size_t len = cursor_u16(&c);
    return cursor_on(cursor_bytes(&c, len), len);
}

static void same_value(const struct zone_set *s, const char *owner, uint16_t type, const char *line,
                       ldns_buffer *wire)
{
    struct cursor ours = rdata_of(s, owner, type);
    size_t len = ldns_buffer_position(wire);
    const uint8_t *theirs = ldns_buffer_begin(wire);
    bool is_same = len == ours.len && memcmp(theirs, ours.base, len) == 0;
    if (!is_same)
        ck_abort_msg("%s: ldns makes %s, not %s", line, hex(theirs, len), hex(ours.base, ours.len));
    ck_assert_msg(rdata_ldns_is_valid(type, ours.base, ours.len), "ldns cannot read %s", line);
    ck_assert(!rdata_type_find(type) || rdata_is_valid(rdata_type_find(type), ours.base, ours.len));
}

/* --- back by query --- */

/* The answer to a question for the name and type, as ldns reads it. */
static ldns_pkt *ask(struct bare *b, const struct snapshot *s, const char *owner, uint16_t type)
{
    static uint8_t out[ANSWER_TCP_MAX];
    uint8_t q[300] = {0, 1, 0, 0, 0, 1};
    struct request rq = {0};
    ldns_pkt *p = NULL;
    int n = dname_parse(owner, strlen(owner), NULL, q + 12);
    ck_assert_int_gt(n, 0);
    uint8_t tail[4] = {(uint8_t)(type >> 8), (uint8_t)type, 0, 1};
    memcpy(q + 12 + n, tail, sizeof tail);
    size_t len = answer_one(&b->a, &rq, s, q, (size_t)n + 16, out, sizeof out);
    ck_assert_int_eq(ldns_wire2pkt(&p, out, len), LDNS_STATUS_OK);
    return p;
}

/* The only record of the type in the answer, or in the referral that NS gives, has the rdata in
 * `wire`: of ldns, from the text. */
static void same_answer(struct bare *b, const struct snapshot *s, const char *owner, uint16_t type,
                        const char *line, ldns_buffer *wire)
{
    ldns_pkt *p = ask(b, s, owner, type);
    ldns_buffer *got = ldns_buffer_new(LDNS_MAX_PACKETLEN);
    bool is_referral = type == RRTYPE_NS;
    const ldns_rr_list *l = is_referral ? ldns_pkt_authority(p) : ldns_pkt_answer(p);
    ck_assert_msg(ldns_rr_list_rr_count(l) == 1, "%s: %zu records", line, ldns_rr_list_rr_count(l));
    const ldns_rr *rr = ldns_rr_list_rr(l, 0);
    ck_assert_uint_eq(ldns_rr_get_type(rr), type);
    ck_assert_uint_eq(ldns_rr_ttl(rr), 300);
    ck_assert_int_eq(ldns_rr_rdata2buffer_wire(got, rr), LDNS_STATUS_OK);
    size_t len = ldns_buffer_position(wire);
    if (ldns_buffer_position(got) != len ||
        memcmp(ldns_buffer_begin(got), ldns_buffer_begin(wire), len) != 0)
        ck_abort_msg("%s: the answer has %s", line,
                     hex(ldns_buffer_begin(got), ldns_buffer_position(got)));
    ldns_buffer_free(got);
    ldns_pkt_free(p);
}

/* --- one type --- */

/* What is compared: a row, or the form of a type that has none. */
struct subject {
    uint16_t type;
    const struct rdata_type *row;
    const char *form;
};

static struct buf make_line(const struct subject *j, struct prng *r, const char *owner)
{
    struct buf text = {0}, line = {0};
    char name[16];
    buf_adds(&text, "");
    if (j->row)
        make_row(&text, r, j->row);
    else
        make_rare(&text, r, j->form);
    buf_printf(&line, "%s 300 IN %s %s", owner, rrtype_print(j->type, name), text.data);
    buf_fini(&text);
    return line;
}

/* `count` lines of the type, whose owners are called by `owner`, in a zone behind `head`. Returns
 * how many ldns could read. */
static unsigned compare_zone(struct bare *b, const struct subject *j, const char *head,
                             const char *owner, const struct buf *lines, unsigned count)
{
    const struct zone_options o = lib_options();
    struct buf zone = {0};
    unsigned read = 0;
    ldns_buffer *wire = ldns_buffer_new(LDNS_MAX_PACKETLEN);
    buf_adds(&zone, head);
    for (unsigned i = 0; i < count; i++)
        buf_printf(&zone, "%s\n", lines[i].data);
    struct snapshot *s = bare_load(b, "z", zone.data, &o, false);
    ck_assert_msg(s != NULL, "%s", b->d.count ? b->d.entries[0].text : "");
    for (unsigned i = 0; i < count; i++) {
        char *name = mem_printf(owner, i);
        if (rdata_by_ldns(lines[i].data, wire)) {
            same_value(s->zones, name, j->type, lines[i].data, wire);
            same_answer(b, s, name, j->type, lines[i].data, wire);
            read++;
        }
        mem_free(name);
    }
    ldns_buffer_free(wire);
    buf_fini(&zone);
    snapshot_free(s);
    return read;
}

/* Labels of seven letters and more: no target that make_name makes is among the owners. */
static unsigned compare_many(struct bare *b, const struct subject *j, struct prng *r)
{
    static struct buf lines[VALUES];
    for (unsigned i = 0; i < VALUES; i++) {
        char owner[24];
        (void)snprintf(owner, sizeof owner, "record%u", i); /* fits */
        lines[i] = make_line(j, r, owner);
    }
    unsigned read = compare_zone(b, j, APEX, "record%u.z.", lines, VALUES);
    for (unsigned i = 0; i < VALUES; i++)
        buf_fini(&lines[i]);
    return read;
}

/* A zone has one SOA. */
static unsigned compare_soas(struct bare *b, const struct subject *j, struct prng *r)
{
    unsigned read = 0;
    for (unsigned i = 0; i < VALUES; i++) {
        struct buf line = make_line(j, r, "z.");
        read += compare_zone(b, j, "z. 300 NS ns.example.\n", "z.", &line, 1);
        buf_fini(&line);
    }
    return read;
}

static void compare_type(const struct subject *j)
{
    struct bare b;
    struct prng r;
    unsigned rounds = getenv("THRESH_LONG") ? 10 : 1;
    prng_init_from(&r, j->type);
    bare_open(&b);
    b.a.tcp = true;
    for (; rounds > 0; rounds--) {
        unsigned read = j->type == RRTYPE_SOA ? compare_soas(&b, j, &r) : compare_many(&b, j, &r);
        ck_assert_msg(read == VALUES, "type %u: ldns read %u of %u", j->type, read, VALUES);
    }
    bare_close(&b);
}

/* NSAP-PTR: a string to ldns, a name to RFC 1348. Else: no text form there. */
static bool is_skipped(uint16_t type)
{
    return type == 23 || ldns_rr_descript(type)->_type != (ldns_rr_type)type;
}

START_TEST(rows_equal_ldns)
{
    unsigned types = 0;
    for (size_t i = 0; rdata_type_at(i); i++) {
        const struct rdata_type *row = rdata_type_at(i);
        if (is_skipped(row->type))
            continue;
        compare_type(&(struct subject){row->type, row, NULL});
        types++;
    }
    ck_assert_uint_ge(types, 56);
}
END_TEST

START_TEST(rare_types_equal_ldns)
{
    ck_assert_ptr_null(rdata_type_find(rare[_i].type));
    ck_assert(rdata_ldns_knows(rare[_i].type));
    compare_type(&(struct subject){rare[_i].type, NULL, rare[_i].form});
}
END_TEST

/* Types of which ldns knows the name, but reads no text; of SINK a byte. */
static bool has_no_text(unsigned type)
{
    const unsigned without[] = {10 /* NULL */, 30 /* NXT */, 38 /* A6 */, 40 /* SINK */,
                                RRTYPE_OPT};
    for (size_t i = 0; i < array_len(without); i++)
        if (without[i] == type)
            return true;
    return type >= RRTYPE_META_FIRST && type <= RRTYPE_ANY;
}

START_TEST(no_type_is_left_out)
{
    for (unsigned type = 1; type <= UINT16_MAX; type++) {
        bool is_compared = has_no_text(type) || rdata_type_find((uint16_t)type) != NULL;
        for (size_t i = 0; i < array_len(rare); i++)
            is_compared |= rare[i].type == type;
        ck_assert_msg(is_compared || !rdata_ldns_knows((uint16_t)type), "type %u", type);
    }
}
END_TEST

static Suite *oracle_suite(void)
{
    Suite *s = suite_create("oracle_rdata");
    TCase *t = tcase_create("oracle_rdata");
    tcase_set_timeout(t, 900); /* of the long run */
    tcase_add_test(t, no_type_is_left_out);
    tcase_add_test(t, rows_equal_ldns);
    tcase_add_loop_test(t, rare_types_equal_ldns, 0, (int)array_len(rare));
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(oracle_suite)
