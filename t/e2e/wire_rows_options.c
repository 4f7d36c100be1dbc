/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wire_rows_options.c: client subnets and cookies, right and wrong. */
#include "e2e/wire.h"

/* family, source, scope, address */
static const struct wire_row ecs[] = {
    {"RFC 7871 7.2.1 (/24 of 4)", "q:www/A o +8:0001_18_00_c00002", WWW("8=00011800c00002")},
    {"RFC 7871 7.2.1 (/32 of 4)", "q:www/A o +8:0001_20_00_c0000201", WWW("8=00012000c0000201")},
    {"RFC 7871 7.2.1 (/8 of 4)", "q:www/A o +8:0001_08_00_0a", WWW("8=000108000a")},
    {"RFC 7871 7.2.1 (/1 of 4)", "q:www/A o +8:0001_01_00_80", WWW("8=0001010080")},
    {"RFC 7871 7.2.1 (/20, rest zero)", "q:www/A o +8:0001_14_00_0a0110", WWW("8=000114000a0110")},
    {"RFC 7871 7.1.2 (/0: no subnet)", "q:www/A o +8:0001_00_00", WWW("8=00010000")},
    {"RFC 7871 7.2.1 (/56 of 6)", "q:www/A o +8:0002_38_00_20010db8000001",
     WWW("8=0002380020010db8000001")},
    {"RFC 7871 7.2.1 (/128 of 6)", "q:www/A o +8:0002_80_00_20010db8_00*11_01",
     WWW("8=00028000_20010db8_00*11_01")},
    {"RFC 7871 7.2.1 (/127 of 6)", "q:www/A o +8:0002_7f_00_20010db8_00*11_02",
     WWW("8=00027f00_20010db8_00*11_02")},
    {"RFC 7871 7.1.2 (/0 of 6)", "q:www/A o +8:0002_00_00", WWW("8=00020000")},
    {"RFC 7871 7.1.2, B088 (family 0, /0)", "q:www/A o +8:0000_00_00", WWW("8=00000000")},
    {"RFC 7871 7.2.1 (NXDOMAIN has it)", "q:nope/A o +8:0001_18_00_c00002", "NXDOMAIN aa", "", SOA,
     "", "8=00011800c00002"},
    {"RFC 7871 7.2.1 (a referral has it)", "q:x.sub/A o +8:0001_18_00_c00002", "NOERROR", "", "#2",
     "#2", "8=00011800c00002"},
    {"RFC 7871 7.2.1, gdnsd 6.4 (REFUSED too)", "q:elsewhere.example./A o +8:0001_18_00_c00002",
     WITH("REFUSED", "8=00011800c00002 15=0014")},
    {"RFC 7871 7.2.1 (health alone: scope 0)", "q:dyn/A o +8:0001_18_00_c00002", "NOERROR aa",
     "dyn 300 A 192.0.2.60;dyn 300 A 192.0.2.61", "", "", "8=00011800c00002"},
    {"RFC 7871 7.2.1 (not unless sent), B088", "q:www/A o", WWW("")},
    {"RFC 7871 7.2.1 (private addresses too)", "q:www/A o +8:0001_18_00_7f0000",
     WWW("8=000118007f0000")},
    /* malformed */
    {"RFC 7871 6 (no bytes)", "q:www/A o +8", WITH("FORMERR", "")},
    {"RFC 7871 6 (1 byte)", "q:www/A o +8:00", WITH("FORMERR", "")},
    {"RFC 7871 6 (2 bytes)", "q:www/A o +8:0001", WITH("FORMERR", "")},
    {"RFC 7871 6 (3 bytes)", "q:www/A o +8:0001_18", WITH("FORMERR", "")},
    {"RFC 7871 6 (no address)", "q:www/A o +8:0001_18_00", WITH("FORMERR", "")},
    {"RFC 7871 6 (too few bytes)", "q:www/A o +8:0001_18_00_c000", WITH("FORMERR", "")},
    {"RFC 7871 6 (too few bytes)", "q:www/A o +8:0001_19_00_c00002", WITH("FORMERR", "")},
    {"RFC 7871 6 (too few bytes of 6)", "q:www/A o +8:0002_38_00_20010db80000",
     WITH("FORMERR", "")},
    {"RFC 7871 6 (too many bytes)", "q:www/A o +8:0001_18_00_c0000200", WITH("FORMERR", "")},
    {"RFC 7871 6 (the whole address)", "q:www/A o +8:0001_10_00_c0000000", WITH("FORMERR", "")},
    {"RFC 7871 6 (/0 and a byte)", "q:www/A o +8:0001_00_00_00", WITH("FORMERR", "")},
    {"RFC 7871 6 (/0 of 6 and a byte)", "q:www/A o +8:0002_00_00_00", WITH("FORMERR", "")},
    {"RFC 7871 6 (17 bytes of 6)", "q:www/A o +8:0002_80_00_20*17", WITH("FORMERR", "")},
    {"RFC 7871 6 (bits behind /20)", "q:www/A o +8:0001_14_00_0a0111", WITH("FORMERR", "")},
    {"RFC 7871 6 (bits behind /1)", "q:www/A o +8:0001_01_00_c0", WITH("FORMERR", "")},
    {"RFC 7871 6 (bits behind /31)", "q:www/A o +8:0001_1f_00_c0000201", WITH("FORMERR", "")},
    {"RFC 7871 6 (bits behind /49 of 6)", "q:www/A o +8:0002_31_00_20010db8000040",
     WITH("FORMERR", "")},
    {"RFC 7871 6 (/33 of 4)", "q:www/A o +8:0001_21_00_c000020100", WITH("FORMERR", "")},
    {"RFC 7871 6 (/255 of 4)", "q:www/A o +8:0001_ff_00_00*32", WITH("FORMERR", "")},
    {"RFC 7871 6 (/129 of 6)", "q:www/A o +8:0002_81_00_20*17", WITH("FORMERR", "")},
    {"RFC 7871 6 (a scope in a query)", "q:www/A o +8:0001_18_18_c00002", WITH("FORMERR", "")},
    {"RFC 7871 6 (a scope in a query)", "q:www/A o +8:0001_18_01_c00002", WITH("FORMERR", "")},
    {"RFC 7871 6 (a scope of /0)", "q:www/A o +8:0001_00_01", WITH("FORMERR", "")},
    {"RFC 7871 6 (family 3)", "q:www/A o +8:0003_08_00_0a", WITH("FORMERR", "")},
    {"RFC 7871 6 (family 256)", "q:www/A o +8:0100_08_00_0a", WITH("FORMERR", "")},
    {"RFC 7871 6 (family 65535)", "q:www/A o +8:ffff_08_00_0a", WITH("FORMERR", "")},
    {"RFC 7871 6 (family 0 with a prefix)", "q:www/A o +8:0000_08_00_0a", WITH("FORMERR", "")},
    {"RFC 7871 6 (family 0 and a byte)", "q:www/A o +8:0000_00_00_00", WITH("FORMERR", "")},
    {"RFC 7871 6 (malformed, a name not ours)", "q:elsewhere.example./A o +8:00",
     WITH("FORMERR", "")},
    /* two of them: no RFC says; the first counts, as of cookies */
    {"B088 (the second is not read)", "q:www/A o +8:0001_18_00_c00002 +8:0001_18_00_c000",
     WWW("8=00011800c00002")},
    {"B088 (the second is not read)", "q:www/A o +8:0001_18_00_c00002 +8:0002_00_00",
     WWW("8=00011800c00002")},
    {"RFC 7871 6 (the first malformed), B088", "q:www/A o +8:00 +8:0001_18_00_c00002",
     WITH("FORMERR", "")},
    {"RFC 7871 6 (the same twice), B088", "q:www/A o +8:0001_18_00_c00002 +8:0001_18_00_c00002",
     WWW("8=00011800c00002")},
};

