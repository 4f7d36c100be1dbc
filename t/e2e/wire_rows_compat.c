/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wire_rows_compat.c: where `compat => gdnsd3` differs, from the notes on gdnsd 3.8. */
#include "e2e/wire.h"

#define GIVEN       "10=61*8_?*8"
#define CHAOS(name) "NOERROR", name " 0 CH TXT \"gdnsd/3\"", "", "", NULL

static const struct wire_row compat[] = {
    {"gdnsd 6.4 (size 1024)", "q:www/A o", WWW("")},
    {"gdnsd 6.4 (no extended errors)", "q:elsewhere.example./A o", WITH("REFUSED", "")},
    {"gdnsd 6.1.6 (no extended errors)", "f=2000 q:@/SOA o", WITH("NOTIMP", "")},
    {"gdnsd 6.4 (no extended errors)", "q:@/TYPE252 o", WITH("NOTIMP", "")},
    {"gdnsd 6.4 (BADVERS)", "q:www/A o:1232/1", WITH("BADVERS", "")},
    {"gdnsd 6.4 (NSID)", "q:www/A o +3", WWW("3=616d73")},
    {"gdnsd 6.4 (NSID with data)", "q:www/A o +3:61", WITH("FORMERR", "")},
    {"gdnsd 6.4 (8 bytes of a server's)", "q:www/A o +10:61*8", WWW(GIVEN)},
    {"gdnsd 6.4 (the right one)", "q:www/A o +10:COOKIE", WWW(GIVEN)},
    {"gdnsd 6.4 (a wrong one)", "q:www/A o +10:61*8_62*8", WWW(GIVEN)},
    {"gdnsd 6.4 (a longer one)", "q:www/A o +10:61*8_62*16", WWW(GIVEN)},
    {"gdnsd 6.4 (40 bytes)", "q:www/A o +10:61*40", WWW(GIVEN)},
    {"gdnsd 6.4 (7 bytes)", "q:www/A o +10:61*7", WITH("FORMERR", "")},
    {"gdnsd 6.4 (15 bytes)", "q:www/A o +10:61*15", WITH("FORMERR", "")},
    {"gdnsd 6.4 (41 bytes)", "q:www/A o +10:61*41", WITH("FORMERR", "")},
    {"gdnsd 6.4 (the first only)", "q:www/A o +10:61*8 +10:62*8", WWW(GIVEN)},
    {"gdnsd 6.1.5 (a cookie and no question)", "o +10:61*8", WITH("NOERROR q0", GIVEN)},
    {"gdnsd 6.4 (keepalive's value is ignored), B097", "q:www/A o +11:0172", WWW("")},
    {"gdnsd 6.4 (keepalive's value is ignored), B097", "q:www/A o +11:01", WWW("")},
    {"gdnsd 6.4 (ECS)", "q:www/A o +8:0001_18_00_c00002", WWW("8=00011800c00002")},
    {"gdnsd 6.4 (ECS /0)", "q:www/A o +8:0001_00_00", WWW("8=00010000")},
    {"gdnsd 6.4 (ECS: families 1 and 2)", "q:www/A o +8:0000_00_00", WITH("FORMERR", "")},
    {"gdnsd 6.4 (ECS: families 1 and 2)", "q:www/A o +8:0003_08_00_0a", WITH("FORMERR", "")},
    {"gdnsd 6.4 (ECS: /33)", "q:www/A o +8:0001_21_00_c000020100", WITH("FORMERR", "")},
    {"gdnsd 6.4 (ECS: a scope)", "q:www/A o +8:0001_18_18_c00002", WITH("FORMERR", "")},
    {"gdnsd 6.4 (ECS: REFUSED too)", "q:elsewhere.example./A o +8:0001_18_00_c00002",
     WITH("REFUSED", "8=00011800c00002")},
    {"gdnsd 6.1.7 (CH: any name)", "q:version.bind./TXT/CH", CHAOS("version.bind.")},
    {"gdnsd 6.1.7 (CH: any name)", "q:www/TXT/CH", CHAOS("www")},
    {"gdnsd 6.1.7 (CH: any name)", "q:other.bind./TXT/CH", CHAOS("other.bind.")},
    {"gdnsd 6.1.7 (CH: any type)", "q:version.bind./A/CH", CHAOS("version.bind.")},
    {"gdnsd 6.1.7 (CH: any type)", "q:version.bind./ANY/CH", CHAOS("version.bind.")},
    {"gdnsd 6.1.7 (class ANY)", "q:www/A/CLASS255", YES(WWW_A)},
    {"gdnsd 6.1.7 (other classes)", "q:www/A/HS", ONLY("REFUSED")},
    {"gdnsd 6.1.5 (meta-types)", "q:www/TYPE128", ONLY("NOTIMP")},
    {"gdnsd 6.1.5 (meta-types)", "q:www/TYPE254", ONLY("NOTIMP")},
    {"gdnsd 6.2 (ANY)", "q:www/ANY", YES("www 3600 HINFO \"RFC8482\" \"\"")},
    {"gdnsd 5.3 (the SOA's TTL is the minimum)", "q:@/SOA", YES(SOA)},
    {"gdnsd 6.2", "q:nope/A", NXDOMAIN},
    {"gdnsd 6.2", "q:alias/A", YES("alias 3600 CNAME www")},
    {"gdnsd 6.3 (exactly 512)", "q:exact/TXT", "NOERROR aa", "#1", "", "", NULL},
    {"gdnsd 6.3", "q:over1/TXT", "NOERROR aa tc udp", "", "", "", NULL},
    {"gdnsd 6.1.1", "f=8000 q:www/A", ONLY("DROP")},
    {"gdnsd 6.1.5 (two questions)", "q:www/A q:www/TXT", ONLY("FORMERR")},
};

const struct wire_table wire_compat = {.what = "compat => gdnsd3",
                                       .options = "compat => gdnsd3\nnsid_ascii => \"ams\"",
                                       .udp_size = 1024,
                                       WIRE_TABLE(compat)};
