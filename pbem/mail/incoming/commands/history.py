"""`history`: all turns of the match."""

from pbem.mail.incoming.commands.command import Command
from pbem.mail.incoming.table import Table
from pbem.mail.outgoing.match_view import columns


def _run(table: Table, argument: str) -> Table:
    table.match  # noqa: B018  raises where the mail is about no match
    return table.answered("history", turns=columns(str(line) for line in table.history()))


COMMAND = Command("history", "all turns from the start", _run)
