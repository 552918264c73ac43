"""Check of the room on the disks that the club writes to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pbem.adapters.db import file_of
from pbem.cli.doctor.finding import Finding
from pbem.cli.listing import size
from pbem.config import Config
from pbem.ports.process import StorageUnavailable

MEGABYTE = 1_000_000
NEEDED = 100 * MEGABYTE
"""With less a day of mail may be the end."""
ENOUGH = 1000 * MEGABYTE
FILES_NEEDED = 1000
"""So many files, which need inodes, are soon made: every match has some."""


class Space(NamedTuple):
    """What is free in a folder for who is not root."""

    device: int
    free: int
    """Bytes."""
    files: int | None
    """How many more files may be made; None where their number has no bound."""


def look(config: Config) -> Iterator[Finding]:
    """A finding a disk, under the name of the first folder on it."""
    told = set[int]()
    for folder in _folders(config):
        space = space_in(folder)
        if space.device not in told:
            told.add(space.device)
            yield finding(folder, space, _database_bytes(config, space.device))


def finding(folder: Path, space: Space, database: int) -> Finding:
    """What is said of a disk, on which a database of so many bytes is."""
    free = f"{size(space.free)} are free for {folder}"
    if space.free < NEEDED:
        return Finding("disk", f"only {free}. A full disk stops the club: make room there.")
    if space.files is not None and space.files < FILES_NEEDED:
        few = f"only {space.files} more files can be made in {folder}: the disk is out of inodes."
        return Finding("disk", f"{few} Delete small files there that nobody needs.")
    if space.free < database:
        why = f"a new version may need {size(database)} to copy the database"
        return Finding("disk", advice=f"{free}; {why}.")
    if space.free < ENOUGH:
        return Finding("disk", advice=f"only {free}; make room before it is full.")
    return Finding("disk", note=free)


def space_in(folder: Path) -> Space:
    """What is free where a folder is, or will be made."""
    there = next(each for each in (folder, *folder.parents) if each.exists())
    status = os.statvfs(there)
    files = status.f_favail if status.f_files else None
    return Space(there.stat().st_dev, status.f_bavail * status.f_frsize, files)


def _folders(config: Config) -> Iterator[Path]:
    yield config.club.data_dir
    database = _database(config)
    if database is not None:
        yield database.parent
    yield config.archive_dir
    if config.site.enabled:
        yield config.site_dir


def _database_bytes(config: Config, device: int) -> int:
    """How large a file of a database on a disk is."""
    file = _database(config)
    if file is None or not file.is_file() or file.stat().st_dev != device:
        return 0
    return file.stat().st_size


def _database(config: Config) -> Path | None:
    """The file of the database, if it has one."""
    try:
        return file_of(config.database_url)
    except StorageUnavailable:  # told already
        return None
