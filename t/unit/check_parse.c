/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Zone file syntax: one row per form that is read, one per fault, with its place. */
#include <stdio.h>
#include <string.h>

#include "base/attrs.h"
#include "base/buf.h"
#include "base/mem.h"
#include "unit/run.h"
#include "unit/zone_lib.h"

/* Below APEX: a record, where it ends up, its TTL, and its rdata in hexadecimal. */
static const struct {
    const char *text, *owner;
    uint16_t type;
    uint32_t ttl_s;
    const char *rdata;
} forms[] = {
    {"w A 192.0.2.7", "w.z.", RRTYPE_A, 300, "c0000207"},
    {"w 60 A 192.0.2.7", "w.z.", RRTYPE_A, 60, "c0000207"},
    {"w 60 IN A 192.0.2.7", "w.z.", RRTYPE_A, 60, "c0000207"},
    {"w IN 60 A 192.0.2.7", "w.z.", RRTYPE_A, 60, "c0000207"},
    {"w CLASS1 60 A 192.0.2.7", "w.z.", RRTYPE_A, 60, "c0000207"},
    {"w 60 class1 A 192.0.2.7", "w.z.", RRTYPE_A, 60, "c0000207"},
    {"w in a 192.0.2.7", "w.z.", RRTYPE_A, 300, "c0000207"},
    {"W A 192.0.2.7 ; comment", "w.z.", RRTYPE_A, 300, "c0000207"},
    {"w A (\n 192.0.2.7\n)\n", "w.z.", RRTYPE_A, 300, "c0000207"},
    {"w A 192.0.2.7\r\n", "w.z.", RRTYPE_A, 300, "c0000207"},
    {"\"w\" A 192.0.2.7", "w.z.", RRTYPE_A, 300, "c0000207"},
    {"w.z. 1m A 192.0.2.7", "w.z.", RRTYPE_A, 60, "c0000207"},
    {"w 1H30M5s A 192.0.2.7", "w.z.", RRTYPE_A, 5405, "c0000207"},
    {"w 1w2d3h4m5s A 192.0.2.7", "w.z.", RRTYPE_A, 788645, "c0000207"},
    {"$TTL 2d\nw A 192.0.2.7", "w.z.", RRTYPE_A, 172800, "c0000207"},
    {"$ttl 77\n$origin s\nw A 192.0.2.7", "w.s.z.", RRTYPE_A, 77, "c0000207"},
    {"$ORIGIN s.z.\n@ A 192.0.2.7", "s.z.", RRTYPE_A, 300, "c0000207"},
    {"$ORIGIN elsewhere.\nw.@Z A 192.0.2.7", "w.z.", RRTYPE_A, 300, "c0000207"},
    {"$ORIGIN s\nw.@F A 192.0.2.7", "w.z.", RRTYPE_A, 300, "c0000207"},
    {"$ORIGIN s\n$ORIGIN t\nw A 192.0.2.7", "w.t.s.z.", RRTYPE_A, 300, "c0000207"},
    {"v TXT x\n A 192.0.2.7", "v.z.", RRTYPE_A, 300, "c0000207"},
    {"v TXT x\n\n  ; c\n\t60 A 192.0.2.7", "v.z.", RRTYPE_A, 60, "c0000207"},
    {"a\\.b A 192.0.2.7", "a\\.b.z.", RRTYPE_A, 300, "c0000207"},
    {"\\$x A 192.0.2.7", "\\$x.z.", RRTYPE_A, 300, "c0000207"},
    {"\\119 A 192.0.2.7", "w.z.", RRTYPE_A, 300, "c0000207"},
    {"w AAAA 2001:DB8::1", "w.z.", RRTYPE_AAAA, 300, "20010db8000000000000000000000001"},
    {"w AAAA ::ffff:192.0.2.1", "w.z.", RRTYPE_AAAA, 300, "00000000000000000000ffffc0000201"},
    {"w CNAME Ns1", "w.z.", RRTYPE_CNAME, 300, "036e7331017a00"},
    {"w PTR .", "w.z.", RRTYPE_PTR, 300, "00"},
    {"w MX 10 @", "w.z.", RRTYPE_MX, 300, "000a017a00"},
    {"w SRV 1 2 65535 ns1", "w.z.", RRTYPE_SRV, 300, "00010002ffff036e7331017a00"},
    {"w TXT a \"b c\" \"\"", "w.z.", RRTYPE_TXT, 300,
     "016103622063"
     "00"},
    {"w TXT \"a\\\"b\\;c\\\\\\200\"", "w.z.", RRTYPE_TXT, 300,
     "07612262"
     "3b635cc8"},
    {"w TXT a\\;b", "w.z.", RRTYPE_TXT, 300, "03613b62"},
    {"w CAA 128 issue \"ca.test\"", "w.z.", RRTYPE_CAA, 300, "8005697373756563612e74657374"},
    {"w NAPTR 1 2 u s \"\" .", "w.z.", RRTYPE_NAPTR, 300,
     "00010002"
     "0175"
     "0173"
     "00"
     "00"},
    {"w TYPE1 \\# 4 c0 00 ( 02\n07 ) ; c", "w.z.", RRTYPE_A, 300, "c0000207"},
    {"w A \\# 4 c0000207", "w.z.", RRTYPE_A, 300, "c0000207"},
    {"w MX \\# 7 000A 0257 57 0000", NULL, 0, 0, "more than the name"},
    {"w MX \\# 6 000A 025757 00", "w.z.", RRTYPE_MX, 300, "000a02777700"},
    {"w TYPE65000 \\# 0", "w.z.", 65000, 300, ""},
    {"w TYPE257 \\# 4 00 01 ( 61 ; B113\n 03 ) ; c", "w.z.", RRTYPE_CAA, 300, "00016103"},
    {"w DNAME s", "w.z.", RRTYPE_DNAME, 300, "0173017a00"},
    {"w HINFO a \"b c\"", "w.z.", RRTYPE_HINFO, 300, "016103622063"},
    {"w DS 1 RSASHA256 2 a b cd", "w.z.", RRTYPE_DS, 300, "00010802abcd"},
    {"w TLSA 3 1 1 00 ( 11\n22 )", "w.z.", 52, 300, "030101001122"},
    {"w SSHFP 4 2 AbCd", "w.z.", 44, 300, "0402abcd"},
    {"w RRSIG A 8 2 60 22250101000000 21060207062816 1 z. AAAA", "w.z.", RRTYPE_RRSIG, 300,
     "000108020000003cdfa40980000000000001017a00000000"}, /* RFC 4034 section 3.1.5 */
    {"w LOC 0 N 0 E 0", "w.z.", 29, 300, "00121613800000008000000000989680"},
    {"w LOC 52 14 5.5 N 0 8 50 W -10.5m 20m 0 90000000.00m", "w.z.", 29, 300,
     "002300998b3558bc7ff7e9b000989266"},
    {"w URI 1 2 \"a b\"", "w.z.", 256, 300, "00010002612062"},
    {"w APL", "w.z.", 42, 300, ""},
    {"w APL 1:192.0.2.0/24 !2:2001:db8::/32", "w.z.", 42, 300,
     "00011803c00002"
     "0002208420010db8"},
    {"w CSYNC 66 3 A NS A", "w.z.", 62, 300, "000000420003000160"},
    {"w NSEC3PARAM 1 0 10 -", "w.z.", 51, 300, "0100000a00"},
    {"w NSEC3 1 0 0 ab 00====== A", "w.z.", 50, 300,
     "0100000001ab010000"
     "0140"},
    {"w IPSECKEY 10 0 0 .", "w.z.", 45, 300, "0a0000"},
    {"w IPSECKEY 10 3 2 s AAAA", "w.z.", 45, 300,
     "0a0302"
     "0173017a00"
     "000000"},
    {"w AMTRELAY 10 1 1 192.0.2.1", "w.z.", 260, 300, "0a81c0000201"},
    {"w AMTRELAY 10 0 0 .", "w.z.", 260, 300, "0a00"},
    {"w DSYNC CDS NOTIFY 53 s", "w.z.", 66, 300,
     "003b010035"
     "0173017a00"},
    {"w RESINFO qnamemin", "w.z.", 261, 300, "08716e616d656d696e"},
    {"w WALLET BTC x", "w.z.", 262, 300,
     "03425443"
     "0178"},
    {"w X25 \"311061700956\"", "w.z.", 19, 300, "0c333131303631373030393536"},
    {"w LOC \\# 16 00000000 00000000 00000000 00000000", "w.z.", 29, 300,
     "00000000000000000000000000000000"},
    {"w TYPE19 \\# 2 0131", "w.z.", 19, 300, "0131"},
    {"w TYPE65000 \\# 3 aBcDeF", "w.z.", 65000, 300, "abcdef"},
};

