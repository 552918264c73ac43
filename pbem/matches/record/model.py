"""Record: a match as it is exchanged and stored, and the rules that every form of it must obey."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from pbem.games.api import Outcome, Seat
from pbem.matches.competitions import kinds
from pbem.matches.history import NOBODY_S, SUCCESSIONS, WITH_TEXT, Kind
from pbem.matches.match import REOPENABLE, PlayerId

MOST = 999_999_999
"""Largest number in a record."""

_NAME = re.compile(r"[a-z][a-z0-9_-]*")
_SEAT = re.compile(r"[A-Za-z]+")
_PROVIDER = re.compile(r"[a-z0-9-]{1,100} [!-~]{1,100}", re.ASCII)
_WORDS = re.compile(r"[!-z|~]+(?: [!-z|~]+)*")
"""Printable ASCII without braces, with single spaces: the characters of an action."""
_TURN = re.compile(r"\d+\.|;")
"""Words that separate actions in the text form, so actions may not contain them."""
_TEXTS = {
    Kind.EXTENDED: re.compile(r"\d{1,6}[dh]", re.ASCII),
    Kind.BREAK_AGREED: re.compile(r"\d{1,6}[dh]", re.ASCII),
    Kind.BREAK_ORDERED: re.compile(r"\d{1,6}[dh]", re.ASCII),
    Kind.WAITED: re.compile(r"\d{1,6}[dh]", re.ASCII),
    **dict.fromkeys(SUCCESSIONS, re.compile(r"(\d{1,9}) (\d{1,9})", re.ASCII)),
    Kind.UNDONE: re.compile(r"\d{1,9}", re.ASCII),
    Kind.RESULT: re.compile(
        r"[a-z][a-z0-9_-]{0,40} (?:-|[A-Za-z]{1,20}(?:\+[A-Za-z]{1,20}){0,30})"
        r"(?: [A-Za-z]{1,20}=[+-]\d{1,9}){1,30}",
        re.ASCII,
    ),
}
"""Text of entries that are not actions but have a text."""


class RecordError(ValueError):
    """A problem of a record, as a plain sentence that says where it is."""


class HistoryEntry(NamedTuple):
    """An action of a match or another event. The engine's passes are not entries."""

    turn: int
    seat: Seat
    """Empty if no player caused it and it affects everyone."""
    text: str
    """Canonical text of an action. For other kinds their own text, usually empty."""
    at: datetime
    """When the email with it was received, in UTC."""
    kind: Kind = Kind.ACTION


@dataclass(frozen=True)
class RecordedCompetition:
    """The competition of a match."""

    kind: str
    """A kind that pbem knows, for example `set`."""
    id: int
    index: int
    """Number of the match in it, from 1."""


