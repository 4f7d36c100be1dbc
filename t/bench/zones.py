# SPDX-License-Identifier: GPL-3.0-or-later
"""zones.py: loading large zones and many zones, and reloads of one among many."""
import os
import shutil
import socket
import statistics
import struct
import subprocess
import threading
import time

from data import write
from procs import PORT, Server, message

CONFIG = """options => {{
  listen => {address}:{port}
  run_dir => {root}/run
  state_dir => {root}/state
  {options}
}}
"""
ZONE = """$TTL 3600
@ SOA ns1.example. hostmaster.example. {serial} 7200 1800 1209600 300
@ NS ns1.example.
@ NS ns2.example.
@ A 192.0.2.1
www A 192.0.2.{last}
mail A 192.0.2.1
"""


def span_ms(values):
    return f"{statistics.median(values):.1f} ms ({min(values):.1f}..{max(values):.1f})"


def ask_control(root, key, data=b""):
    """Milliseconds until the daemon has done it."""
    begin = time.monotonic()
    with socket.socket(socket.AF_UNIX) as s:
        s.connect(f"{root}/run/control.sock")
        s.sendall(key + bytes(3) + struct.pack("=I", len(data)) + data)
        ack = s.recv(8)
    if ack[:1] != b"A":
        raise SystemExit(f"bench: the control socket says {ack!r}")
    return (time.monotonic() - begin) * 1000


class Loaded:
    """A server of its own with the zones that `fill` writes, or with those that are there (None);
    load_s: until it answers `name`."""

    def __init__(self, args, root, address, cores, fill, name, options=""):
        if fill:
            shutil.rmtree(root, ignore_errors=True)
            for folder in ("conf/zones", "run", "state"):
                os.makedirs(f"{root}/{folder}")
            fill(f"{root}/conf/zones")
        write(f"{root}/conf/config",
              CONFIG.format(address=address, port=PORT, root=root, options=options))
        begin = time.monotonic()
        self.server = Server([args.binary], f"{root}/conf", address, cores)
        self.server.wait_for(message(name), 1, seconds=120)
        self.load_s = time.monotonic() - begin

    def rss_mib(self):
        with open(f"/proc/{self.server.child.pid}/status", encoding="ascii") as f:
            return next(int(x.split()[1]) for x in f if x.startswith("VmRSS:")) / 1024


def write_records(folder, count):
    text = "".join(f"m{n:07} 3600 A 10.{n >> 16 & 255}.{n >> 8 & 255}.{n & 255}\n"
                   for n in range(count))
    write(f"{folder}/million.example", ZONE.format(serial=1, last=1) + text)


def write_zone(folder, n, serial=1):
    name = f"z{n:06}.example"
    write(f"{folder}/.new", ZONE.format(serial=serial, last=serial % 250 + 1))
    os.rename(f"{folder}/.new", f"{folder}/{name}")
    return name


def write_zones(folder, count):
    for n in range(count):
        write_zone(folder, n)


def measure_records(args, root, address, cores):
    count = args.zones * 10
    at = Loaded(args, root, address, cores, lambda z: write_records(z, count),
                f"m{count - 1:07}.million.example")
    print(f"load {count} records: {at.load_s:.2f} s, {at.rss_mib():.0f} MiB")
    at.server.stop()


class Prober(threading.Thread):
    """Asks one question after another until end(), and keeps how long each answer took."""

    def __init__(self, address, name):
        super().__init__(daemon=True)
        self.question = message(name)
        self.taken_ms, self.lost, self.ended = [], 0, threading.Event()
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.connect((address, PORT))
        self.socket.settimeout(1)

    def run(self):
        while not self.ended.is_set():
            begin = time.monotonic()
            self.socket.send(self.question)
            try:
                self.socket.recv(4096)
                self.taken_ms.append((time.monotonic() - begin) * 1000)
            except TimeoutError:
                self.lost += 1

    def end(self):
        self.ended.set()
        self.join()
        self.socket.close()

    def text(self):
        slow = sum(x > 5 for x in self.taken_ms)
        return (f"{max(self.taken_ms):.1f} ms the worst of {len(self.taken_ms)}, "
                f"{slow} over 5 ms, {self.lost} lost")


