"""`toast`: a toy command."""

from pbem.commands.api import Asked, Command, Done


def _run(asked: Asked) -> Done:
    return Done.answered("toast", player=asked.player.name)


COMMANDS = (Command("toast", "to your health", _run),)
