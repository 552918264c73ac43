"""Cancelling: at once if little has been played, or when all players of the match agree.

Each player who must agree gets an email in the match's thread and answers `cancel yes` or `cancel
no`. Until then, each request waits as a question of the club.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pbem.mail.outgoing.kinds import AskedToCancel, CancelAgreed, CancelRefused, NotCancelled
from pbem.mail.topic import match_key
from pbem.matches.director_actions import DecisionError, needs_consent
from pbem.matches.match import Match, Player, PlayerId
from pbem.matches.words import phrase
from pbem.service.direct.decide import Director, decide, log, tell_others
from pbem.service.direct.orders import cancellation, reopening, replay_of, tried
from pbem.service.post.post import post, tell_director, view_of
from pbem.service.questions import PendingQuestion, ask, waiting
from pbem.service.work import Work

DAYS = 14
"""Days that the players have to agree."""


@dataclass(frozen=True)
class CancelQuestion:
    """Asks a player whether they agree to cancel their match."""

    kind: ClassVar[str] = "cancel"
    reason: str
    by: PlayerId | None = None
    """The director who asks. None on the command line."""


def cancel(work: Work, number: int, reason: str, by: Director) -> Sequence[Player]:
    """Cancel a match or ask its players. Return who is asked. Raises DecisionError."""
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
    """Return the players who must agree to a cancellation. Raises DecisionError if asked before."""
    match = work.match(number)
    if not needs_consent(match):
        return ()
    asked = _people(work, match)
    if any(_asked(work, match, player) for player in asked):
        raise DecisionError(phrase("direct.asked-already", match=number))
    return asked


def agree(work: Work, match: Match, player: Player) -> bool:
    """Record that a player agrees. Return whether all do. Raises DecisionError if not asked."""
    pending = require_asked(work, match, player)
    work.questions.settle(pending.question.id)
    if any(_asked(work, match, other) for other in _people(work, match)):
        return False
    order, by = cancellation(match.id, pending.asked.reason), Director(pending.asked.by)
    over = decide(work, order, by)
    if by.player is not None:
        post(work, CancelAgreed(match, replay_of(work, over)), work.players.get(by.player))
    return True


def are_asked(work: Work, match: Match) -> bool:
    """Return whether the players have been asked to cancel a match and have not all answered."""
    return match.result is None and any(_asked(work, match, each) for each in _people(work, match))


def reopen(work: Work, number: int, reason: str, by: Director) -> Match:
    """Continue a match that is over, or withdraw the question to cancel it.

    Raises DecisionError.
    """
    match = work.lock_match(number)
    order = reopening(number, reason)
    if not are_asked(work, match):
        return decide(work, order, by)
    _settle_all(work, match)
    for player in _people(work, match):
        post(
            work, NotCancelled(view_of(work, match, player), withdrawn=True, reason=reason), player
        )
    line = f"{order.line} (the players are no longer asked)"
    log(work, by, line, reason, number)
    tell_others(work, by, line, reason)
    return match


def object_to(work: Work, match: Match, player: Player) -> None:
    """Record that a player objects. The match continues, and everybody is notified."""
    require_asked(work, match, player)
    _settle_all(work, match)
    for each in _people(work, match):
        if each.id != player.id:
            post(work, NotCancelled(view_of(work, match, each)), each)
    tell_director(work, CancelRefused(match, player))


def _settle_all(work: Work, match: Match) -> None:
    for player in _people(work, match):
        for pending in _asked(work, match, player):
            work.questions.settle(pending.question.id)


def require_asked(work: Work, match: Match, player: Player) -> PendingQuestion[CancelQuestion]:
    """Return what a player was asked. Raises DecisionError if they were not asked."""
    for pending in _asked(work, match, player):
        return pending
    raise DecisionError(phrase("direct.not-asked", match=match.id))


def _asked(work: Work, match: Match, player: Player) -> Sequence[PendingQuestion[CancelQuestion]]:
    return waiting(work, (CancelQuestion,), player.id, match_key(match.id))


def _people(work: Work, match: Match) -> list[Player]:
    return [player for player in map(work.players.get, match.players) if not player.bot]
