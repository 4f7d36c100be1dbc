/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SVCB and HTTPS after RFC 9460: what is read, as bytes; what is refused, and why. */
#include <string.h>

#include "base/attrs.h"
#include "base/buf.h"
#include "base/mem.h"
#include "unit/run.h"
#include "unit/zone_lib.h"

static const struct {
    const char *text, *rdata;
} good[] = {
    {"0 .", "000000"},
    {"0 foo.example.com.", "0000"
                           "03666f6f076578616d706c6503636f6d00"},
    {"1 .", "000100"},
    {"1 . port=53", "000100"
                    "000300020035"},
    {"1 . port=\"53\"", "000100"
                        "000300020035"},
    {"1 . key667=hello", "000100"
                         "029b000568656c6c6f"},
    {"1 . key667=\"hello\\210qoo\"", "000100"
                                     "029b000968656c6c6fd2716f6f"},
    {"1 . key667", "000100"
                   "029b0000"},
    {"1 . key667=", "000100"
                    "029b0000"},
    {"1 . key3=\\000\\053", "000100"
                            "000300020035"},
    {"1 . alpn=h2,h3", "000100"
                       "0001000602683202"
                       "6833"},
    {"1 . alpn=\"h2\" no-default-alpn", "000100"
                                        "0001000302683200020000"},
    {"1 . alpn=\"f\\\\\\\\oo\\\\,bar,h2\"", "000100"
                                            "0001000c08665c6f6f2c626172026832"},
    {"1 . alpn=f\\\\\\092oo\\092,bar,h2", "000100"
                                          "0001000c08665c6f6f2c626172026832"},
    {"1 . ipv4hint=192.0.2.1,192.0.2.2", "000100"
                                         "00040008c0000201c0000202"},
    {"1 . ipv6hint=2001:db8::1", "000100"
                                 "0006001020010db8000000000000000000000001"},
    {"1 . ech=Zm9vYg==", "000100"
                         "00050004666f6f62"},
    {"1 . dohpath=/q{?dns} ohttp", "000100"
                                   "000700082f717b3f646e737d"
                                   "00080000"},
    {"1 . port=1 alpn=x key5=a", "000100"
                                 "000100020178"
                                 "000300020001"
                                 "0005000161"},
    {"1 . mandatory=port,alpn alpn=x port=1", "000100"
                                              "0000000400010003"
                                              "000100020178"
                                              "000300020001"},
    {"1 . dohpath={/dns}", "000100"
                           "000700067b2f646e737d"},
    {"1 . dohpath=/{x,dns*}", "000100"
                              "000700092f7b782c646e732a7d"},
    {"1 . dohpath=/\\195\\164{?dns:3}", "000100"
                                        "0007000b2fc3a47b3f646e733a337d"},
    {"1 . mandatory=key10 key10", "000100"
                                  "00000002000a"
                                  "000a0000"},
    {"\\# 3 000100", "000100"},
    {"\\# 9 000100 0003 0002 0035", "000100"
                                    "000300020035"},
};

static int load(const char *type, const char *rdata, struct diag *d, struct zone_set **s)
{
    struct zone_options o = lib_options();
    char *text = mem_printf("%sw %s %s\n", APEX, type, rdata);
    int e = lib_load("z", text, &o, d, s);
    mem_free(text);
    return e;
}

START_TEST(good_ones_are_read)
{
    static const char *const types[] = {"SVCB", "HTTPS", "TYPE65"};
    for (size_t i = 0; i < array_len(types); i++) {
        struct diag d = {0};
        struct zone_set *s;
        struct buf hex = {0};
        int e = load(types[i], good[_i].text, &d, &s);
        ck_assert_msg(e == 0, "%s", d.count ? d.entries[0].text : "");
        const struct rrset *set =
            node_find_set(lib_find(s, "w.z.").node, i ? RRTYPE_HTTPS : RRTYPE_SVCB);
        ck_assert_ptr_nonnull(set);
        for (size_t k = 12; k < set->rrs.plain_len; k++)
            buf_printf(&hex, "%02x", set->rrs.plain[k]);
        ck_assert_str_eq(hex.data, good[_i].rdata);
        buf_fini(&hex);
        zone_set_unref(s);
        diag_fini(&d);
    }
}
END_TEST

