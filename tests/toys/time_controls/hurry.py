"""Ever faster: `hurry=8`, eight days for the first turn, and half as many for each after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar, Self

from pbem.games.api import OptionError
from pbem.matches.time_control import TimeControl


@dataclass(frozen=True)
class Hurry(TimeControl):
    """So many days for the first turn of a player, then half as many, and so on."""

    days: int

    keys: ClassVar[tuple[str, ...]] = ("hurry",)
    examples: ClassVar[tuple[str, ...]] = ("hurry=8",)

    @classmethod
    def read(cls, terms: Mapping[str, str]) -> Self:
        """`hurry=8`."""
        if not terms["hurry"].isdigit():
            raise OptionError(f"hurry is a number of days, not {terms['hurry']!r}")
        return cls(int(terms["hurry"]))

    @property
    def terms(self) -> Mapping[str, str]:
        """The number of days."""
        return {"hurry": str(self.days)}

    @property
    def agreed(self) -> str:
        """`8 days for the first turn, then half as many each time`."""
        return f"{self.days} days for the first turn, then half as many each time"

    @property
    def opening(self) -> timedelta:
        """All the days."""
        return timedelta(days=self.days)

    def next_bank(self, left: timedelta, turns: int) -> timedelta:
        """Half as many as for the turn before."""
        return self.opening / (1 << turns)


CONTROL = Hurry
