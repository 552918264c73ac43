"""Switch: a term that changes any time control. Each is one file in `time_controls`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar, Self

from pbem.games.phrases import Phrase
from pbem.matches.time_control import TimeControl

OFF = "off"
"""The value by which a counter removes an agreed switch."""


@dataclass(frozen=True)
class Switch(TimeControl):
    """A control with one thing changed; all the rest is as it is there."""

    control: TimeControl

    keys: ClassVar[tuple[str, ...]] = ()
    """The one name of its term."""
    examples: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def on(cls, control: TimeControl, text: str) -> TimeControl:
        """A control with the switch on or off, by the text of its term; raises OptionError."""
        raise NotImplementedError

    @classmethod
    def read(cls, terms: Mapping[str, str]) -> Self:
        """Never called: a switch is put on the control of the other terms."""
        raise NotImplementedError

    @property
    def terms(self) -> Mapping[str, str]:
        """Those of the control, to which a switch adds its own."""
        return self.control.terms

    @property
    def agreed(self) -> Phrase | str:
        """What was agreed, to which a switch adds its own words."""
        return self.control.agreed

    @property
    def opening(self) -> timedelta | None:
        """As without the switch."""
        return self.control.opening

    def next_bank(self, left: timedelta, turns: int) -> timedelta:
        """As without the switch."""
        return self.control.next_bank(left, turns)

    def cost(self, spent: timedelta) -> timedelta:
        """As without the switch."""
        return self.control.cost(spent)

    def lasting(self, cost: timedelta) -> timedelta:
        """As without the switch."""
        return self.control.lasting(cost)

    @property
    def grace(self) -> timedelta:
        """As without the switch."""
        return self.control.grace

    @property
    def weekends_off(self) -> bool:
        """As without the switch."""
        return self.control.weekends_off
