"""The text form of a record: tag pairs, then a line a turn, then the result once more.

    [Match "12"]
    ...
      1. S  [8-B]  {2026-11-21T03:30:00Z}
      2. W  [---]
    *

What a turn consists of is written between the seat and the time; several actions of one mail are
parted by ` ; `. A turn without a time is one that the engine passed: it is printed, and left out
when the text is read. Longer lines are wrapped at blanks, and any other wrapping is read as well.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest

from pbem.games import game_of
from pbem.games.api import OptionError, Seat
from pbem.games.replay import ReplayError
from pbem.matches.record.check import replayed
from pbem.matches.record.model import Entry, Record, RecordError, check_entry
from pbem.matches.record.moments import read_moment, write_moment
from pbem.matches.record.tags import (
    Tags,
    head_of,
    read_game,
    read_tag,
    result_word,
    write_tags,
)

WIDTH = 72
_INDENT = " " * 8
_TURN = re.compile(r"(\d{1,9})\.", re.ASCII)
_SEPARATOR = ";"


def to_text(record: Record) -> str:
    """Text of a record; raises RecordError if its game or one of its seats is unknown."""
    try:
        game = game_of(record.game_key)
    except OptionError as error:
        raise RecordError(str(error)) from error
    if strangers := sorted(set(record.players).difference(game.info.seats)):
        raise RecordError(f"{game.info.title} has no seat {', '.join(strangers)}")
    lines = [line for turn in _turns(record, game.format_pass()) for line in _wrapped(turn)]
    return "\n".join([write_tags(record, game), "", *lines, result_word(record.result), ""])


def _wrapped(turn: str) -> list[str]:
    return textwrap.wrap(
        turn,
        WIDTH,
        subsequent_indent=_INDENT,
        drop_whitespace=True,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _turns(record: Record, pass_text: str) -> Iterator[str]:
    width = max(map(len, record.players))
    for entries, passed in _mails(record):
        turn, seat, _, at = entries[-1]
        texts = f" {_SEPARATOR} ".join(entry.text for entry in entries)
        yield f"{turn:3}. {seat:{width}}  {texts}  {{{write_moment(at)}}}"
        for later, passer in enumerate(passed, start=1):
            yield f"{turn + later:3}. {passer:{width}}  {pass_text}"


def _mails(record: Record) -> Iterator[tuple[list[Entry], tuple[Seat, ...]]]:
    """Actions that are printed as one turn, with the seats passed for after them."""
    mail: list[Entry] = []
    for entry, passed in zip_longest(record.entries, _passes(record), fillvalue=()):
        assert isinstance(entry, Entry), "there are never more passes than actions"
        if mail and _origin(mail[-1]) != _origin(entry):
            yield mail, ()
            mail = []
        mail.append(entry)
        if passed:
            yield mail, tuple(passed)
            mail = []
    if mail:
        yield mail, ()


def _origin(entry: Entry) -> tuple[object, ...]:
    return entry.turn, entry.seat, entry.at


def _passes(record: Record) -> list[tuple[Seat, ...]]:
    """Seats passed for after each action, as far as the actions can be replayed."""
    passes: list[tuple[Seat, ...]] = []
    # Whether they can be is for `verify` to say: a text is written and read all the same.
    with suppress(ReplayError, OptionError):
        passes.extend(played.passed for played in replayed(record))
    return passes


def from_text(text: str) -> Record:
    """Record of a text; raises RecordError."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    tags, after = _read_head(lines)
    game = read_game(tags)
    words = [(n, w) for n, line in enumerate(lines, 1) if n > after for w in line.split()]
    score = _Score([seat for seat in game.info.seats if seat in tags], game.format_pass())
    _read_score(score, words, tags)
    record = Record(**head_of(tags, game), entries=tuple(score.entries))
    _check_passes(record, score)
    return record


def _read_head(lines: Sequence[str]) -> tuple[Tags, int]:
    """Tags, and the number of the last line of the head: a blank one follows it."""
    tags: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip():
            name, value = read_tag(line.strip(), number)
            if name in tags:
                raise RecordError(f"line {number}: the tag [{name} ...] stands twice")
            tags[name] = number, value
        elif tags:
            return tags, number
    return tags, len(lines)


@dataclass
class _Score:
    """What the lines below the tags say."""

    seats: Sequence[Seat]
    pass_text: str
    entries: list[Entry] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    """Line of each entry."""
    passes: list[list[tuple[int, Seat]]] = field(default_factory=list)
    """Turns printed as passes after each entry."""


def _read_score(score: _Score, words: list[tuple[int, str]], tags: Tags) -> None:
    end, result = words.pop() if words else (max(n for n, _ in tags.values()) + 1, "")
    if result != tags["Result"][1]:
        raise RecordError(
            f"line {end}: the text does not end with the result {tags['Result'][1]}: "
            "it is not complete, or the tag is wrong"
        )
    for line, turn in _chunks(words):
        try:
            _read_turn(score, line, turn)
        except RecordError as error:
            raise RecordError(f"line {line}: {error}") from error


def _chunks(words: list[tuple[int, str]]) -> Iterator[tuple[int, list[str]]]:
    """Words of each turn, with the line on which it begins."""
    starts = [i for i, (_, word) in enumerate(words) if _TURN.fullmatch(word)]
    if words and starts[:1] != [0]:
        raise RecordError(f"line {words[0][0]}: {words[0][1]!r} stands before the first turn")
    for start, stop in pairwise([*starts, len(words)]):
        yield words[start][0], [word for _, word in words[start:stop]]


def _read_turn(score: _Score, line: int, words: list[str]) -> None:
    turn = int(words[0].removesuffix("."))
    seat, *rest = words[1:] or [""]
    if rest == [score.pass_text] and score.entries:
        score.passes[-1].append((turn, seat))
        return
    if not (rest and rest[-1].startswith("{") and rest[-1].endswith("}")):
        raise RecordError(f"turn {turn} has no time after it like {{2026-11-21T03:30:00Z}}")
    at = read_moment(rest.pop()[1:-1])
    for text in " ".join(rest).split(f" {_SEPARATOR} "):
        entry = Entry(turn, seat, text, at)
        check_entry(entry, len(score.entries) + 1, score.seats)
        score.entries.append(entry)
        score.lines.append(line)
        score.passes.append([])


def _check_passes(record: Record, score: _Score) -> None:
    """Raises RecordError where the passes printed are not those of the rules."""
    for i, passed in enumerate(_passes(record)):
        turn = record.entries[i].turn
        due = [(turn + later, seat) for later, seat in enumerate(passed, start=1)]
        if score.passes[i] != due:
            right = ", ".join(f"turn {number} of {seat}" for number, seat in due) or "none"
            raise RecordError(
                f"line {score.lines[i]}: passes by the rules after turn {turn}: {right}; "
                "the text has others"
            )
