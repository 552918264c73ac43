"""A relay between client and server on loopback, with which a test can cut connections."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple, Self

HOST: Final = "127.0.0.1"


class Fate(NamedTuple):
    """The fate of a line of the client."""

    heard: bool = True
    """Whether the server gets it."""
    answer: bytes = b""
    """Answer to the client in the server's place. {tag} is the first word of the line."""
    cut: bool = False
    """Whether the connection breaks, after the server's answer if it got the line."""


PASSES: Final = Fate()
LOST: Final = Fate(heard=False, cut=True)
"""The server never gets it."""
UNANSWERED: Final = Fate(cut=True)
"""The server carries it out, but its answer is lost."""
SILENCE: Final = Fate(heard=False)
"""The server seems to be asleep."""


class Relay:
    """Passes bytes on both ways. The server's answers may be edited or split into octets.

    The server listens on a port, or at the path of a Unix socket.

    `fate`, if given, decides about every line of the client and, without a line, about connecting.
    """

    def __init__(
        self,
        target: int | Path,
        edit: Callable[[bytes], bytes] = bytes,
        *,
        dribble: bool = False,
        fate: Callable[[bytes], Fate] | None = None,
    ) -> None:
        self._target = target
        self.edit = edit
        self.fate = fate
        self._dribble = dribble
        self._listener = socket.create_server((HOST, 0))
        self.port: int = self._listener.getsockname()[1]
        self._guard = threading.Lock()
        self._open: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Self:
        self._start(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()
        for thread in self._threads:
            thread.join()
        for end in self._open:
            end.close()

    def cut(self) -> None:
        """Break every connection. New ones may be made."""
        with self._guard:
            for end in self._open:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def _start(self, target: Callable[[], None]) -> None:
        thread = threading.Thread(target=target, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                self._connect(self._listener.accept()[0])

    def _connect(self, client: socket.socket) -> None:
        fate = self.fate  # which another thread may remove meanwhile
        greeted = fate(b"") if fate else PASSES
        if not greeted.heard:
            self._turn_away(client, greeted)
            return
        try:
            server = self._reached()
        except OSError:
            client.close()
            return
        with self._guard:
            self._open |= {client, server}
        for end in (client, server):
            if end.family != socket.AF_UNIX:
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        talk = _Talk(self, client, server)
        self._start(lambda: self._pass_on(client, server, talk.ask))
        self._start(lambda: self._pass_on(server, client, talk.answer))

    def _reached(self) -> socket.socket:
        if isinstance(self._target, int):
            return socket.create_connection((HOST, self._target))
        server = socket.socket(socket.AF_UNIX)
        try:
            server.connect(str(self._target))
        except OSError:
            server.close()
            raise
        return server

    def _turn_away(self, client: socket.socket, fate: Fate) -> None:
        with suppress(OSError):
            client.sendall(fate.answer)
        if fate.cut:
            client.close()
            return
        with self._guard:
            self._open.add(client)

    def say(self, client: socket.socket, said: bytes) -> None:
        """Return the server's answer as the client gets it."""
        edited = self.edit(said)
        for at in range(0, len(edited), 1 if self._dribble else len(edited)):
            client.sendall(edited[at : at + 1] if self._dribble else edited)

    def _pass_on(
        self, source: socket.socket, sink: socket.socket, send: Callable[[bytes], None]
    ) -> None:
        with suppress(OSError):
            while chunk := source.recv(65536):
                send(chunk)
        with suppress(OSError):
            sink.shutdown(socket.SHUT_RDWR)
        with self._guard:
            self._open.discard(source)
        source.close()


class _Talk:
    """One connection, with a decision on each line of its client."""

    def __init__(self, relay: Relay, client: socket.socket, server: socket.socket) -> None:
        self._relay, self._client, self._server = relay, client, server
        self._begun = b""
        self._swallowed: bytes | None = None
        """The server's answer so far to a line whose answer must get lost."""

    def ask(self, said: bytes) -> None:
        """Handle data from the client."""
        fate = self._relay.fate
        if fate is None:
            self._server.sendall(said)
            return
        for line in self._lines(said):
            self._judge(line, fate(line))

    def _lines(self, said: bytes) -> Iterator[bytes]:
        *whole, self._begun = (self._begun + said).split(b"\n")
        return (line + b"\n" for line in whole)

    def _judge(self, line: bytes, fate: Fate) -> None:
        if fate.answer:
            self._client.sendall(fate.answer.replace(b"{tag}", line.split()[0]))
        if fate.heard:
            self._swallowed = b"" if fate.cut else None
            self._server.sendall(line)
        elif fate.cut:
            raise ConnectionAbortedError

    def answer(self, said: bytes) -> None:
        """Handle data from the server."""
        if self._swallowed is None:
            self._relay.say(self._client, said)
            return
        self._swallowed += said
        whole, last = said.endswith(b"\n"), self._swallowed.splitlines()[-1]
        if whole and not last.startswith(b"* "):
            # Tagged, or asking for more: the server has carried out the command.
            raise ConnectionAbortedError
