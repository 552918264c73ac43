"""FileArchive: files in a folder, each written as a whole."""

from __future__ import annotations

import fcntl
import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LOCK = ".lock"
PUBLIC_FILE, PUBLIC_FOLDER = 0o644, 0o755
"""Permissions for a web server, which has its own account."""


class FileArchive:
    """A folder of files. Satisfies `pbem.ports.ArchiveStore`.

    If public, every account can read it, whatever the umask.
    """

    def __init__(self, folder: Path, *, public: bool = False) -> None:
        self._folder = folder
        self._public = public

    def write(self, name: str, data: bytes) -> None:
        self.write_all([(name, data)])

    def write_all(self, files: Iterable[tuple[str, bytes]]) -> None:
        folders: dict[Path, None] = {}
        for name, data in files:
            target = self._path(name)
            self._make(target.parent)
            self._put(target, data)
            folders[target.parent] = None
        for folder in folders:
            _sync(folder)

    def _put(self, target: Path, data: bytes) -> None:
        # On the same file system, so that the rename is atomic. Hidden, so that no reader sees it.
        draft = target.parent / f".{target.name}.{secrets.token_hex(8)}"
        try:
            with draft.open("xb") as file:
                if self._public:
                    os.fchmod(file.fileno(), PUBLIC_FILE)
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(target)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise

    def _make(self, folder: Path) -> None:
        if folder.is_dir():
            return
        if folder != self._folder:
            self._make(folder.parent)
        else:
            folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(exist_ok=True)
        if self._public:
            folder.chmod(PUBLIC_FOLDER)

    def read(self, name: str) -> bytes | None:
        try:
            return self._path(name).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None

    def remove(self, name: str) -> None:
        path = self._path(name)
        with suppress(FileNotFoundError, NotADirectoryError):
            path.unlink()
            _sync(path.parent)

    def names(self, beginning: str = "") -> list[str]:
        return sorted(self._named(self._folder, "", beginning))

    def _named(self, folder: Path, above: str, beginning: str) -> Iterator[str]:
        with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
            for entry in entries:
                name = f"{above}{entry.name}"
                if entry.name.startswith("."):
                    continue
                if entry.is_dir():
                    below = f"{name}/"
                    if below.startswith(beginning) or beginning.startswith(below):
                        yield from self._named(folder / entry.name, below, beginning)
                elif name.startswith(beginning):
                    yield name

    @contextmanager
    def alone(self) -> Iterator[bool]:
        self._make(self._folder)
        file = os.open(self._folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            yield _locked(file)
        finally:
            os.close(file)

    def _path(self, name: str) -> Path:
        if not is_name(name):
            raise ValueError(f"{name!r} is not the name of a file in the archive")
        return self._folder / name


def is_name(name: str) -> bool:
    """Return whether a text can name a file here, perhaps in folders. No part is hidden."""
    parts = name.split("/")
    return all(part and not part.startswith(".") for part in parts) and not set("\\\0") & set(name)


def _locked(file: int) -> bool:
    """Try to lock a file. Return whether that worked. The kernel releases it when we end."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # not every network file system has locks
        return True
    return True


def _sync(folder: Path) -> None:
    """Make renames in a folder survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
