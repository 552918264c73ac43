"""Weekends off: `weekends=off`. Time on Saturdays and Sundays is not charged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from pbem.games.api import OptionError
from pbem.games.phrases import Phrase
from pbem.matches.time_control import Switch, TimeControl
from pbem.matches.words import phrase


@dataclass(frozen=True)
class WeekendsOff(Switch):
    """A control under which weekends do not count."""

    keys: ClassVar[tuple[str, ...]] = ("weekends",)
    examples: ClassVar[tuple[str, ...]] = ("days=5 weekends=off",)

    @classmethod
    def on(cls, control: TimeControl, text: str) -> TimeControl:
        """Read `weekends=off`. With `weekends=on`, all days count as usual."""
        if text not in ("on", "off"):
            raise OptionError(phrase("clock.on-off", key="weekends", text=repr(text)))
        return cls(control) if text == "off" else control

    @property
    def terms(self) -> Mapping[str, str]:
        """Terms with weekends off."""
        return {**self.control.terms, "weekends": "off"}

    @property
    def agreed(self) -> Phrase:
        """The agreement in words."""
        return phrase("clock.weekends", agreed=self.control.agreed)

    @property
    def weekends_off(self) -> bool:
        """Always True."""
        return True


SWITCH = WeekendsOff
