"""`guests`: a toy command for people whom the club does not know."""

from pbem.commands.api import Command, CommandContext, CommandResult, Giver, Scope


def _run(asked: CommandContext) -> CommandResult:
    return CommandResult.answered("guests", address=asked.who.addresses[0], language=asked.language)


COMMANDS = (Command("guests", "guests are welcome", _run, Scope.CLUB, giver=Giver.STRANGER),)
