"""Suggestions: commands that an email without any command may have meant.

Only such emails are searched. In an email with a command, a line that resembles another is a note.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher, get_close_matches
from itertools import islice

from pbem.commands import words_of
from pbem.commands.api import Command
from pbem.mail.outgoing.kinds.refusals import Usage

NEAR = 0.74
"""Least similarity of two words to suggest one for the other: `trun` and `turn` have 0.75, but
`hello` and `help` only 0.67.
"""
_LONG = 4
"""Least letters of a value for a longer word to mean it, as `timezone` means `zone`."""
MOST_LINES = 10
MOST_WORDS = 12
"""Maximum number of words in a line. A longer line is a sentence."""
MOST_MEANT = 4


def meant_commands(note: Iterable[str], given: Sequence[Command]) -> Sequence[str]:
    """Return the commands that the lines of an email may have meant, the likeliest first.

    `given` are the commands that the sender may use.
    """
    found: dict[str, float] = {}
    for words in _lines(note):
        for command in given:
            for text, likeness in _readings(words, command):
                found[text] = max(likeness, found.get(text, 0))
            if command.word in _named(words) and command.arguments_in(()) is not None:
                found.setdefault(command.word, NEAR)
    return sorted(found, key=lambda text: -found[text])[:MOST_MEANT]


def usages(note: Iterable[str], given: Sequence[Command]) -> Sequence[Usage]:
    """Return the usage of commands whose arguments are missing or wrong in an email."""
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


def _named(words: Sequence[str]) -> set[str]:
    """Return the words of a line without punctuation, for commands in a sentence: `I resign`."""
    bare = {word.casefold().strip(".,:;!()\"'") for word in words}
    return bare | {word.rstrip("?") for word in bare}


def _head(words: Sequence[str], command: Command) -> str:
    """Return as many words of the line as the command has."""
    return " ".join(words[: len(command.word.split())]).casefold()


def _readings(words: Sequence[str], command: Command) -> Iterator[tuple[str, float]]:
    """Yield commands that a line may mean, each with its similarity."""
    for taken in {1, len(command.word.split())}:
        head, rest = " ".join(words[:taken]).casefold(), words[taken:]
        likeness = SequenceMatcher(None, head, command.word).ratio()
        if likeness < NEAR:
            continue
        for arguments in (rest, *_mended(rest, command)):
            if command.arguments_in(arguments) is not None:
                yield " ".join([command.word, *arguments]), likeness


def _mended(words: Sequence[str], command: Command) -> Iterator[Sequence[str]]:
    """Yield the arguments with one similar word replaced by a value the command knows."""
    for argument in command.arguments:
        known = argument.among() if argument.among else ()
        for at, word in enumerate(words):
            wanted = word.casefold()
            inside = [each for each in known if len(each) >= _LONG and each in wanted]
            for near in get_close_matches(wanted, known, n=1, cutoff=NEAR) or inside:
                yield [*words[:at], near, *words[at + 1 :]]
