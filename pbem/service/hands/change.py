"""Change: a seat goes to another player, for good or until its own writes."""

from __future__ import annotations

from datetime import datetime

from pbem.mail.outgoing.kinds import DirectorFlag, HandedOver, SeatKept
from pbem.mail.topic import MatchTopic
from pbem.matches.acting import Change
from pbem.matches.match import Match, MatchSummary, Player
from pbem.matches.succession import (
    KeptByBot,
    TakenOver,
    handed_on,
    kept_by,
)
from pbem.matches.words import phrase
from pbem.service.hands.entitled import HandsError
from pbem.service.play.bots import stand_in
from pbem.service.play.change import apply, tell
from pbem.service.play.notices import News
from pbem.service.post.post import post, tell_director
from pbem.service.work import Work


def partner_of(work: Work, match: MatchSummary, player: Player) -> Player | None:
    """Who wins and loses with a player, and can play their seats too; None where nobody can.

    A partner who is a computer opponent, has left the club or has resigned cannot.
    """
    for each in match.side_of(player.id):
        partner = work.players.get(each)
        if each != player.id and partner.gets_mail and each not in match.resigned:
            return partner
    return None


def take_over(
    work: Work, match: MatchSummary, successor: Player, player: Player, at: datetime
) -> Match:
    """Somebody goes on with the seats of a player for good: their partner, or a substitute.

    The match is locked; it is stored, its clock started anew where the seat is to act, and all are
    told. A partner goes on with their own time, a substitute with what is left of the player's, and
    enough for a turn. Raises HandsError.
    """
    before = work.whole(match)
    _require_played(before)
    if successor.id in match.players and successor.id not in match.side_of(player.id):
        raise HandsError(phrase("hands.against", match=match.id))
    seats = match.seats_of(player.id)
    # A bot that keeps a seat has no time of its own.
    owner = work.players.get(match.hands.kept_for.get(seats[0], player.id))
    event = TakenOver(player.id, match.turn, seats[0], successor.id, player.name)
    change = Change(handed_on(before, player.id, successor.id), (event,))
    after = apply(work, before, change, at)
    tell(work, News(after, events=change.events))
    post(work, HandedOver(match.id, owner.name, successor.name, "", by_director=False), owner)
    return after


def hand_to_bot(work: Work, match: MatchSummary, player: Player, at: datetime) -> Match:
    """A computer opponent holds the seats of a player until a proven mail of theirs comes.

    The match is locked; it is stored, the clock stopped (a bot has none), and all are told. Where
    no person would be left to play, the director is asked instead. Raises HandsError.
    """
    before = work.whole(match)
    _require_played(before)
    if not any(work.players.get(each).gets_mail for each in match.others(player.id)):
        tell_director(work, DirectorFlag(match, player, at))
        return before
    bot, first = stand_in(work, match), match.seats_of(player.id)[0]
    event = KeptByBot(player.id, match.turn, first, bot.id, player.name)
    change = Change(kept_by(before, player.id, bot.id), (event,))
    after = apply(work, before, change, at)
    tell(work, News(after, events=change.events))
    topic = MatchTopic(match.id, after.token_turn, first)
    post(work, SeatKept(match.id, player.name, bot.name), player, topic=topic)
    return after


def _require_played(match: Match) -> None:
    if match.result is not None:
        raise HandsError(phrase("direct.over", match=match.id))
