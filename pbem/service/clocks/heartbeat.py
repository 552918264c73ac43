"""Heartbeat: credit outages of the service and jumps of the machine's clock.

A clock set ahead looks like an outage and is credited like one. A clock set back takes every open
deadline back with it, so that each stays as far away as before. Leave and the ends of pauses stay,
since people named those dates.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from pbem.log import get_logger
from pbem.matches.clock import clock_rollback, outage
from pbem.matches.match import MatchSummary
from pbem.ports.process import ClockWrong
from pbem.service.clocks.schedule import BATCH, change_all, has_jumped, mark_feeds, spans
from pbem.service.club import Club
from pbem.service.work import Work, reading, writing

log = get_logger(__name__)


SKEW = timedelta(minutes=1)
"""Maximum by which the clocks of two machines may differ."""
NONE = timedelta()


def beat(club: Club, now: datetime) -> datetime:
    """Record a heartbeat and credit any outage. Return when all email was last recorded."""
    with writing(club) as work:
        last = work.service.lock()
        gap, back = outage(last, now), clock_rollback(last, now)
        if gap is not None or back is not None:
            require_right_clock(club, now)
        if gap is not None and last is not None:
            work.questions.postpone(gap, after=last)
            work.offers.postpone(gap, after=last)
            moved = change_all(work, lambda clock: clock.credit(gap, after=last))
            log.warning("outage", seconds=gap.total_seconds(), clocks_credited=moved)
        if back is not None and last is not None:
            go_back(work, last, now)
            log.warning("the clock has gone back", seconds=back.total_seconds())
        if gap is not None or back is not None:
            mark_feeds(work)
        work.service.beat(now)
        return work.service.last_poll(club.intakes) or datetime.min.replace(tzinfo=now.tzinfo)


def require_right_clock(club: Club, now: datetime) -> None:
    """Raise ClockWrong if this machine's clock differs from the one that all machines share.

    Otherwise machines would credit outages that others take back.
    """
    if club.witness is None:
        return
    off = now - club.witness.now()
    if abs(off) > SKEW:
        raise ClockWrong(
            f"the clock of this machine is {round(abs(off).total_seconds())} seconds"
            f" {'ahead of' if off > NONE else 'behind'} that of the database: set it, best by NTP"
        )


def mind_the_clock(club: Club) -> None:
    """Credit a clock jump that no sweep has credited yet, before the clock dates anything.

    While mail is held after a restore, all time belongs to one outage that ends with the hold.
    """
    now = club.clock.now()
    with reading(club) as work:
        last, held = work.service.last_beat(), work.service.held_since()
    if held is None and has_jumped(last, now):
        beat(club, now)


def go_back(work: Work, last: datetime, now: datetime) -> None:
    """Take everything open back from the last heartbeat to now."""
    work.service.set_back(last - now, now)
    after = 0
    while matches := work.matches.playing(after, BATCH):
        work.matches.save_clocks([_gone_back(work, match, last, now) for match in matches])
        after = matches[-1].id


def _gone_back(work: Work, match: MatchSummary, last: datetime, now: datetime) -> MatchSummary:
    begun = tuple(
        each._replace(start=now) if now < each.start <= last else each for each in match.breaks
    )
    if begun != match.breaks:
        match = replace(match, breaks=begun)
        work.matches.save(work.whole(match))
    clock = match.clock.rescheduled(match.clock.schedule, last).set_back(last - now)
    schedule = clock.schedule
    for span in spans(work, match):
        schedule = schedule.on_leave(*span)
    return replace(match, clock=clock.rescheduled(schedule, now))
