"""A number of days for all turns of a player: `total=90`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar, Self

from pbem.games.phrases import Phrase
from pbem.matches.time_control import TimeControl, number, require
from pbem.matches.words import phrase


@dataclass(frozen=True)
class Total(TimeControl):
    """Days for the match."""

    days: int

    keys: ClassVar[tuple[str, ...]] = ("total",)
    examples: ClassVar[tuple[str, ...]] = ("total=90",)

    def __post_init__(self) -> None:
        require("total", self.days)

    @classmethod
    def read(cls, terms: Mapping[str, str]) -> Self:
        """Read `total=90`."""
        return cls(number("total", terms["total"]))

    @property
    def terms(self) -> Mapping[str, str]:
        """The number of days."""
        return {"total": str(self.days)}

    @property
    def agreed(self) -> Phrase:
        """The agreement in words."""
        return phrase("clock.total", count=self.days)

    @property
    def opening(self) -> timedelta:
        """All the days."""
        return timedelta(days=self.days)

    def next_bank(self, left: timedelta, turns: int) -> timedelta:
        """Return the time left."""
        return left


CONTROL = Total
