"""`flag=substitute`: the seat is offered to substitutes. A turn before one takes it counts."""

from __future__ import annotations

from datetime import datetime

from pbem.matches.match import MatchSummary
from pbem.service.flags import director
from pbem.service.takeovers.change import partner_of
from pbem.service.takeovers.vacancies import offer_to_substitutes, substitutes_for
from pbem.service.work import Work


def fell(work: Work, match: MatchSummary, due_at: datetime) -> None:
    """Offer the seat to all substitutes. Asks the director instead if nobody can take it."""
    assert match.player_to_act is not None, "the match has a player to act"
    whole, late = work.whole(match), work.players.get(match.player_to_act)
    offer_to_substitutes(work, whole, late)
    if partner_of(work, whole, late) is None and not any(substitutes_for(work, whole)):
        director.fell(work, match, due_at)
