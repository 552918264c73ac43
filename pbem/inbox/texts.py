"""Texts: the words that follow a command such as `say`, over several lines up to a line `end`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pbem.commands import FoundCommand, all_commands
from pbem.commands.api import Scope
from pbem.games.lenient_text import undressed
from pbem.inbox.polite_moves import command_in

END = "end"


def parts_of(fresh: str, *, of_match: bool) -> Iterator[str | FoundCommand]:
    """Split an email into commands whose text has a line `end`, and what is between them."""
    lines, between, at = fresh.splitlines(), list[str](), 0
    while at < len(lines):
        found = command_meant(lines[at], of_match=of_match)
        takes = found is not None and found.command.takes_below
        end = _end_of(lines, at + 1, of_match=of_match) if takes else None
        if found is not None and end is not None:
            yield "\n".join(between)
            yield found.with_lines(lines[at], lines[at + 1 : end])
            between, at = [], end + 1
            continue
        if found is not None and found.takes_below and not found.command.speaks:
            break  # all lines below are its text
        between.append(lines[at])
        at += 1
    yield "\n".join([*between, *lines[at:]])


def _end_of(lines: Sequence[str], start: int, *, of_match: bool) -> int | None:
    """Return the place of the line that ends a text, None if none does before another text."""
    for at in range(start, len(lines)):
        if _is_end(lines[at]):
            return at
        found = command_meant(lines[at], of_match=of_match)
        if found is not None and found.command.takes_below:
            return None
    return None


def command_meant(line: str, *, of_match: bool) -> FoundCommand | None:
    """Return the command in a line, None for any other line.

    In an email about no match, `tell` is a director's.
    """
    found = command_in(line)
    if of_match or found is None or not found.takes_below or found.command.scope is Scope.CLUB:
        return found
    same = (each for each in all_commands() if each.word == found.command.word)
    return found._replace(
        command=next((each for each in same if each.scope is Scope.CLUB), found.command)
    )


class Ends(NamedTuple):
    """Lines of a text that may belong together with lines of another part of an email."""

    opened: bool = False
    """Whether a text begins that no line `end` ends."""
    stray: bool = False
    """Whether there is a line `end` that ends no text."""


def ends_of(part: str) -> Ends:
    """Return what is open in a part of an email about a match."""
    pieces = (each for each in parts_of(part, of_match=True) if isinstance(each, str))
    lines = [line for piece in pieces for line in piece.splitlines()]
    found = (command_in(line) for line in lines)
    opened = any(each is not None and each.command.speaks for each in found)
    return Ends(opened, any(map(_is_end, lines)))


def _is_end(line: str) -> bool:
    return undressed(line).rstrip(".").casefold() == END


def without_talk(fresh: str) -> str:
    """Return an email without what its author says to players or to themselves."""
    kept = list[str]()
    for part in parts_of(fresh, of_match=True):
        for line in [] if isinstance(part, FoundCommand) else part.splitlines():
            found = command_in(line)
            if found is not None and found.command.speaks:
                break
            kept.append(line)
    return "\n".join(kept)
