/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wire_zones.c: the zones that wire_rows_*.c ask. */
#include "e2e/wire.h"

#include <stdio.h>
#include <string.h>

enum { STRING_MAX = 255, SERVERS = 13, ADDRS = 120 };

static const char fixed[] =
    "$TTL 3600\n"
    "@ SOA ns1 hostmaster 7 7200 900 1209600 300\n"
    "@ NS ns1\n@ NS ns2\n@ CAA 0 issue \"ca.example\"\n"
    "ns1 A 192.0.2.1\nns2 AAAA 2001:db8::2\n"
    "www A 192.0.2.10\nwww A 192.0.2.11\nwww TXT hello\n"
    "mail MX 10 mx\nmail MX 20 mx.elsewhere.example.\nmx A 192.0.2.20\n"
    "_sip._tcp SRV 1 2 5060 mx\nptr PTR host.elsewhere.example.\n"
    "svc HTTPS 1 . alpn=h2\nsvc SVCB 2 mx port=8443\nsvcalias HTTPS 0 svc\n"
    "ttls 60 A 192.0.2.74\nttls 120 A 192.0.2.75\nttl0 0 A 192.0.2.76\n"
    "dup TXT dup\ndup TXT dup\nempty TXT \"\"\ntwo TXT a b\n"
    "unk TYPE65400 \\# 3 010203\nunk TYPE731 \\# 0\n"
    "\\000\\255 A 192.0.2.70\na\\.b A 192.0.2.72\nMiXeD A 192.0.2.73\n"
    "alias CNAME www\nlong CNAME alias\ndangling CNAME nowhere\n"
    "away CNAME host.elsewhere.example.\ntosub CNAME www.sub\ntodyn CNAME dyn\n"
    "tostar CNAME www.*\n"
    "dn DNAME target.elsewhere.example.\ndn TXT beside\n"
    "dni DNAME inner\nwww.inner A 192.0.2.78\n"
    "*.wild A 192.0.2.30\n*.wild TXT w\n*.wa CNAME www\n"
    "*.d A 192.0.2.32\nr.c.d A 192.0.2.33\nx.*.mid A 192.0.2.77\n"
    "a.b.ent A 192.0.2.31\n"
    "sub NS ns.sub\nsub NS ns.elsewhere.example.\nns.sub A 192.0.2.40\nns.sub AAAA 2001:db8::40\n"
    "self NS self\nself A 192.0.2.41\nsibling NS ns.sub\n"
    "secure NS ns.secure\nns.secure A 192.0.2.42\n"
    "secure DS 12345 8 2 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n"
    "child NS ns.child\nns.child A 192.0.2.50\n"
    "dyn 300/10 DYNA multifo!web\ndyn TXT beside\n";

/* gdnsd refuses them. */
static const char circles[] = "loop1 CNAME loop2\nloop2 CNAME loop1\n*.t CNAME *.t\n";

/* NAME TXT of so many bytes of strings as long as possible. */
static void put_text(FILE *out, const char *name, int bytes)
{
    fprintf(out, "%s TXT", name);
    for (int n; bytes; bytes -= n) {
        n = bytes < STRING_MAX ? bytes : STRING_MAX;
        fprintf(out, " \"%0*d\"", n, 0);
    }
    fputc('\n', out);
}

static void put_label_63(FILE *out)
{
    fprintf(out, "%063d.", 0);
}

/* Header, question (a name of 19 bytes), what stands before the rdata, lengths of two strings:
 * 512 in all. */
enum { EXACT = 512 - 12 - 23 - 12 - 2 };

void wire_put_zone(FILE *out, bool with_circles)
{
    fputs(fixed, out);
    if (with_circles)
        fputs(circles, out);
    put_text(out, "third", 300);
    put_text(out, "exact", EXACT);
    put_text(out, "over1", EXACT + 1);
    put_text(out, "half", 800);
    put_text(out, "text", 3000);
    for (int i = 0; i < ADDRS; i++)
        fprintf(out, "lots A 198.51.100.%d\nlots AAAA 2001:db8::%x\n", i, i);
    for (int i = 0; i < SERVERS; i++)
        fprintf(out, "many NS n%d.many\nn%d.many A 203.0.113.%d\nn%d.many AAAA 2001:db8:1::%x\n", i,
                i, i, i, i);
    fputs("dnl DNAME ", out);
    for (int i = 0; i < 3; i++)
        put_label_63(out);
    fputs("@Z\n", out);
}

const char wire_child[] = "$TTL 600\n@ SOA ns hostmaster 8 7200 900 1209600 60\n@ NS ns\n"
                          "ns A 192.0.2.50\nwww A 192.0.2.51\n";
const char wire_low[] = "@ 60 SOA ns hostmaster 9 7200 900 1209600 300\n@ 600 NS ns\n"
                        "ns 600 A 192.0.2.52\n";
