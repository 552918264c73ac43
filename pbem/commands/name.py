"""`set name NEW`: change one's name."""

from __future__ import annotations

from pbem.commands.api import (
    Argument,
    Command,
    CommandContext,
    CommandResult,
    HelpGroup,
    Need,
    Scope,
    Section,
)
from pbem.commands.api.naming import name_for
from pbem.matches.match import Player
from pbem.ports.process import StorageError
from pbem.service.members.names import rename
from pbem.service.work import ConcurrentChange, Work


def _set_name(asked: CommandContext) -> CommandResult:
    player = asked.player
    name = name_for(asked, asked.arguments[0], player.id, "set name")
    told = Section("set", {"key": "name", "value": name})
    return CommandResult(sections=(told,), effects=(lambda work: _rename(work, player, name),))


def _rename(work: Work, player: Player, name: str) -> None:
    try:
        rename(work, player, name)
    except StorageError as error:
        raise ConcurrentChange from error


COMMANDS = (
    Command(
        "set name",
        "change your name",
        _set_name,
        Scope.EITHER,
        Need.RECENT,
        arguments=(Argument("new", rest=True, help="the new name"),),
        group=HelpGroup.CHOOSE,
    ),
)