const struct wire_table wire_ecs = {.what = "client subnet", .udp_size = 1232, WIRE_TABLE(ecs)};

/* ---- cookies ------------------------------------------------------------------------------- */

#define GIVEN "10=61*8_?*16"
#define FITS(n)                                                                                    \
    {                                                                                              \
        "RFC 7873 5.2 (" #n " bytes), B098", "q:www/A o +10:61*" #n, WWW(GIVEN)                    \
    }
#define UNFITS(n)                                                                                  \
    {                                                                                              \
        "RFC 7873 5.2.2 (" #n " bytes), B098", "q:www/A o +10:61*" #n, WITH("FORMERR", "")         \
    }

static const struct wire_row cookie[] = {
    {"RFC 7873 5.2.2 (0 bytes), B098", "q:www/A o +10", WITH("FORMERR", "")},
    UNFITS(1),
    UNFITS(2),
    UNFITS(3),
    UNFITS(4),
    UNFITS(5),
    UNFITS(6),
    UNFITS(7),
    FITS(8),
    UNFITS(9),
    UNFITS(10),
    UNFITS(11),
    UNFITS(12),
    UNFITS(13),
    UNFITS(14),
    UNFITS(15),
    FITS(16),
    FITS(17),
    FITS(18),
    FITS(19),
    FITS(20),
    FITS(21),
    FITS(22),
    FITS(23),
    FITS(24),
    FITS(25),
    FITS(26),
    FITS(27),
    FITS(28),
    FITS(29),
    FITS(30),
    FITS(31),
    FITS(32),
    FITS(33),
    FITS(34),
    FITS(35),
    FITS(36),
    FITS(37),
    FITS(38),
    FITS(39),
    FITS(40),
    UNFITS(41),
    UNFITS(42),
    UNFITS(255),
    {"RFC 7873 5.2.3 (the client's part alone)", "q:www/A o +10:0102030405060708",
     WWW("10=0102030405060708_?*16")},
    {"RFC 7873 5.2.4 (a wrong server's part)", "q:www/A o +10:61*8_62*16", WWW(GIVEN)},
    {"RFC 9018 4.2 (a version unknown)", "q:www/A o +10:61*8_02000000_00000000_62*8", WWW(GIVEN)},
    {"RFC 9018 4.3 (version 1, time 0)", "q:www/A o +10:61*8_01000000_00000000_62*8", WWW(GIVEN)},
    {"RFC 7873 5.2.5 (the right one)", "q:www/A o +10:COOKIE", WWW(GIVEN)},
    {"RFC 9018 4 (version 1, reserved bytes zero)", "q:www/A o +10:61*8",
     WWW("10=61*8_01000000_?*12")},
    {"RFC 7873 5.2, B098 (the same answer)", "q:nope/A o +10:COOKIE", "NXDOMAIN aa", "", SOA, "",
     GIVEN},
    {"RFC 7873 5.2 (REFUSED has one too)", "q:elsewhere.example./A o +10:61*8",
     WITH("REFUSED", GIVEN " 15=0014")},
    {"RFC 7873 5.2 (a referral)", "q:x.sub/A o +10:61*8", "NOERROR", "", "#2", "#2", GIVEN},
    {"RFC 7873 4 (the first counts)", "q:www/A o +10:61*8 +10:62*8", WWW(GIVEN)},
    {"RFC 7873 4 (the first counts)", "q:www/A o +10:61*8 +10:62*7", WWW(GIVEN)},
};

