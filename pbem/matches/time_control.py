"""The simple time control: days a turn, two reminders, flag fall reported to the director.

Due times are UTC. The clock of a turn runs from the commit that queued its turn mail.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

OUTAGE = timedelta(minutes=10)
"""A longer gap in the service's heartbeat is an outage, which costs nobody time.

A clock that goes back by more has been put right, or wrong."""
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


def schedule(started_at: datetime, days: int) -> tuple[Due, ...]:
    """What falls due in a turn of so many days; nothing where there is no clock (0 days).

    A reminder that would fall at or before the start of the turn is dropped, and of two that fall
    together the last-day one stays.
    """
    if days <= 0:
        return ()
    flag = started_at + timedelta(days=days)
    last_day = flag - LAST_REMINDER
    half = started_at + timedelta(days=days) / 2
    dues = [Due(DeadlineKind.FLAG, flag)]
    if last_day > started_at:
        dues.append(Due(DeadlineKind.LAST_DAY, last_day))
    if half != last_day:
        dues.append(Due(DeadlineKind.HALF, half))
    return tuple(sorted(dues, key=lambda due: due.due_at))


def outage(last_beat: datetime | None, now: datetime) -> timedelta | None:
    """Length of the outage that ends now, None if the service was up."""
    if last_beat is None or now - last_beat <= OUTAGE:
        return None
    return now - last_beat


def gone_back(last_beat: datetime | None, now: datetime) -> timedelta | None:
    """By how much the clock has gone back, None if it has not, or by so little that it passes."""
    return None if last_beat is None else outage(now, last_beat)
