"""What a command is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pbem.mail.incoming.table import Table


@dataclass(frozen=True)
class Command:
    """A request that a line of a mail can make."""

    word: str
    """As it is written, lower case; may be two words."""
    summary: str
    """What it does, for `help`."""
    run: Callable[[Table, str], Table]
    """Carries it out with its argument; raises Rejection, CommandError or an ActionError."""
    changes: bool = False
    """Whether it changes the match: then the sender must be proven."""
    argument: str = ""
    """Name of the one word that may follow."""
