"""Turns per period: `turns=10/50` gives 50 days for ten turns, and 50 more for the next ten.

Unused time is carried over, as in correspondence chess (ICCF), except with `nocarry`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar, Self

from pbem.games.api import OptionError
from pbem.games.phrases import Phrase
from pbem.matches.time_control import NOTHING, TimeControl, require, word
from pbem.matches.words import phrase

MOST_TURNS = 1000

_TEXT = re.compile(r"(\d{1,9})/(\d{1,9})", re.ASCII)


@dataclass(frozen=True)
class Turns(TimeControl):
    """A number of turns per period of days, repeated."""

    turns: int
    days: int
    carry: bool = True
    """Whether unused time of a period is carried over."""

    keys: ClassVar[tuple[str, ...]] = ("turns", "carry", "nocarry")
    alone: ClassVar[tuple[str, ...]] = ("nocarry",)
    examples: ClassVar[tuple[str, ...]] = ("turns=10/50", "turns=10/50 nocarry")

    def __post_init__(self) -> None:
        require("turns", self.turns, MOST_TURNS)
        require("days", self.days)

    @classmethod
    def read(cls, terms: Mapping[str, str]) -> Self:
        """Read `turns=10/50`, with `nocarry` or `carry`."""
        carry, nocarry = word("carry", terms), word("nocarry", terms)
        if carry and nocarry:
            raise OptionError(phrase("clock.no-term", key=repr("carry"), others="nocarry"))
        found = _TEXT.fullmatch(terms.get("turns", ""))
        if not found:
            raise OptionError(phrase("clock.turns-form", text=repr(terms.get("turns", ""))))
        return cls(int(found[1]), int(found[2]), not nocarry)

    @property
    def terms(self) -> Mapping[str, str]:
        """Turns and days. Carrying over is the default and not written."""
        terms = {"turns": f"{self.turns}/{self.days}"}
        return terms if self.carry else {**terms, "nocarry": ""}

    @property
    def agreed(self) -> Phrase:
        """The agreement in words."""
        turns = phrase("clock.some-turns", count=self.turns)
        days = phrase("clock.some-days", count=self.days)
        if self.carry:
            return phrase("clock.turns", turns=turns, days=days)
        return phrase("clock.turns-nocarry", turns=turns, days=days)

    @property
    def opening(self) -> timedelta:
        """The days of the first period."""
        return timedelta(days=self.days)

    def next_bank(self, left: timedelta, turns: int) -> timedelta:
        """Return the time left, plus the days of a new period. Overdrawn time is never forgiven."""
        if turns % self.turns:
            return left
        return self.opening + (left if self.carry else min(left, NOTHING))


CONTROL = Turns
