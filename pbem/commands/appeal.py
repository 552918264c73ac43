"""`appeal TEXT`: a player asks the directors to decide something about the match."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from pbem.commands.api import Argument, Asked, Command, Done, Need, Section
from pbem.mail.refusals import Refusal, Refused
from pbem.matches.match import Player
from pbem.service.direct.appealing import A_DAY, appeal, may_appeal
from pbem.service.members.roles import directors
from pbem.service.work import Work


@dataclass(frozen=True)
class TooManyAppeals(Refusal):
    """The directors have heard of the match often enough today."""

    most: int


@dataclass(frozen=True)
class NoDirector(Refusal):
    """Nobody is there to decide."""


def _appeal(asked: Asked) -> Done:
    (text,) = asked.arguments
    if not (asked.work.club.director or directors(asked.work)):
        raise Refused(NoDirector())
    if not may_appeal(asked.work, asked.match, asked.player):
        raise Refused(TooManyAppeals(A_DAY))
    tell = partial(_tell, match=asked.match.id, player=asked.player, text=text)
    return Done(sections=(Section("appealed", {"text": text}),), effects=(tell,))


def _tell(work: Work, match: int, player: Player, text: str) -> None:
    appeal(work, work.match(match), player, text)


COMMANDS = (
    Command(
        "appeal",
        "ask the director to decide something",
        _appeal,
        need=Need.ANY,
        arguments=(
            Argument("text", below=True, help="what it is about, all lines below included"),
        ),
    ),
)
