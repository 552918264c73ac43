"""Ever faster: `hurry=8` gives eight days for the first turn, then half as many each time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar, Self

from pbem.games.api import OptionError
from pbem.matches.time_control import TimeControl


@dataclass(frozen=True)
class Hurry(TimeControl):
    """A number of days for a player's first turn, and half as many for each later turn."""

    days: int

    keys: ClassVar[tuple[str, ...]] = ("hurry",)
    examples: ClassVar[tuple[str, ...]] = ("hurry=8",)

    @classmethod
    def read(cls, terms: Mapping[str, str]) -> Self:
        """Read `hurry=8`."""
        if not terms["hurry"].isdigit():
            raise OptionError(f"hurry is a number of days, not {terms['hurry']!r}")
        return cls(int(terms["hurry"]))

    @property
    def terms(self) -> Mapping[str, str]:
        """Return the number of days."""
        return {"hurry": str(self.days)}

    @property
    def agreed(self) -> str:
        """Return `8 days for the first turn, then half as many each time`."""
        return f"{self.days} days for the first turn, then half as many each time"

    @property
    def opening(self) -> timedelta:
        """Return the full number of days."""
        return timedelta(days=self.days)

    def next_bank(self, left: timedelta, turns: int) -> timedelta:
        """Return half as many days as for the turn before."""
        return self.opening / (1 << turns)


CONTROL = Hurry
