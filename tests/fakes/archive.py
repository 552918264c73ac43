"""In-memory archive."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class FakeArchive:
    """Files in a dict. Satisfies `pbem.ports.ArchiveStore`."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self._busy = False

    def write(self, name: str, data: bytes) -> None:
        self.files[_checked(name)] = bytes(data)

    def write_all(self, files: Iterable[tuple[str, bytes]]) -> None:
        for name, data in files:
            self.write(name, data)

    def read(self, name: str) -> bytes | None:
        return self.files.get(_checked(name))

    def remove(self, name: str) -> None:
        self.files.pop(_checked(name), None)

    def names(self, beginning: str = "") -> list[str]:
        return sorted(name for name in self.files if name.startswith(beginning))

    @contextmanager
    def alone(self) -> Iterator[bool]:
        first, self._busy = not self._busy, True
        try:
            yield first
        finally:
            self._busy = not first


def _checked(name: str) -> str:
    hidden = any(not part or part.startswith(".") for part in name.split("/"))
    if hidden or set("\\\0") & set(name):
        raise ValueError(f"{name!r} is not the name of a file in the archive")
    return name
