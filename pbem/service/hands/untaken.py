"""Untaken: seats that nobody has taken for long; the directors are asked, once an offer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar

from pbem.mail.outgoing.kinds import DirectorVacant
from pbem.mail.topic import match_key
from pbem.matches.hands import Audience
from pbem.matches.match import MatchSummary, Player
from pbem.service.post.post import tell_director
from pbem.service.questions import Pending, all_waiting, ask, waiting
from pbem.service.work import Work

PATIENCE = timedelta(days=14)
"""So long a seat is offered before the directors are asked."""
_KEPT_DAYS = 3650


@dataclass(frozen=True)
class SeatOnOffer:
    """The seats of a player in a match are offered; they hold the question until then."""

    kind: ClassVar[str] = "seat-offered"
    match: int
    offered_at: str
    """ISO 8601."""


def remember_offer(work: Work, match: MatchSummary, player: Player) -> None:
    """The seats of a player are offered from now on."""
    for earlier in _waiting(work, match.id, player.id):
        work.questions.settle(earlier.question.id)
    asked = SeatOnOffer(match.id, work.now.isoformat())
    ask(work, asked, player.id, _KEPT_DAYS, about=match_key(match.id))


def long_offered(work: Work) -> list[tuple[int, int]]:
    """Matches and players whose seats were offered so long ago; each is to be looked at alone."""
    until = work.now - PATIENCE
    return [
        (each.asked.match, int(each.question.holder))
        for each in all_waiting(work, SeatOnOffer)
        if datetime.fromisoformat(each.asked.offered_at) <= until
    ]


def report_if_untaken(work: Work, number: int, holder: int) -> bool:
    """Whether the seats of a player are still offered, and the directors hear of it."""
    match, pending = work.matches.lock(number), _waiting(work, number, holder)
    for each in pending:
        work.questions.settle(each.question.id)
    offered = (match.hands.offered.get(seat) for seat in match.seats_of(holder))
    if not pending or match.result is not None or Audience.SUBSTITUTES not in offered:
        return False
    tell_director(work, DirectorVacant(match, work.players.get(holder), PATIENCE.days))
    return True


def _waiting(work: Work, number: int, holder: int) -> list[Pending[SeatOnOffer]]:
    return waiting(work, (SeatOnOffer,), holder, match_key(number))
