"""The members' mail server, which accepts every email immediately and on any connection."""

from __future__ import annotations

import re
import socketserver
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import NamedTuple

HOST = "127.0.0.1"

_ANSWERS = {
    b"EHLO": b"250-mailroom\r\n250-SIZE 10000000\r\n250-8BITMIME\r\n250 PIPELINING\r\n",
    b"DATA": b"354 go on\r\n",
    b"QUIT": b"221 bye\r\n",
}
_RECIPIENT = re.compile(rb"RCPT TO:\s*<([^>]*)>", re.IGNORECASE)


class Taken(NamedTuple):
    """An email that a member has received."""

    recipient: str
    raw: bytes
    at: float
    """When it came, by the monotonic clock."""


@dataclass
class Mailroom:
    """A running server and the emails that it has taken."""

    port: int = 0
    taken: SimpleQueue[Taken] = field(default_factory=SimpleQueue)

    def mails(self) -> Iterator[Taken]:
        """Yield the emails that have come since the last call."""
        while not self.taken.empty():
            yield self.taken.get()


class _Visit(socketserver.StreamRequestHandler):
    """One connection."""

    disable_nagle_algorithm = True
    room: Mailroom

    def handle(self) -> None:
        self.wfile.write(b"220 mailroom\r\n")
        recipient = ""
        while line := self.rfile.readline():
            verb = line[:4].upper()
            self.wfile.write(_ANSWERS.get(verb, b"250 ok\r\n"))
            if found := _RECIPIENT.match(line):
                recipient = found[1].decode()
            if verb == b"QUIT":
                return
            if verb == b"DATA":
                self._take(recipient)

    def _take(self, recipient: str) -> None:
        lines: list[bytes] = []
        for line in self.rfile:
            if line == b".\r\n":
                # Stored before the answer is sent: the client may look at once.
                raw = b"".join(lines)
                self.room.taken.put(Taken(recipient, raw, time.monotonic()))
                self.wfile.write(b"250 taken\r\n")
                return
            lines.append(line.removeprefix(b"."))


@contextmanager
def open_mailroom() -> Iterator[Mailroom]:
    """Run a server on its own port."""
    room = Mailroom()
    visit = type("_VisitHere", (_Visit,), {"room": room})
    with socketserver.ThreadingTCPServer((HOST, 0), visit) as server:
        server.daemon_threads = True
        server.block_on_close = False
        room.port = server.server_address[1]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield room
        finally:
            server.shutdown()
