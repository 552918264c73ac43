"""Pauses of many matches at once: of a competition, or of the whole club."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

CLUB = 0
"""In the place of the number of a competition: all matches."""


@dataclass(frozen=True)
class Pause:
    """No time of these matches counts, nor of those that begin meanwhile."""

    competition: int
    """Its id; `CLUB`: all matches."""
    start: datetime
    end: datetime | None = None
    """None: until the director has them go on."""


class Pauses(Protocol):
    """What is paused; one pause of each."""

    def put(self, pause: Pause) -> None:
        """Keeps a pause, in the place of any other of the same."""

    def of(self, competition: int) -> Sequence[Pause]:
        """Of a competition and of the club, those that are over too.

        Of the club alone where that is asked for.
        """
