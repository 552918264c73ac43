"""`flag=loss`: whose time is over has lost; where the others can play on without them, they do."""

from __future__ import annotations

from datetime import datetime

from pbem.matches.match import MatchSummary
from pbem.matches.time_over import lose_on_time
from pbem.service.play.competitions import go_on
from pbem.service.play.notices import News
from pbem.service.play.notify import notify
from pbem.service.play.record import record
from pbem.service.work import Work


def fell(work: Work, match: MatchSummary, due_at: datetime) -> None:
    """The end of the match, or the turn of the next."""
    del due_at
    before = work.whole(match)
    assert before.player_to_act is not None, "a seat is to act"
    change = lose_on_time(before, before.player_to_act, work.now)
    after = record(work, before, change, work.now)
    notify(work, News(after, events=change.events))
    go_on(work, after)
