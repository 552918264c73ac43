"""Offers and games: the data that templates show of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from pbem.games.api import AnyGame, GameInfo, Seat
from pbem.games.phrases import ENGLISH, Words
from pbem.mail.outgoing.match_view import Agreed, agreed
from pbem.mail.outgoing.time_view import DueTime, due
from pbem.matches.match import PlayerId
from pbem.matches.offer import Offer, OfferEntry
from pbem.matches.offer_terms import Begins


class Sitting(NamedTuple):
    """Somebody who is in, or is asked to be."""

    name: str
    seat: str
    """Where they wish to sit; empty: anywhere."""
    accepted: bool
    you: bool


@dataclass(frozen=True)
class OfferView:
    """What a template may say of an offer to one reader, or to anybody."""

    offer: Offer
    names: Mapping[PlayerId, str]
    words: Words
    now: datetime
    you: PlayerId | None = None
    time_zone: str = "UTC"

    @property
    def number(self) -> int:
        """By which it is answered."""
        return self.offer.number

    @property
    def game(self) -> AnyGame:
        """What is played."""
        return self.offer.terms.game

    @property
    def owner(self) -> str:
        """Name of who made it."""
        return self.names[self.offer.owner]

    @property
    def mine(self) -> bool:
        """Whether the reader made it."""
        return self.offer.owner == self.you

    @property
    def sitting(self) -> list[Sitting]:
        """Everybody who is in or asked, who made it first."""
        return [
            Sitting(
                self.names[entry.player],
                self._seat(entry),
                entry.accepted,
                entry.player == self.you,
            )
            for entry in self.offer.entries
        ]

    @property
    def seats(self) -> list[str]:
        """Seats that can still be asked for, by the words that do; none in a set."""
        terms = self.offer.terms
        if terms.begins is Begins.SET:
            return []
        wished = [entry.place for entry in self.offer.entries if entry.player != self.you]
        holders = self.game.info.holders[terms.players]
        return [held[0].lower() for place, held in enumerate(holders) if place not in wished]

    @property
    def wishes(self) -> bool:
        """Whether the reader has asked for a seat already."""
        return any(each.you and each.seat for each in self.sitting)

    @property
    def options(self) -> list[Agreed]:
        """The options of the game, as they are offered."""
        return agreed(self.game, self.offer.terms.options)

    @property
    def due(self) -> DueTime:
        """Until when it stands."""
        return due(self.offer.expires_at, self.time_zone, self.now)

    def _seat(self, entry: OfferEntry) -> str:
        if entry.place is None or self.offer.terms.begins is Begins.SET:
            return ""
        held = self.game.info.holders[self.offer.terms.players][entry.place]
        return " + ".join(map(self._title_of, held))

    def _title_of(self, seat: Seat) -> str:
        return self.words.text(self.game.info.seat_titles.get(seat, seat))


class Agreeable(NamedTuple):
    """An option that can be agreed for a match."""

    key: str
    default: str
    values: str
    help: str


@dataclass(frozen=True)
class GameView:
    """What a list says of a game."""

    info: GameInfo
    words: Words = ENGLISH

    @property
    def counts(self) -> Sequence[int]:
        """How many can play it."""
        return sorted(self.info.holders)

    def seats(self, count: int) -> str:
        """Who sits where, in the order in which they are named."""
        return "; ".join(map(self._joined, self.info.holders[count]))

    def partners(self, count: int) -> str:
        """Which seats of several players win together; empty where none do."""
        sides = self.info.sides[count]
        teams = [side for side in sides if len(self._holders(count, side)) > 1]
        return ", ".join(map(self._joined, teams))

    def _joined(self, seats: Sequence[Seat]) -> str:
        return "+".join(self.words.text(self.info.name_of(seat)) for seat in seats)

    def _holders(self, count: int, side: tuple[str, ...]) -> set[int]:
        held = self.info.holders[count]
        return {number for number, seats in enumerate(held) if set(seats) & set(side)}

    @property
    def options(self) -> Sequence[Agreeable]:
        """Those of the game itself."""
        return [
            Agreeable(
                option.key,
                option.format(option.default),
                "on or off" if option.switch else "a whole number",
                self.words.text(option.help),
            )
            for option in self.info.options
        ]
