"""The whole match in so many days: `total=90`. What is left is carried over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar, Self

from pbem.games.api import OptionError
from pbem.matches.time_control import Account, Fall, falls_within


@dataclass(frozen=True)
class Total:
    """So many days for all turns of a player together."""

    days: int

    keys: ClassVar[tuple[str, ...]] = ("total",)

    @classmethod
    def read(cls, terms: Mapping[str, str]) -> Self:
        """`total=90`."""
        if not terms["total"].isdigit():
            raise OptionError(f"total is a number of days, not {terms['total']!r}")
        return cls(int(terms["total"]))

    @property
    def terms(self) -> Mapping[str, str]:
        """The number of days."""
        return {"total": str(self.days)}

    @property
    def agreed(self) -> str:
        """`90 days for the match`."""
        return f"{self.days} days for the match"

    @property
    def opening(self) -> Account:
        """All the days."""
        return Account(timedelta(days=self.days))

    def left(self, account: Account, spent: timedelta) -> timedelta | None:
        """What is left of them."""
        return None if account.bank is None else account.bank - spent

    def falls(self, account: Account) -> tuple[Fall, ...]:
        """As in a turn of what is left."""
        return () if account.bank is None else falls_within(account.bank)

    def completed(self, account: Account, spent: timedelta) -> Account:
        """What is left goes into the next turn."""
        return Account(self.left(account, spent), account.used + spent, account.turns + 1)


CONTROL = Total
