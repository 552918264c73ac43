"""Calendar: deadlines as iCalendar events (RFC 5545), for emails and for a feed.

A player's turn has one UID, and so have the end of entry and the last day of a competition. The
SEQUENCE of its event rises whenever the deadline moves or is over. Events name no people.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from icalendar import Calendar

PRODUCT = "-//pbem//pbem//EN"
CANCELLED, CONFIRMED = "CANCELLED", "CONFIRMED"
KEPT = timedelta(days=30)
"""Time for which a feed includes a cancelled event, since programs may update rarely."""
REFRESHED = timedelta(hours=1)
"""Interval at which programs are asked to update."""
MINUTE = timedelta(minutes=1)


@dataclass(frozen=True)
class Deadline:
    """The deadline of a player's turn, or a moment in a competition."""

    uid: str
    summary: str
    begun_at: datetime
    """Moment from which the minutes of its sequence count. It never changes."""
    due_at: datetime | None
    """When it is due. None if it is over, or has no moment for now."""
    fallen: bool = False
    """Whether the moment has passed. Then the event stays unchanged."""


def attached(deadlines: Iterable[Deadline], organizer: str, now: datetime) -> str:
    """Return the calendar file for an email (RFC 5546, PUBLISH).

    Calendar programs offer to add its events.
    """
    calendar = _calendar()
    calendar.add("method", "PUBLISH")
    for each in deadlines:
        event = _event(each, _minutes(each, now), now)
        event.add("organizer", f"mailto:{organizer}")
        calendar.add_component(event)
    return str(calendar.to_ical().decode())


def feed(name: str, deadlines: Iterable[Deadline], before: bytes | None, now: datetime) -> bytes:
    """Return a calendar to subscribe to, given its previous version.

    Deadlines that are over are cancelled.
    """
    calendar = _calendar()
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", REFRESHED, {"value": "DURATION"})
    calendar.add("x-published-ttl", REFRESHED)
    known = {str(event["uid"]): event for event in _events(before)}
    for each in deadlines:
        event = _follows(each, known.pop(each.uid, None), now)
        if event is not None:
            calendar.add_component(event)
    for event in known.values():
        if event["status"] != CANCELLED:
            calendar.add_component(_cancelled(event, now))
        elif now - event.decoded("dtstamp") < KEPT:
            calendar.add_component(event)
    return bytes(calendar.to_ical())


def _calendar() -> Calendar:
    from icalendar import Calendar  # few emails have a calendar, and the import is slow

    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    return calendar


def _events(data: bytes | None) -> Iterator[Any]:
    """Yield the events of a feed, none if it cannot be read."""
    from icalendar import Calendar

    if data is None:
        return
    try:
        yield from Calendar.from_ical(data).walk("VEVENT")
    except ValueError:
        return


def _follows(of: Deadline, before: Any, now: datetime) -> Any:
    """Return the event of a deadline, unchanged if it is the same, None if there is none."""
    if before is None:
        return None if of.due_at is None else _event(of, _minutes(of, now), now)
    if of.fallen:
        return before
    if of.due_at is None:
        return before if before["status"] == CANCELLED else _cancelled(before, now)
    if (before.decoded("dtstart"), before["status"]) == (_second(of.due_at), CONFIRMED):
        return before
    return _event(of, max(_minutes(of, now), before.decoded("sequence") + 1), now)


def _event(of: Deadline, sequence: int, now: datetime) -> Any:
    from icalendar import Event

    event = Event()
    event.add("uid", of.uid)
    event.add("dtstamp", _second(now))
    event.add("dtstart", _second(of.due_at or now))
    event.add("summary", of.summary)
    event.add("sequence", sequence)
    event.add("status", CANCELLED if of.due_at is None else CONFIRMED)
    event.add("transp", "TRANSPARENT")  # does not mark the player as busy
    return event


def _cancelled(event: Any, now: datetime) -> Any:
    again = event.copy()
    for key, value in (
        ("sequence", event.decoded("sequence") + 1),
        ("status", CANCELLED),
        ("dtstamp", _second(now)),
    ):
        del again[key]
        again.add(key, value)
    return again


def _minutes(of: Deadline, now: datetime) -> int:
    """Return the minutes since it began, a rising number so that the latest event counts."""
    return max((now - of.begun_at) // MINUTE, 0)


def _second(moment: datetime) -> datetime:
    """Return a moment in whole seconds, as iCalendar needs."""
    return moment.replace(microsecond=0)
