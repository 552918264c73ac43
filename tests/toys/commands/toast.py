"""`toast`: a toy command."""

from pbem.commands.api import Command, CommandContext, CommandResult


def _run(asked: CommandContext) -> CommandResult:
    return CommandResult.answered("toast", player=asked.player.name)


COMMANDS = (Command("toast", "to your health", _run),)