@dataclass(frozen=True)
class Record:
    """A match in the exchange format. Raises RecordError if it is impossible."""

    club: str
    """Name of the club when the match started."""
    match_id: int
    game_key: str
    rules_version: int
    players: Mapping[Seat, str]
    """Names of the first players by seat, in turn order."""
    numbers: Mapping[Seat, PlayerId]
    """Numbers of these players in the club, by seat."""
    days: int
    """Days per turn. 0 without a clock, or with another time control."""
    draw_offers: bool
    started_at: datetime
    options: Mapping[str, int] = field(default_factory=dict)
    """The game's own options."""
    ended_at: datetime | None = None
    competition: RecordedCompetition | None = None
    entries: tuple[HistoryEntry, ...] = ()
    """The history without the result of the match. Results before a reopening are entries."""
    result: Outcome | None = None
    """Result of the match. None until it ends."""
    substitutes: Mapping[PlayerId, str] = field(default_factory=dict)
    """Names of the players who took over later, by number."""
    heads: Mapping[int, str] = field(default_factory=dict, compare=False)
    """Heads found with the history's entries, full or short, by entry. 0 is before the first.

    `chain` computes what they should be.
    """
    time: str = ""
    """Terms of a time control other than days per turn, as players write them."""
    unrated: bool = False
    """Whether the match is left out of every ranking."""
    chosen: Mapping[str, str] = field(default_factory=dict)
    """Other choices that differ from the default, by key, as in `matches.choices`."""

    used: Mapping[PlayerId, int] = field(default_factory=dict)
    """Seconds that players have used in their turns, by number. Empty if no clock ran."""
    left: Mapping[PlayerId, int] = field(default_factory=dict)
    """Seconds that they have left, if there is a limit. Negative after the flag fell."""
    provider: str = ""
    """Distribution that provided the rules, and its version. Empty for pbem."""

    def __post_init__(self) -> None:
        _check_numbers(self)
        _check_names(self)
        _check_moments(self)
        for number, entry in enumerate(self.entries, start=1):
            check_entry(entry, number, self.players)
        _check_reopenings(self)
        if self.result is not None:
            _check_result(self.result, self.players)

    @cached_property
    def actions(self) -> tuple[HistoryEntry, ...]:
        """Entries that are actions."""
        return tuple(entry for entry in self.entries if entry.kind is Kind.ACTION)

    @property
    def taken_back(self) -> frozenset[int]:
        """Numbers, from 1, of the actions that were taken back."""
        standing, gone, number = list[tuple[int, int]](), set[int](), 0
        for entry in self.entries:
            if entry.kind is Kind.ACTION:
                number += 1
                standing.append((number, entry.turn))
            elif entry.kind is Kind.UNDONE:
                gone |= {each for each, turn in standing if turn >= int(entry.text)}
                standing = [each for each in standing if each[1] < int(entry.text)]
        return frozenset(gone)

    @property
    def player_count(self) -> int:
        """Number of people who play. A name belongs to one person only."""
        return len(set(self.players.values()))


def _check_numbers(record: Record) -> None:
    competition = record.competition
    numbers = {
        "match": record.match_id,
        "rules version": record.rules_version,
        "number of days": record.days,
        **{f"option {key}": value for key, value in record.options.items()},
        **{f"number of the player on {seat}": n for seat, n in record.numbers.items()},
        **{f"time of player {number}": seconds for number, seconds in record.used.items()},
        **{f"time left of player {number}": abs(left) for number, left in record.left.items()},
    }
    if competition is not None:
        if competition.kind not in kinds():
            raise RecordError(f"a match cannot belong to a {competition.kind}")
        numbers[competition.kind] = competition.id
        numbers[f"place in the {competition.kind}"] = competition.index
    for name, number in numbers.items():
        if number < 0:
            raise RecordError(f"the {name} is {number}, less than 0")
        if number > MOST:
            raise RecordError(f"the {name} is larger than {MOST}")


def _check_names(record: Record) -> None:
    for name in (record.game_key, *record.options):
        if not _NAME.fullmatch(name):
            raise RecordError(f"{name!r} cannot be the name of a game or an option")
    if not record.players:
        raise RecordError("the match has no players")
    for seat, player in record.players.items():
        if not _SEAT.fullmatch(seat):
            raise RecordError(f"{seat!r} cannot be the name of a seat")
        if not player:
            raise RecordError(f"the player on seat {seat} has no name")
    if record.time and not _WORDS.fullmatch(record.time):
        raise RecordError(f"{record.time!r} cannot be a time control")
    if record.provider and not _PROVIDER.fullmatch(record.provider):
        raise RecordError(f"{record.provider!r} is not a distribution and its version")
    _check_player_numbers(record)


def _check_player_numbers(record: Record) -> None:
    if set(record.numbers) != set(record.players):
        raise RecordError("not every seat has the number of its player")
    people = {(record.players[seat], number) for seat, number in record.numbers.items()}
    if not len(people) == record.player_count == len(set(record.numbers.values())):
        raise RecordError("names and numbers of the players do not match")


def _check_moments(record: Record) -> None:
    _check_moment(record.started_at, "start")
    if record.ended_at is not None:
        _check_moment(record.ended_at, "end")
    if (record.ended_at is None) != (record.result is None):
        raise RecordError("either the result or the time of the end is missing")


