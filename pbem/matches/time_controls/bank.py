"""A bank with an increment (Fischer): `bank=30 inc=1 cap=45`, in days, with a day added per turn.

With `cap`, increments cannot raise the bank above that many days.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar, Self

from pbem.games.api import OptionError
from pbem.games.phrases import Phrase
from pbem.matches.time_control import TimeControl, number, require
from pbem.matches.words import phrase


@dataclass(frozen=True)
class Bank(TimeControl):
    """Days for the match, and more days after each completed turn."""

    days: int
    increment: int
    cap: int | None = None

    keys: ClassVar[tuple[str, ...]] = ("bank", "inc", "cap")
    examples: ClassVar[tuple[str, ...]] = ("bank=30 inc=1", "bank=30 inc=1 cap=45")

    def __post_init__(self) -> None:
        require("bank", self.days)
        require("inc", self.increment)
        if self.cap is not None:
            require("cap", self.cap)
            if self.cap < self.days:
                raise OptionError(phrase("clock.cap", count=self.cap, bank=self.days))

    @classmethod
    def read(cls, terms: Mapping[str, str]) -> Self:
        """Read `bank=30 inc=1`, with or without `cap=45`."""
        if not {"bank", "inc"} <= terms.keys():
            raise OptionError(phrase("clock.bank-form"))
        cap = number("cap", terms["cap"]) if "cap" in terms else None
        return cls(number("bank", terms["bank"]), number("inc", terms["inc"]), cap)

    @property
    def terms(self) -> Mapping[str, str]:
        """Bank, increment and cap."""
        terms = {"bank": str(self.days), "inc": str(self.increment)}
        return terms if self.cap is None else {**terms, "cap": str(self.cap)}

    @property
    def agreed(self) -> Phrase:
        """The agreement in words."""
        days = phrase("clock.some-days", count=self.days)
        more = phrase("clock.some-days", count=self.increment)
        if self.cap is None:
            return phrase("clock.bank", days=days, more=more)
        cap = phrase("clock.some-days", count=self.cap)
        return phrase("clock.bank-cap", days=days, more=more, cap=cap)

    @property
    def opening(self) -> timedelta:
        """The bank, without an increment."""
        return timedelta(days=self.days)

    def next_bank(self, left: timedelta, turns: int) -> timedelta:
        """Return the time left plus the increment. Time already above the cap stays."""
        more = left + timedelta(days=self.increment)
        return more if self.cap is None else min(more, max(left, timedelta(days=self.cap)))


CONTROL = Bank