/* Rdata of the only record of a set. */
static char *rdata_of(const struct rrset *set)
{
    struct buf b = {0};
    bool is_address = rrtype_is_address(set->type);
    const uint8_t *rr = set->rrs.plain;
    size_t len = is_address ? set->addrs.addr_bytes : (size_t)rr[10] << 8 | rr[11];
    const uint8_t *rdata = is_address ? addrset_at(&set->addrs, 0) : rr + 12;
    buf_adds(&b, "");
    for (size_t i = 0; i < len; i++)
        buf_printf(&b, "%02x", rdata[i]);
    return buf_take(&b);
}

START_TEST(forms_are_read)
{
    struct zone_options o = lib_options();
    struct diag d = {0};
    struct zone_set *s;
    char *text = mem_printf("%s%s", APEX, forms[_i].text);
    int e = lib_load("z", text, &o, &d, &s);
    mem_free(text);
    if (!forms[_i].owner) {
        ck_assert_int_lt(e, 0);
        diag_fini(&d);
        return;
    }
    ck_assert_msg(e == 0, "%s", d.count ? d.entries[0].text : "");
    struct zone_match m = lib_find(s, forms[_i].owner);
    ck_assert(m.exact);
    const struct rrset *set = node_find_set(m.node, forms[_i].type);
    ck_assert_ptr_nonnull(set);
    ck_assert_uint_eq(set->count, 1);
    ck_assert_uint_eq(set->ttl_s, forms[_i].ttl_s);
    char *rdata = rdata_of(set);
    ck_assert_str_eq(rdata, forms[_i].rdata);
    mem_free(rdata);
    zone_set_unref(s);
    diag_fini(&d);
}
END_TEST

