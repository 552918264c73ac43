"""Nights: the hours of each day in which somebody rests, by the clock on their wall: `22-08`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Self

from pbem.games.api import OptionError
from pbem.matches.words import phrase

DAY = timedelta(days=1)
LONGEST_NIGHT = timedelta(hours=12)

_TEXT = re.compile(r"(\d{1,2})(?::(\d\d))?\s*-\s*(\d{1,2})(?::(\d\d))?", re.ASCII)


@dataclass(frozen=True)
class Nights:
    """From one hour of the day to another, over midnight or not; both since midnight."""

    begin: timedelta
    end: timedelta

    def __post_init__(self) -> None:
        if not (timedelta() <= self.begin < DAY and timedelta() <= self.end < DAY):
            raise OptionError(phrase("nights.form", text=repr(str(self))))
        if not timedelta() < self.length <= LONGEST_NIGHT:
            most = LONGEST_NIGHT // timedelta(hours=1)
            raise OptionError(phrase("nights.length", most=most, text=repr(str(self))))

    @classmethod
    def read(cls, text: str) -> Self:
        """Nights as people write them: `22-08`, `22:30-7`, `1-9`; raises OptionError."""
        found = _TEXT.fullmatch(text.strip())
        numbers = [int(each or 0) for each in found.groups()] if found else []
        if not found or max(numbers[1::2]) > 59 or max(numbers[::2]) > 24:
            raise OptionError(phrase("nights.form", text=repr(text)))
        begin, end = (timedelta(hours=numbers[at] % 24, minutes=numbers[at + 1]) for at in (0, 2))
        return cls(begin, end)

    def __str__(self) -> str:
        return f"{_hour(self.begin)}-{_hour(self.end)}"

    @property
    def length(self) -> timedelta:
        """How long a night is where the clocks go on evenly."""
        return (self.end - self.begin) % DAY

    @property
    def days(self) -> tuple[tuple[timedelta, timedelta], ...]:
        """From when to when it is day, since midnight."""
        if self.begin > self.end:
            return ((self.end, self.begin),)
        return tuple(
            span for span in ((timedelta(), self.begin), (self.end, DAY)) if span[0] < span[1]
        )


def _hour(time: timedelta) -> str:
    hours, minutes = divmod(time // timedelta(minutes=1), 60)
    return f"{hours:02}:{minutes:02}" if minutes else f"{hours:02}"
