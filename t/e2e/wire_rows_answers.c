/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wire_rows_answers.c: what names and types are answered with. */
#include "e2e/wire.h"

#define CHILD_SOA "child 60 SOA ns.child hostmaster.child 8 7200 900 1209600 60"
#define SUB                                                                                        \
    REFERRAL("sub 3600 NS ns.sub;sub 3600 NS ns.elsewhere.example.",                               \
             "ns.sub 3600 A 192.0.2.40;ns.sub 3600 AAAA 2001:db8::40")
#define SECURE REFERRAL("secure 3600 NS ns.secure", "ns.secure 3600 A 192.0.2.42")
#define DN     "dn 3600 DNAME target.elsewhere.example."
#define DS     "12345 8 2 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

static const struct wire_row answers[] = {
    /* one rrset, and nothing that is not needed */
    {"RFC 1034 4.3.2", "q:www/A", YES(WWW_A)},
    {"RFC 1034 4.3.2", "q:www/TXT", YES("www 3600 TXT \"hello\"")},
    {"RFC 1034 4.3.2", "q:ns2/AAAA", YES("ns2 3600 AAAA 2001:db8::2")},
    {"RFC 1034 4.3.2", "q:mail/MX",
     YES("mail 3600 MX 10 mx;mail 3600 MX 20 mx.elsewhere.example.")},
    {"RFC 2782 (SRV)", "q:_sip._tcp/SRV", YES("_sip._tcp 3600 SRV 1 2 5060 mx")},
    {"RFC 1035 3.3.12", "q:ptr/PTR", YES("ptr 3600 PTR host.elsewhere.example.")},
    {"RFC 8659 4", "q:@/CAA", YES("@ 3600 CAA 0 issue \"ca.example\"")},
    {"RFC 9460 3", "q:svc/HTTPS", YES("svc 3600 HTTPS 1 . alpn=h2")},
    {"RFC 9460 4.1 (nothing beside it)", "q:svc/SVCB", YES("svc 3600 SVCB 2 mx port=8443")},
    {"RFC 9460 2.4.2 (an alias)", "q:svcalias/HTTPS", YES("svcalias 3600 HTTPS 0 svc")},
    {"RFC 1034 4.3.2", "q:@/SOA", YES("@ 3600 SOA ns1 hostmaster 7 7200 900 1209600 300")},
    {"RFC 1034 4.3.2", "q:@/NS", YES("@ 3600 NS ns1;@ 3600 NS ns2")},
    {"RFC 2181 5.2 (one TTL)", "q:ttls/A", YES("ttls 60 A 192.0.2.74;ttls 60 A 192.0.2.75")},
    {"RFC 2181 5 (no record twice), B028", "q:dup/TXT", YES("dup 3600 TXT \"dup\"")},
    {"gdnsd 5.3 (below min_ttl)", "q:ttl0/A", YES("ttl0 5 A 192.0.2.76")},
    {"RFC 1035 3.3.14 (an empty string)", "q:empty/TXT", YES("empty 3600 TXT \"\"")},
    {"RFC 1035 3.3.14 (two strings)", "q:two/TXT", YES("two 3600 TXT \"a\" \"b\"")},
    {"RFC 3596 2.2 (not by A)", "q:ns2/A", NODATA},
    /* no data, no name */
    {"RFC 2308 2.2", "q:www/AAAA", NODATA},
    {"RFC 2308 2.2", "q:www/SOA", NODATA},
    {"RFC 2308 2.2", "q:www/NS", NODATA},
    {"RFC 2308 2.2", "q:@/A", NODATA},
    {"RFC 2308 2.2", "q:www/DNSKEY", NODATA},
    {"RFC 2308 2.2 (DS and no cut)", "q:www/DS", NODATA},
    {"RFC 2308 2.1", "q:nope/A", NXDOMAIN},
    {"RFC 2308 2.1", "q:nope/SOA", NXDOMAIN},
    {"RFC 2308 2.1", "q:nope/DS", NXDOMAIN},
    {"RFC 2308 2.1", "q:a.b.c.d.e.f.g.h/A", NXDOMAIN},
    {"RFC 8020 2 (below a name)", "q:x.www/A", NXDOMAIN},
    {"RFC 2308 5 (TTL: the minimum)", "q:nope.child/A", "NXDOMAIN aa", "", CHILD_SOA, "", NULL},
    {"RFC 2308 5 (TTL: the minimum)", "q:child/TXT", "NOERROR aa", "", CHILD_SOA, "", NULL},
    {"RFC 2308 5 (TTL: the SOA's)", "q:nope.low.example./A", "NXDOMAIN aa", "",
     "low.example. 60 SOA ns.low.example. hostmaster.low.example. 9 7200 900 1209600 300", "",
     NULL},
    {"RFC 2308 5 (TTL: the SOA's)", "q:low.example./TXT", "NOERROR aa", "",
     "low.example. 60 SOA ns.low.example. hostmaster.low.example. 9 7200 900 1209600 300", "",
     NULL},
    /* empty non-terminals */
    {"RFC 4592 2.2.2", "q:ent/A", NODATA},
    {"RFC 4592 2.2.2", "q:b.ent/A", NODATA},
    {"RFC 4592 2.2.2", "q:b.ent/ANY", NODATA},
    {"RFC 8020 2", "q:c.b.ent/A", NXDOMAIN},
    {"RFC 8020 2", "q:x.a.b.ent/A", NXDOMAIN},
    {"RFC 4592 2.2.2 (of an underscore)", "q:_tcp/SRV", NODATA},
    {"RFC 4592 2.2.2 (above a wildcard)", "q:wild/A", NODATA},
    /* wildcards */
    {"RFC 4592 3.3.1", "q:x.wild/A", YES("x.wild 3600 A 192.0.2.30")},
    {"RFC 4592 3.3.1 (any depth)", "q:z.y.x.wild/A", YES("z.y.x.wild 3600 A 192.0.2.30")},
    {"RFC 4592 3.3.1", "q:x.wild/TXT", YES("x.wild 3600 TXT \"w\"")},
    {"RFC 4592 4.3 (no data)", "q:x.wild/MX", NODATA},
    {"RFC 4592 2.3 (its own name)", "q:*.wild/TXT", YES("*.wild 3600 TXT \"w\"")},
    {"RFC 4592 2.3 (below its own name)", "q:x.*.wild/A", NXDOMAIN},
    {"RFC 8482 4.2 (ANY)", "q:x.wild/ANY", YES("x.wild 3600 HINFO \"RFC8482\" \"\"")},
    {"RFC 4592 3.3.1 (a CNAME)", "q:x.wa/A", YES("x.wa 3600 CNAME www")},
    {"RFC 4592 3.3.1 (a CNAME)", "q:x.wa/CNAME", YES("x.wa 3600 CNAME www")},
    {"RFC 4592 3.3.1 (the closest encloser), B007", "q:s.r.c.d/A", NXDOMAIN},
    {"RFC 4592 3.3.1 (the closest encloser), B007", "q:x.c.d/A", NXDOMAIN},
    {"RFC 4592 3.3.1, B007", "q:c.d/A", NODATA},
    {"RFC 4592 3.3.1, B007", "q:q.d/A", YES("q.d 3600 A 192.0.2.32")},
    {"RFC 4592 3.3.1 (a name that begins alike), B008", "q:cc.d/A", YES("cc.d 3600 A 192.0.2.32")},
    {"RFC 4592 2.2.2 (an asterisk without records), B011", "q:x.y.mid/A", NODATA},
    {"RFC 4592 2.1.1 (not as a middle label), B011", "q:x.*.mid/A",
     YES("x.*.mid 3600 A 192.0.2.77")},
    /* aliases: the alias alone */
    {"RFC 1034 3.6.2", "q:alias/CNAME", YES("alias 3600 CNAME www")},
    {"RFC 1034 4.3.2 3a, gdnsd 6.2", "q:alias/A", YES("alias 3600 CNAME www")},
    {"RFC 1034 4.3.2 3a", "q:alias/MX", YES("alias 3600 CNAME www")},
    {"RFC 1034 4.3.2 3a", "q:away/A", YES("away 3600 CNAME host.elsewhere.example.")},
    {"RFC 1034 4.3.2 3a, B001", "q:dangling/A", YES("dangling 3600 CNAME nowhere")},
    {"RFC 8482 4.2, B019", "q:alias/ANY", YES("alias 3600 CNAME www")},
    {"RFC 6672 2.3", "q:a.dn/A", YES(DN ";a.dn 3600 CNAME a.target.elsewhere.example.")},
    {"RFC 6672 2.3", "q:a.b.dn/TXT", YES(DN ";a.b.dn 3600 CNAME a.b.target.elsewhere.example.")},
    {"RFC 6672 2.3 (CNAME asked)", "q:a.dn/CNAME",
     YES(DN ";a.dn 3600 CNAME a.target.elsewhere.example.")},
    {"RFC 6672 2.3 (DNAME asked)", "q:a.dn/DNAME",
     YES(DN ";a.dn 3600 CNAME a.target.elsewhere.example.")},
    {"RFC 6672 2.3 (its own name)", "q:dn/DNAME", YES(DN)},
    {"RFC 6672 2.3 (its own name is not below)", "q:dn/TXT", YES("dn 3600 TXT \"beside\"")},
    {"RFC 6672 2.3 (its own name is not below)", "q:dn/A", NODATA},
    {"RFC 6672 2.2 (YXDOMAIN)", "Q:3f_78*63_03_646e6c_03_653265_07_6578616d706c65_00_0001_0001",
     "YXDOMAIN aa", "#1", "", "", NULL},
    {"RFC 6672 2.2 (255 bytes fit)",
     "Q:31_78*49_03_646e6c_03_653265_07_6578616d706c65_00_0001_0001", "NOERROR aa tcp", "#2", "",
     "", NULL},
    {"RFC 6672 2.2 (256 do not)", "Q:32_78*50_03_646e6c_03_653265_07_6578616d706c65_00_0001_0001",
     "YXDOMAIN aa", "#1", "", "", NULL},
    /* delegations */
    {"RFC 1034 4.3.2 3b", "q:sub/A", SUB},
    {"RFC 1034 4.3.2 3b", "q:sub/NS", SUB},
    {"RFC 1034 4.3.2 3b", "q:sub/ANY", SUB},
    {"RFC 1034 4.3.2 3b", "q:sub/SOA", SUB},
    {"RFC 1034 4.3.2 3b", "q:www.sub/A", SUB},
    {"RFC 1034 4.3.2 3b", "q:a.b.c.sub/TXT", SUB},
    {"RFC 1034 4.3.2 3b (glue is no answer), B013", "q:ns.sub/A", SUB},
    {"RFC 1034 4.3.2 3b (glue is no answer)", "q:ns.sub/AAAA", SUB},
    {"RFC 1034 4.3.2 3b (glue is no answer)", "q:ns.sub/MX", SUB},
    {"RFC 1034 4.3.2 3b, B014", "q:self/A",
     REFERRAL("self 3600 NS self", "self 3600 A 192.0.2.41")},
    {"RFC 1034 4.3.2 3b, B014", "q:x.self/A",
     REFERRAL("self 3600 NS self", "self 3600 A 192.0.2.41")},
    {"RFC 4035 3.1.4.1 (DS of the cut)", "q:secure/DS", YES("secure 3600 DS " DS)},
    {"RFC 4035 3.1.4.1 (not for other types)", "q:secure/A", SECURE},
    {"RFC 4035 3.1.4.1 (no DS)", "q:sub/DS", NODATA},
    {"RFC 4035 3.1.4.1 (below the cut)", "q:x.secure/DS", SECURE},
    {"RFC 4035 3.1.4.1 (we have both), B017", "q:child/DS", NODATA},
    {"RFC 4035 3.1.4.1 (we have both), B017", "q:x.child/DS", "NXDOMAIN aa", "", CHILD_SOA, "",
     NULL},
    {"RFC 4035 3.1.4.1 (we have no parent)", "q:@/DS", NODATA},
    {"RFC 1034 4.3.2 2 (the nearest zone)", "q:www.child/A", YES("www.child 600 A 192.0.2.51")},
    {"RFC 1034 4.3.2 2 (the nearest zone)", "q:child/NS", YES("child 600 NS ns.child")},
    /* ANY */
    {"RFC 8482 4.2", "q:@/ANY", YES("@ 3600 HINFO \"RFC8482\" \"\"")},
    {"RFC 8482 4.2, B091", "q:dyn/ANY", YES("dyn 3600 HINFO \"RFC8482\" \"\"")},
    {"RFC 8482 4.2", "q:nope/ANY", NXDOMAIN},
    {"RFC 8482 7 (RRSIG alone is no ANY)", "q:www/RRSIG", NODATA},
    /* dynamic */
    {"RFC 1034 4.3.2", "q:dyn/A", YES("dyn 300 A 192.0.2.60;dyn 300 A 192.0.2.61")},
    {"RFC 2308 2.2", "q:dyn/AAAA", NODATA},
    {"RFC 2308 2.1", "q:x.dyn/A", NXDOMAIN},
    {"RFC 1034 4.3.2", "q:dyn/TXT", YES("dyn 3600 TXT \"beside\"")},
    /* not ours */
    {"RFC 1034 4.3.2, gdnsd 6.1.8", "q:elsewhere.example./SOA", ONLY("REFUSED")},
    {"RFC 1034 4.3.2, gdnsd 6.1.8", "q:com./NS", ONLY("REFUSED")},
};

