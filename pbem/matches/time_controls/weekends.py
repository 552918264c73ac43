"""Weekends off: `weekends=off`. No time is charged on a player's Saturdays and Sundays."""

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
        """`weekends=off`; with `weekends=on` all days count, as without it."""
        if text not in ("on", "off"):
            raise OptionError(phrase("clock.on-off", key="weekends", text=repr(text)))
        return cls(control) if text == "off" else control

    @property
    def terms(self) -> Mapping[str, str]:
        """With the word that weekends are off."""
        return {**self.control.terms, "weekends": "off"}

    @property
    def agreed(self) -> Phrase:
        """`5 days a turn; Saturdays and Sundays do not count`."""
        return phrase("clock.weekends", agreed=self.control.agreed)

    @property
    def weekends_off(self) -> bool:
        """They are."""
        return True


SWITCH = WeekendsOff
