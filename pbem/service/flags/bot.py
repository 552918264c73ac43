"""`flag=bot`: a bot plays until the player returns."""

from __future__ import annotations

from datetime import datetime

from pbem.matches.match import MatchSummary
from pbem.service.takeovers.change import hand_to_bot
from pbem.service.work import Work


def fell(work: Work, match: MatchSummary, due_at: datetime) -> None:
    """Hand the seat to a bot. Asks the director instead if no person would be left in the match."""
    del due_at
    assert match.player_to_act is not None, "the match has a player to act"
    hand_to_bot(work, match, work.players.get(match.player_to_act), work.now)
