"""Scratch folder: beside what is being made, for its account alone, and gone when that is done."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SUFFIX = ".pbem-partial"


@contextmanager
def scratch_folder(beside: Path, name: str) -> Iterator[Path]:
    """A new hidden folder as long as the block; what a sudden end has left of others is removed.

    Who works in one holds a lock on it, which the kernel gives back however they end.
    """
    beside.stat()  # one that is not there is named, and nothing that was to be in it
    _remove_left(beside)
    folder, lock = _locked(beside, name)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _locked(beside: Path, name: str) -> tuple[Path, int]:
    """A new folder, and the handle that has its lock.

    Who begins at the same moment may have removed one that had none yet.
    """
    while True:
        folder = _made(beside, name)
        with suppress(FileNotFoundError):
            handle = os.open(folder, os.O_RDONLY)
            fcntl.flock(handle, fcntl.LOCK_EX)
            if folder.exists():
                return folder, handle
            os.close(handle)


def _made(beside: Path, name: str) -> Path:
    """Raises OSError, which names the folder that whoever asked knows of."""
    try:
        return Path(tempfile.mkdtemp(prefix=f".{name}-", suffix=SUFFIX, dir=beside))
    except OSError as error:
        error.filename = str(beside.absolute())
        raise


def synced(folder: Path) -> None:
    """What was renamed in a folder stays so after a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _remove_left(beside: Path) -> None:
    for folder in beside.glob(f".*{SUFFIX}"):
        try:
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError:  # somebody else's, or no folder
            continue
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            continue
        else:
            shutil.rmtree(folder, ignore_errors=True)
        finally:
            os.close(handle)
