# SPDX-License-Identifier: GPL-3.0-or-later
"""client_cases: what t/e2e/clients asks, of which zones, and what it should see."""
from dataclasses import dataclass, field

BIG = 3000  # bytes; more than UDP takes

FEATURES = """$TTL 300
@ SOA ns1 hostmaster 1 7200 1800 1209600 60
@ NS ns1
@ NS ns2
ns1 A 127.0.0.1
ns2 A 127.0.0.1
host A 192.0.2.1
host AAAA 2001:db8::1
alias CNAME host
away CNAME static.demo.example.
tree DNAME wood
x.wood A 192.0.2.2
*.wild A 192.0.2.3
a.b.c.ent A 192.0.2.4
mail MX 10 mx1
mail MX 20 mx2
mx1 A 192.0.2.5
mx2 A 192.0.2.6
_sip._tcp SRV 1 2 5060 mx1
svc HTTPS 1 . alpn=h2 port=8443
svc SVCB 1 host port=5353
caa CAA 0 issue "ca.example"
unk TYPE65400 \\# 3 010203
dyn 30 DYNA multifo!www
dual 30 DYNA multifo!dual
toself CNAME dyn
sub NS ns.sub
ns.sub A 127.0.0.2
"""

SUB = """$TTL 300
@ SOA ns hostmaster 1 7200 1800 1209600 60
@ NS ns
ns A 127.0.0.2
www A 192.0.2.7
deep.er A 192.0.2.8
"""

ROOT = """$TTL 3600
@ SOA ns.root hostmaster.root 1 7200 1800 1209600 60
@ NS ns.root
ns.root A 127.0.0.1
"""


def big_text():
    strings, left = [], BIG
    while left:
        size = min(left, 255)
        strings.append('"' + "t" * size + '"')
        left -= size
    return "big TXT " + " ".join(strings) + "\n"


def zone_files(demo, is_child):
    """Zones of a server by name: the child serves what the parent delegates."""
    if is_child:
        return {"sub.features.example": SUB}
    return {"ROOT_ZONE": ROOT, "example": EXAMPLE, "features.example": FEATURES + big_text(),
            "demo.example": demo}


EXAMPLE = """$TTL 3600
@ SOA ns.root. hostmaster.root. 1 7200 1800 1209600 60
@ NS ns.root.
"""


@dataclass
class Case:
    """What each client that asks threshd itself should print."""
    shows: str
    name: str
    type: str
    words: list
    tcp: bool = False
    no_answer: str = ""  # NXDOMAIN or NODATA
    not_by: tuple = ()


F = ".features.example"
CASES = [
    Case("an address", "host" + F, "A", ["192.0.2.1"]),
    Case("an address over TCP", "host" + F, "A", ["192.0.2.1"], tcp=True),
    Case("an IPv6 address", "host" + F, "AAAA", ["2001:db8::1"]),
    Case("an alias", "alias" + F, "CNAME", ["host.features.example."]),
    Case("an alias alone", "alias" + F, "A", ["host.features.example."]),
    Case("a DNAME and what it makes", "x.tree" + F, "A", ["x.wood.features.example."]),
    Case("a DNAME", "tree" + F, "DNAME", ["wood.features.example."]),
    Case("a wildcard", "any.thing.wild" + F, "A", ["192.0.2.3"]),
    Case("mail exchangers", "mail" + F, "MX", ["10 mx1.features.example.",
                                              "20 mx2.features.example."]),
    Case("a service", "_sip._tcp" + F, "SRV", ["1 2 5060 mx1.features.example."]),
    Case("HTTPS", "svc" + F, "HTTPS", ["h2", "8443"]),
    Case("SVCB", "svc" + F, "SVCB", ["host.features.example.", "5353"]),
    Case("CAA", "caa" + F, "CAA", ["ca.example"]),
    Case("a type nobody knows", "unk" + F, "TYPE65400", ["3 010203"]),
    # drill only says so
    Case("a text that needs TCP", "big" + F, "TXT", ["t" * 255], not_by=("drill",)),
    Case("a text over TCP", "big" + F, "TXT", ["t" * 255], tcp=True),
    Case("a dynamic set", "dyn" + F, "A", ["127.0.0.11", "127.0.0.12", "127.0.0.13"]),
    Case("a dynamic IPv6 address", "dual" + F, "AAAA", ["2001:db8::61"]),
    Case("the demo", "www.demo.example", "A", ["127.0.0.11", "127.0.0.12", "127.0.0.13"]),
    Case("the demo's wildcard", "x.any.demo.example", "A", ["192.0.2.99"]),
    Case("no such name", "nope" + F, "A", ["NXDOMAIN"], no_answer="NXDOMAIN"),
    Case("no such data", "mx1" + F, "AAAA", ["ANSWER: 0"], no_answer="NODATA"),
    # host and delv want an answer, not a referral
    Case("a referral and its glue", "www.sub" + F, "A", ["ns.sub.features.example.", "127.0.0.2"],
         not_by=("host", "delv")),
    Case("ANY", "host" + F, "ANY", ["RFC8482"]),
]

