"""Where records are kept."""

from __future__ import annotations

from typing import Protocol


class ArchiveStore(Protocol):
    """Where records are kept."""

    def write(self, name: str, data: bytes) -> None:
        """Writes a file as a whole or not at all; an existing one is replaced."""

    def read(self, name: str) -> bytes | None:
        """Content of a file, None if there is none."""

    def names(self) -> list[str]:
        """Names of all files, sorted."""
