"""Days a turn: `days=5`. Every turn begins with all of them; 0 is without a clock."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar, Self

from pbem.games.api import OptionError
from pbem.games.phrases import Phrase
from pbem.matches.time_control import Account, Fall, falls_within
from pbem.matches.words import phrase

MOST_DAYS = 3650
"""Days a turn; ten years is beyond every patience, and no date overflows."""

_NUMBER = re.compile(r"-?\d{1,9}", re.ASCII)


@dataclass(frozen=True)
class Days:
    """So many days a turn, whatever was used for the turns before."""

    days: int = 5

    keys: ClassVar[tuple[str, ...]] = ("days",)

    def __post_init__(self) -> None:
        if not 0 <= self.days <= MOST_DAYS:
            raise OptionError(phrase("clock.range", most=MOST_DAYS, count=self.days))

    @classmethod
    def read(cls, terms: Mapping[str, str]) -> Self:
        """`days=5`."""
        if not _NUMBER.fullmatch(terms["days"]):
            raise OptionError(phrase("clock.number", key="days", text=repr(terms["days"])))
        return cls(int(terms["days"]))

    @property
    def terms(self) -> Mapping[str, str]:
        """The number of days."""
        return {"days": str(self.days)}

    @property
    def agreed(self) -> Phrase:
        """`5 days a turn`."""
        return phrase("clock.days", count=self.days) if self.days else phrase("clock.none")

    @property
    def opening(self) -> Account:
        """The days of the first turn."""
        return Account(timedelta(days=self.days) if self.days else None)

    def left(self, account: Account, spent: timedelta) -> timedelta | None:
        """What is left of the days."""
        return None if account.bank is None else account.bank - spent

    def falls(self, account: Account) -> tuple[Fall, ...]:
        """Two reminders at most, and the flag."""
        return () if account.bank is None else falls_within(account.bank)

    def completed(self, account: Account, spent: timedelta) -> Account:
        """All the days again."""
        return Account(self.opening.bank, account.used + spent, account.turns + 1)


CONTROL = Days
