/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wire_rows_edns.c: OPT and its options. Always checked: our OPT has the root's name, version 0,
 * our size, DO as asked, no other flag. */
#include "e2e/wire.h"

static const struct wire_row edns[] = {
    {"RFC 6891 6.1.1", "q:www/A o", WWW("")},
    {"RFC 6891 6.1.1", "q:nope/A o", "NXDOMAIN aa", "", SOA, "", ""},
    {"RFC 6891 6.1.1", "q:x.sub/A o", "NOERROR", "", "#2", "#2", ""},
    {"RFC 6891 6.1.1, 8914 4.21", "q:elsewhere.example./A o", WITH("REFUSED", "15=0014")},
    /* where OPT stands */
    {"RFC 6891 6.1.1 (anywhere)", "q:www/A ar:x/A/c0000201 o", WWW("")},
    {"RFC 6891 6.1.1 (anywhere)", "q:www/A o ar:x/A/c0000201", WWW("")},
    {"RFC 6891 6.1.1 (anywhere)", "q:www/A ar:x/A/c0000201 o +3 ar:x/TXT/0161", WWW("3=616d73")},
    {"RFC 6891 6.1.1 (only one)", "q:www/A o o", "FORMERR", "", "", "", ANY},
    {"RFC 6891 6.1.1 (only one)", "q:www/A o ar:x/A/c0000201 o:4096", "FORMERR", "", "", "", ANY},
    {"RFC 6891 6.1.1 (only one)", "q:www/A o o:1232/1", "FORMERR", "", "", "", ANY},
    {"RFC 6891 6.1.2 (the root's name)", "c=1,0,0,1 q:www/A x:0178_00_0029_04d0_00000000_0000",
     "FORMERR", "", "", "", ANY},
    {"RFC 6891 6.1.2 (the root's name)", "c=1,0,0,1 q:www/A x:c00c_0029_04d0_00000000_0000",
     "FORMERR", "", "", "", ANY},
    {"RFC 6891 6.1.1 (not among the answers)", "c=1,1,0,0 q:www/A x:00_0029_04d0_00000000_0000",
     "FORMERR", "", "", "", ANY},
    {"RFC 6891 6.1.1 (not in authority)", "c=1,0,1,0 q:www/A x:00_0029_04d0_00000000_0000",
     "FORMERR", "", "", "", ANY},
    /* rdata */
    {"RFC 6891 6.1.2 (rdata cut off)", "c=1,0,0,1 q:www/A x:00_0029_04d0_00000000_0004_0003",
     "FORMERR", "", "", "", ANY},
    {"RFC 6891 6.1.2 (rdata cut off)", "c=1,0,0,1 q:www/A x:00_0029_04d0_00000000_ffff", "FORMERR",
     "", "", "", ANY},
    {"RFC 6891 6.1.2 (no length of rdata)", "c=1,0,0,1 q:www/A x:00_0029_04d0_00000000", "FORMERR",
     "", "", "", ANY},
    {"RFC 6891 6.1.2 (half an option's head)",
     "c=1,0,0,1 q:www/A x:00_0029_04d0_00000000_0002_0003", WITH("FORMERR", "")},
    {"RFC 6891 6.1.2 (an option too long)",
     "c=1,0,0,1 q:www/A x:00_0029_04d0_00000000_0006_fde9_0003_6161", WITH("FORMERR", "")},
    {"RFC 6891 6.1.2 (an option too long)",
     "c=1,0,0,1 q:www/A x:00_0029_04d0_00000000_0004_fde9_ffff", WITH("FORMERR", "")},
    {"RFC 6891 6.1.2 (a byte behind the options)",
     "c=1,0,0,1 q:www/A x:00_0029_04d0_00000000_0005_fde9_0000_61", WITH("FORMERR", "")},
    /* version */
    {"RFC 6891 6.1.3, B092", "q:www/A o:1232/1", WITH("BADVERS", "")},
    {"RFC 6891 6.1.3", "q:www/A o:1232/2", WITH("BADVERS", "")},
    {"RFC 6891 6.1.3", "q:www/A o:1232/100", WITH("BADVERS", "")},
    {"RFC 6891 6.1.3", "q:www/A o:1232/127", WITH("BADVERS", "")},
    {"RFC 6891 6.1.3", "q:www/A o:1232/128", WITH("BADVERS", "")},
    {"RFC 6891 6.1.3", "q:www/A o:1232/255", WITH("BADVERS", "")},
    {"RFC 6891 6.1.3, B092", "q:nope/A o:1232/1", WITH("BADVERS", "")},
    {"RFC 6891 6.1.3", "q:elsewhere.example./A o:1232/1", WITH("BADVERS", "")},
    {"RFC 6891 6.1.3", "q:www/A o:512/1/8000", WITH("BADVERS", "")},
    {"RFC 6891 6.1.3, B092 (unknown option)", "q:www/A o:1232/1 +65001:6161", WITH("BADVERS", "")},
    {"RFC 6891 6.1.3 (no option has a meaning)", "q:www/A o:1232/1 +8:00", WITH("BADVERS", "")},
    {"RFC 6891 6.1.3", "f=0100 q:@/SOA o:1232/1/ffff", WITH("BADVERS", "")},
    /* flags */
    {"RFC 3225 3 (DO is copied)", "q:www/A o:1232/0/8000", WWW("")},
    {"RFC 3225 3 (DO is copied)", "q:elsewhere.example./A o:1232/0/8000",
     WITH("REFUSED", "15=0014")},
    {"RFC 6891 6.1.4 (Z)", "q:www/A o:1232/0/7fff", WWW("")},
    {"RFC 6891 6.1.4 (Z)", "q:www/A o:1232/0/4000", WWW("")},
    {"RFC 6891 6.1.4 (Z)", "q:www/A o:1232/0/0001", WWW("")},
    {"RFC 6891 6.1.4 (Z)", "q:www/A o:1232/0/ffff", WWW("")},
    /* size: any is accepted, below 512 is 512 */
    {"RFC 6891 6.2.3", "q:www/A o:0", WWW("")},
    {"RFC 6891 6.2.3", "q:www/A o:1", WWW("")},
    {"RFC 6891 6.2.3", "q:www/A o:511", WWW("")},
    {"RFC 6891 6.2.3", "q:www/A o:512", WWW("")},
    {"RFC 6891 6.2.3", "q:www/A o:513", WWW("")},
    {"RFC 6891 6.2.3", "q:www/A o:4096", WWW("")},
    {"RFC 6891 6.2.3", "q:www/A o:65535", WWW("")},
    /* options without a meaning here */
    {"RFC 6891 6.1.2 (unknown options)", "q:www/A o +65001", WWW("")},
    {"RFC 6891 6.1.2 (unknown options)", "q:www/A o +65001:61*100", WWW("")},
    {"RFC 6891 6.1.2 (unknown options)", "q:www/A o +65535:61 +65534 +65533:62", WWW("")},
    {"RFC 6891 6.1.2 (a long unknown option)", "q:www/A o +65001:61*900", WWW("")},
    {"RFC 6891 6.2.3 (as long as we take by UDP)", "q:www/A o +65001:61*1180", WWW("")},
    {"RFC 1035 4.2.2, 7766 8 (TCP has no such limit)", "q:www/A o +65001:61*4000", "NOERROR aa tcp",
     WWW_A, "", "", ""},
    {"RFC 6891 6.1.2 (200 options)", "c=1,0,0,1 q:www/A x:00_0029_04d0_00000000_0320_fde90000*200",
     WWW("")},
    {"RFC 6891 6.1.2 (option 0)", "q:www/A o +0:61", WWW("")},
    {"RFC 8764 3 (LLQ)", "q:www/A o +1:0001_0001_0000_61*8_0000003c", WWW("")},
    {"RFC 9664 4 (UPDATE-LEASE)", "q:www/A o +2:0000003c", WWW("")},
    {"RFC 6975 4 (DAU)", "q:www/A o +5:0d +6:02 +7:01", WWW("")},
    {"RFC 7314 3.2 (EXPIRE)", "q:www/A o +9", WWW("")},
    {"RFC 7901 5 (CHAIN)", "q:www/A o +13:00", WWW("")},
    {"RFC 8145 4.1 (KEY-TAG)", "q:www/A o +14:4f66", WWW("")},
    {"RFC 8914 2 (an error in a query)", "q:www/A o +15:0000", WWW("")},
    {"RFC 8914 2 (a short error in a query)", "q:www/A o +15:00", WWW("")},
    {"RFC 9567 6 (REPORT-CHANNEL)", "q:www/A o +18:00", WWW("")},
    /* NSID */
    {"RFC 5001 2.2", "q:www/A o +3", WWW("3=616d73")},
    {"RFC 5001 2.2", "q:nope/A o +3", "NXDOMAIN aa", "", SOA, "", "3=616d73"},
    {"RFC 5001 2.2", "q:elsewhere.example./A o +3", WITH("REFUSED", "3=616d73 15=0014")},
    {"RFC 5001 2.2 (data is ignored)", "q:www/A o +3:61", WWW("3=616d73")},
    {"RFC 5001 2.2 (data is ignored)", "q:www/A o +3:61*64", WWW("3=616d73")},
    {"RFC 5001 2.2 (once)", "q:www/A o +3 +3", WWW("3=616d73")},
    {"RFC 5001 2.2 (beside others)", "q:www/A o +65001:61 +3 +65002", WWW("3=616d73")},
    {"RFC 5001 2.1 (not unless asked)", "q:www/A o +10:61*8", WWW("10=61*8_?*16")},
    /* keepalive */
    {"RFC 7828 3.2.1 (UDP: ignored), B097", "q:www/A o +11", WWW("")},
    {"RFC 7828 3.2.1 (UDP: ignored)", "q:www/A o +11:0172", "NOERROR aa udp", WWW_A, "", "", ""},
    {"RFC 7828 3.2.1 (UDP: ignored)", "q:www/A o +11:01", "NOERROR aa udp", WWW_A, "", "", ""},
    {"RFC 7828 3.2.1 (UDP: ignored)", "q:www/A o +11:61*40", "NOERROR aa udp", WWW_A, "", "", ""},
    {"RFC 7828 3.2.2 (TCP: no data from clients), B097", "q:www/A o +11:0172",
     WITH("FORMERR tcp", "")},
    {"RFC 7828 3.2.2 (TCP: no data from clients)", "q:www/A o +11:01", WITH("FORMERR tcp", "")},
    {"RFC 7828 3.2.2 (TCP: no data from clients)", "q:www/A o +11:61*40", WITH("FORMERR tcp", "")},
    /* padding: by a listener without encryption it is not used */
    {"RFC 7830 6 (not in the clear)", "q:www/A o +12", WWW("")},
    {"RFC 7830 3 (any length)", "q:www/A o +12:00*100", WWW("")},
    {"RFC 7830 3 (any content)", "q:www/A o +12:ff*3", WWW("")},
    {"RFC 7830 3", "q:nope/A o +12:00*10", "NXDOMAIN aa", "", SOA, "", ""},
    /* several at once */
    {"RFC 6891 6.1.2", "q:www/A o +8:000118_00c00002 +10:61*8 +3 +12:00*9",
     WWW("8=00011800_c00002 10=61*8_?*16 3=616d73")},
    {"RFC 6891 6.1.2", "q:www/A o +3 +12:00*9 +10:61*8 +8:000118_00c00002",
     WWW("8=00011800_c00002 10=61*8_?*16 3=616d73")},
};

