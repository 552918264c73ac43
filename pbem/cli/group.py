"""Group of commands, which lists them with all that each says of itself in its first sentence."""

from __future__ import annotations

import typer
from typer.core import TyperGroup

LONGEST = 500
"""A sentence of more characters is none for a list."""


class Group(TyperGroup):
    """One whose list goes on in the next line where a sentence is long; Typer cuts it off."""

    # Typer has a copy of its own of what this is given, and names it nowhere.
    def format_commands(self, ctx, formatter) -> None:  # type: ignore[no-untyped-def]
        """Writes the list into the help of the group."""
        found = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        rows = [
            (name, command.get_short_help_str(LONGEST))
            for name, command in found
            if command is not None and not command.hidden
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def group(about: str) -> typer.Typer:
    """An empty one, and what it says of itself."""
    return typer.Typer(cls=Group, help=about, no_args_is_help=True)
