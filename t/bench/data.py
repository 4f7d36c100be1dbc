# SPDX-License-Identifier: GPL-3.0-or-later
"""data.py: the zones, the configuration and the lists of queries of `make bench`."""
import os
import random
from dataclasses import dataclass

ADDRESSES = 8
TYPE_A = 1


@dataclass(frozen=True)
class Mix:
    """Queries that are answered alike: names of the format, with rcode and number of answers."""
    name: str
    owner: str
    rcode: int
    answers: int


# Names of one length: the generator can send long trains, and replies are alike.
MIXES = (
    Mix("hit", "n{:05}.static.example.", 0, 1),
    Mix("nxdomain", "x{:05}.static.example.", 3, 0),
    Mix("dynamic-8", "n{:05}.dynamic.example.", 0, ADDRESSES),
)

CONFIG = """options => {{
  listen => {address}:{port}
  udp_threads => 1
  tcp_threads => 1
  run_dir => {root}/run
  state_dir => {root}/state
  {options}
}}
plugins => {{ multifo => {{
  service_types => up
{resources}}} }}
"""

ZONE_HEAD = """$TTL 3600
@ SOA ns1 hostmaster 1 7200 1800 1209600 300
@ NS ns1
@ NS ns2
ns1 A 192.0.2.53
ns2 A 192.0.2.54
"""


def write(path, text):
    with open(path, "w", encoding="ascii") as f:
        f.write(text)


def resource(n):
    pairs = " ".join(f"a{i} => 10.{n >> 8 & 255}.{n & 255}.{i + 1}" for i in range(ADDRESSES))
    return f"  r{n:05} => {{ {pairs} }}\n"


def write_config(root, address, port, names, options):
    """A configuration folder; returns its path."""
    conf = os.path.join(root, "conf")
    for folder in (os.path.join(conf, "zones"), f"{root}/run", f"{root}/state"):
        os.makedirs(folder)
    resources = "".join(resource(n) for n in range(names))
    write(os.path.join(conf, "config"),
          CONFIG.format(address=address, port=port, root=root, options=options,
                        resources=resources))
    static = "".join(f"n{n:05} A 10.{n >> 16 & 255}.{n >> 8 & 255}.{n & 255}\n"
                     for n in range(names))
    dynamic = "".join(f"n{n:05} 300 DYNA multifo!r{n:05}\n" for n in range(names))
    write(os.path.join(conf, "zones", "static.example"), ZONE_HEAD + static)
    write(os.path.join(conf, "zones", "dynamic.example"), ZONE_HEAD + dynamic)
    return conf


def write_lists(root, names):
    """A list of queries for each mix, in random order; returns mix name -> path."""
    paths = {}
    for mix in MIXES:
        lines = [f"{mix.owner.format(n)} {TYPE_A} {mix.rcode} {mix.answers}\n"
                 for n in range(names)]
        random.shuffle(lines)
        paths[mix.name] = os.path.join(root, f"queries.{mix.name}")
        write(paths[mix.name], "".join(lines))
    return paths
