"""FileArchive: records as files in one folder."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


class FileArchive:
    """A folder of files; satisfies `pbem.service.ports.ArchiveStore`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def write(self, name: str, data: bytes) -> None:
        """Writes a file as a whole or not at all; ValueError for a name that is no file name."""
        target = self._path(name)
        self._folder.mkdir(parents=True, exist_ok=True)
        # On the same file system, so that the rename is atomic; hidden, so that no reader sees it.
        draft = self._folder / f".{name}.{secrets.token_hex(8)}"
        try:
            with draft.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(target)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
        self._sync_folder()

    def _sync_folder(self) -> None:
        """Makes the rename itself outlive a power cut."""
        descriptor = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def read(self, name: str) -> bytes | None:
        """Content of a file, None if there is none."""
        try:
            return self._path(name).read_bytes()
        except FileNotFoundError:
            return None

    def names(self) -> list[str]:
        """Names of all files, sorted; the drafts that a crash has left are none."""
        if not self._folder.is_dir():
            return []
        files = (path for path in self._folder.iterdir() if path.is_file())
        return sorted(path.name for path in files if not path.name.startswith("."))

    def _path(self, name: str) -> Path:
        if not name or name.startswith(".") or set("/\\\0") & set(name):
            raise ValueError(f"{name!r} is not the name of a file in the archive")
        return self._folder / name