const struct wire_table wire_edns = {
    .what = "EDNS", .options = "nsid_ascii => \"ams\"", .udp_size = 1232, WIRE_TABLE(edns)};

static const struct wire_row no_nsid[] = {
    {"RFC 5001 2.2 (no name)", "q:www/A o +3", WWW("")},
    {"RFC 5001 2.2 (no name)", "q:elsewhere.example./A o +3", WITH("REFUSED", "15=0014")},
    {"RFC 4892 3 (no name)", "q:id.server./TXT/CH", ONLY("REFUSED")},
    {"RFC 4892 3 (no name)", "q:hostname.bind./TXT/CH", ONLY("REFUSED")},
};

const struct wire_table wire_no_nsid = {.what = "no NSID", .udp_size = 1232, WIRE_TABLE(no_nsid)};

/* Over TCP option 12 is wanted by all of these, over UDP by none. */
static const struct wire_row padding[] = {
    {"RFC 8467 4.1", "q:www/A o +12", WWW("")},
    {"RFC 8467 4.1", "q:www/A o +12:00*60", WWW("")},
    {"RFC 7830 4 (EDNS is enough)", "q:www/A o", WWW("")},
    {"RFC 7830 4 (no EDNS, no padding)", "q:www/A", WWW(NULL)},
    {"RFC 8467 4.1", "q:nope/A o +12", "NXDOMAIN aa", "", SOA, "", ""},
    {"RFC 8467 4.1", "q:x.sub/A o +12", "NOERROR", "", "#2", "#2", ""},
    {"RFC 8467 4.1", "q:elsewhere.example./A o +12", WITH("REFUSED", "15=0014")},
    {"RFC 8467 4.1 (a large one)", "q:half/TXT o +12", "NOERROR aa", "#1", "", "", ""},
    {"RFC 8467 4.1 (a larger one)", "q:text/TXT o +12", "NOERROR aa tcp", "#1", "", "", ""},
    {"RFC 8467 4.1 (two bytes to spare)", "q:exact/TXT o +12", "NOERROR aa", "#1", "", "", ""},
    {"RFC 8467 4.1 (with a cookie)", "q:www/A o +12 +10:61*8", WWW("10=61*8_?*16")},
    {"RFC 8467 4.1 (FORMERR too)", "q:www/A o +12 +8:00", WITH("FORMERR", "")},
    {"RFC 8467 4.1 (BADVERS too)", "q:www/A o:1232/1 +12", WITH("BADVERS", "")},
};

const struct wire_table wire_padding = {
    .what = "padding", .pads = true, .udp_size = 1232, WIRE_TABLE(padding)};
