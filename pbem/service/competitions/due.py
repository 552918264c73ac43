"""Due: which competitions have to start, proceed or end, and which fail to."""

from __future__ import annotations

from datetime import datetime, timedelta

from pbem.games import keys
from pbem.matches.announcement import OPEN, ZONE, Phase
from pbem.matches.competition import Competition
from pbem.matches.zones import start_of
from pbem.ports.process import StorageUnavailable
from pbem.service.competitions.entering import announcement_of
from pbem.service.people import heeding
from pbem.service.work import Work

STUCK_AFTER = timedelta(hours=1)
"""A competition that should have proceeded for this long has a problem."""


def read_until(work: Work) -> datetime:
    """Return the moment until which all email has been read, so that nobody enters too late."""
    polled = work.service.last_poll(work.club.intakes) or work.now
    return min(work.now, polled, work.inbound.waiting_since() or work.now)


def is_due(work: Work, of: Competition, read: datetime) -> bool:
    """Return whether a competition may have to proceed. Cheap while its matches are played."""
    if announcement_of(of).phase is Phase.ENTRY:
        return announcement_of(of).closes_at <= read
    matches = work.matches.of_competition(of.id)
    if last_day_is_over(work, of) and of.closed_now() is not None:
        return True
    if any(match.result is None for match in matches):
        return False
    return of.standing(matches).over or bool(heeding(work, of).due(matches))


def last_day_is_over(work: Work, of: Competition) -> bool:
    last = of.ends_on
    return last is not None and start_of(last + timedelta(days=1), ZONE) <= work.now


def stuck(work: Work) -> dict[int, datetime]:
    """Return the numbers of competitions that fail to proceed, and since when they should have."""
    if work.service.held_since() is not None:
        return {}
    read = read_until(work)
    found = {
        of.number: _stuck_since(work, of, read)
        for of in work.competitions.announced(OPEN)
        if of.game_key in keys()
    }
    return {
        number: since
        for number, since in found.items()
        if since is not None and work.now - since > STUCK_AFTER
    }


def _stuck_since(work: Work, of: Competition, read: datetime) -> datetime | None:
    since = of.created_at
    try:
        if announcement_of(of).phase is Phase.ENTRY:
            since = announcement_of(of).closes_at
        matches = work.matches.of_competition(of.id)
        since = max((each.result.ended_at for each in matches if each.result), default=since)
        return since if is_due(work, of, read) else None
    except StorageUnavailable:
        raise
    except Exception:  # noqa: BLE001  `run_competitions` logs it
        return since