const struct wire_table wire_answers = {
    .what = "answers", .udp_size = 1232, .is_plain = true, WIRE_TABLE(answers)};

/* ---- with cname_chain ---------------------------------------------------------------------- */

static const struct wire_row chain[] = {
    {"RFC 1034 4.3.2 3a", "q:alias/A", YES("alias 3600 CNAME www;" WWW_A)},
    {"RFC 1034 4.3.2 3a", "q:alias/TXT", YES("alias 3600 CNAME www;www 3600 TXT \"hello\"")},
    {"RFC 1034 3.6.2 (CNAME asked)", "q:alias/CNAME", YES("alias 3600 CNAME www")},
    {"RFC 8482 4.2 (ANY asked)", "q:alias/ANY", YES("alias 3600 CNAME www")},
    {"RFC 1034 4.3.2 3a (two)", "q:long/A",
     YES("long 3600 CNAME alias;alias 3600 CNAME www;" WWW_A)},
    {"RFC 6604 3 (the rcode of the last), B001", "q:dangling/A", "NXDOMAIN aa",
     "dangling 3600 CNAME nowhere", SOA, "", NULL},
    {"RFC 2308 2.2.1, B002", "q:alias/MX", "NOERROR aa", "alias 3600 CNAME www", SOA, "", NULL},
    {"RFC 6604 2 (AA is the first owner's)", "q:tosub/A", "NOERROR aa", "tosub 3600 CNAME www.sub",
     "#2", "#2", NULL},
    {"RFC 1034 4.3.2 (out of the zone)", "q:away/A",
     YES("away 3600 CNAME host.elsewhere.example.")},
    {"RFC 4592 3.3.1", "q:x.wa/A", YES("x.wa 3600 CNAME www;" WWW_A)},
    {"RFC 1034 3.6.2 (a circle ends), B004", "q:loop1/A", "NOERROR aa",
     "loop1 3600 CNAME loop2;loop2 3600 CNAME loop1", "", "", NULL},
    {"RFC 4592 3.3.1 (a circle of a wildcard), B005", "q:a.t/A", "NOERROR aa",
     "a.t 3600 CNAME *.t;*.t 3600 CNAME *.t", "", "", NULL},
    {"RFC 4592 2.1.1, B010", "q:tostar/A", "NXDOMAIN aa", "tostar 3600 CNAME www.*", SOA, "", NULL},
    {"RFC 6672 2.3", "q:www.dni/A",
     YES("dni 3600 DNAME inner;www.dni 3600 CNAME www.inner;www.inner 3600 A 192.0.2.78")},
    {"RFC 6604 3", "q:nope.dni/A", "NXDOMAIN aa",
     "dni 3600 DNAME inner;nope.dni 3600 CNAME nope.inner", SOA, "", NULL},
    {"RFC 6672 2.3", "q:a.dn/A", YES(DN ";a.dn 3600 CNAME a.target.elsewhere.example.")},
    {"RFC 1034 4.3.2 3a", "q:todyn/A",
     YES("todyn 3600 CNAME dyn;dyn 300 A 192.0.2.60;dyn 300 A 192.0.2.61")},
};

