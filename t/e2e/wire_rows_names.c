/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wire_rows_names.c: names in questions: broken, long, binary, of any letter case. */
#include "e2e/wire.h"

#define ZONE_WIRE "_03_653265_07_6578616d706c65_00" /* e2e.example */
#define IN_A      "_0001_0001"
#define X63       "3f_78*63_"

static const struct wire_row names[] = {
    /* broken: B107 */
    {"RFC 1035 4.1.4 (no name stands before the first)", "Q:c00c" IN_A, ONLY("FORMERR q0")},
    {"RFC 1035 4.1.4 (into the header)", "Q:c000" IN_A, ONLY("FORMERR q0")},
    {"RFC 1035 4.1.4 (forward)", "Q:c012" IN_A "_00", ONLY("FORMERR q0")},
    {"RFC 1035 4.1.4 (past the end)", "Q:ffff" IN_A, ONLY("FORMERR q0")},
    {"RFC 1035 4.1.4 (a loop behind a label)", "Q:01_78_c00c" IN_A, ONLY("FORMERR q0")},
    {"RFC 1035 4.1.4 (half a pointer)", "Q:c0", ONLY("FORMERR q0")},
    {"RFC 1035 4.1.2 (cut in a label)", "Q:03_7777", ONLY("FORMERR q0")},
    {"RFC 1035 4.1.2 (no final length)", "Q:03_777777", ONLY("FORMERR q0")},
    {"RFC 1035 4.1.2 (no type)", "Q:03_777777_00", ONLY("FORMERR q0")},
    {"RFC 1035 4.1.2 (half a type)", "Q:03_777777_00_00", ONLY("FORMERR q0")},
    {"RFC 1035 4.1.2 (no class)", "Q:03_777777_00_0001", ONLY("FORMERR q0")},
    {"RFC 1035 4.1.2 (half a class)", "Q:03_777777_00_0001_00", ONLY("FORMERR q0")},
    {"RFC 6891 5 (label type 01)", "Q:40_78*64" ZONE_WIRE IN_A, ONLY("FORMERR q0")},
    {"RFC 6891 5 (label type 01: binary labels)", "Q:41_08_ff" ZONE_WIRE IN_A, ONLY("FORMERR q0")},
    {"RFC 1035 4.1.4 (label type 10)", "Q:80_78" ZONE_WIRE IN_A, ONLY("FORMERR q0")},
    {"RFC 1035 4.1.4 (label type 10)", "Q:bf_78*63" ZONE_WIRE IN_A, ONLY("FORMERR q0")},
    {"RFC 6891 6.1.1 (FORMERR before OPT is seen)", "Q:c00c" IN_A " o", "FORMERR q0", "", "", "",
     ANY},
    /* the limits */
    {"RFC 1035 2.3.4 (a label of 63)", "Q:" X63 ZONE_WIRE IN_A, NXDOMAIN},
    {"RFC 1035 2.3.4 (a label of 1)", "q:x/A", NXDOMAIN},
    {"RFC 1035 2.3.4 (a name of 254)", "Q:" X63 X63 X63 "30_78*48" ZONE_WIRE IN_A, NXDOMAIN},
    {"RFC 1035 2.3.4 (a name of 255)", "Q:" X63 X63 X63 "31_78*49" ZONE_WIRE IN_A, NXDOMAIN},
    {"RFC 1035 2.3.4 (a name of 256)", "Q:" X63 X63 X63 "32_78*50" ZONE_WIRE IN_A,
     ONLY("FORMERR q0")},
    {"RFC 1035 2.3.4 (a name of 257)", "Q:" X63 X63 X63 "33_78*51" ZONE_WIRE IN_A,
     ONLY("FORMERR q0")},
    {"RFC 1035 2.3.4 (a name of 300)", "Q:" X63 X63 X63 X63 "1e_78*30" ZONE_WIRE IN_A,
     ONLY("FORMERR q0")},
    {"RFC 1035 2.3.4 (123 labels, 255 bytes)", "Q:0178*121" ZONE_WIRE IN_A, NXDOMAIN},
    {"RFC 1035 2.3.4 (124 labels, 257 bytes)", "Q:0178*122" ZONE_WIRE IN_A, ONLY("FORMERR q0")},
    {"RFC 1035 2.3.4 (127 labels, not ours)", "Q:0178*127_00" IN_A, ONLY("REFUSED")},
    {"RFC 1035 2.3.4 (a name of 255 at a wildcard)",
     "Q:" X63 X63 X63 "2c_78*44_04_77696c64" ZONE_WIRE IN_A, "NOERROR aa", "#1", "", "", NULL},
    {"RFC 1035 2.3.4 (a name of 255 below a cut)",
     "Q:" X63 X63 X63 "2d_78*45_03_737562" ZONE_WIRE IN_A, "NOERROR", "", "#2", "#2", NULL},
    {"RFC 1034 3.1 (the root)", "q:./NS", ONLY("REFUSED")},
    {"RFC 1034 3.1 (the root)", "q:./A", ONLY("REFUSED")},
    {"RFC 1034 4.3.2 (above our zone)", "q:example./A", ONLY("REFUSED")},
    {"RFC 1034 4.3.2 (beside our zone)", "q:e2f.example./A", ONLY("REFUSED")},
    {"RFC 1034 4.3.2 (no suffix of labels)", "q:xe2e.example./A", ONLY("REFUSED")},
    {"RFC 1034 3.1 (a dot inside of a label)", "Q:0b_6532652e6578616d706c65_00" IN_A,
     ONLY("REFUSED")},
    /* any byte may be in a label */
    {"RFC 2181 11", "Q:02_00ff" ZONE_WIRE IN_A, YES("\\000\\255 3600 A 192.0.2.70")},
    {"RFC 2181 11 (a dot in a label)", "Q:03_612e62" ZONE_WIRE IN_A,
     YES("a\\.b 3600 A 192.0.2.72")},
    {"RFC 2181 11 (a dot is not two labels)", "q:a.b/A", NXDOMAIN},
    {"RFC 2181 11", "Q:03_7700ff" ZONE_WIRE IN_A, NXDOMAIN},
    {"RFC 2181 11", "Q:04_77777700" ZONE_WIRE IN_A, NXDOMAIN},
    {"RFC 2181 11", "Q:01_20" ZONE_WIRE IN_A, NXDOMAIN},
    {"RFC 2181 11 (an asterisk is a label)", "q:*.wild/A", YES("*.wild 3600 A 192.0.2.30")},
    {"RFC 2181 11 (an underscore)", "q:_sip._tcp/SRV", YES("_sip._tcp 3600 SRV 1 2 5060 mx")},
    /* letter case: the question comes back as it was, byte by byte, with every reply */
    {"RFC 4343 3, B106", "q:WwW.E2e.ExAmPlE./A",
     YES("WwW.E2e.ExAmPlE. 3600 A 192.0.2.10;WwW.E2e.ExAmPlE. 3600 A 192.0.2.11")},
    {"RFC 4343 3", "q:WWW.e2e.example./A", YES("WWW 3600 A 192.0.2.10;WWW 3600 A 192.0.2.11")},
    {"RFC 4343 3 (names in the file)", "q:mixed/A", YES("mixed 3600 A 192.0.2.73")},
    {"RFC 4343 3 (names in the file)", "q:MIXED/A", YES("MIXED 3600 A 192.0.2.73")},
    {"RFC 4343 3", "q:Y.X.wILD/A", YES("Y.X.wILD 3600 A 192.0.2.30")},
    {"RFC 4343 3", "q:NOPE.E2E.EXAMPLE./A", "NXDOMAIN aa", "", "#1", "", NULL},
    {"RFC 4343 3", "q:WWW.SUB.E2E.EXAMPLE./A", "NOERROR", "", "#2", "#2", NULL},
    {"RFC 4343 3", "q:X.ELSEWHERE.EXAMPLE./A", ONLY("REFUSED")},
    {"RFC 4343 3", "q:DYN/A", YES("DYN 300 A 192.0.2.60;DYN 300 A 192.0.2.61")},
    {"RFC 4343 3", "q:MAIL/MX", YES("MAIL 3600 MX 10 mx;MAIL 3600 MX 20 mx.elsewhere.example.")},
    {"RFC 4343 2 (only letters fold)", "Q:03_575757" ZONE_WIRE IN_A,
     YES("WWW 3600 A 192.0.2.10;WWW 3600 A 192.0.2.11")},
    {"RFC 4343 2 (0x57 and 0x77 only, not 0xd7)", "Q:03_d7d7d7" ZONE_WIRE IN_A, NXDOMAIN},
    {"RFC 4343 2 ([ is no letter)", "Q:02_5bff" ZONE_WIRE IN_A, NXDOMAIN},
};

const struct wire_table wire_names = {.what = "names", .udp_size = 1232, WIRE_TABLE(names)};
