"""The days on which no time counts in a club."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Protocol


class Holidays(Protocol):
    """Holidays of a club, by the clock on each player's wall."""

    @property
    def key(self) -> str:
        """What tells whether they are others than before; empty: there are none."""

    def within(self, first: date, last: date) -> Sequence[date]:
        """Those from one day to another, both included, in order."""


class NoHolidays:
    """Of a club that has none."""

    key = ""

    def within(self, first: date, last: date) -> Sequence[date]:
        """None."""
        return ()
