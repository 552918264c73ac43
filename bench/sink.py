"""An SMTP server in its own process that takes every email and keeps none.

aiosmtpd would be the bottleneck. This server takes an email in less time than smtplib needs to send
it. XCOUNT, a command of its own, returns how many emails it has taken.
"""

from __future__ import annotations

import smtplib
import socketserver
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

HOST = "127.0.0.1"

_ANSWERS = {
    b"EHLO": b"250-sink\r\n250-SIZE 10000000\r\n250-8BITMIME\r\n250 PIPELINING\r\n",
    b"DATA": b"354 go on\r\n",
    b"QUIT": b"221 bye\r\n",
}


class _Server(socketserver.ThreadingTCPServer):
    """Counts the emails of all connections."""

    daemon_threads = True
    taken = 0


class _Visit(socketserver.StreamRequestHandler):
    """One connection."""

    disable_nagle_algorithm = True
    server: _Server

    def handle(self) -> None:
        self.wfile.write(b"220 sink\r\n")
        while line := self.rfile.readline():
            verb = line[:4].upper()
            self.wfile.write(_ANSWERS.get(verb, b"250 %d\r\n" % self.server.taken))
            if verb == b"QUIT":
                return
            if verb == b"DATA":
                self._take()

    def _take(self) -> None:
        for line in self.rfile:
            if line == b".\r\n":
                self.server.taken += 1
                self.wfile.write(b"250 taken\r\n")
                return


@contextmanager
def sink() -> Iterator[int]:
    """Run a sink. Yield its port."""
    process = subprocess.Popen([sys.executable, "-m", "bench.sink"], stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        yield int(process.stdout.readline())
    finally:
        process.kill()
        process.wait()


def taken(port: int) -> int:
    """Return how many emails a sink has taken."""
    with smtplib.SMTP(HOST, port, "localhost") as smtp:
        return int(smtp.docmd("XCOUNT")[1])


def main() -> None:
    """Serve until killed. Print the port first."""
    with _Server((HOST, 0), _Visit) as server:
        print(server.socket.getsockname()[1], flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
