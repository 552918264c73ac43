"""`forget me`: leave the club and have all personal data erased."""

from __future__ import annotations

from functools import partial

from pbem.commands.api import (
    Command,
    CommandContext,
    CommandResult,
    HelpGroup,
    Need,
    Scope,
    Section,
)
from pbem.matches.match import PlayerId
from pbem.service.members.forget import forget, former_name, leaving
from pbem.service.work import ConcurrentChange, Work


def _forget_me(asked: CommandContext) -> CommandResult:
    player = asked.player
    matches = leaving(asked.work, player)._asdict()
    told = Section("forget_me", {**matches, "called": former_name(player.id)})
    return CommandResult(sections=(told,), effects=(partial(_forget, player=player.id),), asks=True)


def _forget(work: Work, player: PlayerId) -> None:
    member = work.players.get(player)
    if member.former:
        raise ConcurrentChange
    forget(work, member)


COMMANDS = (
    Command(
        "forget me",
        "leave the club and erase your data",
        _forget_me,
        Scope.CLUB,
        Need.RECENT,
        apart=True,
        group=HelpGroup.CHOOSE,
    ),
)
