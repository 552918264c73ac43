"""`nod`, `gavel`: toy commands for the seat to act, and for the director."""

from pbem.commands.api import Command, CommandContext, CommandResult, Giver, Need


def _run(asked: CommandContext) -> CommandResult:
    return CommandResult.answered("toast", player=asked.player.name)


COMMANDS = (
    Command("nod", "agree with oneself", _run, giver=Giver.SEAT_TO_ACT),
    Command("gavel", "ask for silence", _run, need=Need.ANY, giver=Giver.DIRECTOR),
)
