"""Reminders: when a player wants to hear that time runs out: `50% 2d 6h`, or `none`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Self

from pbem.games.api import OptionError
from pbem.matches.rest import Rest
from pbem.matches.time_control import FLAG, MOST, NOTHING, DeadlineKind, Fall
from pbem.matches.words import phrase

MOST_REMINDERS = 5
NONE = "none"
DAY, HOUR = timedelta(days=1), timedelta(hours=1)

_TEXT = re.compile(r"(\d{1,4})(%|d|h)", re.ASCII)


@dataclass(frozen=True, order=True)
class Reminder:
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

    wishes: tuple[Reminder, ...]
    rest: Rest | None = None
    """The nights in which none comes; None: it may be at any hour."""

    @classmethod
    def read(cls, text: str) -> Self:
        """Reminders as a player writes them; raises OptionError."""
        words = text.replace(",", " ").casefold().split()
        if words == [NONE]:
            return cls(())
        if not 1 <= len(words) <= MOST_REMINDERS:
            raise OptionError(phrase("reminders.count", most=MOST_REMINDERS, text=repr(text)))
        return cls(tuple(dict.fromkeys(map(_reminder, words))))

    def __str__(self) -> str:
        return " ".join(map(str, self.wishes)) or NONE


USUAL = Reminders((Reminder(percent=50), Reminder(left=DAY)))
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


def _reminder(word: str) -> Reminder:
    """One of them; raises OptionError."""
    found = _TEXT.fullmatch(word)
    count, unit = (int(found[1]), found[2]) if found else (0, "")
    wish = Reminder(count) if unit == "%" else Reminder(left=count * (DAY if unit == "d" else HOUR))
    if not count or wish.percent > 99 or wish.left > MOST:
        raise OptionError(phrase("reminders.form", text=repr(word)))
    return wish
