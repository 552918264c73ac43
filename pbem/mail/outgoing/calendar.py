"""Calendar: when turns are due, as events of iCalendar (RFC 5545), for mails and for a feed.

An event has a UID of its own for a turn of a player, and a SEQUENCE that rises whenever it becomes
another: its moment has moved, or the turn has passed. No names of people stand in it.
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
"""How long a feed tells of an event that was cancelled: programs may look in seldom."""
REFRESHED = timedelta(hours=1)
"""How often a program is asked to look."""
MINUTE = timedelta(minutes=1)


@dataclass(frozen=True)
class TurnEvent:
    """A turn of somebody in a match."""

    uid: str
    summary: str
    begun_at: datetime
    due_at: datetime | None
    """None: it is over, or has no end for now."""
    fallen: bool = False
    """Whether the flag fell in it: then all stays as it was."""


def attached(turns: Iterable[TurnEvent], organizer: str, now: datetime) -> str:
    """What goes with a mail: programs that show calendars offer to enter it (RFC 5546, PUBLISH)."""
    calendar = _calendar()
    calendar.add("method", "PUBLISH")
    for turn in turns:
        event = _event(turn, _minutes(turn, now), now)
        event.add("organizer", f"mailto:{organizer}")
        calendar.add_component(event)
    return str(calendar.to_ical().decode())


def feed(name: str, turns: Iterable[TurnEvent], before: bytes | None, now: datetime) -> bytes:
    """A calendar to subscribe to, with what it was before: who is not due any more is cancelled."""
    calendar = _calendar()
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", REFRESHED, {"value": "DURATION"})
    calendar.add("x-published-ttl", REFRESHED)
    known = {str(event["uid"]): event for event in _events(before)}
    for turn in turns:
        event = _follows(turn, known.pop(turn.uid, None), now)
        if event is not None:
            calendar.add_component(event)
    for event in known.values():
        if event["status"] != CANCELLED:
            calendar.add_component(_cancelled(event, now))
        elif now - event.decoded("dtstamp") < KEPT:
            calendar.add_component(event)
    return bytes(calendar.to_ical())


def _calendar() -> Calendar:
    from icalendar import Calendar  # few emails have one, and it imports much

    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    return calendar


def _events(data: bytes | None) -> Iterator[Any]:
    """Events of a feed; none where it cannot be read."""
    from icalendar import Calendar

    if data is None:
        return
    try:
        yield from Calendar.from_ical(data).walk("VEVENT")
    except ValueError:
        return


def _follows(turn: TurnEvent, before: Any, now: datetime) -> Any:
    """The event of a turn; that of before, if it says the same. None where there is none."""
    if before is None:
        return None if turn.due_at is None else _event(turn, _minutes(turn, now), now)
    if turn.fallen:
        return before
    if turn.due_at is None:
        return before if before["status"] == CANCELLED else _cancelled(before, now)
    if (before.decoded("dtstart"), before["status"]) == (_second(turn.due_at), CONFIRMED):
        return before
    return _event(turn, max(_minutes(turn, now), before.decoded("sequence") + 1), now)


def _event(turn: TurnEvent, sequence: int, now: datetime) -> Any:
    from icalendar import Event

    event = Event()
    event.add("uid", turn.uid)
    event.add("dtstamp", _second(now))
    event.add("dtstart", _second(turn.due_at or now))
    event.add("summary", turn.summary)
    event.add("sequence", sequence)
    event.add("status", CANCELLED if turn.due_at is None else CONFIRMED)
    event.add("transp", "TRANSPARENT")  # nobody is busy then
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


def _minutes(turn: TurnEvent, now: datetime) -> int:
    """A number that rises as time goes by, so that what was said later counts."""
    return max((now - turn.begun_at) // MINUTE, 0)


def _second(moment: datetime) -> datetime:
    """As iCalendar tells moments."""
    return moment.replace(microsecond=0)
