"""`draw`: accepts a draw offer."""

from pbem.mail.incoming.commands.command import Command
from pbem.mail.incoming.table import Table
from pbem.matches.history import Kind
from pbem.matches.match import accept_draw


def _run(table: Table, argument: str) -> Table:
    table.require_latest()
    match = accept_draw(table.match, table.player.id, table.at, table.position)
    return table.changed(match, Kind.DRAW_ACCEPTED, f"{table.player.name} accepts the draw.")


COMMAND = Command("draw", "accept a draw offer", _run, changes=True, final=lambda table: True)
