# SPDX-License-Identifier: GPL-3.0-or-later
"""stub: a stub resolver of few lines: UDP, and TCP if the response is truncated."""
import socket
import struct

TYPES = {"A": 1, "CNAME": 5, "MX": 15, "TXT": 16, "AAAA": 28, "HTTPS": 65}
WAIT_S = 15


class Reply:
    def __init__(self, message):
        self.rcode = message[3] & 15
        self.is_truncated = bool(message[2] & 2)
        self.records = []  # of the answer: (type, rdata)
        questions, answers = struct.unpack(">2H", message[4:8])
        at = 12
        for _ in range(questions):
            at = skip_name(message, at) + 4
        for _ in range(answers):
            at = skip_name(message, at)
            kind, _, _, size = struct.unpack(">2HIH", message[at:at + 10])
            self.records.append((kind, message[at + 10:at + 10 + size]))
            at += 10 + size

    def texts(self, kind):
        """Data of the answer's records of a type: addresses, preferences, else how long they are."""
        return [text_of(kind, data) for number, data in self.records if number == TYPES[kind]]


def text_of(kind, data):
    if kind == "A":
        return socket.inet_ntop(socket.AF_INET, data)
    if kind == "AAAA":
        return socket.inet_ntop(socket.AF_INET6, data)
    if kind == "MX":
        return str(struct.unpack(">H", data[:2])[0])
    return str(len(data))


def skip_name(message, at):
    while message[at] and message[at] < 0xc0:
        at += message[at] + 1
    return at + (2 if message[at] else 1)


def ask(name, kind, server, port=53):
    """The response, or None while nobody answers."""
    labels = b"".join(bytes([len(p)]) + p.encode() for p in name.split(".")) + b"\0"
    question = labels + struct.pack(">2H", TYPES[kind], 1)
    query = struct.pack(">6H", 4711, 0x100, 1, 0, 0, 0) + question
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
            s.settimeout(WAIT_S)
            s.connect((server, port))
            s.send(query)
            reply = Reply(s.recv(65535))
        return ask_tcp(query, server, port) if reply.is_truncated else reply
    except OSError:
        return None


def ask_tcp(query, server, port):
    with socket.create_connection((server, port), WAIT_S) as s:
        s.sendall(struct.pack(">H", len(query)) + query)
        with s.makefile("rb") as stream:
            size = struct.unpack(">H", stream.read(2))[0]
            return Reply(stream.read(size))
