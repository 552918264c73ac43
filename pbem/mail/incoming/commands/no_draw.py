"""`no draw`: declines a draw offer."""

from pbem.mail.incoming.commands.command import Command
from pbem.mail.incoming.table import Table
from pbem.matches.history import Kind
from pbem.matches.match import decline_draw


def _run(table: Table, argument: str) -> Table:
    table.require_latest()
    match = decline_draw(table.match, table.player.id, table.position)
    return table.changed(match, Kind.DRAW_DECLINED, f"{table.player.name} declines the draw.")


COMMAND = Command("no draw", "decline a draw offer", _run, changes=True)
