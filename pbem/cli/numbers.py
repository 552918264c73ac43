"""Numbers: sets by one, series and tournaments by another; a number of the wrong kind is told."""

from __future__ import annotations

from pbem.matches.events import Event, kind_of
from pbem.matches.sets import MatchSet
from pbem.service.ports import StorageError
from pbem.service.work import Work

NUMBERED_TOGETHER = "Series and tournaments are numbered together."


def set_numbered(work: Work, number: int) -> MatchSet:
    """A set; raises StorageError, which tells what else has the number."""
    try:
        return work.sets.get(number)
    except StorageError as error:
        event = _event(work, number)
        if event is None:
            raise
        raise StorageError(f"{error}; {_is_a(event)}") from error


def event_numbered(work: Work, number: int, kind: str) -> Event:
    """A series or a tournament; raises StorageError, which tells what else has the number."""
    event = _event(work, number)
    if event is None:
        raise StorageError(f"there is no {kind} {number}{_known(work, kind)}")
    if kind_of(event) != kind:
        raise StorageError(f"{_is_a(event)}. {NUMBERED_TOGETHER}")
    return event


def _event(work: Work, number: int) -> Event | None:
    try:
        return work.events.get(number)
    except StorageError:
        return None


def _is_a(event: Event) -> str:
    kind = kind_of(event)
    return f"{event.id} is a {kind}; see pbem {kind} show {event.id}"


MOST_NAMED = 10


def _known(work: Work, kind: str) -> str:
    """The newest numbers there are."""
    numbers = [str(event.id) for event in work.events.all() if kind_of(event) == kind]
    if not numbers:
        return ""
    more = "…, " if len(numbers) > MOST_NAMED else ""
    return f"; there are: {more}{', '.join(numbers[-MOST_NAMED:])}"
