"""`flag=substitute`: the seat is offered to substitutes; a late turn before one takes it counts."""

from __future__ import annotations

from datetime import datetime

from pbem.matches.match import MatchSummary
from pbem.service.hands.vacancies import offer_to_substitutes
from pbem.service.work import Work


def fell(work: Work, match: MatchSummary, due_at: datetime) -> None:
    """One offer to all of them."""
    del due_at
    assert match.player_to_act is not None, "a seat is to act"
    whole, late = work.whole(match), work.players.get(match.player_to_act)
    offer_to_substitutes(work, whole, late, work.now)
