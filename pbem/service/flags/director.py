"""`flag=director`: the director decides. A late turn counts."""

from __future__ import annotations

from datetime import datetime

from pbem.mail.outgoing.kinds import OutOfTime
from pbem.matches.match import MatchSummary
from pbem.service.flags import was_known
from pbem.service.play.change import report_flag
from pbem.service.post.post import post, view_of
from pbem.service.work import Work


def fell(work: Work, match: MatchSummary, due_at: datetime) -> None:
    """Ask the directors, and tell the player that they can still move."""
    report_flag(work, match, due_at)
    if not match.clock.grace and not was_known(match, due_at):
        whole = work.whole(match)
        assert whole.player_to_act is not None, "the match has a player to act"
        late = work.players.get(whole.player_to_act)
        post(work, OutOfTime(view_of(work, whole, late)), late)
