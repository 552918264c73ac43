"""Suggestions: commands that an email without any command may have meant.

Only such emails are searched. In an email with a command, a line that resembles another is a note.
A suggestion only reorders or repairs a line: it has the command that was written, perhaps misspelt,
and all numbers. So it never does anything else than what its author asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher, get_close_matches
from itertools import islice

from pbem.commands import COURTESIES, command_words, words_of
from pbem.commands.api import Command
from pbem.mail.outgoing.kinds.refusals import Usage
from pbem.matches.competitions import COMPETITION
from pbem.matches.match import Player
from pbem.service.competitions.entering import enterable
from pbem.service.work import Work

NEAR = 0.74
"""Least similarity of two words to suggest one for the other: `trun` and `turn` have 0.75, but
`hello` and `help` only 0.67.
"""
_LONG = 4
"""Least letters of a value for a longer word to mean it, as `timezone` means `zone`."""
_SHORT = 4
"""Least letters of a word to be misspelt, since `off` is like `of`."""
_NUMBER = re.compile(r"(?<![\w.-])\d+(?![\w-])")
_NOT = re.compile(r"\b(?:no|not|never|dont)\b|n't\b", re.IGNORECASE)
"""Words that turn a sentence around, as in `I don't resign`."""
_IN_SUBJECT = re.compile(r"\bcompetition (\d{1,9})\b", re.ASCII | re.IGNORECASE)
ENTERS = {"enter", "yes", "ok", "im in", "i am in", "count me in", "sign me up", "join", "register"}
"""What members write to enter, without a number and words such as `for`."""
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
        read = dict(each for command in given for each in _readings(words, command))
        for text, likeness in (read or dict.fromkeys(_named(words, given), NEAR)).items():
            found[text] = max(likeness, found.get(text, 0))
    return sorted(found, key=lambda text: -found[text])[:MOST_MEANT]


def entries_meant(work: Work, player: Player, note: Iterable[str], subject: str) -> Sequence[str]:
    """Return the lines about competitions that a short email may have meant: `enter 7` for `yes`.

    If it has no number, the competition is the one in the subject, or any that the player can
    enter.
    """
    said = re.sub(r"[^\w ]", "", " ".join(next(_lines(note), ()))).casefold()
    numbers = _NUMBER.findall(said) or _IN_SUBJECT.findall(subject)
    idle = {*COURTESIES, *numbers, "for", COMPETITION}
    words = [word for word in said.split() if word not in idle]
    number = int(numbers[0]) if numbers else 0
    if " ".join(words) in ENTERS:
        return [f"enter {each}" for each in enterable(work, player, number)][:MOST_MEANT]
    return [f"bye {number}"] if words == ["bye"] and number else []


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


def _named(words: Sequence[str], given: Sequence[Command]) -> Iterator[str]:
    """Yield the only command that a sentence names, with all its numbers: `I resign`."""
    line = " ".join(words)
    bare = {word.casefold().strip(".,:;!()\"'") for word in words}
    bare |= {word.rstrip("?") for word in bare}
    named = bare & {each.split()[0] for each in command_words()}
    if len({word.rstrip("?") for word in named}) > 1 or _NOT.search(line):
        return
    numbers = _NUMBER.findall(line)
    if "".join(numbers) != "".join(filter(str.isdigit, line)):
        return
    for command in given:
        if command.word in named and command.arguments_in(numbers) is not None:
            yield " ".join([command.word, *numbers])


def _head(words: Sequence[str], command: Command) -> str:
    """Return as many words of the line as the command has."""
    return " ".join(words[: len(command.word.split())]).casefold()


def _readings(words: Sequence[str], command: Command) -> Iterator[tuple[str, float]]:
    """Yield commands that a line may mean, each with its similarity."""
    if words[0].casefold() == command.word.replace(" ", ""):  # `nodraw` for `no draw`
        likeness, rest = 1.0, list(words[1:])
    else:
        likeness, rest = _without_command(words, command)
    if likeness < NEAR:
        return
    for arguments in (rest, *_mended(rest, command)):
        if command.arguments_in(arguments) is not None:
            yield " ".join([command.word, *arguments]), likeness


def _without_command(words: Sequence[str], command: Command) -> tuple[float, list[str]]:
    """Return how similar words of a line are to those of a command, and all its other words.

    The words of a command may be apart, as in `competition 7 start`. One of them comes first.
    """
    rest, likeness, own = list(words), 1.0, command.word.split()
    for word in own:
        near = max(rest, key=lambda written: _likeness(written, word), default="")
        likeness = min(likeness, _likeness(near, word))
        if likeness < NEAR:
            return 0, []
        rest.remove(near)
    first = max(_likeness(words[0], word) for word in own)
    return likeness if first >= NEAR else 0, rest


def _likeness(written: str, word: str) -> float:
    """Return how likely a word is a misspelt word of a command.

    A misspelt word starts with the right letter, or its first two are swapped: `unbye` does not
    mean `bye`. Another command is not misspelt.
    """
    written, bare = written.casefold(), word.rstrip("?")
    if written.rstrip("?") == bare:
        return 1 if written == word else 0.99
    swapped = len(written) > 1 and written[1] + written[0] == bare[:2]
    if len(bare) < _SHORT or not (written[:1] == bare[0] or swapped):
        return 0
    likeness = SequenceMatcher(None, written, word).ratio()
    is_another = likeness >= NEAR and any(written in each.split() for each in command_words())
    return 0 if is_another else likeness


def _mended(words: Sequence[str], command: Command) -> Iterator[Sequence[str]]:
    """Yield the arguments with one similar word replaced by a value the command knows."""
    for argument in command.arguments:
        known = argument.among() if argument.among else ()
        for at, word in enumerate(words):
            wanted = word.casefold()
            inside = [each for each in known if len(each) >= _LONG and each in wanted]
            for near in get_close_matches(wanted, known, n=1, cutoff=NEAR) or inside:
                yield [*words[:at], near, *words[at + 1 :]]
