"""Takeover: ask the other players, move a seat to another player, and welcome its player back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import ClassVar

from pbem.games.api import Seat
from pbem.games.phrases import ENGLISH, Phrase
from pbem.mail.outgoing.kinds import (
    AskedToHandOver,
    DirectorFlag,
    DirectorTakeover,
    HandedOver,
    NotHandedOver,
    SeatKept,
    SeatWanted,
)
from pbem.mail.outgoing.time_view import due
from pbem.mail.topic import MatchTopic, match_key
from pbem.matches.match import Match, MatchSummary, Player, PlayerId
from pbem.matches.match_options import FLAG as AT_FLAG, SUBSTITUTES
from pbem.matches.offer_terms import OfferError
from pbem.matches.player_actions import Change
from pbem.matches.seat_changes import (
    GivenBack,
    KeptByBot,
    TakenOver,
    given_back,
    handed_on,
    keeper,
    kept_by,
)
from pbem.matches.seat_holders import Audience
from pbem.matches.time_control import FLAG
from pbem.matches.words import phrase
from pbem.service.offers.people import require_no_ban, require_together
from pbem.service.people import names_in
from pbem.service.play.bots import stand_in
from pbem.service.play.change import apply, tell
from pbem.service.play.notices import News
from pbem.service.post.post import post, tell_director, view_of
from pbem.service.questions import PendingQuestion, all_waiting, ask, waiting
from pbem.service.work import Work
from pbem.settings import substitute


def partner_of(work: Work, match: MatchSummary, player: Player) -> Player | None:
    """Return the partner who can play a player's seats, None if nobody can.

    A partner who is a bot, has left the club or has resigned cannot.
    """
    for each in match.side_of(player.id):
        partner = work.players.get(each)
        if each != player.id and partner.gets_mail and each not in match.resigned:
            return partner
    return None


def take_over(
    work: Work, match: MatchSummary, successor: Player, player: Player, at: datetime
) -> Match:
    """Move a player's seats to a partner or substitute for good. Return the match.

    The match must be locked. It is stored, everybody gets an email, and the clock restarts if the
    seat has the turn. A partner uses their own time. A substitute gets the player's remaining
    time, and at least enough for a turn. Raises HandsError.
    """
    before = work.whole(match)
    _require_played(before)
    if successor.id in match.players and successor.id not in match.side_of(player.id):
        raise HandsError(phrase("hands.against", match=match.id))
    seats = match.seats_of(player.id)
    # A bot that keeps a seat has no time of its own.
    owner = work.players.get(match.hands.kept_for.get(seats[0], player.id))
    name = names_in(work, match)[player.id]
    event = TakenOver(player.id, match.turn, seats[0], successor.id, name)
    change = Change(handed_on(before, player.id, successor.id), (event,))
    after = tell(work, News(apply(work, before, change, at), events=change.events))
    successor_name = names_in(work, after)[successor.id]
    post(work, HandedOver(match.id, owner.name, successor_name, "", by_director=False), owner)
    return after


def hand_to_bot(work: Work, match: MatchSummary, player: Player, at: datetime) -> Match:
    """Let a bot keep a player's seats until a proven email from the player. Return the match.

    The match must be locked. It is stored, the clock is stopped because bots have no clock, and
    everybody is notified. If no person would be left to play, the director is asked instead.
    Raises HandsError.
    """
    before = work.whole(match)
    _require_played(before)
    if not any(work.players.get(each).gets_mail for each in match.others(player.id)):
        tell_director(work, DirectorFlag(match, player, at))
        return before
    bot, first = stand_in(work, match), match.seats_of(player.id)[0]
    name = names_in(work, match)[player.id]
    event = KeptByBot(player.id, match.turn, first, bot.id, name)
    change = Change(kept_by(before, player.id, bot.id), (event,))
    after = tell(work, News(apply(work, before, change, at), events=change.events))
    topic = MatchTopic(match.id, after.token_turn, first)
    post(work, SeatKept(match.id, player.name, bot.name), player, topic=topic)
    return after


def _require_played(match: Match) -> None:
    if match.result is not None:
        raise HandsError(phrase("direct.over", match=match.id))


class HandsError(ValueError):
    """Raised if a seat cannot go to somebody, with a reason for players."""

    def __init__(self, reason: Phrase | str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return ENGLISH.text(self.reason)


def allows_substitutes(match: MatchSummary) -> bool:
    """Return whether the players agreed to allow substitutes."""
    at_flag = match.options.of(AT_FLAG) == "substitute"
    return at_flag or match.options.of(SUBSTITUTES) == "on"


def require_entitled(work: Work, match: MatchSummary, seat: Seat, player: Player) -> None:
    """Raise HandsError unless a seat is offered to somebody who can take it."""
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
    """Raise HandsError unless the table can be asked whether somebody takes over a seat."""
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
    """Raise HandsError unless a member is a substitute who may play in a match."""
    if not player.gets_mail or substitute.SETTING.of(player) != substitute.ON:
        raise HandsError(phrase("hands.no-substitute"))
    if player.id in match.players or player.id in match.hands.kept_for.values():
        raise HandsError(phrase("hands.plays-already", match=match.id))
    side = match.game.info.side_of(match.player_count, seat) if seat else ()
    if any(each.player == player.id and each.seat not in side for each in match.hands.earlier):
        raise HandsError(phrase("hands.played", match=match.id))
    try:
        require_together(work, player, match.players)
        require_no_ban(work, player)
    except OfferError as error:
        raise HandsError(error.reason) from error
    running = len(work.matches.of_player(player.id))
    if running >= work.club.policy.running_matches:
        raise HandsError(phrase("offer.most-running", count=running))


def is_away(match: MatchSummary, seat: Seat, holder: Player) -> bool:
    """Return whether a player is not continuing with a seat. Only then are others asked."""
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


DAYS = 14
"""Days that the others have to agree."""


@dataclass(frozen=True)
class TakeoverQuestion:
    """Asks a player whether a substitute may take over for another player."""

    kind: ClassVar[str] = "takeover"
    seat: Seat
    player: PlayerId
    """The player who has the seat."""
    successor: PlayerId


@dataclass(frozen=True)
class NotAgreed:
    """Records that the table refused a substitute, who holds it until they may ask again."""

    kind: ClassVar[str] = "not-agreed"


def ask_table(work: Work, match: MatchSummary, seat: Seat, substitute: Player) -> Sequence[Player]:
    """Ask the others whether somebody may take over a seat, and tell the director.

    Returns who is asked. Raises HandsError.
    """
    require_askable(work, match, seat, substitute)
    pending = [each.asked for each in about(work, match)]
    if any(match.seats[each.seat] == each.player for each in pending):
        raise HandsError(phrase("hands.asked-already", match=match.id))
    if waiting(work, (NotAgreed,), substitute.id, match_key(match.id)):
        raise HandsError(phrase("hands.not-agreed", match=match.id, days=DAYS))
    withdraw(work, match)  # somebody else has taken over the seat of the earlier question
    player, whole = work.players.get(match.seats[seat]), work.whole(match)
    asked = [each for each in map(work.players.get, match.others(player.id)) if each.gets_mail]
    for each in asked:
        view = view_of(work, whole, each)
        answer_by = due(work.now + timedelta(days=DAYS), each.time_zone, work.now)
        mail = AskedToHandOver(view, view.names[player.id], substitute.name, answer_by)
        asked_by = post(work, mail, each)
        question = TakeoverQuestion(seat, player.id, substitute.id)
        ask(work, question, each.id, DAYS, about=match_key(match.id), asked_by=asked_by)
    _tell_player(work, match, seat, substitute)
    tell_director(work, DirectorTakeover(match, player, substitute, bool(asked)))
    return asked


def _tell_player(work: Work, match: MatchSummary, seat: Seat, substitute: Player) -> None:
    """Tell the player of a seat, even if a bot keeps it, how they can keep it."""
    whose = work.players.get(match.hands.kept_for.get(seat, match.seats[seat]))
    topic = MatchTopic(match.id, match.token_turn, seat)
    post(work, SeatWanted(match.id, whose.name, substitute.name), whose, topic=topic)


def about(work: Work, match: MatchSummary) -> Sequence[PendingQuestion[TakeoverQuestion]]:
    """Return the unanswered takeover questions of a match."""
    key = match_key(match.id)
    return [each for each in all_waiting(work, TakeoverQuestion) if each.question.about == key]


def agree(work: Work, match: MatchSummary, player: Player) -> bool:
    """Record that a player agrees. Return whether the takeover happened. Raises HandsError."""
    pending = require_asked(work, match, player)
    work.questions.settle(pending.question.id)
    if about(work, match):
        return False
    asked = pending.asked
    substitute = work.players.get(asked.successor)
    try:
        if match.seats.get(asked.seat) != asked.player:
            raise HandsError(phrase("hands.not-offered", seat=asked.seat, match=match.id))
        require_askable(work, match, asked.seat, substitute)
    except HandsError:
        post(work, NotHandedOver(match.id, substitute.name), substitute)
        return False
    take_over(work, match, substitute, work.players.get(asked.player), work.now)
    return True


def object_to(work: Work, match: MatchSummary, player: Player) -> None:
    """Record that a player objects. The substitute gets an email and cannot ask again soon."""
    pending = require_asked(work, match, player)
    withdraw(work, match)
    ask(work, NotAgreed(), pending.asked.successor, DAYS, about=match_key(match.id))


def withdraw(work: Work, match: MatchSummary) -> None:
    """Withdraw all takeover questions of a match and tell the substitutes."""
    pending = about(work, match)
    for each in pending:
        work.questions.settle(each.question.id)
    for successor in dict.fromkeys(each.asked.successor for each in pending):
        substitute = work.players.get(successor)
        post(work, NotHandedOver(match.id, substitute.name), substitute)


def require_asked(
    work: Work, match: MatchSummary, player: Player
) -> PendingQuestion[TakeoverQuestion]:
    """Return what a player was asked. Raises HandsError if they were not asked."""
    for pending in waiting(work, (TakeoverQuestion,), player.id, match_key(match.id)):
        return pending
    raise HandsError(phrase("hands.not-asked", match=match.id))


def is_waited_for(work: Work, match: MatchSummary, player: Player) -> bool:
    """Return whether an email from a player would reclaim seats that are kept or offered."""
    if match.result is not None:
        return False
    if keeper(match, player.id) is not None or _offered(match, player):
        return True
    return _is_asked_about(work, match, player)


def heard_from(work: Work, match: MatchSummary, player: Player) -> GivenBack | None:
    """Return a player's seats after their proven email about a locked match.

    Returns the event if a bot kept them, which has not been announced yet, else None.
    """
    if _is_asked_about(work, match, player):
        withdraw(work, match)
    bot = keeper(match, player.id)
    if bot is None:
        offered = match.hands.not_offered(match.seats_of(player.id))
        work.matches.save(replace(match, hands=offered))
        return None
    before, first = work.whole(match), match.seats_of(bot)[0]
    event = GivenBack(bot, match.turn, first, player.id, names_in(work, match)[bot])
    apply(work, before, Change(given_back(before, player.id), (event,)), work.now)
    return event


def _offered(match: MatchSummary, player: Player) -> bool:
    return any(seat in match.hands.offered for seat in match.seats_of(player.id))


def _is_asked_about(work: Work, match: MatchSummary, player: Player) -> bool:
    """Return whether the table was asked to let somebody take over for a player or their bot."""
    if not allows_substitutes(match):
        return False
    theirs = {player.id, keeper(match, player.id)}
    return any(each.asked.player in theirs for each in about(work, match))


def tell_of_return(work: Work, event: GivenBack, number: int, *, too: bool) -> None:
    """Tell the table that a player is back. With `too`, tell the player as well."""
    news = News(work.match(number), events=(event,))
    tell(work, news if too else replace(news, unread_by=event.successor))
