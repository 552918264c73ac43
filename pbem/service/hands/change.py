"""Change: a seat goes to another player, for good or until its own writes."""

from __future__ import annotations

from datetime import datetime

from pbem.matches.match import Match, Player
from pbem.service.work import Work


def partner_of(work: Work, match: Match, player: Player) -> Player | None:
    """Who wins and loses with a player, and can play their seat too; None where nobody can.

    A partner who is a computer opponent, has left the club or has resigned cannot.
    """
    raise NotImplementedError


def take_over(work: Work, match: Match, successor: Player, player: Player, at: datetime) -> Match:
    """Somebody goes on with the seats of a player for good: their partner, or a substitute.

    The match is locked; it is stored, its clock started anew where the seat is to act, and all are
    told. A partner goes on with their own time, a substitute with what was left. Raises HandsError.
    """
    raise NotImplementedError


def hand_to_bot(work: Work, match: Match, player: Player, at: datetime) -> Match:
    """A computer opponent holds the seats of a player until a proven mail of theirs comes.

    The match is locked; it is stored, the clock stopped (a bot has none), and all are told.
    """
    raise NotImplementedError
