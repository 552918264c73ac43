"""`cancel yes`, `cancel no`: a player agrees, or not, to cancel their match."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from pbem.commands.api import Command, CommandContext, CommandResult, Need, Section
from pbem.games.phrases import Phrase
from pbem.mail.outgoing.kinds.refusals import Refusal, RefusedError
from pbem.matches.director_actions import DecisionError
from pbem.matches.match import Player
from pbem.service.direct.cancelling import agree, object_to, require_asked
from pbem.service.work import Work


@dataclass(frozen=True)
class NotAskedToCancel(Refusal):
    """The player was not asked to agree to cancel the match."""

    reason: Phrase | str


def _yes(asked: CommandContext) -> CommandResult:
    _require_asked(asked)
    effect = partial(_agree, match=asked.match.id, player=asked.player)
    return CommandResult(effects=(effect,))


def _no(asked: CommandContext) -> CommandResult:
    _require_asked(asked)
    effect = partial(_object, match=asked.match.id, player=asked.player)
    return CommandResult(sections=(Section("disagreed", {}),), effects=(effect,))


def _require_asked(asked: CommandContext) -> None:
    try:
        require_asked(asked.work, asked.match, asked.player)
    except DecisionError as error:
        raise RefusedError(NotAskedToCancel(error.reason)) from error


def _agree(work: Work, match: int, player: Player) -> Section | None:
    """Agree. If this ends the match, the email about its end says so."""
    over = agree(work, work.lock_match(match), player)
    return None if over else Section("agreed", {})


def _object(work: Work, match: int, player: Player) -> None:
    object_to(work, work.lock_match(match), player)


COMMANDS = (
    Command(
        "cancel yes",
        "agree to cancel the match",
        _yes,
        need=Need.NEWEST,
        apart=True,
        without_rules=True,
    ),
    Command(
        "cancel no",
        "refuse to cancel the match",
        _no,
        need=Need.NEWEST,
        apart=True,
        without_rules=True,
    ),
)
