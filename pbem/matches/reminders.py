"""Reminders: when a player wants them (`50% 2d 6h`, `none`), and when the player sleeps."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Self

from pbem.games.api import OptionError
from pbem.matches.off_time import Schedule
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
    """A wish for a reminder, by the share of time used or by the time left."""

    percent: int = 0
    """Share of the time at the start of the turn. 0 if `left` applies."""
    left: timedelta = NOTHING

    def __str__(self) -> str:
        if self.percent:
            return f"{self.percent}%"
        return f"{self.left // HOUR}h" if self.left % DAY else f"{self.left // DAY}d"

    def after(self, time: timedelta) -> timedelta:
        """Return how much of a turn's time is used then. 0 or less if the turn is too short."""
        return time * self.percent / 100 if self.percent else time - self.left


@dataclass(frozen=True)
class Reminders:
    """When a player wants to be reminded."""

    wishes: tuple[ReminderTime, ...]
    rest: Rest | None = None
    """Nights without reminders. None if they may come at any hour."""

    @classmethod
    def read(cls, text: str) -> Self:
        """Read reminders as a player writes them. Raises OptionError."""
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
    """Return the deadlines of a turn of this length in order, the flag last.

    A reminder at or before the start of the turn is dropped. Of two at the same time, the one by
    time left stays.
    """
    found: dict[timedelta, Fall] = {}
    for wish in sorted(reminders.wishes, key=lambda wish: wish.percent, reverse=True):
        after = wish.after(time)
        if NOTHING < after < time:
            found[after] = Fall(DeadlineKind(str(wish)), after)
    return (*(found[after] for after in sorted(found)), Fall(FLAG, time))


def _reminder(word: str) -> ReminderTime:
    """Return one wish. Raises OptionError."""
    found = _TEXT.fullmatch(word)
    count, unit = (int(found[1]), found[2]) if found else (0, "")
    wish = ReminderTime(count) if unit == "%" else ReminderTime(left=count * _UNITS.get(unit, HOUR))
    if not count or wish.percent > 99 or wish.left > MOST:
        raise OptionError(phrase("reminders.form", text=repr(word)))
    return wish


USUAL_NIGHTS = Nights.read("22-08")
"""Nights of players who have not set any."""

SECOND, LONGEST = timedelta(seconds=1), timedelta(days=2)


@dataclass(frozen=True)
class Rest:
    """Nights by a player's local time."""

    zone: str
    nights: Nights = USUAL_NIGHTS

    def instead_of(self, moment: datetime, flag_at: datetime) -> datetime:
        """Return when to remind instead of a moment in the night. Other moments stay the same.

        That is the morning, or the evening before if the flag falls by the morning. Two reminders
        in one night come at the same time.
        """
        morning = self._schedule.when(moment, NOTHING)
        if moment == morning or morning < flag_at:
            return morning
        return self._evening(moment)

    def _evening(self, moment: datetime) -> datetime:
        """Return when the night of a moment started."""
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
        """A schedule in which nights do not count."""
        return Schedule(self.zone, nights=self.nights)
