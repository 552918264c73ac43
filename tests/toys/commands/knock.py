"""`knock NAME`, `burn`: toy commands for strangers, and for changes shown before they are done."""

from functools import partial

from pbem.commands.api import (
    Argument,
    Command,
    CommandContext,
    CommandResult,
    Giver,
    Need,
    Scope,
    Section,
)
from pbem.service.work import Work


def _knock(asked: CommandContext) -> CommandResult:
    (name,) = asked.arguments
    told = Section("toast", {"player": name})
    return CommandResult(
        sections=(told,), effects=(partial(_enter, name=name, address=asked.who.address),)
    )


def _enter(work: Work, name: str, address: str) -> None:
    work.players.add(name, [address])


def _burn(asked: CommandContext) -> CommandResult:
    told = Section("toast", {"player": "fire"})
    choose = partial(_put, player=asked.player.id)
    return CommandResult(sections=(told,), effects=(choose,), asks=True)


def _put(work: Work, player: int) -> None:
    work.players.choose(player, "page", "hidden")


COMMANDS = (
    Command(
        "knock",
        "come in",
        _knock,
        Scope.CLUB,
        Need.RECENT,
        Giver.STRANGER,
        arguments=(Argument("name"),),
    ),
    Command("burn", "burn it all", _burn, Scope.CLUB, Need.RECENT),
)
