"""`show`: the board as it stands."""

from pbem.mail.incoming.commands.command import Command
from pbem.mail.incoming.table import Table


def _run(table: Table, argument: str) -> Table:
    table.match  # noqa: B018  raises where the mail is about no match
    return table.answered("show")


COMMAND = Command("show", "the board as it stands now", _run)
