/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of record types: names of types, valid and invalid rdata, targets; cursors. */
#include <string.h>

#include "base/err.h"
#include "wire/rdata.h"
#include "unit/run.h"

#define BYTES(s) (const uint8_t *)(s), sizeof(s) - 1

static const struct {
    const char *text;
    int type;
} types[] = {
    {"A", RRTYPE_A},          {"mx", RRTYPE_MX},           {"Type15", RRTYPE_MX},
    {"TYPE65535", 65535},     {"TYPE65536", ERR_NOTFOUND}, {"TYPE", ERR_NOTFOUND},
    {"TYPE1x", ERR_NOTFOUND}, {"NSEC3PARAM", 51},          {"", ERR_NOTFOUND},
    {"DYNA", RRTYPE_DYNA},    {"AX", ERR_NOTFOUND},
};

START_TEST(types_have_names)
{
    ck_assert_int_eq(rrtype_parse(types[_i].text, strlen(types[_i].text)), types[_i].type);
}
END_TEST

START_TEST(types_print_as_they_parse)
{
    char text[16];
    for (int type = 0; type <= UINT16_MAX; type++) {
        rrtype_print((uint16_t)type, text);
        ck_assert_int_eq(rrtype_parse(text, strlen(text)), type);
    }
    ck_assert_str_eq(rrtype_print(12345, text), "TYPE12345");
}
END_TEST

static const struct {
    uint16_t type;
    const uint8_t *bytes;
    size_t len;
    bool is_valid;
} rdatas[] = {
    {RRTYPE_A, BYTES("\1\2\3\4"), true},
    {RRTYPE_A, BYTES("\1\2\3"), false},
    {RRTYPE_A, BYTES("\1\2\3\4\5"), false},
    {RRTYPE_NS, BYTES("\1a\0"), true},
    {RRTYPE_NS, BYTES("\1a"), false},
    {RRTYPE_NS, BYTES("\xc0\x0c"), false},
    {RRTYPE_NS, BYTES("\100a\0"), false},
    {RRTYPE_NS, BYTES(""), false},
    {RRTYPE_MX, BYTES("\0\12\1a\0"), true},
    {RRTYPE_MX, BYTES("\0\12\1a\0x"), false},
    {RRTYPE_TXT, BYTES("\0"), true},
    {RRTYPE_TXT, BYTES("\2ab\1c"), true},
    {RRTYPE_TXT, BYTES("\2ab\2c"), false},
    {RRTYPE_TXT, BYTES(""), false},
    {RRTYPE_CAA, BYTES("\0\5issueca"), true},
    {RRTYPE_CAA, BYTES("\0\5issue"), true},
    {RRTYPE_CAA, BYTES("\0\0ca"), false},
    {RRTYPE_SRV, BYTES("\0\1\0\2\0\3\0"), true},
    {RRTYPE_SOA, BYTES("\0\0\0\0\0\1\0\0\0\1\0\0\0\1\0\0\0\1\0\0\0\1"), true},
    {RRTYPE_SOA, BYTES("\0\0\0\0\0\1\0\0\0\1\0\0\0\1\0\0\0\1\0\0\0"), false},
};

START_TEST(rdata_is_checked)
{
    const struct rdata_type *t = rdata_type_find(rdatas[_i].type);
    ck_assert_ptr_nonnull(t);
    ck_assert_int_eq(rdata_is_valid(t, rdatas[_i].bytes, rdatas[_i].len), rdatas[_i].is_valid);
}
END_TEST

START_TEST(names_in_rdata)
{
    uint8_t mx[] = "\0\12\3WwW\1a";
    rdata_lower(rdata_type_find(RRTYPE_MX), mx, sizeof mx);
    ck_assert_mem_eq(mx, "\0\12\3www\1a", sizeof mx);
    ck_assert_ptr_eq(rdata_target(RRTYPE_MX, mx, sizeof mx), mx + 2);
    ck_assert_ptr_eq(rdata_target(RRTYPE_NS, mx + 2, sizeof mx - 2), mx + 2);
    ck_assert_ptr_null(rdata_target(RRTYPE_TXT, BYTES("\1a")));
    ck_assert(rdata_can_compress(rdata_type_find(RRTYPE_MX)));
    ck_assert(!rdata_can_compress(rdata_type_find(RRTYPE_SRV))); /* RFC 2782 */
    ck_assert(!rdata_can_compress(NULL));
}
END_TEST

START_TEST(cursor_stays_failed)
{
    struct cursor c = cursor_on("\1\2\3", 3);
    ck_assert_uint_eq(cursor_u16(&c), 0x0102);
    ck_assert_uint_eq(cursor_u16(&c), 0);
    ck_assert(c.failed);
    ck_assert_uint_eq(cursor_u8(&c), 0); /* though one byte is left */
    ck_assert_ptr_null(cursor_bytes(&c, SIZE_MAX));
}
END_TEST

START_TEST(writer_stays_within_its_room)
{
    uint8_t room[8] = {0};
    struct writer w = writer_on(room, 7);
    writer_u32(&w, 0x01020304);
    writer_u16(&w, 0x0506);
    writer_set_u16(&w, 0, 0x0a0b);
    ck_assert(!w.failed);
    ck_assert_mem_eq(room, "\x0a\x0b\3\4\5\6\0\0", 8);
    writer_u16(&w, 0xffff);
    ck_assert(w.failed);
    writer_u8(&w, 0xff);
    ck_assert_uint_eq(w.at, 6);
    ck_assert_uint_eq(room[6], 0);
    struct writer none = writer_on(room, 1);
    writer_set_u16(&none, 0, 1);
    ck_assert(none.failed);
}
END_TEST

static Suite *rdata_suite(void)
{
    Suite *s = suite_create("rdata");
    TCase *t = tcase_create("rdata");
    tcase_add_loop_test(t, types_have_names, 0, (int)array_len(types));
    tcase_add_test(t, types_print_as_they_parse);
    tcase_add_loop_test(t, rdata_is_checked, 0, (int)array_len(rdatas));
    tcase_add_test(t, names_in_rdata);
    tcase_add_test(t, cursor_stays_failed);
    tcase_add_test(t, writer_stays_within_its_room);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(rdata_suite)