/* Below APEX, which ends in line 6: the fault must begin with "z:" place and have `part` in it. */
static const struct {
    const char *text, *place, *part;
} faults[] = {
    {"w A 192.0.2", "7:5:", "\"192.0.2\" is not an IPv4 address"},
    {"w A 192.0.2.256", "7:5:", "not an IPv4"},
    {"w A 192.0.2.01", "7:5:", "not an IPv4"},
    /* B109 */
    {"w A 111111111111111111.1.1.1", "7:5:", "not an IPv4"},
    {"w A 0x7f000001", "7:5:", "not an IPv4"},
    {"w A 1.2.3.4.5", "7:5:", "not an IPv4"},
    {"w A", "7:4:", "the record ends where an IPv4 address"},
    {"w A 192.0.2.1 x", "7:15:", "\"x\" is more than the record needs"},
    {"w AAAA 2001:db8:::1", "7:8:", "not an IPv6"},
    {"w AAAA 1111111111111111111111111111111111111111111111111111111111111111",
     "7:8:", "not an IPv6"},
    {"w AAAA 192.0.2.1", "7:8:", "not an IPv6"},
    {"w", "7:2:", "ends where its type"},
    {"w BOGUS x", "7:3:", "type \"BOGUS\" is not known here; known are A AAAA NS CNAME MX TXT"},
    {"w DNAME", "7:8:", "ends where a name"},
    {"w ANY x", "7:3:", "not known here"},
    {"w TYPE0 \\# 0", "7:3:", "not known here"},
    {"w TYPE41 \\# 0", "7:3:", "not known here"},
    {"w TYPE65280 \\# 0", "7:3:", "write DYNA"},
    {"w TYPE65536 \\# 0", "7:3:", "not known here"},
    {"w IPSECKEY 10 0 0 . AAAA", "7:21:", "there is no key"},
    {"w IPSECKEY 10 4 1 . AAAA", "7:19:", "gateway kind 4"},
    {"w IPSECKEY 10 1 1 :: AAAA", "7:19:", "not an IPv4 address"},
    {"w AMTRELAY 10 2 1 192.0.2.1", "7:15:", "0 or 1"},
    {"w DSYNC CDS X 53 s", "7:13:", "a name that stands for one here"},
    {"w DS 1 8 2 abc", "7:12:", "ends in half a byte"},
    {"w DNSKEY 1 3 8 AAA", "7:16:", "not base64"},
    {"w DNSKEY 1 3 8 AA=A", "7:16:", "not base64"},
    {"w LOC 91 N 0 E 0", "7:7:", "not a latitude"},
    {"w LOC 0 60 N 0 E 0", "7:9:", "not a latitude"},
    {"w LOC 0 N 0 N 0", "7:13:", "not a longitude"},
    {"w LOC 0 N 0 E -100001m", "7:15:", "not an altitude"},
    {"w APL 3:192.0.2.0/24", "7:7:", "not an address prefix"},
    {"w APL 1:192.0.2.0/33", "7:7:", "not an address prefix"},
    {"w NSEC a BOGUS", "7:10:", "not a record type"},
    {"w NSEC a DYNA", "7:10:", "not a record type"},
    {"w RRSIG A 8 1 1 20260231000000 1 1 z. AAAA", "7:17:", "not a moment"},
    {"w EUI48 00-00-00-00-00", "7:9:", "six pairs"},
    {"w NSEC3 1 0 0 - 12", "7:17:", "bits behind the last whole byte"},
    {"w NSEC3 1 0 0 - 1234567", "7:17:", "bits behind the last whole byte"},
    {"w TYPE257 \\# 5 0002 612d 63", "7:11:", "not the rdata of CAA"},
    {"w LOC \\# 16 0112161380000000800000000098 9680", "7:7:", "not the rdata of LOC"},
    {"w LOC \\# 16 00a2161380000000800000000098 9680", "7:7:", "not the rdata of LOC"},
    {"w LOC \\# 16 0012161a80000000800000000098 9680", "7:7:", "not the rdata of LOC"},
    {"w NID 1 0:0:0:0", "7:9:", "four groups"},
    {"w URI 1 2 \"\"", "7:12:", "must not be empty"},
    {"w NXT a A", "7:7:", "not the rdata of NXT"},
    {"w WKS x tcp 25", "7:7:", "not the rdata of WKS"},
    {"w WKS", "7:6:", "ends where rdata"},
    {"w TYPE19 \\# 2 0231", "7:10:", "not the rdata of X25"},
    {"w A \\# 0", "7:5:", "not the rdata of A"},
    {"w TXT \"a\"\"b\"", "7:10:", "a blank is missing"},
    {"w SOA a b 1h 1 1 1 1", "7:11:", "from 0 to 4294967295"},
    {"w TYPE65000 x", "7:13:", "\\# length hex"},
    /* B113 */
    {"w TYPE65000 \\# 2 00", "7:13:", "\\# 2 is followed by 1 bytes"},
    {"w TYPE65000 \\# 1 0", "7:18:", "hexadecimal"},
    {"w TYPE65000 \\# 1 0g", "7:18:", "hexadecimal"},
    {"w A \\# 3 c00002", "7:5:", "not the rdata of A"},
    {"w CH A 192.0.2.1", "7:3:", "class \"CH\" is not served"},
    {"w CLASS3 A 192.0.2.1", "7:3:", "class \"CLASS3\" is not served; write IN, CLASS1 or"},
    {"w 60 class255 A 192.0.2.1", "7:6:", "class \"class255\" is not served"},
    {"w CLASS A 192.0.2.1", "7:3:", "type \"CLASS\" is not known"},
    {"w CLASS1 IN A 192.0.2.1", "7:10:", "type \"IN\" is not known"},
    {"w IN IN A 192.0.2.1", "7:6:", "type \"IN\" is not known"},
    {"w 60x A 192.0.2.1", "7:3:", "\"60x\" is not a duration"},
    {"w 1h30 A 192.0.2.1", "7:3:", "\"1h30\" is not a duration"},
    {"w 2147483648 A 192.0.2.1", "7:3:", "at most 2147483647"},
    {"w 99999999999999999999 A 192.0.2.1", "7:3:", "at most 2147483647"},
    {"w 60/30 A 192.0.2.1", "7:3:", "only DYNA and DYNC records"},
    {"w 60 61 A 192.0.2.1", "7:6:", "type \"61\" is not known"},
    {"w MX ten @", "7:6:", "\"ten\" is not a number from 0 to 65535"},
    {"w MX 65536 @", "7:6:", "from 0 to 65535"},
    {"w MX -1 @", "7:6:", "from 0 to 65535"},
    {"w SRV 1 2 65536 @", "7:11:", "from 0 to 65535"},
    {"w CAA 256 issue x", "7:7:", "from 0 to 255"},
    {"w CAA 0 is-sue x", "7:9:", "letters and digits"},
    {"w TXT", "7:6:", "ends where a string"},
    /* B112 */
    {"w TXT \\03", "7:7:", "escapes are"},
    {"w TXT \"\\256\"", "7:8:", "escapes are"},
    {"w TXT \"abc", "7:7:", "has no end"},
    {"w TXT abc\\", "7:10:", "backslash stands before the end"},
    {"w TXT ( a\n b", "7:7:", "a ) is missing"},
    {"w TXT a )", "7:9:", "no parenthesis is open"},
    {"a..b A 192.0.2.1", "7:1:", "labels between single dots"},
    {"\\03 A 192.0.2.1", "7:1:", "escapes \\X and \\DDD"},
    {"@X A 192.0.2.1", "7:1:", "behind @"},
    {"w CNAME \"\"", "7:10:", "is not a name"},
    {"w CNAME aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
     "7:9:", "at most 63"},
    {"$ADDR_LIMIT_V4 1", "7:1:", "directive \"$ADDR_LIMIT_V4\" is not known here; known are $TTL,"},
    {"$INCLUDE x", "7:10:", "this zone is no file"},
    {"$TTL", "7:5:", "$TTL wants a duration"},
    {"$TTL x", "7:6:", "not a duration"},
    {"$TTL 1 2", "7:8:", "\"2\" is more than $TTL needs"},
    {"$ORIGIN", "7:8:", "ends where a name"},
    {"$ORIGIN a..b", "7:9:", "labels between"},
    {"w DYNA", "7:7:", "DYNA wants plugin!resource"},
    {"w DYNA q!r", "7:8:", "no plugin \"q\""},
    {"w DYNA p!x", "7:8:", "no resource \"x\""},
    {"w DYNA p", "7:8:", "no resource \"\""},
    {"w DYNA p!r x", "7:12:", "more than the record needs"},
};

