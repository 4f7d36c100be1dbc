# SPDX-License-Identifier: GPL-3.0-or-later
"""procs.py: the programs that `make bench` runs: server, echo, generator.

Each is ended by the object that started it; nothing is searched for by name."""
import glob
import json
import os
import random
import socket
import subprocess
import sys
import time

from data import ADDRESSES, MIXES, TYPE_A

PORT = 20053  # below the ports that systems hand out by themselves


def free_address():
    """A loopback address of our own: sockets that others open cannot be in its way."""
    for _ in range(100):
        at = f"127.{random.randint(1, 254)}.{random.randint(0, 255)}.{random.randint(1, 254)}"
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as u, socket.socket() as t:
            try:
                u.bind((at, PORT))
                t.bind((at, PORT))
                return at
            except OSError:
                pass
    sys.exit(f"bench: port {PORT} is taken on all addresses")


def message(name):
    """A query for the A records of a name."""
    labels = b"".join(bytes([len(x)]) + x.encode() for x in name.rstrip(".").split("."))
    return bytes(5) + b"\1" + bytes(6) + labels + bytes([0, 0, TYPE_A, 0, 1])


class Process:
    """Started at once; stop() ends it and waits for it."""

    def __init__(self, command, core, **how):
        self.command = command
        cores = core if isinstance(core, set) else {core}
        self.child = subprocess.Popen(command, preexec_fn=lambda: os.sched_setaffinity(0, cores),
                                      **how)

    def cpu_ns(self):
        """CPU time of all threads, kernel included."""
        total = 0
        for path in glob.glob(f"/proc/{self.child.pid}/task/*/schedstat"):
            with open(path, encoding="ascii") as f:
                total += int(f.read().split()[0])
        return total

    def stop(self):
        self.child.terminate()
        try:
            self.child.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()


class Server(Process):
    """The server under test. `command` may have a wrapper (valgrind) in front."""

    def __init__(self, command, conf, address, core):
        self.address, self.port = address, PORT
        self.log = open(os.path.join(conf, "log"), "w+", encoding="utf-8", errors="replace")
        super().__init__(command + ["-c", conf, "start"], core, stderr=self.log, stdout=self.log)

    def wait(self, seconds=20, patience=0.002):
        """Until the first right dynamic answer."""
        self.wait_for(message(MIXES[-1].owner.format(0)), ADDRESSES, seconds, patience)

    def wait_for(self, query, answers, seconds=20, patience=0.002):
        """Until the query has so many answers; asks again after `patience` seconds."""
        end = time.monotonic() + seconds
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
            s.connect((self.address, self.port))
            s.settimeout(patience)
            while time.monotonic() < end and self.child.poll() is None:
                try:
                    s.send(query)
                    reply = s.recv(4096)
                except OSError:  # refused, or nothing yet
                    time.sleep(0.0005)
                    continue
                if reply[3] & 15 == 0 and reply[7] == answers:
                    return
        self.log.seek(0)
        sys.exit(f"bench: {' '.join(self.command)} does not answer:\n{self.log.read()[-2000:]}")

    def stop(self):
        super().stop()
        self.log.close()


class Echo(Process):
    """The limit: replies of pad bytes more than the query, with this rcode and ancount."""

    def __init__(self, build, core, pad, rcode, answers, address="127.0.0.1"):
        command = [os.path.join(build, "t/bench/echo"), "-p", str(max(0, pad)), "-r", str(rcode),
                   "-a", str(answers), address]
        super().__init__(command, core, stdout=subprocess.PIPE, text=True)
        line = self.child.stdout.readline().split()
        if not line:
            sys.exit("bench: the echo does not start")
        self.address, self.port = address, int(line[1])

    def stop(self):
        super().stop()
        self.child.stdout.close()


class Generator:
    """Runs once per turn; returns what it counted."""

    def __init__(self, build, core, lists):
        self.command = [os.path.join(build, "t/bench/generator"), "-c", str(core)]
        self.lists = lists

    def run(self, server, mix, count=10**9, seconds=30):
        command = self.command + ["-n", str(count), "-t", str(seconds),
                                  f"{server.address}:{server.port}", self.lists[mix]]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=seconds + 60)
        if done.returncode not in (0, 1):
            sys.exit(f"bench: {' '.join(command)}: exit status {done.returncode}")
        return json.loads(done.stdout)
