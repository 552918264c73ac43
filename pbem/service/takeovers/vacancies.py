"""Vacancies: offer a seat to the partner or to substitutes, and report one that nobody takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import ClassVar

from pbem.mail.outgoing.kinds import DirectorVacant, PartnerAsked, SeatOffered
from pbem.mail.outgoing.time_view import due
from pbem.mail.topic import match_key
from pbem.matches.director_actions import DecisionError
from pbem.matches.event import SeatVacant
from pbem.matches.match import Match, MatchSummary, Player
from pbem.matches.seat_holders import Audience
from pbem.matches.words import phrase
from pbem.service.people import people_in
from pbem.service.play.change import tell
from pbem.service.play.notices import News
from pbem.service.post.post import post, tell_director, view_of
from pbem.service.questions import PendingQuestion, all_waiting, ask, waiting
from pbem.service.takeovers.change import (
    HandsError,
    allows_substitutes,
    partner_of,
    require_substitute,
)
from pbem.service.work import Work


def offer_to_partner(work: Work, match: MatchSummary, player: Player) -> Match:
    """Offer a player's seats to their partner by email. The match must be locked, and is stored.

    A proven email from the player about the match ends the offer.
    """
    after = _offered(work, match, player, Audience.PARTNER)
    _tell(work, after, SeatVacant(player.id, to_partner=True))
    return after


def offer_to_substitutes(
    work: Work, match: MatchSummary, player: Player, reason: str = ""
) -> Match:
    """Offer a player's seats to all substitutes by email. The first `takeover` gets them.

    The player's partner may take them too, and is also emailed. The match must be locked, and is
    stored. A proven email from the player about the match ends the offer.
    """
    after = _offered(work, match, player, Audience.SUBSTITUTES)
    remember_offer(work, after, player)
    _tell(work, after, SeatVacant(player.id, to_partner=False, reason=reason))
    for substitute in substitutes_for(work, after):
        post(work, _offer(work, after, player, substitute), substitute)
    return after


def require_vacatable(match: MatchSummary) -> None:
    """Raise DecisionError if no substitute can take over in a match."""
    if match.result is not None:
        raise DecisionError(phrase("direct.over", match=match.id))
    if not allows_substitutes(match):
        raise DecisionError(phrase("hands.no-substitutes", match=match.id))


def substitutes_for(work: Work, match: MatchSummary) -> Iterator[Player]:
    """Yield the substitutes who may play in a match."""
    for player in work.players.all():
        try:
            require_substitute(work, match, player)
        except HandsError:
            continue
        yield player


def _offered(work: Work, match: MatchSummary, player: Player, audience: Audience) -> Match:
    hands = match.hands.offering(match.seats_of(player.id), audience)
    after = work.whole(replace(match, hands=hands))
    work.matches.save(after)
    return after


def _tell(work: Work, match: Match, event: SeatVacant) -> None:
    """Tell the table, and ask the partner."""
    player = work.players.get(event.player)
    partner = partner_of(work, match, player)
    tell(work, News(match, events=(event,), unread_by=partner.id if partner else None))
    if partner is not None:
        seat = match.seats_of(player.id)[0]
        view = view_of(work, match, partner)
        post(work, PartnerAsked(view, view.names[player.id], seat), partner)


def _offer(work: Work, match: Match, player: Player, substitute: Player) -> SeatOffered:
    people = people_in(match, match.players, work.players.get)
    seats = match.seats_of(player.id)
    return SeatOffered(
        you=substitute.name,
        match=match,
        seats=seats,
        whose=people[player.id].name,
        others=tuple(people[each].name for each in match.others(player.id)),
        to_act=match.to_act in seats,
        answer_by=due(work.now + PATIENCE, substitute.time_zone, work.now),
    )


PATIENCE = timedelta(days=14)
"""Time that a seat is offered before the directors are asked."""
_KEPT_DAYS = 3650


@dataclass(frozen=True)
class SeatOnOffer:
    """Records that a player's seats in a match are offered. The player is the question's holder."""

    kind: ClassVar[str] = "seat-offered"
    match: int
    offered_at: str
    """In ISO 8601."""


def remember_offer(work: Work, match: MatchSummary, player: Player) -> None:
    """Record that a player's seats are offered from now on."""
    for earlier in _waiting(work, match.id, player.id):
        work.questions.settle(earlier.question.id)
    asked = SeatOnOffer(match.id, work.now.isoformat())
    ask(work, asked, player.id, _KEPT_DAYS, about=match_key(match.id))


def long_offered(work: Work) -> list[tuple[int, int]]:
    """Return matches and players whose seats have been on offer for `PATIENCE`."""
    until = work.now - PATIENCE
    return [
        (each.asked.match, int(each.question.holder))
        for each in all_waiting(work, SeatOnOffer)
        if datetime.fromisoformat(each.asked.offered_at) <= until
    ]


def report_if_untaken(work: Work, number: int, holder: int) -> bool:
    """Tell the directors if a player's seats are still offered. Return whether that was so."""
    match, pending = work.matches.lock(number), _waiting(work, number, holder)
    for each in pending:
        work.questions.settle(each.question.id)
    offered = (match.hands.offered.get(seat) for seat in match.seats_of(holder))
    if not pending or match.result is not None or Audience.SUBSTITUTES not in offered:
        return False
    tell_director(work, DirectorVacant(match, work.players.get(holder), PATIENCE.days))
    return True


def _waiting(work: Work, number: int, holder: int) -> list[PendingQuestion[SeatOnOffer]]:
    return waiting(work, (SeatOnOffer,), holder, match_key(number))
