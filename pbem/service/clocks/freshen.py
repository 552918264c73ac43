"""Freshen: running clocks go by the holidays that are configured now."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

import structlog

from pbem.matches.match import MatchSummary
from pbem.service.clocks.calendar import mark_feeds
from pbem.service.clocks.change import BATCH
from pbem.service.clocks.schedule import YEAR, rescheduled
from pbem.service.club import Club
from pbem.service.play.heartbeat import counted
from pbem.service.work import writing

log = structlog.get_logger(__name__)


def freshen(club: Club) -> int:
    """Reschedules turns for which other holidays count than are configured now; returns how many.

    What they have used so far stays used. Some at a time, so that nobody waits for long.
    """
    after, changed = 0, 0
    while True:
        with writing(club) as work:
            matches = work.matches.playing(after, BATCH)
            if not matches:
                break
            at = counted(work, work.now)
            new = [(match, rescheduled(work, match, at)) for match in matches]
            others = [now for old, now in new if _coming(old, at) != _coming(now, at)]
            work.matches.save_clocks(others)
            after, changed = matches[-1].id, changed + len(others)
    if changed:
        with writing(club) as work:
            mark_feeds(work)
        log.info("other holidays", clocks=changed)
    return changed


def _coming(match: MatchSummary, at: datetime) -> Sequence[date]:
    """Holidays that count in a turn."""
    first, last = at.date(), (at + YEAR).date()
    return [day for day in match.clock.schedule.holidays if first <= day <= last]
