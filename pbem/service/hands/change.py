"""Change: a seat goes to another player, for good or until its own writes."""

from __future__ import annotations

from datetime import datetime

from pbem.mail.outgoing.kinds import DirectorFlag, HandedOver, SeatKept
from pbem.mail.topic import MatchTopic
from pbem.matches.acting import Change
from pbem.matches.match import Match, MatchSummary, Player
from pbem.matches.record import written
from pbem.matches.succession import (
    HandedOn,
    KeptByBot,
    TakenOver,
    handed_on,
    kept_by,
)
from pbem.matches.words import phrase
from pbem.ports.room import PageKind
from pbem.service.hands.clock import carried_on
from pbem.service.hands.entitled import HandsError
from pbem.service.play.bots import stand_in
from pbem.service.play.notices import News
from pbem.service.play.notify import notify
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
    after = carried_on(work, before, handed_on(before, player.id, successor.id), owner, at)
    after = stored(work, before, Change(after, (event,)), at)
    _tell(work, after, event)
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
    after = carried_on(work, before, kept_by(before, player.id, bot.id), player, at)
    after = stored(work, before, Change(after, (event,)), at)
    _tell(work, after, event)
    topic = MatchTopic(match.id, after.token_turn, first)
    post(work, SeatKept(match.id, player.name, bot.name), player, topic=topic)
    return after


def _require_played(match: Match) -> None:
    if match.result is not None:
        raise HandsError(phrase("direct.over", match=match.id))


def stored(work: Work, before: Match, change: Change, at: datetime) -> Match:
    """The match as it is stored, its history gone on."""
    match, _, happenings = written(before, change.match, change.events, at)
    work.append(match, (), happenings)
    work.matches.save(match)
    if match.place is not None:
        work.stale.mark(PageKind.COMPETITION, [match.place.competition])
    work.jobs.enqueue("pages", match.id)
    return match


def _tell(work: Work, match: Match, event: HandedOn) -> None:
    notify(work, News(match, events=(event,)))
