"""Double counting: `double=20`. Of one turn, time after the twentieth day counts twice.

As the playing rules of ICCF have it (article 2.4.2), by the second instead of by whole days.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar

from pbem.games.api import OptionError
from pbem.games.phrases import Phrase
from pbem.matches.time_control import NOTHING, OFF, Switch, TimeControl, number, require
from pbem.matches.words import phrase


@dataclass(frozen=True)
class Double(Switch):
    """A control under which a long turn costs more."""

    days: int

    keys: ClassVar[tuple[str, ...]] = ("double",)
    examples: ClassVar[tuple[str, ...]] = ("total=90 double=20",)

    def __post_init__(self) -> None:
        require("double", self.days)
        if self.control.opening is None:
            raise OptionError(phrase("clock.no-limit", key="double"))

    @classmethod
    def on(cls, control: TimeControl, text: str) -> TimeControl:
        """`double=20`; `double=off` is without it."""
        if text.casefold() == OFF:
            return control
        return cls(control, number("double", text))

    @property
    def terms(self) -> Mapping[str, str]:
        """With the day after which time counts twice."""
        return {**self.control.terms, "double": str(self.days)}

    @property
    def agreed(self) -> Phrase:
        """`90 days for the match; after 20 days of one turn time counts twice`."""
        days = phrase("clock.some-days", count=self.days)
        return phrase("clock.double", agreed=self.control.agreed, days=days)

    def cost(self, spent: timedelta) -> timedelta:
        """What comes after those days once more."""
        return self.control.cost(spent + max(spent - self._single, NOTHING))

    def lasting(self, cost: timedelta) -> timedelta:
        """The other way round."""
        cost = self.control.lasting(cost)
        return cost - max(cost - self._single, NOTHING) // 2

    @property
    def _single(self) -> timedelta:
        return timedelta(days=self.days)


SWITCH = Double
