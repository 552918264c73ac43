"""What a command is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from pbem.mail.incoming.table import Table


@dataclass(frozen=True)
class Command:
    """A request that a line of a mail can make."""

    word: str
    """As it is written, lower case; may be two words."""
    summary: str
    """What it does, for `help`."""
    run: Callable[[Table, str], Table]
    """What it does, with its argument; raises Refused, CommandError or an ActionError."""
    changes: bool = False
    """Whether it changes the match: then the sender must be proven."""
    argument: str = ""
    """Name of the one word that may follow."""
    final: Callable[[Table], bool] = lambda table: False
    """Whether what it would do on a table cannot be taken back."""

    def carry_out(self, table: Table, argument: str) -> Table:
        """The table after it; raises Refused, CommandError or an ActionError."""
        done = self.run(table, argument)
        return replace(done, final=True) if self.final(table) else done
