# SPDX-License-Identifier: GPL-3.0-or-later
"""network: a network of the program's own, which nothing leaves."""
import fcntl
import os
import socket
import struct
import subprocess
import sys


def enter_own_network():
    """Runs this program again in a network namespace with `lo` up, or ends it with 77: skipped."""
    if os.environ.get("THRESH_NETWORK") == "own":
        raise_loopback()
        return
    os.environ["THRESH_NETWORK"] = "own"
    for options in (["-n"], ["-rn"]):
        if subprocess.run(["unshare", *options, "true"], check=False,
                          stderr=subprocess.DEVNULL).returncode == 0:
            os.execvp("unshare", ["unshare", *options, sys.executable, *sys.argv])
    print("no network namespace can be had here")
    sys.exit(77)


def raise_loopback():
    name, up_running = b"lo", 0x1 | 0x40
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        fcntl.ioctl(s, 0x8914, struct.pack("16sh14x", name, up_running))  # SIOCSIFFLAGS
