"""The text form of a record: tag pairs, then one line per turn, then the result again.

    [Match "12"]
    ...
      1. S  [8-B]  {2026-11-21T03:30:00Z k7qa-3mz2-p5xw-6v2d}
      2. W  [---]
      3. N  {offers a draw 2026-11-21T04:10:00Z 4xwd-i2yq-ajpb-6uma}
    *

The turn is between the seat and the braces, which hold the time and the head of the history. ` ; `
separates several actions from one email. Words in the braces describe an event that is not an
action. A turn without braces was passed by the engine. It is printed, but ignored when the text is
read. Longer lines are wrapped at spaces, and any other wrapping can be read too.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise

from pbem.games import game_of
from pbem.games.api import OptionError, Seat
from pbem.games.replay import ReplayError
from pbem.matches.history import Kind
from pbem.matches.record.chain import heads, short
from pbem.matches.record.check import replayed
from pbem.matches.record.model import (
    HistoryEntry,
    Record,
    RecordError,
    check_entry,
    read_moment,
    write_moment,
)
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
_HEAD = re.compile(r"[a-z2-7]{4}(?:-[a-z2-7]{4}){3}", re.ASCII)
_SEPARATOR = ";"


def to_text(record: Record, passes: Sequence[Sequence[Seat]] | None = None) -> str:
    """Return the text of a record. Raises RecordError if its game or a seat is unknown.

    `passes` are the seats passed after each action. Without them, the match is replayed.
    """
    try:
        game = game_of(record.game_key, record.rules_version, record.provider)
    except OptionError as error:
        raise RecordError(str(error)) from error
    if strangers := sorted(set(record.players).difference(game.info.seats)):
        raise RecordError(f"{game.info.title} has no seat {', '.join(strangers)}")
    passed = _passes(record) if passes is None else passes
    turns = _turns(record, game.format_pass(), passed)
    lines = [line for turn in turns for line in _wrapped(turn)]
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


_NOBODY = "-"
"""In place of a seat, if no player caused the event."""
_WORDS = {
    Kind.DRAW_OFFERED: "offers a draw",
    Kind.DRAW_ACCEPTED: "accepts the draw",
    Kind.DRAW_DECLINED: "declines the draw",
    Kind.TAKEBACK_OFFERED: "asks to take a turn back",
    Kind.TAKEBACK_ACCEPTED: "agrees to take the turn back",
    Kind.TAKEBACK_DECLINED: "declines to take the turn back",
    Kind.ABANDON_OFFERED: "offers to abandon the match",
    Kind.ABANDON_ACCEPTED: "agrees to abandon the match",
    Kind.ABANDON_DECLINED: "declines to abandon the match",
    Kind.RESIGNED: "resigns",
    Kind.FLAG_FELL: "is out of time",
    Kind.LOST_ON_TIME: "loses on time",
    Kind.CLAIMED: "claims the match on time",
    Kind.WAITED: "gives the player to act more time",
    Kind.ADJUDGED: "the director decides",
    Kind.CANCELLED: "the director cancels the match",
    Kind.FORFEITED: "loses by decision of the director",
    Kind.EXTENDED: "more time by decision of the director",
    Kind.PAUSED: "the director pauses the match",
    Kind.RESUMED: "the director has the match go on",
    Kind.BREAK_AGREED: "all agree on a pause of that length",
    Kind.BREAK_ORDERED: "a pause of that length by decision of the director",
    Kind.REPLACED: "players by number: the second goes on for the first",
    Kind.KEPT: "players by number: the second, a program, holds the seat for the first",
    Kind.GIVEN_BACK: "players by number: the second is back, and goes on for the first",
    Kind.UNDONE: "back to this turn by decision of the director",
    Kind.DIRECTED: "the director acts",
    Kind.PLANNED: "has planned this",
    Kind.FORCED: "has only one action",
    Kind.RESULT: "the end, until the match was reopened",
    Kind.REOPENED: "the director reopens the match",
}
_AGREED = "back to this turn, as all agree"
"""Instead of the director's words, if `TAKEBACK_ACCEPTED` is just before."""
_KINDS = {words: kind for kind, words in _WORDS.items()} | {_AGREED: Kind.UNDONE}


def _turns(record: Record, pass_text: str, passes: Sequence[Sequence[Seat]]) -> Iterator[str]:
    width = max(map(len, record.players))
    chain, number, before = heads(record), 0, Kind.ACTION
    for entries, passed in _mails(record, passes):
        number += len(entries)
        turn, seat, _, at, kind = entries[-1]
        texts = f" {_SEPARATOR} ".join(entry.text for entry in entries)
        words = _WORDS.get(kind, "")
        if (before, kind) == (Kind.TAKEBACK_ACCEPTED, Kind.UNDONE):
            words = _AGREED
        before = kind
        told = [words, write_moment(at), short(chain[number])]
        note = " ".join(word for word in told if word)
        said = f"{texts}  " if texts else ""
        yield f"{turn:3}. {seat or _NOBODY:{width}}  {said}{{{note}}}"
        for later, passer in enumerate(passed, start=1):
            yield f"{turn + later:3}. {passer:{width}}  {pass_text}"


def _mails(
    record: Record, passes: Sequence[Sequence[Seat]]
) -> Iterator[tuple[list[HistoryEntry], tuple[Seat, ...]]]:
    """Yield the entries that are printed as one turn, with the seats passed after them."""
    mail: list[HistoryEntry] = []
    of_actions = iter(passes)
    for entry in record.entries:
        passed = next(of_actions, ()) if entry.kind is Kind.ACTION else ()
        if mail and _origin(mail[-1]) != _origin(entry):
            yield mail, ()
            mail = []
        mail.append(entry)
        if passed or entry.kind is not Kind.ACTION:
            yield mail, tuple(passed)
            mail = []
    if mail:
        yield mail, ()


