"""Mail servers that deliver by LMTP: a library's client, and a raw connection."""

from __future__ import annotations

import smtplib
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from pbem.adapters.lmtp_server import opened, read_place
from pbem.adapters.lmtp_server.server import LmtpServer

PATIENCE_S = 20.0


@contextmanager
def listening(server: LmtpServer, path: Path) -> Iterator[Path]:
    """Run a server on a Unix socket for the length of the block."""
    with ExitStack() as ended:
        sockets = ended.enter_context(opened(read_place(f"unix:{path}")))
        ended.callback(server.ended)
        ended.callback(server.end)
        server.start(sockets)
        yield path


@contextmanager
def client(path: Path, host: str = "mx.example.org") -> Iterator[smtplib.LMTP]:
    """Return a mail server that has introduced itself."""
    with smtplib.LMTP(str(path), local_hostname=host) as connection:
        connection.ehlo()
        yield connection


class Wire:
    """A connection that sends any lines and reads the answers."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(PATIENCE_S)
        self._socket.connect(str(path))
        self._lines = self._socket.makefile("rb")

    def __enter__(self) -> Wire:
        self.greeting = self.hears()
        return self

    def __exit__(self, *_: object) -> None:
        self._lines.close()
        self._socket.close()

    def says(self, *lines: str) -> None:
        """Send all lines at once."""
        self._socket.sendall("".join(f"{line}\r\n" for line in lines).encode())

    def hears(self) -> str:
        """Return the last line of the next answer, empty after the other side has hung up.

        A server that hangs up while unread data is waiting resets the connection.
        """
        with suppress(ConnectionResetError):
            while line := self._lines.readline().decode().rstrip():
                if line[3:4] == " ":
                    return line
        return ""
