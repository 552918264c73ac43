"""`toast`: a toy command."""

from pbem.mail.incoming.commands.command import Command
from pbem.mail.incoming.table import Table


def _run(table: Table, argument: str) -> Table:
    return table.answered("toast", player=table.player.name)


COMMAND = Command("toast", "to your health", _run)
