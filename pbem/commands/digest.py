"""`digest`: one email about all matches that wait for the sender or have news, at once."""

from __future__ import annotations

from pbem.commands.api import Command, CommandContext, CommandResult, HelpGroup, Scope
from pbem.service.play.digests import has_digest


def _digest(asked: CommandContext) -> CommandResult:
    if not has_digest(asked.work, asked.player.id):
        return CommandResult.answered("nothing_waits")
    return CommandResult(digest=True)


COMMANDS = (
    Command(
        "digest",
        "get one email with the boards of all matches that wait for you or have news",
        _digest,
        Scope.EITHER,
        group=HelpGroup.LOOK,
    ),
)