const struct wire_table wire_cookie = {.what = "cookies", .udp_size = 1232, WIRE_TABLE(cookie)};

/* 360 bytes of an answer fit in no reply without a valid cookie. */
#define TEXT_300 "NOERROR aa udp", "#1", "", ""
#define CUT      "NOERROR aa tc udp", "", "", ""

/* A question that is longer than the limit. */
#define LONG_NAME "3f_78*63_3f_78*63_3f_78*63_3d_78*61_00"

static const struct wire_row cookie_limit[] = {
    {"RFC 2181 9 (tc: something was left out)", "Q:" LONG_NAME "_0001_0001", ONLY("REFUSED")},
    {"RFC 2181 9 (tc: something was left out)", "Q:" LONG_NAME "_00fc_0001", ONLY("NOTIMP")},
    {"RFC 2181 9 (tc: something was left out)", "f=1000 Q:" LONG_NAME "_0001_0001", ONLY("NOTIMP")},
    {"RFC 7873 5.2.3 (small replies)", "q:third/TXT", CUT, NULL},
    {"RFC 7873 5.2.3 (small replies)", "q:third/TXT o", CUT, ""},
    {"RFC 7873 5.2.3 (small replies)", "q:third/TXT o +10:61*8", CUT, GIVEN},
    {"RFC 7873 5.2.4 (a wrong one)", "q:third/TXT o +10:61*8_62*16", CUT, GIVEN},
    {"RFC 7873 5.2.4 (a longer one)", "q:third/TXT o +10:COOKIE_00", CUT, GIVEN},
    {"RFC 7873 5.2.5 (the right one)", "q:third/TXT o +10:COOKIE", TEXT_300, GIVEN},
    {"RFC 7873 5.2.5 (TCP needs none)", "q:third/TXT o", "NOERROR aa tcp", "#1", "", "", ""},
    {"RFC 7873 5.2.5 (beside others)", "q:third/TXT o +12:00*9 +10:COOKIE", TEXT_300, GIVEN},
    {"RFC 7873 4 (the first counts)", "q:third/TXT o +10:62*8 +10:COOKIE", CUT, "10=62*8_?*16"},
    {"RFC 7873 4 (the first counts)", "q:third/TXT o +10:COOKIE +10:62*8", TEXT_300, GIVEN},
};

const struct wire_table wire_cookie_limit = {.what = "cookies wanted",
                                             .options = "max_nocookie_response => 150",
                                             .udp_size = 1232,
                                             WIRE_TABLE(cookie_limit)};
