"""`flag=loss`: a player who runs out of time loses. The others continue if the game allows it."""

from __future__ import annotations

from datetime import datetime

from pbem.matches.match import MatchSummary
from pbem.matches.time_over import lose_on_time
from pbem.service.play.change import apply, tell
from pbem.service.play.notices import News
from pbem.service.work import Work


def fell(work: Work, match: MatchSummary, due_at: datetime) -> None:
    """End the match, or pass the turn to the next player."""
    del due_at
    before = work.whole(match)
    assert before.player_to_act is not None, "the match has a player to act"
    change = lose_on_time(before, before.player_to_act, work.now)
    tell(work, News(apply(work, before, change, work.now), events=change.events))
