"""`appeal TEXT`: a player asks the directors for a decision about the match."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from pbem.commands.api import Argument, Command, CommandContext, CommandResult, Need, Section
from pbem.mail.outgoing.kinds import DirectorAppeal
from pbem.mail.outgoing.kinds.refusals import Refusal, RefusedError
from pbem.matches.match import Match, Player
from pbem.service.direct.decide import Director, log
from pbem.service.people import directors
from pbem.service.post.post import tell_director, view_of
from pbem.service.work import Work


@dataclass(frozen=True)
class TooManyAppeals(Refusal):
    """The player has reached the daily limit of appeals about the match."""

    most: int


@dataclass(frozen=True)
class NoDirector(Refusal):
    """The club has no director to decide."""


def _appeal(asked: CommandContext) -> CommandResult:
    (text,) = asked.arguments
    if not (asked.work.club.director or directors(asked.work)):
        raise RefusedError(NoDirector())
    if not may_appeal(asked.work, asked.match, asked.player):
        raise RefusedError(TooManyAppeals(A_DAY))
    tell = partial(_tell, match=asked.match.id, player=asked.player, text=text)
    return CommandResult(sections=(Section("appealed", {"text": text}),), effects=(tell,))


def _tell(work: Work, match: int, player: Player, text: str) -> None:
    appeal(work, work.match(match), player, text)


COMMANDS = (
    Command(
        "appeal",
        "ask the director for a decision",
        _appeal,
        need=Need.ANY,
        arguments=(Argument("text", below=True, help="the problem, with all lines below"),),
    ),
)


A_DAY = 3
"""Maximum number of appeals per day by one player about one match."""
_LOOKED_AT = 100


def may_appeal(work: Work, match: Match, player: Player) -> bool:
    """Return whether a player is below the daily limit of appeals."""
    since = work.now - timedelta(days=1)
    appeals = [
        each
        for each in work.decisions.newest(_LOOKED_AT, match.id)
        if each.by == player.id and each.at > since and each.line.startswith("appeal ")
    ]
    return len(appeals) < A_DAY


def appeal(work: Work, match: Match, player: Player, text: str) -> None:
    """Email an appeal to all directors, with the current board."""
    tell_director(work, DirectorAppeal(match, player, text, view_of(work, match, player)))
    log(work, Director(player.id), f"appeal {match.id}", text, match.id)
