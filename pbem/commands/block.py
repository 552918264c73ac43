"""`block`, `unblock`, `blocked`: people a player does not want to play with, or get notes from."""

from __future__ import annotations

from functools import partial

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
from pbem.commands.api.offering import refusals
from pbem.service.offers.options import words_of
from pbem.service.offers.people import blocked_by, someone
from pbem.service.work import Work

MOST_WORDS = 4
"""Maximum number of words in a name. A longer line is prose."""


def _block(asked: CommandContext, *, blocks: bool) -> CommandResult:
    name = " ".join(words_of(asked.arguments[0]))
    with refusals(asked, "block" if blocks else "unblock"):
        other = someone(asked.work, asked.player, name)
    told = Section("block", {"other": other.name, "blocks": blocks})

    def write(work: Work) -> None:
        (work.blocks.add if blocks else work.blocks.remove)(asked.player.id, other.id)

    return CommandResult(sections=(told,), effects=(write,))


def _blocked(asked: CommandContext) -> CommandResult:
    return CommandResult.answered("blocked", names=blocked_by(asked.work, asked.player))


def _is_name(text: str) -> bool:
    return len(text.split()) <= MOST_WORDS


_NAME = Argument("name", rest=True, fits=_is_name, help="the name of a member")

COMMANDS = (
    Command(
        "block",
        "stop a member from challenging you, joining your tables or sending you notes",
        partial(_block, blocks=True),
        Scope.CLUB,
        Need.RECENT,
        arguments=(_NAME,),
        group=HelpGroup.FIND,
    ),
    Command(
        "unblock",
        "lift a block",
        partial(_block, blocks=False),
        Scope.CLUB,
        Need.RECENT,
        arguments=(_NAME,),
        group=HelpGroup.FIND,
    ),
    Command("blocked", "list the members you block", _blocked, Scope.CLUB, group=HelpGroup.FIND),
)