static const struct {
    const char *text, *part;
} bad[] = {
    {"", "ends where a number"},
    {"1", "ends where a name"},
    {"65536 .", "from 0 to 65535"},
    {"0 . port=53", "AliasMode"},
    {"1 . bogus", "\"bogus\" is not a parameter"},
    {"1 . PORT=1", "is not a parameter"},
    {"1 . key65536=a", "is not a parameter"},
    {"1 . key01=a", "is not a parameter"},
    {"1 . \"port=1\"", "is not a parameter"},
    {"1 . port=1 port=2", "a key is there twice"},
    {"1 . key123=abc key123=def", "a key is there twice"},
    {"1 . port=1 key3=\\000\\001", "a key is there twice"},
    {"1 . port", "\"port\" needs a value"},
    {"1 . port=", "\"port\" needs a value"},
    {"1 . port=65536", "\"port\" needs one number"},
    {"1 . port=1,2", "needs one number"},
    {"1 . key3=a", "port is one number"},
    {"1 . alpn", "needs a value"},
    {"1 . alpn=a,", "needs a list of 1 to 255 bytes"},
    {"1 . alpn=a,,b", "needs a list"},
    {"1 . alpn=a\\\\b", "needs a list"},
    {"1 . alpn=a\\\\", "needs a list"},
    {"1 . no-default-alpn", "no-default-alpn needs alpn"},
    {"1 . alpn=a no-default-alpn=", "needs no value"},
    {"1 . alpn=a no-default-alpn=b", "needs no value"},
    {"1 . ipv4hint", "needs a value"},
    {"1 . ipv4hint=1.2.3", "needs IPv4 addresses"},
    {"1 . ipv4hint=1.2.3.4,", "needs IPv4 addresses"},
    {"1 . ipv6hint=::1,,::2", "needs IPv6 addresses"},
    {"1 . ech=W", "needs base64"},
    {"1 . ech=AA==,AA==", "needs base64"},
    {"1 . dohpath", "needs a value"},
    {"1 . dohpath=q{?dns}", "beginning with /"},
    {"1 . dohpath=/\\195{?dns}", "UTF-8"},
    {"1 . dohpath=/\\237\\160\\128{?dns}", "UTF-8"},
    {"1 . dohpath=/\\224\\128\\128{?dns}", "UTF-8"},
    {"1 . dohpath=/\\244\\144\\128\\128{?dns}", "UTF-8"},
    {"1 . dohpath=/q{?dnss,x}", "needs the variable \"dns\""},
    {"1 . dohpath=/q{?dns", "needs the variable \"dns\""},
    {"1 . dohpath=/dns", "needs the variable \"dns\""},
    {"1 . key7=/dns", "needs the variable \"dns\""},
    {"1 . key7", "beginning with /"},
    {"1 . key65535=a", "key65535 is no key"},
    {"\\# 7 000100 ffff 0000", "not the rdata of SVCB"},
    {"1 . ohttp=x", "needs no value"},
    {"1 . mandatory", "needs a value"},
    {"1 . mandatory=port", "names a key that is not there"},
    {"1 . mandatory=mandatory", "must not name itself"},
    {"1 . mandatory=port,port port=1", "names a key twice"},
    {"1 . mandatory=port, port=1", "needs a list of keys"},
    {"1 . key7=\\256", "escapes are"},
    {"\\# 2 0001", "not the rdata of SVCB"},
    {"\\# 8 000100 0003 0001 35", "not the rdata of SVCB"},
    {"\\# 12 000100 0003 0001 35", "is followed by 8 bytes"},
    {"\\# 11 000100 0007 0000 0005 0000", "not the rdata of SVCB"},
    {"\\# 9 000000 0003 0002 0035", "not the rdata of SVCB"},
};

START_TEST(bad_ones_are_refused)
{
    struct diag d = {0};
    struct zone_set *s;
    int e = load("SVCB", bad[_i].text, &d, &s);
    ck_assert_msg(e < 0 && strstr(d.entries[0].text, bad[_i].part), "%s: %s", bad[_i].text,
                  d.count ? d.entries[0].text : "loaded");
    diag_fini(&d);
}
END_TEST

static Suite *rdsvcb_suite(void)
{
    Suite *s = suite_create("rdsvcb");
    TCase *t = tcase_create("rdsvcb");
    tcase_add_loop_test(t, good_ones_are_read, 0, (int)array_len(good));
    tcase_add_loop_test(t, bad_ones_are_refused, 0, (int)array_len(bad));
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(rdsvcb_suite)
