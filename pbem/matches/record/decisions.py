"""Check a result outside the rules against the recorded decisions and takeovers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from pbem.games.api import AnyGame, Outcome, Seat
from pbem.games.replay import Played
from pbem.matches.history import SUCCESSIONS, Kind
from pbem.matches.match import ABANDONED, ADJUDICATED_DRAW, FLAG_DRAW, RESIGNATION, PlayerId
from pbem.matches.record.model import Record


@dataclass
class _Standing:
    """Pending offers, resignations and so on, by player number, at a point in the history."""

    offers: dict[str, PlayerId] = field(default_factory=dict)
    """Authors of offers by kind."""
    accepted: set[str] = field(default_factory=set)
    """Kinds of offers that somebody else has accepted."""
    resigned: set[PlayerId] = field(default_factory=set)
    flags: set[PlayerId] = field(default_factory=set)
    forfeited: set[PlayerId] = field(default_factory=set)
    kinds: set[Kind] = field(default_factory=set)

    def lapse(self, kinds: Iterable[str]) -> None:
        """Drop offers of some kinds."""
        for kind in tuple(kinds):
            self.offers.pop(kind, None)
            self.accepted.discard(kind)

    def taken_back(self) -> None:
        """Drop offers and resignations, because turns were taken back."""
        self.lapse(self.offers)
        self.resigned.clear()

    def reopened(self) -> None:
        """Drop offers, which lapsed at the end, and decisions that no longer count."""
        self.lapse(self.offers)
        self.forfeited.clear()
        self.kinds.clear()

    def leaves(self, player: PlayerId) -> None:
        """Drop a player's offer and resignation, because another player takes over."""
        self.resigned.discard(player)
        self.lapse(kind for kind, by in self.offers.items() if by == player)

    def acts(self, player: PlayerId, played: Played) -> None:
        """Let others' offers expire after an action, and drop a resignation after a move."""
        self.lapse(kind for kind, by in self.offers.items() if by != player)
        if not played.declaration:
            self.resigned.discard(player)

    def happens(self, kind: Kind, player: PlayerId) -> None:
        """Apply an event other than an action."""
        offer, _, did = kind.rpartition("_")
        if did == "offered":
            self.offers.setdefault(offer, player)
        elif did == "accepted" and self.offers.get(offer, player) != player:
            self.accepted.add(offer)
        elif did == "declined":
            self.lapse([offer])
        elif kind is Kind.RESIGNED:
            self.resigned.add(player)
        elif kind is Kind.FLAG_FELL:
            self.flags.add(player)
        elif kind is Kind.FORFEITED:
            self.forfeited.add(player)


_DIRECTORS = ("adjudication", ADJUDICATED_DRAW, "void")
"""Terminations by the director's decision."""


def decision_problems(record: Record, played: Iterable[Played]) -> Iterator[str]:
    """Yield what the result claims and the history does not contain."""
    if record.result is None:
        return
    (standing, holders), result = _standing(record, played), record.result
    losers = {number for seat, number in holders.items() if seat not in result.winners}
    if result.termination == RESIGNATION:
        yield from _resignation_problems(record, result, standing, holders)
    elif result.termination == "forfeit" and not standing.forfeited.intersection(losers):
        yield "The result says that the match was forfeited, but the history does not say by whom."
    elif result.termination == "cancelled" and Kind.CANCELLED not in standing.kinds:
        yield "The result says that the match was cancelled, but the history does not."
    elif result.termination == "draw" and "draw" not in standing.accepted:
        yield "The result is a draw, but the history has no accepted offer."
    elif result.termination == ABANDONED and "abandon" not in standing.accepted:
        yield "The result says that the match was abandoned, but the history has no agreement."
    elif result.termination in ("flag", FLAG_DRAW) and not standing.flags.intersection(losers):
        yield "The result was decided on time, but the history does not say who ran out of time."
    elif result.termination in _DIRECTORS and Kind.ADJUDGED not in standing.kinds:
        yield "The result says that the director decided, but the history does not."


def _standing(
    record: Record, played: Iterable[Played]
) -> tuple[_Standing, Mapping[Seat, PlayerId]]:
    """Return what is pending at the end, and the holder of each seat then."""
    standing, actions, holders = _Standing(), iter(played), dict(record.numbers)
    for entry in record.entries:
        standing.kinds.add(entry.kind)
        if entry.kind is Kind.ACTION:
            standing.acts(holders[entry.seat], next(actions))
        elif entry.kind is Kind.UNDONE:
            standing.taken_back()
        elif entry.kind is Kind.REOPENED:
            standing.reopened()
        elif entry.kind in SUCCESSIONS:
            old, new = map(int, entry.text.split())
            standing.leaves(old)
            holders = {seat: new if held == old else held for seat, held in holders.items()}
        elif entry.seat:
            standing.happens(entry.kind, holders[entry.seat])
    return standing, holders


def _resignation_problems(
    record: Record, result: Outcome, standing: _Standing, holders: Mapping[Seat, PlayerId]
) -> Iterator[str]:
    lost = [seat for seat in record.players if seat not in result.winners]
    if not standing.resigned.issuperset(holders[seat] for seat in lost):
        resigned = [seat for seat in record.players if holders[seat] in standing.resigned]
        yield (
            f"By the result, {_seats(lost)} resigned. "
            f"By the history, {_seats(resigned) or 'nobody'} did."
        )


def _seats(seats: list[Seat]) -> str:
    return " and ".join(seats)


def handing_problems(record: Record, game: AnyGame) -> Iterator[str]:
    """Yield takeovers of a seat that the player did not hold, or by one of their opponents.

    A seat that a bot keeps may only go back to its player.
    """
    holders, kept = dict(record.numbers), dict[PlayerId, PlayerId]()
    for number, entry in enumerate(record.entries, start=1):
        if entry.kind not in SUCCESSIONS:
            continue
        old, new = map(int, entry.text.split())
        if holders[entry.seat] != old:
            yield f"Entry {number}: player {old} does not have the seat {entry.seat} at that point."
            return
        if not _may_follow(record, game, holders, old, new):
            yield f"Entry {number}: player {new} cannot take over from {old}, an opponent."
        if entry.kind is Kind.GIVEN_BACK and kept.get(old) != new:
            yield f"Entry {number}: player {old} does not keep a seat for player {new}."
        kept.pop(old, None)
        if entry.kind is Kind.KEPT:
            kept[new] = old
        holders = {seat: new if held == old else held for seat, held in holders.items()}
    for player in dict.fromkeys(holders.values()):
        if player not in record.numbers.values() and player not in record.substitutes:
            yield f"The record does not name player {player}."


def _may_follow(
    record: Record, game: AnyGame, holders: dict[Seat, PlayerId], old: PlayerId, new: PlayerId
) -> bool:
    """Return whether all seats of both players win and lose together."""
    seats = {seat for seat, held in holders.items() if held in (old, new)}
    return seats <= set(game.info.side_of(record.player_count, next(iter(seats))))