# What an option makes of the output, by the words of each program.
DIG = [
    ("NSID", "+nsid host.features.example", ['"ams-3"', "192.0.2.1"]),
    ("a cookie", "+cookie host.features.example", ["(good)", "192.0.2.1"]),
    ("a cookie and no question", "+cookie +header-only", ["status: NOERROR", "(good)"]),
    ("a wrong cookie",
     "+cookie=61616161616161610100000000000000ffffffffffffffff host.features.example",
     ["(good)", "192.0.2.1"]),
    ("client subnet", "+subnet=192.0.2.0/24 host.features.example",
     ["CLIENT-SUBNET: 192.0.2.0/24/0", "192.0.2.1"]),
    ("client subnet, IPv6", "+subnet=2001:db8::/56 dyn.features.example",
     ["CLIENT-SUBNET: 2001:db8::/56/0", "127.0.0.12"]),
    ("client subnet 0", "+subnet=0 host.features.example", ["CLIENT-SUBNET: 0.0.0.0/0/0"]),
    ("EDNS 1", "+edns=1 +noednsneg host.features.example", ["BADVERS", "version: 0"]),
    ("EDNS 1 and what to do then", "+edns=1 host.features.example", ["BADVERS", "192.0.2.1"]),
    ("no EDNS", "+noedns host.features.example", ["status: NOERROR", "ADDITIONAL: 0"]),
    ("an unknown option", "+ednsopt=65001:6162 host.features.example", ["192.0.2.1"]),
    ("unknown flags", "+ednsflags=0x7fff host.features.example", ["flags:;", "192.0.2.1"]),
    ("DO", "+dnssec host.features.example", ["flags: do", "192.0.2.1"]),
    ("size", "+bufsize=4096 host.features.example", ["udp: 1232"]),
    ("truncation", "+ignore big.features.example TXT", ["flags: qr aa tc", "ANSWER: 0"]),
    ("padding over TCP", "+tcp +padding=128 host.features.example", ["; PAD", "192.0.2.1"]),
    ("keepalive", "+tcp +keepalive host.features.example", ["TCP KEEPALIVE: 37.0"]),
    ("several queries on one connection",
     "+tcp +keepopen host.features.example alias.features.example",
     ["192.0.2.1", "host.features.example."]),
    ("letter case", "HoSt.FeAtUrEs.ExAmPlE", ["HoSt.FeAtUrEs.ExAmPlE. 300 IN A"]),
    ("version.bind", "CH TXT version.bind", ['"thresh"']),
    ("id.server", "CH TXT id.server", ['"ams-3"']),
    ("an opcode", "+opcode=notify host.features.example", ["NOTIMP"]),
    ("a transfer", "+tcp features.example AXFR", ["Transfer failed"]),
    ("an extended error", "-c HS host.features.example", ["REFUSED", "EDE: 21"]),
    ("over IPv6", "-6 @::1 host.features.example", ["192.0.2.1", "::1#53"]),
    ("a referral", "+norecurse www.sub.features.example",
     ["AUTHORITY: 1, ADDITIONAL: 2", "127.0.0.2"]),
]

