"""Scratch folders: private temporary folders beside a target, removed when done."""

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
    """Open a new hidden folder for a block. Removes folders that crashed processes left.

    The process that uses one locks it. The kernel releases the lock however the process ends.
    """
    beside.stat()  # an error names this folder, not a file to be created in it
    _remove_left(beside)
    folder, lock = _locked(beside, name)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _locked(beside: Path, name: str) -> tuple[Path, int]:
    """Return a new folder and the handle that locks it.

    Another process may remove a new folder before it is locked, so this repeats.
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
    """Create a folder. Raises OSError with the folder that the caller knows."""
    try:
        return Path(tempfile.mkdtemp(prefix=f".{name}-", suffix=SUFFIX, dir=beside))
    except OSError as error:
        error.filename = str(beside.absolute())
        raise


def synced(folder: Path) -> None:
    """Make renames in a folder survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _remove_left(beside: Path) -> None:
    for folder in beside.glob(f".*{SUFFIX}"):
        try:
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError:  # somebody else's, or not a folder
            continue
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            continue
        else:
            shutil.rmtree(folder, ignore_errors=True)
        finally:
            os.close(handle)
