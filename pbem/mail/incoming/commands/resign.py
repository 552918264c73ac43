"""`resign`: gives the match up; in a side of two, once both have."""

from pbem.mail.incoming.commands.command import Command
from pbem.mail.incoming.table import Table
from pbem.matches.history import Kind
from pbem.matches.match import resign


def _run(table: Table, argument: str) -> Table:
    table.require_latest()
    name = table.player.name
    text = table.match.game.resignation(table.position, table.match.seat_for(table.player.id))
    if text is not None:
        return table.play([text]).told(f"{name} resigns; the others play on.")
    match = resign(table.match, table.position, table.player.id, table.at)
    if match.result is not None:
        return table.changed(match, Kind.RESIGNED, f"{name} resigns.")
    # Every mail tells of a resignation that waits for a partner's.
    return table.changed(match, Kind.RESIGNED)


COMMAND = Command("resign", "give the match up", _run, changes=True, final=lambda table: True)
