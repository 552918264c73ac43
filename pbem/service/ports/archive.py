"""Where records and pages are kept."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Protocol


class ArchiveStore(Protocol):
    """Where records and pages are kept. Names may have folders in them: `matches/12.html`."""

    def write(self, name: str, data: bytes) -> None:
        """Writes a file as a whole or not at all; an existing one is replaced."""

    def write_all(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Writes files, each as a whole or not at all, in their order."""

    def read(self, name: str) -> bytes | None:
        """Content of a file, None if there is none."""

    def remove(self, name: str) -> None:
        """Takes a file away, if it is there."""

    def names(self, beginning: str = "") -> list[str]:
        """Names of all files that begin so, sorted."""

    def alone(self) -> AbstractContextManager[bool]:
        """A block in which nobody else who asks for it writes here; False where somebody does."""