def _check_moment(moment: datetime, name: str) -> None:
    if moment.utcoffset() is None:
        raise RecordError(f"the time of the {name} has no time zone")


def check_entry(entry: HistoryEntry, number: int, players: Iterable[Seat]) -> None:
    """Raise RecordError if an entry could not be written down and read back."""
    what = f"action {number}" if entry.kind is Kind.ACTION else f"entry {number}"
    if not 1 <= entry.turn <= MOST:
        raise RecordError(f"{what}: turns are numbered from 1, not {entry.turn}")
    if entry.seat not in players and (entry.seat or entry.kind not in NOBODY_S):
        raise RecordError(f"{what}: nobody plays on seat {entry.seat!r}")
    if entry.kind not in WITH_TEXT:
        if entry.text:
            raise RecordError(f"{what}: {entry.kind} has no text")
    elif entry.kind in _TEXTS:
        if not _TEXTS[entry.kind].fullmatch(entry.text):
            raise RecordError(f"{what}: {entry.text!r} cannot be the text of {entry.kind}")
    elif not _WORDS.fullmatch(entry.text) or any(map(_TURN.fullmatch, entry.text.split())):
        raise RecordError(f"{what}: {entry.text!r} cannot be an action")
    _check_moment(entry.at, what)


def write_result(result: Outcome) -> str:
    """Return the text of a result that no longer counts: `flag W+E S=-96 W=+96 N=-96 E=+96`."""
    scores = " ".join(f"{seat}={points:+d}" for seat, points in result.scores.items())
    return f"{result.termination} {'+'.join(result.winners) or _NO_WINNERS} {scores}"


def read_result(text: str) -> Outcome:
    """Return the result of a text that `write_result` wrote."""
    termination, winners, *scores = text.split()
    pairs = (score.split("=") for score in scores)
    won = () if winners == _NO_WINNERS else tuple(winners.split("+"))
    return Outcome(won, termination, {seat: int(points) for seat, points in pairs})


_NO_WINNERS = "-"


def _check_reopenings(record: Record) -> None:
    """Raise RecordError unless each earlier result could be taken back, and was at once."""
    for number, (entry, after) in enumerate(pairwise((*record.entries, None)), start=1):
        assert entry is not None, "only the last one is nothing"
        reopens = after is not None and after.kind is Kind.REOPENED
        if reopens != (entry.kind is Kind.RESULT):
            raise RecordError(f"entry {number}: a match is reopened after a result, and only then")
        if entry.kind is Kind.RESULT:
            result = read_result(entry.text)
            _check_result(result, record.players)
            if result.termination not in REOPENABLE:
                raise RecordError(
                    f"entry {number}: no match is reopened after {result.termination}"
                )
    if record.entries and record.entries[0].kind is Kind.REOPENED:
        raise RecordError("entry 1: a match is reopened after a result, and only then")


def _check_result(result: Outcome, players: Mapping[Seat, str]) -> None:
    for seat in (*result.winners, *result.scores):
        if seat not in players:
            raise RecordError(f"the result names the seat {seat!r}, which has no player")
    if any(abs(points) > MOST for points in result.scores.values()):
        raise RecordError(f"a score is larger than {MOST}")
    if not _NAME.fullmatch(result.termination):
        raise RecordError(f"{result.termination!r} cannot be the name of a termination")


_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{6})?Z", re.ASCII)


def write_moment(moment: datetime) -> str:
    """Return the text of a moment, in UTC."""
    return moment.astimezone(UTC).isoformat().removesuffix("+00:00") + "Z"


def read_moment(text: str) -> datetime:
    """Return the moment of a text. Raises RecordError."""
    try:
        if _MOMENT.fullmatch(text):
            return datetime.fromisoformat(text)
    except ValueError:
        pass
    raise RecordError(f"{text!r} is not a time like 2026-11-21T03:30:00Z")
