"""`flag=director`: the director is asked what is to be done, and a late turn counts."""

from __future__ import annotations

from datetime import datetime

from pbem.mail.outgoing.kinds import DirectorFlag
from pbem.matches.match import MatchSummary
from pbem.service.post.post import tell_director
from pbem.service.work import Work


def fell(work: Work, match: MatchSummary, due_at: datetime) -> None:
    """One report."""
    assert match.player_to_act is not None, "a seat is to act"
    tell_director(work, DirectorFlag(match, work.players.get(match.player_to_act), due_at))
