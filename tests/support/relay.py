"""A relay between client and server on loopback, so that a test can cut what goes through it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Self

HOST: Final = "127.0.0.1"


class Relay:
    """Passes bytes on both ways; what the server says may be edited, or come octet by octet."""

    def __init__(
        self, port: int, edit: Callable[[bytes], bytes] = bytes, *, dribble: bool = False
    ) -> None:
        self._target = port
        self._edit = edit
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

    def cut(self) -> None:
        """Breaks every connection; new ones may be made."""
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
        try:
            server = socket.create_connection((HOST, self._target))
        except OSError:
            client.close()
            return
        with self._guard:
            self._open |= {client, server}
        for end in (client, server):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._start(lambda: self._pass_on(client, server, server.sendall))
        self._start(lambda: self._pass_on(server, client, lambda said: self._say(client, said)))

    def _say(self, client: socket.socket, said: bytes) -> None:
        edited = self._edit(said)
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