def _origin(entry: HistoryEntry) -> tuple[object, ...]:
    return entry.turn, entry.seat, entry.at, entry.kind


def _passes(record: Record) -> list[tuple[Seat, ...]]:
    """Return the seats passed after each action, as far as the actions can be replayed."""
    passes: list[tuple[Seat, ...]] = []
    # `verify` reports actions that cannot be replayed. Their text can still be written and read.
    with suppress(ReplayError, OptionError):
        passes.extend(played.passed for played in replayed(record))
    return passes


def from_text(text: str) -> Record:
    """Return the record of a text. Raises RecordError."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    tags, after = _read_head(lines)
    game = read_game(tags)
    words = [(n, w) for n, line in enumerate(lines, 1) if n > after for w in line.split()]
    seats = [seat for seat in game.info.seats if seat in tags]
    score = _Score(seats, game.format_pass())
    _read_score(score, words, tags)
    fields = head_of(tags, game)
    last = len(score.entries) + (fields["result"] is not None)
    score.heads[last] = tags["Head"][1]
    record = Record(**fields, entries=tuple(score.entries), heads=score.heads)
    _check_passes(record, score)
    return record


def _read_head(lines: Sequence[str]) -> tuple[Tags, int]:
    """Return the tags and the number of the blank line that ends the head."""
    tags: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip():
            name, value = read_tag(line.strip(), number)
            if name in tags:
                raise RecordError(f"line {number}: the tag [{name} ...] appears twice")
            tags[name] = number, value
        elif tags:
            return tags, number
    return tags, len(lines)


@dataclass
class _Score:
    """The lines below the tags."""

    seats: Sequence[Seat]
    pass_text: str
    entries: list[HistoryEntry] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    """Line of each entry."""
    passes: list[list[tuple[int, Seat]]] = field(default_factory=list)
    """Turns printed as passes after each entry."""
    heads: dict[int, str] = field(default_factory=dict)
    """Heads by number of the entry they follow."""


def _read_score(score: _Score, words: list[tuple[int, str]], tags: Tags) -> None:
    end, result = words.pop() if words else (max(n for n, _ in tags.values()) + 1, "")
    if result != tags["Result"][1]:
        raise RecordError(
            f"line {end}: the text does not end with the result {tags['Result'][1]}. "
            "It is not complete, or the tag is wrong"
        )
    for line, turn in _chunks(words):
        try:
            _read_turn(score, line, turn)
        except RecordError as error:
            raise RecordError(f"line {line}: {error}") from error


def _chunks(words: list[tuple[int, str]]) -> Iterator[tuple[int, list[str]]]:
    """Yield the words of each turn, with the line on which it starts."""
    starts = [i for i, (_, word) in enumerate(words) if _TURN.fullmatch(word)]
    if words and starts[:1] != [0]:
        raise RecordError(f"line {words[0][0]}: {words[0][1]!r} comes before the first turn")
    for start, stop in pairwise([*starts, len(words)]):
        yield words[start][0], [word for _, word in words[start:stop]]


def _read_turn(score: _Score, line: int, words: list[str]) -> None:
    turn = int(words[0].removesuffix("."))
    seat, *rest = words[1:] or [""]
    if rest == [score.pass_text] and score.entries:
        score.passes[-1].append((turn, seat))
        return
    said, kind, at, head = _read_note(turn, " ".join(rest))
    for text in said.split(f" {_SEPARATOR} "):
        entry = HistoryEntry(turn, "" if seat == _NOBODY else seat, text, at, kind)
        check_entry(entry, len(score.entries) + 1, score.seats)
        score.entries.append(entry)
        score.lines.append(line)
        score.passes.append([])
    if head:
        score.heads[len(score.entries)] = head


def _read_note(turn: int, text: str) -> tuple[str, Kind, datetime, str]:
    """Return the text before the braces and the values inside them."""
    said, brace, note = text.partition("{")
    if not (brace and note.endswith("}")):
        raise RecordError(f"turn {turn} has no time after it like {{2026-11-21T03:30:00Z}}")
    words = note[:-1].split()
    head = words.pop() if len(words) > 1 else ""
    if not _HEAD.fullmatch(head):
        raise RecordError(f"turn {turn} has no head after its time like k7qa-3mz2-p5xw-6v2d")
    at = read_moment(words.pop() if words else "")
    if not words:
        return said.rstrip(), Kind.ACTION, at, head
    kind = _KINDS.get(" ".join(words))
    if kind is None:
        raise RecordError(f"turn {turn}: the meaning of {' '.join(words)} is unknown")
    return said.rstrip(), kind, at, head


def _check_passes(record: Record, score: _Score) -> None:
    """Raise RecordError if the printed passes differ from the rules."""
    played = (i for i, entry in enumerate(record.entries) if entry.kind is Kind.ACTION)
    for i, passed in zip(played, _passes(record), strict=False):
        turn = record.entries[i].turn
        due = [(turn + later, seat) for later, seat in enumerate(passed, start=1)]
        if score.passes[i] != due:
            right = ", ".join(f"turn {number} of {seat}" for number, seat in due) or "none"
            raise RecordError(
                f"line {score.lines[i]}: by the rules, the passes after turn {turn} are: {right}. "
                "The text has others"
            )
