"""`resign`: resign the match. A side of two resigns when both players have."""

from __future__ import annotations

from pbem.commands.api import Command, CommandContext, CommandResult, Need
from pbem.matches.player_actions import resign


def _run(asked: CommandContext) -> CommandResult:
    return CommandResult.changed(resign(asked.match, asked.player.id, asked.now), final=True)


COMMANDS = (Command("resign", "resign the match", _run, need=Need.NEWEST),)
