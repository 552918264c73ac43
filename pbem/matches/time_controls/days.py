"""Days per turn: `days=5` for every turn. `none` or `days=0` means no clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar, Self

from pbem.games.api import OptionError
from pbem.games.phrases import Phrase
from pbem.matches.time_control import MOST_DAYS, TimeControl, number, word
from pbem.matches.words import phrase


@dataclass(frozen=True)
class Days(TimeControl):
    """A number of days per turn, regardless of earlier turns."""

    days: int = 5

    keys: ClassVar[tuple[str, ...]] = ("days", "none")
    alone: ClassVar[tuple[str, ...]] = ("none",)
    examples: ClassVar[tuple[str, ...]] = ("days=5", "none")

    def __post_init__(self) -> None:
        if not 0 <= self.days <= MOST_DAYS:
            raise OptionError(phrase("clock.range", most=MOST_DAYS, count=self.days))

    @classmethod
    def read(cls, terms: Mapping[str, str]) -> Self:
        """Read `days=5` or `none`."""
        if not word("none", terms):
            return cls(number("days", terms["days"]))
        if "days" in terms:
            raise OptionError(phrase("clock.no-term", key=repr("days"), others="none"))
        return cls(0)

    @property
    def terms(self) -> Mapping[str, str]:
        """The number of days. No clock is `days=0`, as in the oldest records."""
        return {"days": str(self.days)}

    @property
    def agreed(self) -> Phrase:
        """The agreement in words."""
        return phrase("clock.days", count=self.days) if self.days else phrase("clock.none")

    @property
    def opening(self) -> timedelta | None:
        """The days of the first turn."""
        return timedelta(days=self.days) if self.days else None

    def next_bank(self, left: timedelta, turns: int) -> timedelta:
        """Return the days of a turn."""
        return timedelta(days=self.days)


CONTROL = Days
