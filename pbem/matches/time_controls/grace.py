"""Grace: `grace=1d`. The agreed consequence of running out of time comes that much later."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar

from pbem.games.api import OptionError
from pbem.games.phrases import Phrase
from pbem.matches.time_control import OFF, Switch, TimeControl, require
from pbem.matches.words import phrase

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
_TEXT = re.compile(r"(\d{1,4})(d|h)", re.ASCII)


@dataclass(frozen=True)
class Grace(Switch):
    """A control that waits for a late turn."""

    length: timedelta

    keys: ClassVar[tuple[str, ...]] = ("grace",)
    examples: ClassVar[tuple[str, ...]] = ("days=5 grace=1d",)

    def __post_init__(self) -> None:
        hours = self.length // HOUR
        require("grace", hours // 24 if self._by_days else hours)
        if self.control.opening is None:
            raise OptionError(phrase("clock.no-limit", key="grace"))

    @classmethod
    def on(cls, control: TimeControl, text: str) -> TimeControl:
        """Read `grace=1d` or `grace=12h`. `grace=off` removes it."""
        if text.casefold() == OFF:
            return control
        found = _TEXT.fullmatch(text.casefold())
        if found is None:
            raise OptionError(phrase("clock.grace-form", text=repr(text)))
        return cls(control, int(found[1]) * (DAY if found[2] == "d" else HOUR))

    @property
    def terms(self) -> Mapping[str, str]:
        """Terms with the length of the grace."""
        hours = self.length // HOUR
        return {**self.control.terms, "grace": f"{hours // 24}d" if self._by_days else f"{hours}h"}

    @property
    def agreed(self) -> Phrase:
        """The agreement in words."""
        hours = self.length // HOUR
        grace = (
            phrase("clock.some-days", count=hours // 24)
            if self._by_days
            else phrase("clock.some-hours", count=hours)
        )
        return phrase("clock.grace", agreed=self.control.agreed, grace=grace)

    @property
    def grace(self) -> timedelta:
        """Length of the grace."""
        return self.length

    @property
    def _by_days(self) -> bool:
        return not self.length % DAY


SWITCH = Grace
