"""`flag=loss`: whose time is over has lost; where the others can play on without them, they do."""

from __future__ import annotations

from datetime import datetime

from pbem.matches.match import MatchSummary
from pbem.matches.time_over import lose_on_time
from pbem.service.play.change import apply, tell
from pbem.service.play.notices import News
from pbem.service.work import Work


def fell(work: Work, match: MatchSummary, due_at: datetime) -> None:
    """The end of the match, or the turn of the next."""
    del due_at
    before = work.whole(match)
    assert before.player_to_act is not None, "a seat is to act"
    change = lose_on_time(before, before.player_to_act, work.now)
    tell(work, News(apply(work, before, change, work.now), events=change.events))
