"""Outage: a gap in the service's heartbeat, and a clock of the machine that has gone back."""

from __future__ import annotations

from datetime import datetime, timedelta

OUTAGE = timedelta(minutes=10)
"""A longer gap in the service's heartbeat is an outage, which costs nobody time.

A clock that goes back by more has been put right, or wrong."""


def outage(last_beat: datetime | None, now: datetime) -> timedelta | None:
    """Length of the outage that ends now, None if the service was up."""
    if last_beat is None or now - last_beat <= OUTAGE:
        return None
    return now - last_beat


def gone_back(last_beat: datetime | None, now: datetime) -> timedelta | None:
    """By how much the clock has gone back, None if it has not, or by so little that it passes."""
    return None if last_beat is None else outage(now, last_beat)
