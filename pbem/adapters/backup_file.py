"""BackupFile: a club in one tar archive, with a manifest and the parts that it lists."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import tarfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, BinaryIO, Final, NamedTuple

from pydantic import TypeAdapter

from pbem.ports.process import StorageError
from pbem.ports.progress import Report, added_up, unreported

FORM: Final = 1
"""Version of the manifest's format. An unknown one is refused."""
MANIFEST = "manifest.json"
MOST_MANIFEST: Final = 1024 * 1024
"""Maximum bytes read of a manifest, which is usually some kilobytes long."""
_DATABASE = "database."
_NAME = re.compile(r"(oauth/)?[A-Za-z0-9_][A-Za-z0-9._-]*", re.ASCII)
_AT_ONCE = 1024 * 1024


class BackupUnusable(StorageError):
    """Raised if a part of a backup is damaged or not understood."""


class Part(NamedTuple):
    """A file in a backup."""

    size: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """Description of a backup."""

    pbem: str
    """Version of pbem that made it."""
    made_at: datetime
    """When the database was copied."""
    club: str
    address: str
    config: str
    """Path of the configuration."""
    database: str
    """`sqlite` or `postgresql`."""
    schema: str
    """Revision of the database's schema."""
    rows: Mapping[str, int]
    """Number of rows by table."""
    parts: Mapping[str, Part]


def part_of(file: Path) -> Part:
    """Return what the manifest says about a file."""
    with file.open("rb") as stream:
        return _summed(stream)


def write_backup(stream: BinaryIO, manifest: Manifest, files: Mapping[str, Path]) -> None:
    """Write the manifest and the files, with their names in the archive."""
    with tarfile.open(fileobj=stream, mode="w|", format=tarfile.PAX_FORMAT) as archive:
        text = json.dumps(_data(manifest), indent=2).encode()
        archive.addfile(_member(manifest, MANIFEST, len(text)), io.BytesIO(text))
        for name, path in files.items():
            with path.open("rb") as content:
                archive.addfile(_member(manifest, name, manifest.parts[name].size), content)


def _member(manifest: Manifest, name: str, size: int) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size, member.mode, member.mtime = size, 0o600, int(manifest.made_at.timestamp())
    return member


class BackupFile:
    """An open backup. Everything in it must match its manifest."""

    def __init__(
        self, path: Path, archive: tarfile.TarFile, members: Mapping[str, tarfile.TarInfo]
    ):
        self.path = path
        self._archive = archive
        self._members = members
        self.manifest = self._read_manifest()

    def check(self, report: Report = unreported) -> None:
        """Read every part, and report bytes. Raises BackupUnusable naming the first damaged one."""
        read = added_up(report, sum(part.size for part in self.manifest.parts.values()))
        for name in self.manifest.parts:
            with self._part(name) as stream:
                self._require_same(name, _summed(stream, read=read))

    def put(self, name: str, to: Path) -> None:
        """Write a part to a new file that only its owner can read. Raises BackupUnusable."""
        if name not in self.manifest.parts:
            raise self._damaged(f"{name} is missing")
        with self._part(name) as stream, os.fdopen(_created(to), "wb") as new:
            self._require_same(name, _summed(stream, new))
            new.flush()
            os.fsync(new.fileno())

    @property
    def database(self) -> str:
        """Return the name of the part with the database."""
        names = [name for name in self.manifest.parts if name.startswith(_DATABASE)]
        if len(names) != 1:
            raise self._damaged(f"it contains {len(names)} databases")
        return names[0]

    @contextmanager
    def _part(self, name: str) -> Iterator[IO[bytes]]:
        member = self._members.get(name)
        stream = None if member is None else self._archive.extractfile(member)
        if stream is None:
            raise self._damaged(f"{name} is missing")
        with stream:
            yield stream

    def _require_same(self, name: str, found: Part) -> None:
        if found != self.manifest.parts[name]:
            is_short = found.size < self.manifest.parts[name].size
            how = "is cut off" if is_short else "has changed since"
            raise self._damaged(f"{name} {how}")

    def _damaged(self, what: str) -> BackupUnusable:
        return BackupUnusable(f"{self.path} is damaged: {what}")

    def _read_manifest(self) -> Manifest:
        with self._part(MANIFEST) as stream:
            text = stream.read(MOST_MANIFEST)
        try:
            data = json.loads(text)
            if data.pop("form") != FORM:
                raise BackupUnusable(
                    f"{self.path} was written by a newer version of pbem. Install that version"
                )
            manifest = TypeAdapter(Manifest).validate_python(data)
            for name in manifest.parts:
                _require_safe(name)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise self._damaged(f"{MANIFEST} cannot be read") from error
        return manifest


@contextmanager
def opened_backup(path: Path) -> Iterator[BackupFile]:
    """Open a backup for a block. Raises BackupUnusable if the file is not one."""
    try:
        with tarfile.open(path, "r:") as archive:
            yield BackupFile(path, archive, _members(archive))
    except tarfile.TarError as error:
        raise BackupUnusable(f"{path} is not a backup by pbem, or is damaged: {error}") from error


def _members(archive: tarfile.TarFile) -> dict[str, tarfile.TarInfo]:
    """Return the members of an archive. If it is cut off, the last is incomplete."""
    found = dict[str, tarfile.TarInfo]()
    with suppress(tarfile.ReadError):
        found.update((member.name, member) for member in archive if _is_whole(member))
    return found


def _is_whole(member: tarfile.TarInfo) -> bool:
    """Return whether a member has all its bytes. A sparse one may claim any size."""
    return member.isreg() and not member.issparse()


def _data(manifest: Manifest) -> dict[str, object]:
    parts = {name: part._asdict() for name, part in manifest.parts.items()}
    made_at = manifest.made_at.isoformat()
    return {"form": FORM, **asdict(manifest), "made_at": made_at, "parts": parts}


def _require_safe(name: str) -> None:
    """Raise ValueError for a name that leads outside the target folder."""
    if not _NAME.fullmatch(name):
        raise ValueError(name)


def _created(path: Path) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)


def _summed(
    stream: IO[bytes],
    copy: IO[bytes] | None = None,
    read: Callable[[int], None] = lambda _bytes: None,
) -> Part:
    """Return a stream's size and hash. Copies it to `copy` if given.

    Tells `read` each number of bytes.
    """
    size, digest = 0, hashlib.sha256()
    try:
        while some := stream.read(_AT_ONCE):
            size += len(some)
            digest.update(some)
            read(len(some))
            if copy is not None:
                copy.write(some)
    except tarfile.ReadError:  # the archive is cut off here
        pass
    return Part(size, digest.hexdigest())