START_TEST(faults_are_told)
{
    struct zone_options o = lib_options();
    struct diag d = {0};
    struct zone_set *s;
    /* a sound record and a second fault behind it: reading goes on */
    char *text = mem_printf("%s%s\nnext A 192.0.2.9\n", APEX, faults[_i].text);
    char *start = mem_printf("z:%s ", faults[_i].place);
    ck_assert_int_lt(lib_load("z", text, &o, &d, &s), 0);
    ck_assert_ptr_null(s);
    ck_assert_uint_ge(d.error_count, 1);
    const char *got = d.entries[0].text;
    bool is_right = strncmp(got, start, strlen(start)) == 0 && strstr(got, faults[_i].part);
    ck_assert_msg(is_right, "wanted z:%s ...%s..., got %s", faults[_i].place, faults[_i].part, got);
    mem_free(text);
    mem_free(start);
    diag_fini(&d);
}
END_TEST

START_TEST(all_faults_of_a_file_are_told)
{
    struct zone_options o = lib_options();
    struct diag d = {0};
    struct zone_set *s;
    ck_assert_int_lt(lib_load("z",
                              APEX "a A x\nb MX y z\nc BOGUS\nd A 192.0.2.1\ne TXT \"\\999\"\n", &o,
                              &d, &s),
                     0);
    ck_assert_uint_eq(d.error_count, 4);
    diag_fini(&d);
}
END_TEST

