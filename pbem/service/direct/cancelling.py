"""Cancelling: at once while little has been played, else once everybody in the match agrees.

Each player who has to agree is asked by a mail in the thread of the match, and says `cancel yes` or
`cancel no`; what they were asked waits as a question of the club.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pbem.mail.outgoing.kinds import AskedToCancel, CancelAgreed, CancelRefused, NotCancelled
from pbem.mail.topic import match_key
from pbem.matches.directing import DecisionError, needs_consent
from pbem.matches.match import Match, Player, PlayerId
from pbem.matches.words import phrase
from pbem.service.direct.decide import Director, decide, log, tell_others
from pbem.service.direct.orders import cancellation, tried
from pbem.service.post.post import post, tell_director, view_of
from pbem.service.questions import PendingQuestion, ask, waiting
from pbem.service.work import Work

DAYS = 14
"""How long the players have to agree."""


@dataclass(frozen=True)
class CancelQuestion:
    """Whether a player agrees that their match is cancelled."""

    kind: ClassVar[str] = "cancel"
    reason: str
    by: PlayerId | None = None
    """The director who asks; None: at the shell."""


def cancel(work: Work, number: int, reason: str, by: Director) -> Sequence[Player]:
    """Cancels a match, or asks its players; returns who is asked. Raises DecisionError."""
    order = cancellation(number, reason)
    tried(work, order)
    match, asked = work.lock_match(number), who_must_agree(work, number)
    for player in asked:
        mail = AskedToCancel(view_of(work, match, player), reason, DAYS)
        asked_by = post(work, mail, player)
        question = CancelQuestion(reason, by.player)
        ask(work, question, player.id, DAYS, about=match_key(number), asked_by=asked_by)
    if asked:
        line = f"{order.line} (the players are asked)"
        log(work, by, line, reason, number)
        tell_others(work, by, line, reason)
    else:
        decide(work, order, by)
    return asked


def who_must_agree(work: Work, number: int) -> Sequence[Player]:
    """Whom a cancellation has to ask; raises DecisionError where they have been asked."""
    match = work.match(number)
    if not needs_consent(match):
        return ()
    asked = _people(work, match)
    if any(_asked(work, match, player) for player in asked):
        raise DecisionError(phrase("direct.asked-already", match=number))
    return asked


def agree(work: Work, match: Match, player: Player) -> bool:
    """A player agrees; whether everybody has now. Raises DecisionError if nobody asked them."""
    pending = require_asked(work, match, player)
    work.questions.settle(pending.question.id)
    if any(_asked(work, match, other) for other in _people(work, match)):
        return False
    order, by = cancellation(match.id, pending.asked.reason), Director(pending.asked.by)
    decide(work, order, by)
    if by.player is not None:
        post(work, CancelAgreed(match), work.players.get(by.player))
    return True


def object_to(work: Work, match: Match, player: Player) -> None:
    """A player does not agree: the match goes on, and everybody hears of it."""
    require_asked(work, match, player)
    for each in _people(work, match):
        for pending in _asked(work, match, each):
            work.questions.settle(pending.question.id)
        if each.id != player.id:
            post(work, NotCancelled(view_of(work, match, each)), each)
    tell_director(work, CancelRefused(match, player))


def require_asked(work: Work, match: Match, player: Player) -> PendingQuestion[CancelQuestion]:
    """What a player was asked; raises DecisionError if they were not."""
    for pending in _asked(work, match, player):
        return pending
    raise DecisionError(phrase("direct.not-asked", match=match.id))


def _asked(work: Work, match: Match, player: Player) -> Sequence[PendingQuestion[CancelQuestion]]:
    return waiting(work, (CancelQuestion,), player.id, match_key(match.id))


def _people(work: Work, match: Match) -> list[Player]:
    return [player for player in map(work.players.get, match.players) if not player.bot]
