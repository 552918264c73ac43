"""Record: one match as it is exchanged and kept, and what every form of it has to hold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from pbem.games.api import Outcome, Seat
from pbem.matches.match import Match, PlayerId, RecordedAction

MOST = 999_999_999
"""No number in a record is larger."""

_NAME = re.compile(r"[a-z][a-z0-9_-]*")
_SEAT = re.compile(r"[A-Za-z]+")
_WORDS = re.compile(r"[!-z|~]+(?: [!-z|~]+)*")
"""Printable ASCII without braces, single blanks between: what an action is written in."""
_TURN = re.compile(r"\d+\.|;")
"""Words that part actions in the text form, so that no action may hold them."""


class RecordError(ValueError):
    """What is wrong with a record, in a plain sentence that says where."""


class Entry(NamedTuple):
    """One action of a match; passes of the engine are none."""

    turn: int
    seat: Seat
    text: str
    """Canonical."""
    at: datetime
    """When the mail that held it was received, UTC."""


@dataclass(frozen=True)
class Record:
    """One match in the exchange format; raises RecordError if it cannot be one."""

    match_id: int
    game_key: str
    rules_version: int
    players: Mapping[Seat, str]
    """Names by seat, in turn order."""
    days: int
    """Days a turn; 0 is without a clock."""
    draw_offers: bool
    started_at: datetime
    options: Mapping[str, int] = field(default_factory=dict)
    """The game's own options."""
    ended_at: datetime | None = None
    set_id: int | None = None
    set_index: int | None = None
    """Place in its set, from 1."""
    entries: tuple[Entry, ...] = ()
    result: Outcome | None = None
    """None while it is played."""

    def __post_init__(self) -> None:
        _check_numbers(self)
        _check_names(self)
        _check_moments(self)
        for number, entry in enumerate(self.entries, start=1):
            check_entry(entry, number, self.players)
        if self.result is not None:
            _check_result(self.result, self.players)

    @property
    def player_count(self) -> int:
        """How many people play; a name is one person's alone."""
        return len(set(self.players.values()))


def _check_numbers(record: Record) -> None:
    numbers = {
        "match": record.match_id,
        "rules version": record.rules_version,
        "number of days": record.days,
        "set": record.set_id or 0,
        "place in the set": record.set_index or 0,
        **{f"option {key}": value for key, value in record.options.items()},
    }
    for name, number in numbers.items():
        if number < 0:
            raise RecordError(f"the {name} is {number}, less than 0")
        if number > MOST:
            raise RecordError(f"the {name} is larger than {MOST}")
    if (record.set_id is None) != (record.set_index is None):
        raise RecordError("a set and the match's place in it belong together")


def _check_names(record: Record) -> None:
    for name in (record.game_key, *record.options):
        if not _NAME.fullmatch(name):
            raise RecordError(f"{name!r} cannot be the name of a game or an option")
    if not record.players:
        raise RecordError("nobody plays")
    for seat, player in record.players.items():
        if not _SEAT.fullmatch(seat):
            raise RecordError(f"{seat!r} cannot be the name of a seat")
        if not player:
            raise RecordError(f"the player on seat {seat} has no name")


def _check_moments(record: Record) -> None:
    _check_moment(record.started_at, "start")
    if record.ended_at is not None:
        _check_moment(record.ended_at, "end")
    if (record.ended_at is None) != (record.result is None):
        raise RecordError("a result and the time of the end belong together")


def _check_moment(moment: datetime, name: str) -> None:
    if moment.utcoffset() is None:
        raise RecordError(f"the time of the {name} has no time zone")


def check_entry(entry: Entry, number: int, players: Iterable[Seat]) -> None:
    """Raises RecordError if an action could not be written down and read back."""
    what = f"action {number}"
    if not 1 <= entry.turn <= MOST:
        raise RecordError(f"{what}: turns are numbered from 1, not {entry.turn}")
    if entry.seat not in players:
        raise RecordError(f"{what}: nobody plays on seat {entry.seat!r}")
    if not _WORDS.fullmatch(entry.text) or any(map(_TURN.fullmatch, entry.text.split())):
        raise RecordError(f"{what}: {entry.text!r} cannot be an action")
    _check_moment(entry.at, what)


def _check_result(result: Outcome, players: Mapping[Seat, str]) -> None:
    for seat in (*result.winners, *result.scores):
        if seat not in players:
            raise RecordError(f"the result speaks of seat {seat!r}, where nobody plays")
    if any(abs(points) > MOST for points in result.scores.values()):
        raise RecordError(f"a score is larger than {MOST}")
    if not _NAME.fullmatch(result.termination):
        raise RecordError(f"{result.termination!r} cannot be the name of a termination")


def record_of(
    match: Match, names: Mapping[PlayerId, str], actions: Iterable[RecordedAction]
) -> Record:
    """Record of a match, ended or not, with all its actions; times to the second."""
    if len({names[player] for player in match.players}) != len(match.players):
        raise RecordError(f"two players of match {match.id} have the same name")
    result = match.result
    return Record(
        match_id=match.id,
        game_key=match.game_key,
        rules_version=match.rules_version,
        players={seat: names[player] for seat, player in match.seats.items()},
        days=match.options.days,
        draw_offers=match.options.draw_offers,
        options=dict(match.options.game),
        started_at=_to_the_second(match.started_at),
        ended_at=None if result is None else _to_the_second(result.ended_at),
        set_id=match.set_id,
        set_index=match.set_index,
        entries=tuple(Entry(a.turn, a.seat, a.text, _to_the_second(a.at)) for a in actions),
        result=None
        if result is None
        else Outcome(tuple(result.winners), result.termination, dict(result.scores)),
    )


def _to_the_second(moment: datetime) -> datetime:
    """IMAP knows no fractions of a second, and nobody wants to read them."""
    return moment.replace(microsecond=0)
