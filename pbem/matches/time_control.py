"""Time control: what was agreed on a player's time. Each is one file in `time_controls`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import ClassVar, NamedTuple, Protocol, Self

from pbem.games.phrases import Phrase

LAST_REMINDER = timedelta(days=1)


class DeadlineKind(StrEnum):
    """What is due."""

    HALF = "half"
    """Reminder when half of the time is gone."""
    LAST_DAY = "last-day"
    """Reminder one day before the flag falls."""
    FLAG = "flag"


class Due(NamedTuple):
    """One thing that falls due in a turn."""

    kind: DeadlineKind
    due_at: datetime


class Fall(NamedTuple):
    """One thing that falls due in a turn, by the time that its player has used for it."""

    kind: DeadlineKind
    after: timedelta


class Account(NamedTuple):
    """A player's time in a match, without the turn being played."""

    bank: timedelta | None = None
    """What they have for their next turn; None is without a limit."""
    used: timedelta = timedelta()
    turns: int = 0
    """How many turns they have completed."""


class TimeControl(Protocol):
    """How much time a player has, what falls due, and what a completed turn leaves them.

    A frozen value, made of its terms and equal to any other of the same terms.
    """

    keys: ClassVar[tuple[str, ...]]
    """Names of its terms; no other control has any of them."""

    @classmethod
    def read(cls, terms: Mapping[str, str]) -> Self:
        """The control of terms as players write them; raises OptionError."""

    @property
    def terms(self) -> Mapping[str, str]:
        """Terms that `read` reads back."""

    @property
    def agreed(self) -> Phrase | str:
        """What was agreed, as a mail tells it."""

    @property
    def opening(self) -> Account:
        """What a player begins with."""

    def left(self, account: Account, spent: timedelta) -> timedelta | None:
        """What is left of a player's time in a turn; None is without a limit."""

    def falls(self, account: Account) -> tuple[Fall, ...]:
        """What falls due in a turn, in order; nothing without a limit."""

    def completed(self, account: Account, spent: timedelta) -> Account:
        """What a player has once a turn is completed."""


def falls_within(time: timedelta) -> tuple[Fall, ...]:
    """The usual two reminders and the flag in a turn that has so much time.

    A reminder that would fall at or before the start of the turn is dropped, and of two that fall
    together the last-day one stays.
    """
    last_day, half = time - LAST_REMINDER, time / 2
    falls = [Fall(DeadlineKind.FLAG, time)]
    if last_day > timedelta():
        falls.append(Fall(DeadlineKind.LAST_DAY, last_day))
    if half != last_day and half > timedelta():
        falls.append(Fall(DeadlineKind.HALF, half))
    return tuple(sorted(falls, key=lambda fall: fall.after))
