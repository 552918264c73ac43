"""Groups of commands, and the command that a command line asks for."""

from __future__ import annotations

from collections.abc import Sequence

import typer
from typer.core import TyperGroup

LONGEST = 500
"""Maximum number of characters of a summary. A longer sentence does not fit a list."""


class CommandGroup(TyperGroup):
    """A group that wraps long sentences in its list, where Typer cuts them off."""

    # Typer has its own copy of the types of these arguments, and exports them nowhere.
    def format_commands(self, ctx, formatter) -> None:  # type: ignore[no-untyped-def]
        """Write the list into the help of the group."""
        found = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        rows = [
            (name, command.get_short_help_str(LONGEST))
            for name, command in found
            if command is not None and not command.hidden
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def group(about: str) -> typer.Typer:
    """Return an empty group with this summary."""
    return typer.Typer(cls=CommandGroup, help=about, no_args_is_help=True)


def asked_command(words: Sequence[str]) -> str:
    """Return the requested command, after the options of pbem itself. Empty if there is none."""
    return asked_commands(words)[0]


def asked_commands(words: Sequence[str]) -> tuple[str, str]:
    """Return the requested command and the word after it, which names one of a group."""
    rest = iter(words)
    for word in rest:
        if word == "--config":
            next(rest, "")
        elif not word.startswith("-"):
            return word, next(rest, "")
    return "", ""
