"""Scratch folder: beside what is being made, for its account alone, and gone when that is done."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX, SUFFIX = ".pbem-", ".partial"
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
"""Nothing else is opened, and nobody waits: others may write where a backup goes, as in /tmp."""


@contextmanager
def scratch_folder(beside: Path, name: str) -> Iterator[Path]:
    """A new hidden folder as long as the block; what a sudden end has left of others is removed.

    Who works in one holds a lock on it, which the kernel gives back however they end.
    """
    _remove_left(beside)
    folder, handle = _made(beside, name)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(handle)


def _made(beside: Path, name: str) -> tuple[Path, int]:
    """A folder, and the lock on it; before that somebody may take it for one that was left."""
    while True:
        made = tempfile.mkdtemp(prefix=f"{PREFIX}{name}-", suffix=SUFFIX, dir=beside)
        with suppress(FileNotFoundError):
            handle = os.open(made, _FOLDER)
            fcntl.flock(handle, fcntl.LOCK_EX)
            if (folder := Path(made)).exists():
                return folder, handle
            os.close(handle)


def synced(folder: Path) -> None:
    """What was renamed in a folder stays so after a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _remove_left(beside: Path) -> None:
    for folder in beside.glob(f"{PREFIX}*{SUFFIX}"):
        with suppress(OSError):
            _remove_if_left(folder)


def _remove_if_left(folder: Path) -> None:
    """Raises OSError where it is no folder, or of no concern to this account."""
    handle = os.open(folder, _FOLDER)
    try:
        if os.fstat(handle).st_uid == os.geteuid():
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(handle)
