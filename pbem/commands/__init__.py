"""Commands: everything except moves that a line of an email can ask for.

Each module in this folder is found automatically and declares its commands as `COMMANDS`. Related
commands share a module. The answer to a command is the template of the same name in
`templates/mail/en`.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import NamedTuple

from pbem.commands.api import Command, Giver
from pbem.games.lenient_text import plain, undressed, without_bullet
from pbem.mail.addresses.addressing import without_secrets
from pbem.matches.competitions import COMPETITION, words_for_kinds

SPELLINGS = {
    "board": "show",
    "tournaments": "competitions",
    **{
        f"{written} {kind}": meant
        for written, meant in (
            ("join", "enter"),
            ("register for", "enter"),
            ("leave", "withdraw competition"),
        )
        for kind in (COMPETITION, *words_for_kinds())
    },
}
"""Other ways to begin a line, with the start of the command that each one means."""
COURTESIES = {"please", "pls", "plz", "thanks", "thx"}
"""Words after a command that change nothing."""


class FoundCommand(NamedTuple):
    """A command found in a line, with its arguments."""

    command: Command
    arguments: tuple[str, ...] = ()

    @property
    def written(self) -> str:
        """The command and its arguments as text."""
        return " ".join([self.command.word, *filter(None, self.arguments)])

    @property
    def takes_below(self) -> bool:
        """Whether lines below belong to it without a line `end`. `memo` alone lists the memos."""
        return self.command.takes_below and bool(self.arguments)

    def with_lines(self, own: str, lines: Sequence[str]) -> FoundCommand:
        """Return the command with its last argument extended by the lines below it.

        A text keeps its own line as written, any other argument the punctuation at its end. A
        wrapped one becomes a single line again.
        """
        if not self.arguments and not self.command.speaks:
            return self
        *first, last = self.arguments or ("",)
        if self.command.takes_below:
            last = self._written_text(own) or last
        elif end := _STOPS.search(plain(own)):
            last += end[1]
        text = without_secrets("\n".join([last, *lines]).strip())
        if not self.command.takes_below:
            text = " ".join(text.split())
        return self._replace(arguments=(*first, text))

    def _written_text(self, own: str) -> str:
        """Return the text in the command's own line, with its quotation marks and brackets.

        Empty if something stands before the command.
        """
        line, word = without_bullet(plain(own)).strip(), self.command.word
        words = line.split(maxsplit=len(word.split()) + len(self.arguments[:-1]))
        found = line.casefold().startswith(word) and len(words) > 1
        return words[-1] if found else ""

    def with_turns(self, own: str) -> FoundCommand:
        """Return the command with its line of turns as written, with brackets and full stops."""
        words = undressed(own).split(maxsplit=len(self.command.word.split()))
        return self._replace(arguments=tuple(words[len(self.command.word.split()) :]))

    def and_turns(self, more: str) -> FoundCommand:
        """Return the command with its line of turns continued."""
        return self._replace(arguments=(" ".join([*self.arguments, more.strip()]),))

    @property
    def is_in_bracket(self) -> bool:
        """Whether its line of turns stops inside brackets, as where an email program broke it."""
        text = "".join(self.arguments) if self.command.takes_turns else ""
        return text.count("[") > text.count("]")


_STOPS = re.compile(r"([.!;,]{1,10})\s*$")
"""Punctuation that ends a sentence. A text keeps it, a command drops it."""


@cache
def all_commands() -> tuple[Command, ...]:
    """Return all commands, sorted by their words. Raises LookupError if a module has no command.

    If players and directors share a word, the players' command comes first: `pause 2 weeks` is not
    about match 2.
    """
    return tuple(sorted(_declared(), key=lambda each: (each.word, each.giver is Giver.DIRECTOR)))


def commands_for(*, member: bool, director: bool) -> tuple[Command, ...]:
    """Return the commands that somebody may ever use."""
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
    """Return the command that makes up a whole line, None for any other line.

    Ignores case, a bullet, quotation marks, a full stop and `please` after it.
    """
    words = words_of(line)
    respelt = _respelt(words)
    found = (_found(respelt) if respelt else None) or _found(words)
    shorter = without_courtesy(line)
    return find(shorter) if found is None and shorter else found


def without_courtesy(line: str) -> str:
    """Return a line without the polite word at its end, or an empty text if it has none."""
    *words, last = words_of(line) or [""]
    return " ".join(words).rstrip(",") if last.casefold() in COURTESIES else ""


def _respelt(words: Sequence[str]) -> list[str]:
    """Return a line with its start replaced if people write it for a command, or no words."""
    for count in (3, 2, 1):
        meant = SPELLINGS.get(" ".join(words[:count]).casefold())
        if meant is not None:
            return [*meant.split(), *words[count:]]
    return []


def _found(words: Sequence[str]) -> FoundCommand | None:
    said = f"{' '.join(words)} ".casefold()
    in_two_words = (each for each in all_commands() if " " in each.word)
    for command in (*in_two_words, *all_commands()):  # `member rename` before `member`
        if not said.startswith(f"{command.word} "):
            continue
        arguments = command.arguments_in(words[len(command.word.split()) :])
        if arguments is not None:
            return FoundCommand(command, arguments)
    return None


def command_words() -> tuple[str, ...]:
    """Return the words of all commands, and `confirm`, which only counts alone."""
    return (*(command.word for command in all_commands()), "confirm")


def words_of(line: str) -> list[str]:
    """Split a line into words as commands are read."""
    bare = without_bullet(plain(line)).strip().strip("\"'`<>[] ").rstrip(".!;, ")
    return " ".join(bare.split()).replace(" ?", "?").split()
