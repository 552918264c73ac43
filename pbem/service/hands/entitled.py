"""Entitled: who may go on with the seats of whom, and why somebody may not."""

from __future__ import annotations

from pbem.games.api import Seat
from pbem.games.phrases import ENGLISH, Phrase
from pbem.matches.choices import FLAG as AT_FLAG, SUBSTITUTES
from pbem.matches.hands import Audience
from pbem.matches.match import MatchSummary, Player
from pbem.matches.offer_terms import OfferError
from pbem.matches.time_control import FLAG
from pbem.matches.words import phrase
from pbem.service.tables.people import require_together
from pbem.service.work import Work
from pbem.settings import substitute


class HandsError(ValueError):
    """Why a seat cannot go to somebody, in a player's words."""

    def __init__(self, reason: Phrase | str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return ENGLISH.text(self.reason)


def allows_substitutes(match: MatchSummary) -> bool:
    """Whether it was agreed that somebody else may go on for a player."""
    at_flag = match.options.of(AT_FLAG) == "substitute"
    return at_flag or match.options.of(SUBSTITUTES) == "on"


def require_entitled(work: Work, match: MatchSummary, seat: Seat, player: Player) -> None:
    """Raises HandsError unless a seat is offered to somebody who can take it."""
    _require_other(work, match, seat, player)
    audience = match.hands.offered.get(seat)
    if audience is None:
        raise HandsError(phrase("hands.not-offered", seat=seat, match=match.id))
    if player.id in match.players:
        return
    if audience is Audience.PARTNER:
        raise HandsError(phrase("hands.to-partner", seat=seat, match=match.id))
    require_substitute(work, match, player, seat)


def require_askable(work: Work, match: MatchSummary, seat: Seat, player: Player) -> None:
    """Raises HandsError unless the table can be asked whether somebody goes on with a seat."""
    _require_other(work, match, seat, player)
    if player.id in match.players or not allows_substitutes(match):
        raise HandsError(phrase("hands.not-offered", seat=seat, match=match.id))
    holder = work.players.get(match.seats[seat])
    if not is_away(match, seat, holder):
        raise HandsError(phrase("hands.plays", seat=seat, match=match.id))
    require_substitute(work, match, player, seat)


def require_substitute(
    work: Work, match: MatchSummary, player: Player, seat: Seat | None = None
) -> None:
    """Raises HandsError unless a member is a substitute who may play a match with its people."""
    if not player.gets_mail or substitute.SETTING.of(player) != substitute.ON:
        raise HandsError(phrase("hands.no-substitute"))
    if player.id in match.players or player.id in match.hands.kept_for.values():
        raise HandsError(phrase("hands.plays-already", match=match.id))
    side = match.game.info.side_of(match.player_count, seat) if seat else ()
    if any(each.player == player.id and each.seat not in side for each in match.hands.earlier):
        raise HandsError(phrase("hands.played", match=match.id))
    try:
        require_together(work, player, match.players)
    except OfferError as error:
        raise HandsError(error.reason) from error
    running = len(work.matches.of_player(player.id))
    if running >= work.club.policy.running_matches:
        raise HandsError(phrase("offer.most-running", count=running))


def is_away(match: MatchSummary, seat: Seat, holder: Player) -> bool:
    """Whether the player of a seat does not go on by themselves: only then others are asked."""
    if seat in match.hands.kept_for or holder.former or not holder.reachable:
        return True
    return match.player_to_act == holder.id and FLAG in match.clock.seen


def _require_other(work: Work, match: MatchSummary, seat: Seat, player: Player) -> None:
    if match.result is not None:
        raise HandsError(phrase("direct.over", match=match.id))
    if match.seats[seat] == player.id:
        raise HandsError(phrase("hands.own", seat=seat, match=match.id))
    if work.whole(match).has_resigned(match.seats[seat]):
        raise HandsError(phrase("direct.has-resigned", match=match.id))
    if player.id in match.players and player.id not in match.side_of(match.seats[seat]):
        raise HandsError(phrase("hands.against", match=match.id))
