"""FolderLock: let only one service use what cannot be shared, and name it."""

from __future__ import annotations

import fcntl
import os
import shlex
import socket
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from pbem.log import get_logger

log = get_logger(__name__)

MOST_READ = 2000
"""Maximum number of characters shown of a lock file, which says who has the lock."""


class AlreadyServed(Exception):
    """Raised if another process serves the club. The text says which."""


class FolderLock:
    """A lock on a file, which the kernel releases however its holder ends.

    Uses flock, since POSIX locks are lost as soon as any part of the process closes the file. The
    file stays, since a process that waits for its removal could lock a deleted file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def __enter__(self) -> Self:
        file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            held = os.pread(file, MOST_READ, 0).decode(errors="replace").strip()
            os.close(file)
            raise AlreadyServed(
                f"the club in {self._path.parent} is already being served by {_shown(held)}. "
                "Stop that first"
            ) from None
        except OSError as error:  # not every file system in the net has locks
            log.warning("no lock: make sure that only one pbem serve runs", reason=error.strerror)
        self._file = file
        self._write(_who())
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._write("")
            os.close(self._file)
            self._file = None

    def _write(self, text: str) -> None:
        assert self._file is not None, "it is locked"
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, text.encode(errors="replace"), 0)


def _who() -> str:
    """Describe this process in one line."""
    command = shlex.join(["pbem", *sys.argv[1:]])
    since = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    return f"process {os.getpid()} on {socket.gethostname()} since {since} ({command})\n"


def _shown(held: str) -> str:
    """Return what the holder wrote, if it has written anything yet."""
    return "".join(char if char.isprintable() else " " for char in held) or "another process"
