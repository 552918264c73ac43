"""Asking: whether a substitute may go on with a seat that is not offered.

Each of the others is asked by a mail in the thread of the match, and says `takeover yes` or
`takeover no`; a director can decide without them. The player of the seat needs but to write.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar

from pbem.games.api import Seat
from pbem.mail.outgoing.due import due
from pbem.mail.outgoing.kinds import AskedToHandOver, DirectorTakeover, NotHandedOver, SeatWanted
from pbem.mail.topic import MatchTopic, match_key
from pbem.matches.match import MatchSummary, Player, PlayerId
from pbem.matches.words import phrase
from pbem.service.hands.change import take_over
from pbem.service.hands.entitled import HandsError, require_askable
from pbem.service.post.post import post, tell_director
from pbem.service.post.views import view_of
from pbem.service.questions import Pending, all_waiting, ask, waiting
from pbem.service.work import Work

DAYS = 14
"""How long the others have to agree."""


@dataclass(frozen=True)
class TakeoverQuestion:
    """Whether a player agrees that a substitute goes on for another one."""

    kind: ClassVar[str] = "takeover"
    seat: Seat
    player: PlayerId
    """Who holds the seat."""
    successor: PlayerId


@dataclass(frozen=True)
class NotAgreed:
    """The table has not agreed to a substitute, who holds this as long as they do not ask again."""

    kind: ClassVar[str] = "not-agreed"


def ask_table(work: Work, match: MatchSummary, seat: Seat, substitute: Player) -> Sequence[Player]:
    """Asks the others whether somebody may go on with a seat, and tells the director.

    Returns who is asked. Raises HandsError.
    """
    require_askable(work, match, seat, substitute)
    pending = [each.asked for each in about(work, match)]
    if any(match.seats[each.seat] == each.player for each in pending):
        raise HandsError(phrase("hands.asked-already", match=match.id))
    if waiting(work, (NotAgreed,), substitute.id, match_key(match.id)):
        raise HandsError(phrase("hands.not-agreed", match=match.id, days=DAYS))
    withdraw(work, match)  # somebody else has gone on for who that was about
    player, whole = work.players.get(match.seats[seat]), work.whole(match)
    asked = [each for each in map(work.players.get, match.others(player.id)) if each.gets_mail]
    for each in asked:
        view = view_of(work, whole, each)
        answer_by = due(work.now + timedelta(days=DAYS), each.time_zone, work.now)
        mail = AskedToHandOver(view, player.name, substitute.name, answer_by)
        asked_by = post(work, mail, each)
        question = TakeoverQuestion(seat, player.id, substitute.id)
        ask(work, question, each.id, DAYS, about=match_key(match.id), asked_by=asked_by)
    _tell_player(work, match, seat, substitute)
    tell_director(work, DirectorTakeover(match, player, substitute, bool(asked)))
    return asked


def _tell_player(work: Work, match: MatchSummary, seat: Seat, substitute: Player) -> None:
    """Whose seat it is, or was until a bot kept it, hears how they keep it."""
    whose = work.players.get(match.hands.kept_for.get(seat, match.seats[seat]))
    topic = MatchTopic(match.id, match.token_turn, seat)
    post(work, SeatWanted(match.id, whose.name, substitute.name), whose, topic=topic)


def about(work: Work, match: MatchSummary) -> Sequence[Pending[TakeoverQuestion]]:
    """What the players of a match have been asked and have not answered."""
    key = match_key(match.id)
    return [each for each in all_waiting(work, TakeoverQuestion) if each.question.about == key]


def agree(work: Work, match: MatchSummary, player: Player) -> bool:
    """A player agrees; whether everybody has now. Raises HandsError if nobody asked them."""
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
    """A player does not agree: who asked hears so, and does not ask again soon."""
    pending = require_asked(work, match, player)
    withdraw(work, match)
    ask(work, NotAgreed(), pending.asked.successor, DAYS, about=match_key(match.id))


def withdraw(work: Work, match: MatchSummary) -> None:
    """Nobody is asked any more, and who wanted to go on hears so."""
    pending = about(work, match)
    for each in pending:
        work.questions.settle(each.question.id)
    for successor in dict.fromkeys(each.asked.successor for each in pending):
        substitute = work.players.get(successor)
        post(work, NotHandedOver(match.id, substitute.name), substitute)


def require_asked(work: Work, match: MatchSummary, player: Player) -> Pending[TakeoverQuestion]:
    """What a player was asked; raises HandsError if they were not."""
    for pending in waiting(work, (TakeoverQuestion,), player.id, match_key(match.id)):
        return pending
    raise HandsError(phrase("hands.not-asked", match=match.id))
