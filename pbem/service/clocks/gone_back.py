"""Gone back: the clock of the machine has, and what goes on is as far away as it was.

What has been used stays used. Dates that people have named do not move: leave and pauses end when
they were to end. A pause that has begun goes on.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from pbem.matches.match import MatchSummary
from pbem.service.clocks.change import BATCH
from pbem.service.clocks.pauses import spans
from pbem.service.work import Work


def go_back(work: Work, last: datetime, now: datetime) -> None:
    """From the last moment of the service to the one that it is now."""
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
