"""Reminders: when a player wants a reminder (`50% 2d 6h`, `none`), and when they sleep."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Self

from pbem.games.api import OptionError
from pbem.matches.quiet import Schedule
from pbem.matches.time_control import FLAG, MOST, NOTHING, DeadlineKind, Fall
from pbem.matches.words import phrase
from pbem.matches.zones import Nights

MOST_REMINDERS = 5
NONE = "none"
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
_UNITS = {"h": HOUR, "d": DAY, "w": 7 * DAY}

_TEXT = re.compile(r"(\d{1,4})(%|d|h|w)", re.ASCII)
_APART = re.compile(r"(?<=\d)\s*(%|d(?:ays?)?|h(?:ours?)?|w(?:eeks?)?)(?![a-z])", re.ASCII)


@dataclass(frozen=True, order=True)
class ReminderTime:
    """One wish: so much of the time is gone, or so much is left."""

    percent: int = 0
    """Of what there was when the turn began; 0 where it is by what is left."""
    left: timedelta = NOTHING

    def __str__(self) -> str:
        if self.percent:
            return f"{self.percent}%"
        return f"{self.left // HOUR}h" if self.left % DAY else f"{self.left // DAY}d"

    def after(self, time: timedelta) -> timedelta:
        """How much of a turn's time is gone then; nothing or less where it had less."""
        return time * self.percent / 100 if self.percent else time - self.left


@dataclass(frozen=True)
class Reminders:
    """What a player wants to be reminded by."""

    wishes: tuple[ReminderTime, ...]
    rest: Rest | None = None
    """The nights in which none comes; None: it may be at any hour."""

    @classmethod
    def read(cls, text: str) -> Self:
        """Reminders as a player writes them; raises OptionError."""
        text = text.casefold()
        words = _APART.sub(lambda unit: f"{unit[1][0]} ", text.replace(",", " ")).split()
        if words == [NONE]:
            return cls(())
        if not 1 <= len(words) <= MOST_REMINDERS:
            raise OptionError(phrase("reminders.count", most=MOST_REMINDERS, text=repr(text)))
        return cls(tuple(dict.fromkeys(map(_reminder, words))))

    def __str__(self) -> str:
        return " ".join(map(str, self.wishes)) or NONE


USUAL = Reminders((ReminderTime(percent=50), ReminderTime(left=DAY)))
"""At half of the time, and a day before the flag falls."""

HALF, LAST_DAY = (DeadlineKind(str(wish)) for wish in USUAL.wishes)


def falls_in(time: timedelta, reminders: Reminders) -> tuple[Fall, ...]:
    """What falls due in a turn for which there is so much time, in order; the flag is the last.

    A reminder that would fall at or before the start of the turn is dropped, and of two that fall
    together the one by what is left stays.
    """
    found: dict[timedelta, Fall] = {}
    for wish in sorted(reminders.wishes, key=lambda wish: wish.percent, reverse=True):
        after = wish.after(time)
        if NOTHING < after < time:
            found[after] = Fall(DeadlineKind(str(wish)), after)
    return (*(found[after] for after in sorted(found)), Fall(FLAG, time))


def _reminder(word: str) -> ReminderTime:
    """One of them; raises OptionError."""
    found = _TEXT.fullmatch(word)
    count, unit = (int(found[1]), found[2]) if found else (0, "")
    wish = ReminderTime(count) if unit == "%" else ReminderTime(left=count * _UNITS.get(unit, HOUR))
    if not count or wish.percent > 99 or wish.left > MOST:
        raise OptionError(phrase("reminders.form", text=repr(word)))
    return wish


USUAL_NIGHTS = Nights.read("22-08")
"""Of who has not said when they sleep."""

SECOND, LONGEST = timedelta(seconds=1), timedelta(days=2)


@dataclass(frozen=True)
class Rest:
    """Nights by the clock on somebody's wall."""

    zone: str
    nights: Nights = USUAL_NIGHTS

    def instead_of(self, moment: datetime, flag_at: datetime) -> datetime:
        """When to remind instead of a moment of the night; any other moment stays.

        In the morning, or in the evening before where the flag has fallen by the morning. So two
        in one night come together.
        """
        morning = self._schedule.when(moment, NOTHING)
        if moment == morning or morning < flag_at:
            return morning
        return self._evening(moment)

    def _evening(self, moment: datetime) -> datetime:
        """When the night began that a moment is in."""
        since = moment.replace(microsecond=0) - LONGEST
        seconds = range(LONGEST // SECOND)
        asleep = bisect_left(
            seconds,
            True,
            key=lambda after: not self._schedule.counted(since + SECOND * after, moment),
        )
        return since + SECOND * asleep

    @cached_property
    def _schedule(self) -> Schedule:
        """In which the nights are what does not count."""
        return Schedule(self.zone, nights=self.nights)