const struct wire_table wire_chain = {.what = "answers with cname_chain",
                                      .options = "cname_chain => true",
                                      .has_circles = true,
                                      .udp_size = 1232,
                                      .is_plain = true,
                                      WIRE_TABLE(chain)};

/* ---- size ---------------------------------------------------------------------------------- */

#define WHOLE   "NOERROR aa", "#1", "", ""
#define CUT     "NOERROR aa tc udp", "", "", ""
#define BY_TCP  "NOERROR aa tcp", "#1", "", ""
#define MANY    "NOERROR", "", "#13", "#26"
#define SERVERS "q:x.many/A"

/* exact: 512 bytes without OPT, 523 with it; over1: one more. half: about 800, text: about 3,000.
 */
static const struct wire_row sizes[] = {
    {"RFC 1035 4.2.1 (512 bytes)", "q:exact/TXT", WHOLE, NULL},
    {"RFC 1035 4.2.1 (513 bytes)", "q:over1/TXT", CUT, NULL},
    {"RFC 2181 9 (TCP: whole)", "q:over1/TXT", BY_TCP, NULL},
    {"RFC 6891 6.2.3 (OPT counts)", "q:exact/TXT o:512", CUT, ""},
    {"RFC 6891 6.2.3 (OPT counts)", "q:exact/TXT o:522", CUT, ""},
    {"RFC 6891 6.2.3 (OPT counts)", "q:exact/TXT o:523", WHOLE, ""},
    {"RFC 6891 6.2.3", "q:over1/TXT o:523", CUT, ""},
    {"RFC 6891 6.2.3", "q:over1/TXT o:524", WHOLE, ""},
    {"RFC 6891 6.2.3 (below 512)", "q:exact/TXT o:0", CUT, ""},
    {"RFC 6891 6.2.3 (options count)", "q:exact/TXT o:523 +10:61*8", CUT, "10=61*8_?*16"},
    {"RFC 6891 6.2.3 (options count)", "q:exact/TXT o:550 +10:61*8", CUT, "10=61*8_?*16"},
    {"RFC 6891 6.2.3 (options count)", "q:exact/TXT o:551 +10:61*8", WHOLE, "10=61*8_?*16"},
    {"RFC 2181 9 (no part of a set)", "q:half/TXT", CUT, NULL},
    {"RFC 2181 9", "q:half/TXT o:0", CUT, ""},
    {"RFC 2181 9", "q:half/TXT o:511", CUT, ""},
    {"RFC 2181 9", "q:half/TXT o:512", CUT, ""},
    {"RFC 2181 9", "q:half/TXT o:513", CUT, ""},
    {"RFC 6891 6.2.5", "q:half/TXT o:1232", WHOLE, ""},
    {"RFC 6891 6.2.5", "q:half/TXT o:65535", WHOLE, ""},
    {"RFC 6891 7 (OPT in a truncated reply)", "q:text/TXT o:1232/0/8000", CUT, ""},
    {"gdnsd 6.3 (1232 is ours)", "q:text/TXT o:4096", CUT, ""},
    {"gdnsd 6.3 (1232 is ours)", "q:text/TXT o:65535", CUT, ""},
    {"RFC 2181 9 (TCP: whole)", "q:text/TXT", BY_TCP, NULL},
    {"RFC 7766 5 (TCP: the size of OPT is UDP's)", "q:text/TXT o:512", BY_TCP, ""},
    {"RFC 2181 9 (records of one set)", "q:lots/A", CUT, NULL},
    {"RFC 2181 9 (records of one set)", "q:lots/A", "NOERROR aa tcp", "#120", "", "", NULL},
    {"RFC 2181 9 (records of one set)", "q:lots/A o:1232", CUT, ""},
    {"RFC 2181 9 (NXDOMAIN fits)", "q:nope/A", NXDOMAIN},
    {"RFC 9471 3.1 (all glue or TC), B029", SERVERS, "NOERROR tc udp", "", "", "", NULL},
    {"RFC 9471 3.1, B029", SERVERS " o:512", "NOERROR tc udp", "", "", "", ""},
    {"RFC 9471 3.1, B029", SERVERS " o:1232", MANY, ""},
    {"RFC 9471 3.1, B029 (TCP: whole)", SERVERS, "NOERROR tcp", "", "#13", "#26", NULL},
    {"RFC 9471 3.1 (sibling glue may be left out)", "q:x.sibling/A", "NOERROR", "",
     "sibling 3600 NS ns.sub", ANY, NULL},
};

const struct wire_table wire_sizes = {.what = "sizes", .udp_size = 1232, WIRE_TABLE(sizes)};

static const struct wire_row sizes_4096[] = {
    {"RFC 1035 4.2.1", "q:text/TXT", CUT, NULL},
    {"RFC 6891 6.2.3", "q:text/TXT o:1232", CUT, ""},
    {"RFC 6891 6.2.5", "q:text/TXT o:4096", WHOLE, ""},
    {"RFC 6891 6.2.5", "q:text/TXT o:65535", WHOLE, ""},
    {"RFC 6891 6.2.5", "q:lots/A o:4096", "NOERROR aa", "#120", "", "", ""},
    {"RFC 6891 6.2.5", "q:lots/AAAA o:4096", "NOERROR aa", "#120", "", "", ""},
    {"RFC 2181 9", "q:lots/AAAA o:1400", CUT, ""},
};

const struct wire_table wire_sizes_4096 = {
    .what = "sizes to 4096",
    .options = "max_edns_response => 4096\nmax_edns_response_v6 => 4096",
    .udp_size = 1232,
    WIRE_TABLE(sizes_4096)};