def settle(seconds=2.2):
    """Files younger than 2 s are read again by any reload: that is not what is measured."""
    time.sleep(seconds)


def measure_reloads(args, root, at):
    zones, serial, directory, named, rss = f"{root}/conf/zones", 2, [], [], []
    settle()
    walks = []
    for serial in range(2, 102):
        name = write_zone(zones, args.zones // 2, serial)
        if serial % 10 == 2:
            walk = subprocess.run([f"{args.build}/t/bench/walk", zones], check=True, text=True,
                                  stdout=subprocess.PIPE)
            walks.append(float(walk.stdout))
            directory.append(ask_control(root, b"Z"))
            rss.append(at.rss_mib())
        else:
            named.append(ask_control(root, b"z", name.encode() + b"\0"))
    ratios = [d / w for d, w in zip(directory, walks)]
    print(f"bare walk of the directory: {span_ms(walks)}")
    print(f"reload of one, whole directory: {span_ms(directory)}, "
          f"{statistics.median(ratios):.2f} walks; the last: {directory[-1]:.1f} ms")
    print(f"reload of one, by name: {span_ms(named)}; the last: {named[-1]:.1f} ms")
    print(f"memory after the first reload {rss[0]:.0f} MiB, near the hundredth {rss[-1]:.0f} MiB")


def measure_answers(args, root, address):
    """How long answers take while zones are reloaded; apart, as asking takes a processor."""
    prober = Prober(address, "www.z000001.example")
    prober.start()
    for serial in range(102, 122):
        name = write_zone(f"{root}/conf/zones", args.zones // 2, serial)
        if serial % 2:
            ask_control(root, b"Z")
        else:
            ask_control(root, b"z", name.encode() + b"\0")
    prober.end()
    print(f"answers during 20 reloads, one at a time: {prober.text()}")


QUIET_MS = 1000  # that zones_watch waits for further changes


def until_answered(address, name, last):
    """Until the only address of the name ends in `last`."""
    query, end = message(name), time.monotonic() + 20
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.connect((address, PORT))
        s.settimeout(1)
        while time.monotonic() < end:
            s.send(query)
            if s.recv(4096)[-4:] == bytes([192, 0, 2, last]):
                return
            time.sleep(0.0002)
    raise SystemExit(f"bench: a watched change of {name} is not answered")


def measure_watched(args, root, address, cores):
    """From the change of one file to its answer, less the time that has to be quiet."""
    at = Loaded(args, root, address, cores, None, f"www.z{args.zones - 1:06}.example",
                "zones_watch => true")
    taken_ms = []
    settle()
    try:
        for serial in range(122, 134):
            begin = time.monotonic()
            name = write_zone(f"{root}/conf/zones", args.zones // 2, serial)
            until_answered(address, f"www.{name}", serial % 250 + 1)
            taken_ms.append((time.monotonic() - begin) * 1000 - QUIET_MS)
    finally:
        at.server.stop()
    print(f"reload of one, watched: {span_ms(taken_ms)} behind the quiet time of {QUIET_MS} ms")


def measure_zones(args, root, address, cores):
    """Prints the rows."""
    measure_records(args, f"{root}/records", address, cores)
    at = Loaded(args, f"{root}/many", address, cores, lambda z: write_zones(z, args.zones),
                f"www.z{args.zones - 1:06}.example")
    print(f"load {args.zones} zones: {at.load_s:.2f} s, {at.rss_mib():.0f} MiB")
    try:
        measure_reloads(args, f"{root}/many", at)
        measure_answers(args, f"{root}/many", address)
    finally:
        at.server.stop()
    measure_watched(args, f"{root}/many", address, cores)
