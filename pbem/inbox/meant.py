"""Meant: which commands somebody may have meant whose mail has none.

Only then is it asked: in a mail that does something, a line that is much like a command is a note.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher, get_close_matches
from itertools import islice

from pbem.commands import words_of
from pbem.commands.api import Command
from pbem.mail.outgoing.kinds.refusals import Usage

NEAR = 0.74
"""How much alike two words are of which the one may be meant by the other; `trun` and `turn`, 0.75,
but not `hello` and `help`, 0.67."""
MOST_LINES = 10
MOST_WORDS = 12
"""Of a line; what is longer is a sentence."""
MOST_MEANT = 4


def meant_commands(note: Iterable[str], given: Sequence[Command]) -> Sequence[str]:
    """Lines that may have been meant by those of a mail, the likeliest first.

    `given` are the commands that its sender can give.
    """
    found: dict[str, float] = {}
    for words in _lines(note):
        for command in given:
            for text, likeness in _readings(words, command):
                found[text] = max(likeness, found.get(text, 0))
    return sorted(found, key=lambda text: -found[text])[:MOST_MEANT]


def usages(note: Iterable[str], given: Sequence[Command]) -> Sequence[Usage]:
    """How the commands are written that stand in a mail without what belongs behind them."""
    named = {
        command.word: command
        for words in _lines(note)
        for command in given
        if _head(words, command) == command.word
    }
    return [command.told for command in islice(named.values(), MOST_MEANT)]


def _lines(note: Iterable[str]) -> Iterator[list[str]]:
    written = (words_of(line) for line in note)
    short = (words for words in written if 0 < len(words) <= MOST_WORDS)
    yield from islice(short, MOST_LINES)


def _head(words: Sequence[str], command: Command) -> str:
    """As many words as the command has."""
    return " ".join(words[: len(command.word.split())]).casefold()


def _readings(words: Sequence[str], command: Command) -> Iterator[tuple[str, float]]:
    """What a line may mean as a command, and how likely."""
    for taken in {1, len(command.word.split())}:
        head, rest = " ".join(words[:taken]).casefold(), words[taken:]
        likeness = SequenceMatcher(None, head, command.word).ratio()
        if likeness < NEAR:
            continue
        for arguments in (rest, *_mended(rest, command)):
            if command.arguments_in(arguments) is not None:
                yield " ".join([command.word, *arguments]), likeness


def _mended(words: Sequence[str], command: Command) -> Iterator[Sequence[str]]:
    """The arguments with one of them put in the place of a word that is much like it."""
    for argument in command.arguments:
        known = argument.among() if argument.among else ()
        for at, word in enumerate(words):
            for near in get_close_matches(word.casefold(), known, n=1, cutoff=NEAR):
                yield [*words[:at], near, *words[at + 1 :]]
