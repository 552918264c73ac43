"""Rebuild the stored form of an ended match from its record only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import NamedTuple

from pbem.games.api import Seat
from pbem.games.replay import Played
from pbem.matches.clock import Clock
from pbem.matches.competition_place import Place
from pbem.matches.history import SUCCESSIONS, Happening, Kind
from pbem.matches.match import MatchOptions, MatchSummary, PlayerId, RecordedAction, Result
from pbem.matches.record.chain import heads
from pbem.matches.record.check import replayed, standing
from pbem.matches.record.model import Record, RecordError
from pbem.matches.seat_holders import Hands
from pbem.matches.time_control import TimeAccount


class Stored(NamedTuple):
    """A match with its whole history."""

    match: MatchSummary
    actions: tuple[RecordedAction, ...]
    happenings: tuple[Happening, ...]


def stored_of(record: Record, place: Place | None = None) -> Stored:
    """Return what is stored of a match, from a verified record.

    Raises RecordError if the match has not ended.
    """
    chain, played = heads(record), list(replayed(record))
    stand = standing(record, played)
    match = replace(
        unreplayed(record),
        turn=stand[-1].position.turn if stand else 1,
        place=place,
        entries=len(chain) - 1,
        head=chain[-1],
    )
    actions = tuple(_actions(record, played, chain))
    return Stored(match, actions, tuple(happenings_of(record, chain)))


def unreplayed(record: Record) -> MatchSummary:
    """Return what a record says of an ended match itself, without its turn, place and head.

    Raises RecordError if the match has not ended.
    """
    if record.result is None or record.ended_at is None:
        raise RecordError("the match has not ended")
    seats, hands = _held(record)
    return MatchSummary(
        id=record.match_id,
        game_key=record.game_key,
        rules_version=record.rules_version,
        seats=seats,
        options=_options(record),
        started_at=record.started_at,
        actions=len(record.actions),
        clock=_clock(record),
        result=Result(*record.result, ended_at=record.ended_at),
        club=record.club,
        hands=hands,
        provider=record.provider,
    )


def people_of(record: Record) -> Mapping[PlayerId, str]:
    """Return the names of everyone who played it, by number."""
    began = {number: record.players[seat] for seat, number in record.numbers.items()}
    return {**began, **record.substitutes}


def _options(record: Record) -> MatchOptions:
    return MatchOptions(
        record.days,
        record.draw_offers,
        dict(record.options),
        record.time,
        record.unrated,
        dict(record.chosen),
    )


def _clock(record: Record) -> Clock:
    """Return the clock at the end. It runs for nobody, and its times are to the second."""
    accounts = {player: _account(record, player) for player in record.used}
    return Clock(control=_options(record).control, accounts=accounts)


def _account(record: Record, player: PlayerId) -> TimeAccount:
    left = record.left.get(player)
    bank = None if left is None else timedelta(seconds=left)
    return TimeAccount(bank, timedelta(seconds=record.used[player]))


def _held(record: Record) -> tuple[dict[Seat, PlayerId], Hands]:
    """Return the last holder of each seat, and the earlier ones."""
    seats, hands = dict(record.numbers), Hands()
    for entry in record.entries:
        if entry.kind is Kind.UNDONE:
            hands = hands.taken_back(int(entry.text))
        elif entry.kind in SUCCESSIONS:
            old, new = map(int, entry.text.split())
            theirs = [seat for seat, player in seats.items() if player == old]
            hands = hands.left(theirs, old, entry.turn)
            seats.update(dict.fromkeys(theirs, new))
    return seats, hands


def _actions(
    record: Record, played: list[Played], chain: tuple[str, ...]
) -> Iterator[RecordedAction]:
    number = 0
    for at, entry in enumerate(record.entries, start=1):
        if entry.kind is Kind.ACTION:
            passed = played[number].passed
            number += 1
            told = (number, entry.turn, entry.seat, entry.text, passed, entry.at, chain[at])
            yield RecordedAction(*told, undone=_taken_back_by(record, at, entry.turn))


def _taken_back_by(record: Record, after: int, turn: int) -> int:
    """Return the entry that took back an action of a turn, 0 if it stands."""
    for at, entry in enumerate(record.entries[after:], start=after + 1):
        if entry.kind is Kind.UNDONE and int(entry.text) <= turn:
            return at
    return 0


def happenings_of(record: Record, chain: Sequence[str] = ()) -> Iterator[Happening]:
    """Yield the events of a record other than actions, with their heads if the chain is given."""
    for at, entry in enumerate(record.entries, start=1):
        if entry.kind is not Kind.ACTION:
            head = chain[at] if chain else ""
            yield Happening(at, entry.turn, entry.seat, entry.kind, entry.at, head, entry.text)
