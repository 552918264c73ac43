"""Room: the reading room of a club: where its pages go, and what may stand there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from pbem.archive.site.values import Site
from pbem.ports.room import ArchiveStore, Choices


class Public(StrEnum):
    """When everybody may read a match."""

    LIVE = "live"
    """While it is played."""
    ENDED = "ended"
    NEVER = "never"


AS_THE_CLUB: Final = ""
"""What a match says for which nothing was chosen."""


@dataclass(frozen=True)
class Room:
    """A reading room."""

    site: Site
    store: ArchiveStore
    public: Public = Public.LIVE
    """For matches for which nothing else was chosen."""
    delay: int = 0
    """Turns by which a match is shown behind while it is played."""
    version: str = ""
    """Of the program: another one may write its pages in another way."""

    @property
    def choices(self) -> Choices:
        """Which matches are shown."""
        running, ended = {str(Public.LIVE)}, {str(Public.LIVE), str(Public.ENDED)}
        if self.public is Public.LIVE:
            running.add(AS_THE_CLUB)
        if self.public is not Public.NEVER:
            ended.add(AS_THE_CLUB)
        return Choices(frozenset(running), frozenset(ended))
