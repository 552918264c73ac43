"""`resign`: gives the match up; in a side of two, once both have."""

from pbem.mail.incoming.commands.command import Command
from pbem.mail.incoming.table import Table
from pbem.matches.match import resign


def _run(table: Table, argument: str) -> Table:
    table.require_latest()
    name = table.player.name
    match = resign(table.match, table.position, table.player.id, table.at)
    if match.result is not None:
        return table.changed(match, f"{name} resigns.")
    partners = " and ".join(
        table.names[player]
        for player in match.side_of(table.player.id)
        if player not in match.resigned
    )
    return table.changed(
        match,
        f"{name} would resign. The match ends if {partners} resigns too, before {name} moves "
        "again.",
    )


COMMAND = Command("resign", "give the match up", _run, changes=True)
