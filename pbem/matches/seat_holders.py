"""Seat holders: earlier players of each seat, players it is kept for, and seats on offer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from pbem.games.api import Seat


class Audience(StrEnum):
    """Players to whom a seat is offered."""

    PARTNER = "partner"
    SUBSTITUTES = "substitutes"
    """Substitutes and the partner."""


class Spell(NamedTuple):
    """A past holder of a seat."""

    seat: Seat
    player: int
    """Number of the player."""
    until: int
    """Current turn when the seat went to another player."""


@dataclass(frozen=True)
class Hands:
    """Past and possible changes of the seats' holders. Empty for nearly all matches."""

    earlier: tuple[Spell, ...] = ()
    """In order. Seats that changed hands together are adjacent."""
    kept_for: Mapping[Seat, int] = field(default_factory=dict)
    """Numbers of players whose seats a bot holds until they write."""
    offered: Mapping[Seat, Audience] = field(default_factory=dict)
    """Seats that others may take over. Their players hold them until then."""

    def began(self, seats: Mapping[Seat, int]) -> dict[Seat, int]:
        """Return the first holder of each seat, given the current ones."""
        first = {spell.seat: spell.player for spell in reversed(self.earlier)}
        return {seat: first.get(seat, player) for seat, player in seats.items()}

    def held_by(self, seat: Seat, turn: int) -> int | None:
        """Return the holder of a seat after a turn, None if it is the current holder."""
        spells = (spell for spell in self.earlier if spell.seat == seat and spell.until > turn)
        return next((spell.player for spell in spells), None)

    def before(self, turn: int) -> Hands:
        """Return the state at the start of a turn, with nothing offered or kept."""
        return Hands(tuple(spell for spell in self.earlier if spell.until < turn))

    def left(self, seats: Iterable[Seat], player: int, turn: int) -> Hands:
        """Return the state after a player leaves seats. They are no longer offered or kept."""
        seats = tuple(seats)
        spells = tuple(Spell(seat, player, turn) for seat in seats)
        kept_for = {seat: each for seat, each in self.kept_for.items() if seat not in seats}
        return replace(self.not_offered(seats), earlier=self.earlier + spells, kept_for=kept_for)

    def kept(self, seats: Iterable[Seat], player: int) -> Hands:
        """Return the state with seats that go back to a player as soon as they write."""
        return replace(self, kept_for={**self.kept_for, **dict.fromkeys(seats, player)})

    def offering(self, seats: Iterable[Seat], audience: Audience) -> Hands:
        """Return the state with these seats offered."""
        return replace(self, offered={**self.offered, **dict.fromkeys(seats, audience)})

    def not_offered(self, seats: Iterable[Seat]) -> Hands:
        """Return the state with these seats no longer offered."""
        gone = set(seats)
        offered = {seat: each for seat, each in self.offered.items() if seat not in gone}
        return replace(self, offered=offered)

    def taken_back(self, turn: int) -> Hands:
        """Return the state after turns were taken back. Current holders play from there on."""
        earlier = (spell._replace(until=min(spell.until, turn)) for spell in self.earlier)
        return replace(self, earlier=tuple(earlier))

    def shares(self, seats: Mapping[Seat, int], turns: int) -> dict[Seat, dict[int, Fraction]]:
        """Return each holder's part of the turns, by seat.

        If there were no turns, the current holder has everything.
        """
        return {seat: self._shares(seat, holder, turns) for seat, holder in seats.items()}

    def _shares(self, seat: Seat, holder: int, turns: int) -> dict[int, Fraction]:
        held: dict[int, Fraction] = {}
        since = 1
        spells = [spell for spell in self.earlier if spell.seat == seat]
        for player, until in [*((each.player, each.until) for each in spells), (holder, turns + 1)]:
            if until > since:
                held[player] = held.get(player, Fraction()) + Fraction(until - since, turns)
            since = max(since, until)
        return held or {holder: Fraction(1)}
