"""Vacancies: seats that are offered, to the partner alone or to all substitutes of the club."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pbem.mail.outgoing.due import due
from pbem.mail.outgoing.kinds import PartnerAsked, SeatOffered
from pbem.matches.directing import DecisionError
from pbem.matches.event import SeatVacant
from pbem.matches.hands import Audience
from pbem.matches.match import Match, MatchSummary, Player
from pbem.matches.words import phrase
from pbem.service.direct.decide import Director, log, tell_others
from pbem.service.direct.meaning import player_in
from pbem.service.direct.orders import with_names
from pbem.service.hands.change import partner_of
from pbem.service.hands.entitled import HandsError, allows_substitutes, require_substitute
from pbem.service.hands.untaken import PATIENCE, remember_offer
from pbem.service.play.change import tell
from pbem.service.play.notices import News
from pbem.service.post.post import post
from pbem.service.post.views import view_of
from pbem.service.room.people import together
from pbem.service.work import Work


def offer_to_partner(work: Work, match: MatchSummary, player: Player) -> Match:
    """A player's partner may say `takeover`; they are mailed. The match is locked, and stored.

    A proven mail of the player about the match ends the offer.
    """
    after = _offered(work, match, player, Audience.PARTNER)
    _tell(work, after, SeatVacant(player.id, to_partner=True))
    return after


def offer_to_substitutes(
    work: Work, match: MatchSummary, player: Player, reason: str = ""
) -> Match:
    """Whoever first says `takeover` gets the seats of a player; all substitutes are mailed.

    So is the player's partner, who may, too. The match is locked, and stored. A proven mail of the
    player about the match ends the offer.
    """
    after = _offered(work, match, player, Audience.SUBSTITUTES)
    remember_offer(work, after, player)
    _tell(work, after, SeatVacant(player.id, to_partner=False, reason=reason))
    for substitute in substitutes_for(work, after):
        post(work, _offer(work, after, player, substitute), substitute)
    return after


def vacate(work: Work, number: int, name: str, reason: str, by: Director) -> str:
    """A director offers the seats of a player; returns the line as it is logged, with names.

    Raises DecisionError.
    """
    match = work.lock_match(number)
    player = player_in(work, match, name)
    require_vacatable(match)
    if Audience.SUBSTITUTES in map(match.hands.offered.get, match.seats_of(player.id)):
        raise DecisionError(phrase("hands.offered", match=number))
    offer_to_substitutes(work, match, player, reason)
    line = f"vacate {number} {{{player.id}}}"
    log(work, by, line, reason, number)
    tell_others(work, by, with_names(work, line), reason)
    return with_names(work, line)


def require_vacatable(match: MatchSummary) -> None:
    """Raises DecisionError where no substitute can go on."""
    if match.result is not None:
        raise DecisionError(phrase("direct.over", match=match.id))
    if not allows_substitutes(match):
        raise DecisionError(phrase("hands.no-substitutes", match=match.id))


def substitutes_for(work: Work, match: MatchSummary) -> Iterator[Player]:
    """Members who want to go on for others, and may do so in a match."""
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
    """The table hears of it; a partner is asked."""
    player = work.players.get(event.player)
    partner = partner_of(work, match, player)
    tell(work, News(match, events=(event,), unread_by=partner.id if partner else None))
    if partner is not None:
        seat = match.seats_of(player.id)[0]
        post(work, PartnerAsked(view_of(work, match, partner), player.name, seat), partner)


def _offer(work: Work, match: Match, player: Player, substitute: Player) -> SeatOffered:
    people = together(map(work.players.get, match.players))
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