START_TEST(long_text_is_split)
{
    struct zone_options o = lib_options();
    struct diag d = {0};
    struct zone_set *s;
    char string[601];
    for (int i = 0; i < 600; i++)
        string[i] = (char)('a' + i % 26);
    string[600] = '\0';
    char *text = mem_printf("%sw TXT \"%s\" tail\n", APEX, string);
    ck_assert_int_eq(lib_load("z", text, &o, &d, &s), 0);
    const uint8_t *rr = node_find_set(lib_find(s, "w.z.").node, RRTYPE_TXT)->rrs.plain + 12;
    ck_assert_uint_eq(rr[0], 255);
    ck_assert_mem_eq(rr + 1, string, 255);
    ck_assert_uint_eq(rr[256], 255);
    ck_assert_mem_eq(rr + 257, string + 255, 255);
    ck_assert_uint_eq(rr[512], 90);
    ck_assert_mem_eq(rr + 513, string + 510, 90);
    ck_assert_mem_eq(rr + 603, "\4tail", 5);
    mem_free(text);
    zone_set_unref(s);
    diag_fini(&d);
}
END_TEST

/* B115: a blank owner on the first record is the zone's name. */
START_TEST(first_owner_is_the_apex)
{
    struct zone_options o = lib_options();
    struct diag d = {0};
    struct zone_set *s;
    ck_assert_int_eq(lib_load("z",
                              " 300 A 192.0.2.1\n 300 SOA @ a 1 2 3 4 5\n 300 NS @\n 300 NS b.\n",
                              &o, &d, &s),
                     0);
    ck_assert_uint_eq(lib_find(s, "z.").node->set_count, 3);
    zone_set_unref(s);
    diag_fini(&d);
}
END_TEST

