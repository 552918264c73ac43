"""`help`: what can be written, and how."""

from pbem.mail.incoming.commands.command import Command
from pbem.mail.incoming.table import Table


def _run(table: Table, argument: str) -> Table:
    from pbem.mail.incoming.commands import all_commands

    return table.answered("help", commands=all_commands(), match=table.match_or_none)


COMMAND = Command("help", "this page", _run)
