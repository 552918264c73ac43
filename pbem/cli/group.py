"""Groups of commands, and the command that the words of a command line ask for."""

from __future__ import annotations

from collections.abc import Sequence

import typer
from typer.core import TyperGroup

LONGEST = 500
"""A sentence of more characters is none for a list."""


class CommandGroup(TyperGroup):
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
    return typer.Typer(cls=CommandGroup, help=about, no_args_is_help=True)


def asked_command(words: Sequence[str]) -> str:
    """The command that is asked for, after the options of pbem itself; empty if none is."""
    return asked_commands(words)[0]


def asked_commands(words: Sequence[str]) -> tuple[str, str]:
    """The command that is asked for, and the word after it, which names one of a group."""
    rest = iter(words)
    for word in rest:
        if word == "--config":
            next(rest, "")
        elif not word.startswith("-"):
            return word, next(rest, "")
    return "", ""
