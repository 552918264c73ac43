"""Double counting: `double=20`. After the twentieth day of a turn, the clock runs twice as fast.

Follows the ICCF playing rules (article 2.4.2), but to the second instead of by whole days.
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
        """Read `double=20`. `double=off` removes it."""
        if text.casefold() == OFF:
            return control
        return cls(control, number("double", text))

    @property
    def terms(self) -> Mapping[str, str]:
        """Terms with the day after which the clock runs twice as fast."""
        return {**self.control.terms, "double": str(self.days)}

    @property
    def agreed(self) -> Phrase:
        """The agreement in words."""
        days = phrase("clock.some-days", count=self.days)
        return phrase("clock.double", agreed=self.control.agreed, days=days)

    def cost(self, spent: timedelta) -> timedelta:
        """Return the cost, with the time after those days added again."""
        return self.control.cost(spent + max(spent - self._single, NOTHING))

    def lasting(self, cost: timedelta) -> timedelta:
        """Return the inverse of `cost`."""
        cost = self.control.lasting(cost)
        return cost - max(cost - self._single, NOTHING) // 2

    @property
    def _single(self) -> timedelta:
        return timedelta(days=self.days)


SWITCH = Double
