"""Hands: who held the seats of a match before, for whom they are kept, and which are offered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from pbem.games.api import Seat


class Audience(StrEnum):
    """To whom a seat is offered."""

    PARTNER = "partner"
    SUBSTITUTES = "substitutes"
    """To their partner too."""


class Spell(NamedTuple):
    """That somebody held a seat, and holds it no more."""

    seat: Seat
    player: int
    """Their number."""
    until: int
    """The turn that was being played when it went to somebody else."""


@dataclass(frozen=True)
class Hands:
    """How the seats of a match have changed hands, and may; empty for nearly all matches."""

    earlier: tuple[Spell, ...] = ()
    """In order, seats that went together beside each other."""
    kept_for: Mapping[Seat, int] = field(default_factory=dict)
    """Numbers of players to whom seats go back as soon as they write; bots hold these meanwhile."""
    offered: Mapping[Seat, Audience] = field(default_factory=dict)
    """Seats that somebody else may take over; their players hold them until somebody does."""

    def began(self, seats: Mapping[Seat, int]) -> dict[Seat, int]:
        """Who held each seat at first, given who does now."""
        first = {spell.seat: spell.player for spell in reversed(self.earlier)}
        return {seat: first.get(seat, player) for seat, player in seats.items()}

    def held_by(self, seat: Seat, turn: int) -> int | None:
        """Who held a seat until after a turn, if somebody else has held it since."""
        spells = (spell for spell in self.earlier if spell.seat == seat and spell.until > turn)
        return next((spell.player for spell in spells), None)

    def before(self, turn: int) -> Hands:
        """As it was when a turn began, and nothing offered or kept."""
        return Hands(tuple(spell for spell in self.earlier if spell.until < turn))

    def left(self, seats: Iterable[Seat], player: int, turn: int) -> Hands:
        """After somebody has left seats: they are offered no more, and kept for nobody."""
        seats = tuple(seats)
        spells = tuple(Spell(seat, player, turn) for seat in seats)
        kept_for = {seat: each for seat, each in self.kept_for.items() if seat not in seats}
        return replace(self.not_offered(seats), earlier=self.earlier + spells, kept_for=kept_for)

    def kept(self, seats: Iterable[Seat], player: int) -> Hands:
        """With seats that go back to a player as soon as they write."""
        return replace(self, kept_for={**self.kept_for, **dict.fromkeys(seats, player)})

    def offering(self, seats: Iterable[Seat], audience: Audience) -> Hands:
        """With seats that are offered."""
        return replace(self, offered={**self.offered, **dict.fromkeys(seats, audience)})

    def not_offered(self, seats: Iterable[Seat]) -> Hands:
        """With seats that are offered no more."""
        gone = set(seats)
        offered = {seat: each for seat, each in self.offered.items() if seat not in gone}
        return replace(self, offered=offered)

    def taken_back(self, turn: int) -> Hands:
        """After the turns from one on were taken back: who holds a seat plays it from there."""
        earlier = (spell._replace(until=min(spell.until, turn)) for spell in self.earlier)
        return replace(self, earlier=tuple(earlier))

    def shares(self, seats: Mapping[Seat, int], turns: int) -> dict[Seat, dict[int, Fraction]]:
        """Who held each seat for which part of so many turns; all of it now, before the first."""
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
