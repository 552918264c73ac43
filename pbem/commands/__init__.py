"""Commands: what a line of a mail can ask for beside actions; relatives share a module.

Every module here names its commands `COMMANDS`, and is found by being in this folder. The answer of
a command is the template of its name in `templates/mail/en`.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import NamedTuple

from pbem.commands.api import Command, Giver
from pbem.games.text import plain, without_bullet
from pbem.mail.addresses.addressing import without_secrets


class FoundCommand(NamedTuple):
    """A command that a line asks for."""

    command: Command
    arguments: tuple[str, ...] = ()

    @property
    def written(self) -> str:
        """The command with its arguments."""
        return " ".join([self.command.word, *filter(None, self.arguments)])

    def with_lines(self, own: str, lines: Sequence[str]) -> FoundCommand:
        """The same with the end of its own line, and the lines below it, in its last argument."""
        if not self.arguments:
            return self
        *first, last = self.arguments
        end = _STOPS.search(plain(own)) if last else None
        text = without_secrets("\n".join([last + (end[1] if end else ""), *lines]).strip())
        return self._replace(arguments=(*first, text))


_STOPS = re.compile(r"([.!;,]{1,10})\s*$")
"""What ends a sentence, which a text keeps and a command does not need."""


@cache
def all_commands() -> tuple[Command, ...]:
    """Every command, in the order of their words; raises LookupError for a module without one.

    Of two with the same word that of the players comes first: `pause 2 weeks` is no match 2.
    """
    return tuple(sorted(_declared(), key=lambda each: (each.word, each.giver is Giver.DIRECTOR)))


def commands_for(*, member: bool, director: bool) -> tuple[Command, ...]:
    """Those that somebody can ever give."""
    return tuple(each for each in all_commands() if each.given_by(member=member, director=director))


def _declared() -> Iterator[Command]:
    for module in pkgutil.iter_modules(__path__):
        if module.ispkg:
            continue
        commands = getattr(import_module(f"{__name__}.{module.name}"), "COMMANDS", ())
        if not commands:
            raise LookupError(f"{__name__}.{module.name} declares no COMMANDS")
        yield from commands


def find(line: str) -> FoundCommand | None:
    """Command of a line that is nothing else, None for any other line.

    Case, a bullet, quotation marks and a full stop do not matter.
    """
    words = words_of(line)
    said = f"{' '.join(words)} ".casefold()
    for command in all_commands():
        if not said.startswith(f"{command.word} "):
            continue
        arguments = command.arguments_in(words[len(command.word.split()) :])
        if arguments is not None:
            return FoundCommand(command, arguments)
    return None


def command_words() -> tuple[str, ...]:
    """Words of all commands, and `confirm`, which counts alone."""
    return (*(command.word for command in all_commands()), "confirm")


def words_of(line: str) -> list[str]:
    """The words of a line as commands are read in it."""
    bare = without_bullet(plain(line)).strip().strip("\"'`<>[] ").rstrip(".!;, ")
    return " ".join(bare.split()).replace(" ?", "?").split()
