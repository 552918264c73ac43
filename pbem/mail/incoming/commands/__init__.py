"""Commands of a mail beside actions: one module each, found by being in this folder.

A module names its command `COMMAND`. Its answer is the template of the same name in
`templates/mail`.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from typing import NamedTuple

from pbem.games.text import plain, without_bullet
from pbem.mail.incoming.commands.command import Command


class Found(NamedTuple):
    """A command that a line asks for."""

    command: Command
    argument: str


@cache
def all_commands() -> tuple[Command, ...]:
    """Every command, in the order of their words."""
    modules = (
        import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)
    )
    commands = [module.COMMAND for module in modules if hasattr(module, "COMMAND")]
    return tuple(sorted(commands, key=lambda command: command.word))


def find(line: str) -> Found | None:
    """Command of a line that is nothing else, None for any other line.

    Case, a bullet, quotation marks and a full stop do not matter.
    """
    bare = without_bullet(plain(line)).strip().strip("\"'`<>[] ").rstrip(".!;, ").casefold()
    words = " ".join(bare.split()).replace(" ?", "?")
    for command in all_commands():
        if words == command.word:
            return Found(command, "")
        argument = words.removeprefix(f"{command.word} ")
        if command.argument and argument != words and " " not in argument:
            return Found(command, argument)
    return None
