"""Scratch folder: beside what is being made, for its account alone, and gone when that is done."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SUFFIX = ".partial"


@contextmanager
def scratch_folder(beside: Path, name: str) -> Iterator[Path]:
    """A new hidden folder as long as the block; what a sudden end has left of others is removed.

    Who works in one holds a lock on it, which the kernel gives back however they end.
    """
    _remove_left(beside)
    folder = Path(tempfile.mkdtemp(prefix=f".{name}-", suffix=SUFFIX, dir=beside))
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(handle)


def synced(folder: Path) -> None:
    """What was renamed in a folder stays so after a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _remove_left(beside: Path) -> None:
    for folder in beside.glob(f".*{SUFFIX}"):
        handle = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            continue
        else:
            shutil.rmtree(folder, ignore_errors=True)
        finally:
            os.close(handle)
