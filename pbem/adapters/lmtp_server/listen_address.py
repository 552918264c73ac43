"""Listen address of LMTP: a Unix socket, or a local port."""

from __future__ import annotations

import os
import re
import socket
import stat
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

WAITING: Final = 100
"""Connections that may wait to be accepted. Postfix opens twenty at once."""
FORMS: Final = '"unix:/PATH" or "127.0.0.1:PORT"'
_PORT = re.compile(r"(127\.\d+\.\d+\.\d+|\[::1\]|localhost):(\d{1,5})", re.ASCII)


class PlaceTaken(Exception):
    """Raised if nobody can listen at a place, with the reason."""


class ListenPlace(NamedTuple):
    """The path of a Unix socket, or a host and its port."""

    path: Path | None
    host: str = ""
    port: int = 0

    def __str__(self) -> str:
        return f"{self.host}:{self.port}" if self.path is None else f"unix:{self.path}"


def read_place(text: str) -> ListenPlace:
    """Read a place from the configuration. Raises ValueError.

    Only this machine may connect, since whoever hands email over also says when it was received.
    """
    kind, _, path = text.partition(":")
    if kind == "unix" and path.startswith("/"):
        return ListenPlace(Path(path))
    found = _PORT.fullmatch(text)
    if found is None or int(found[2]) > 65535:
        raise ValueError(f"it must be {FORMS}, as other machines must not deliver email here")
    return ListenPlace(None, found[1].strip("[]"), int(found[2]))


@contextmanager
def opened(place: ListenPlace) -> Iterator[list[socket.socket]]:
    """Open a listening socket for a block. Raises PlaceTaken."""
    with ExitStack() as closed:
        try:
            listener = _bound(place, closed)
        except OSError as error:
            raise PlaceTaken(f"cannot listen at {place}: {error.strerror}") from error
        listener.listen(WAITING)
        yield [listener]


def _bound(place: ListenPlace, closed: ExitStack) -> socket.socket:
    if place.path is None:
        family = socket.AF_INET6 if ":" in place.host else socket.AF_INET
        return closed.enter_context(
            socket.create_server((place.host, place.port), family=family, backlog=WAITING)
        )
    _take_away(place.path)
    listener = closed.enter_context(closing(socket.socket(socket.AF_UNIX)))
    # Only for the group of its folder, which must include the mail server's account.
    mask = os.umask(0o117)
    try:
        listener.bind(str(place.path))
    finally:
        os.umask(mask)
    closed.callback(_unlink, place.path)
    return listener


def _unlink(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


def _take_away(path: Path) -> None:
    """Remove the socket of a dead process. Raises PlaceTaken if a live one uses it."""
    try:
        left = stat.S_ISSOCK(path.lstat().st_mode)
    except FileNotFoundError:
        return
    if not left:
        raise PlaceTaken(f"{path} exists and is not a socket. Move it away")
    with socket.socket(socket.AF_UNIX) as tried:
        try:
            tried.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
            return
    raise PlaceTaken(f"another process already listens at unix:{path}. Stop it first")


@contextmanager
def given_sockets(numbers: Iterable[int]) -> Iterator[list[socket.socket]]:
    """Use sockets that another process opened and keeps, given by file descriptor."""
    with ExitStack() as closed:
        for each in numbers:
            os.set_inheritable(each, False)
        yield [closed.enter_context(closing(socket.socket(fileno=each))) for each in numbers]