KDIG = [
    ("NSID", "+nsid host.features.example", ["ams-3", "192.0.2.1"]),
    ("a cookie", "+cookie host.features.example", ["COOKIE", "192.0.2.1"]),
    ("client subnet", "+subnet=192.0.2.0/24 host.features.example",
     ["CLIENT-SUBNET: 192.0.2.0/24/0"]),
    ("EDNS 1", "+edns=1 host.features.example", ["BADVERS"]),
    ("DO", "+dnssec host.features.example", ["flags: do"]),
    ("padding over TCP", "+tcp +padding=128 host.features.example", ["PADDING", "192.0.2.1"]),
    ("truncation", "+edns +ignore big.features.example TXT", ["Flags: qr aa tc", "ANSWER: 0"]),
    ("several queries on one connection",
     "+tcp +keepopen host.features.example +tcp +keepopen alias.features.example",
     ["192.0.2.1", "host.features.example."]),
    ("letter case", "HoSt.FeAtUrEs.ExAmPlE", ["192.0.2.1"]),
    ("version.bind", "CH TXT version.bind", ['"thresh"']),
    ("over IPv6", "@::1 host.features.example", ["192.0.2.1", "::1@53"]),
]


@dataclass
class Resolved:
    """What a resolver's client should get; texts as text_of in stub.py."""
    shows: str
    name: str
    type: str
    texts: list = field(default_factory=list)
    rcode: int = 0


RESOLVED = [
    Resolved("an address", "host" + F, "A", ["192.0.2.1"]),
    Resolved("an IPv6 address", "host" + F, "AAAA", ["2001:db8::1"]),
    Resolved("an alias", "alias" + F, "A", ["192.0.2.1"]),
    Resolved("an alias into another zone", "away" + F, "A", ["192.0.2.80"]),
    Resolved("an alias of a dynamic name", "toself" + F, "A",
             ["127.0.0.11", "127.0.0.12", "127.0.0.13"]),
    Resolved("a DNAME", "x.tree" + F, "A", ["192.0.2.2"]),
    Resolved("a DNAME to nothing", "y.tree" + F, "A", rcode=3),
    Resolved("a wildcard", "any.thing.wild" + F, "A", ["192.0.2.3"]),
    Resolved("below empty non-terminals", "a.b.c.ent" + F, "A", ["192.0.2.4"]),
    Resolved("an empty non-terminal", "b.c.ent" + F, "A"),
    Resolved("beside an empty non-terminal", "x.c.ent" + F, "A", rcode=3),
    Resolved("mail exchangers", "mail" + F, "MX", ["10", "20"]),
    Resolved("HTTPS", "svc" + F, "HTTPS", ["16"]),
    Resolved("a text that needs TCP", "big" + F, "TXT", [str(BIG + 12)]),
    Resolved("a dynamic set", "dyn" + F, "A", ["127.0.0.11", "127.0.0.12", "127.0.0.13"]),
    Resolved("both families", "dual" + F, "A", ["192.0.2.61"]),
    Resolved("both families", "dual" + F, "AAAA", ["2001:db8::61"]),
    Resolved("a delegation with glue", "www.sub" + F, "A", ["192.0.2.7"]),
    Resolved("deep in a delegation", "deep.er.sub" + F, "A", ["192.0.2.8"]),
    Resolved("no name in a delegation", "nope.sub" + F, "A", rcode=3),
    Resolved("no such name", "nope" + F, "A", rcode=3),
    Resolved("no such data", "mx1" + F, "AAAA"),
    Resolved("a dynamic name without IPv6", "dyn" + F, "AAAA"),
    Resolved("the demo", "www.demo.example", "A", ["127.0.0.11", "127.0.0.12", "127.0.0.13"]),
    Resolved("the demo's alias", "alias.demo.example", "A",
             ["127.0.0.11", "127.0.0.12", "127.0.0.13"]),
    Resolved("a name of no zone", "www.elsewhere.invalid", "A", rcode=3),
]
