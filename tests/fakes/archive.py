"""In-memory archive."""

from __future__ import annotations


class FakeArchive:
    """Files in a dict; satisfies `pbem.service.ports.ArchiveStore`."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def write(self, name: str, data: bytes) -> None:
        """Replaces what was there."""
        self.files[_checked(name)] = bytes(data)

    def read(self, name: str) -> bytes | None:
        """None if there is none."""
        return self.files.get(_checked(name))

    def names(self) -> list[str]:
        """Sorted."""
        return sorted(self.files)


def _checked(name: str) -> str:
    if not name or name.startswith(".") or set("/\\\0") & set(name):
        raise ValueError(f"{name!r} is not the name of a file in the archive")
    return name