/* Without $TTL: the last one written, before that the option, with one warning. */
static uint32_t ttl_of(const struct zone_set *s, const char *name)
{
    return node_find_set(lib_find(s, name).node, RRTYPE_TXT)->ttl_s;
}

START_TEST(ttl_without_directive)
{
    const char *text = "@ SOA ns1 a 1 2 3 4 5\n@ NS ns1\nns1 A 192.0.2.1\na TXT x\nb 60 TXT x\n"
                       "c TXT x\n$TTL 90\nd TXT x\ne 70 TXT x\nf TXT x";
    for (int gdnsd = 0; gdnsd < 2; gdnsd++) {
        struct zone_options o = lib_options();
        struct diag d = {0};
        struct zone_set *s;
        o.gdnsd = gdnsd;
        ck_assert_int_eq(lib_load("z", text, &o, &d, &s), 0);
        unsigned told = 0;
        for (size_t i = 0; i < d.count; i++)
            told += strstr(d.entries[i].text, "zones_default_ttl 3600") != NULL;
        ck_assert_uint_eq(told, !gdnsd);
        ck_assert_uint_eq(ttl_of(s, "a.z."), 3600);
        ck_assert_uint_eq(ttl_of(s, "b.z."), 60);
        ck_assert_uint_eq(ttl_of(s, "c.z."), gdnsd ? 3600 : 60);
        ck_assert_uint_eq(ttl_of(s, "d.z."), 90);
        ck_assert_uint_eq(ttl_of(s, "e.z."), 70);
        ck_assert_uint_eq(ttl_of(s, "f.z."), 90);
        zone_set_unref(s);
        diag_fini(&d);
    }
}
END_TEST

static const struct {
    const char *text;
    uint32_t max_s, min_s, handle;
} dyns[] = {
    {"w DYNA p!r", 300, 150, 7},
    {"w 60 DYNA p!s", 60, 30, 8},
    {"w 60/10 IN DYNA p!s", 60, 10, 8},
    {"w 1h/1m DYNA p!r", 3600, 60, 7},
    {"w 60/0 DYNA p!r", 60, 30, 7},
    {"w 60/90 DYNA p!r", 60, 60, 7},
    {"w 60/1 DYNA p!r", 60, 5, 7},
    {"w 6 DYNA p!r", 6, 5, 7},
    {"w 9999999/9 DYNA p!r", 2419200, 9, 7},
};

START_TEST(dyna_is_bound)
{
    struct zone_options o = lib_options();
    struct diag d = {0};
    struct zone_set *s;
    char *text = mem_printf("%s%s\n TXT beside", APEX, dyns[_i].text);
    ck_assert_int_eq(lib_load("z", text, &o, &d, &s), 0);
    const struct node *n = lib_find(s, "w.z.").node;
    ck_assert_ptr_nonnull(n->dyn);
    ck_assert_uint_eq(n->dyn->ttl_max_s, dyns[_i].max_s);
    ck_assert_uint_eq(n->dyn->ttl_min_s, dyns[_i].min_s);
    ck_assert_uint_eq(n->dyn->handle, dyns[_i].handle);
    ck_assert_uint_eq(n->set_count, 1);
    ck_assert_ptr_null(node_find_set(n, RRTYPE_DYNA));
    mem_free(text);
    zone_set_unref(s);
    diag_fini(&d);
}
END_TEST

static Suite *parse_suite(void)
{
    Suite *s = suite_create("parse");
    TCase *t = tcase_create("parse");
    tcase_add_loop_test(t, forms_are_read, 0, (int)array_len(forms));
    tcase_add_loop_test(t, faults_are_told, 0, (int)array_len(faults));
    tcase_add_test(t, all_faults_of_a_file_are_told);
    tcase_add_test(t, long_text_is_split);
    tcase_add_test(t, first_owner_is_the_apex);
    tcase_add_test(t, ttl_without_directive);
    tcase_add_loop_test(t, dyna_is_bound, 0, (int)array_len(dyns));
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(parse_suite)
