"""`draw?`: offers a draw; over somebody else's offer it accepts."""

from pbem.mail.incoming.commands.command import Command
from pbem.mail.incoming.table import Table
from pbem.matches.history import Kind
from pbem.matches.match import offer_draw


def _run(table: Table, argument: str) -> Table:
    table.require_latest()
    match = offer_draw(table.match, table.player.id, table.at, table.position)
    name = table.player.name
    if match.result is not None or match.offer is None or match.offer.by != table.player.id:
        return table.changed(match, Kind.DRAW_ACCEPTED, f"{name} accepts the draw.")
    return table.changed(match, Kind.DRAW_OFFERED)  # every mail tells of an offer that stands


def _accepts(table: Table) -> bool:
    offer = table.match.offer
    return offer is not None and offer.by != table.player.id


COMMAND = Command("draw?", "offer a draw", _run, changes=True, final=_accepts)
