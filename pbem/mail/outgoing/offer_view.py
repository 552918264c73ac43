"""Offer view: the data of offers and games that templates show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from pbem.games.api import AnyGame, GameInfo, Seat
from pbem.games.phrases import ENGLISH, Words
from pbem.mail.outgoing.match_view import Agreed, agreed
from pbem.mail.outgoing.time_view import DueTime, due
from pbem.matches.match import PlayerId
from pbem.matches.offer import Offer, OfferEntry
from pbem.matches.offer_terms import Begins
from pbem.matches.ratings import Rating


class Sitting(NamedTuple):
    """A player in an offer, or one who was asked."""

    name: str
    seat: str
    """The requested seat, empty for any."""
    accepted: bool
    you: bool
    rating: Rating | None = None
    """None if it is not shown."""

    @property
    def rated_name(self) -> str:
        """The name, and the rating in brackets: `Anna (1579 ± 484?)`."""
        return f"{self.name} ({self.rating})" if self.rating else self.name


@dataclass(frozen=True)
class OfferView:
    """The data of an offer for a template, for one reader or anyone."""

    offer: Offer
    names: Mapping[PlayerId, str]
    words: Words
    now: datetime
    you: PlayerId | None = None
    time_zone: str = "UTC"
    ratings: Mapping[PlayerId, Rating] = field(default_factory=dict)
    """Ratings that the reader sees, by player."""

    @property
    def number(self) -> int:
        """The number used in answers."""
        return self.offer.number

    @property
    def game(self) -> AnyGame:
        """The game to play."""
        return self.offer.terms.game

    @property
    def owner(self) -> str:
        """Name of the member who made it."""
        return self.names[self.offer.owner]

    @property
    def mine(self) -> bool:
        """Whether the reader made it."""
        return self.offer.owner == self.you

    @property
    def sitting(self) -> list[Sitting]:
        """Everyone who is in or asked, starting with the owner."""
        return [
            Sitting(
                self.names[entry.player],
                self._seat(entry),
                entry.accepted,
                entry.player == self.you,
                self.ratings.get(entry.player),
            )
            for entry in self.offer.entries
        ]

    @property
    def seats(self) -> list[str]:
        """Seats that can still be requested, as written in a request. None in a set."""
        terms = self.offer.terms
        if terms.begins is Begins.SET:
            return []
        wished = [entry.place for entry in self.offer.entries if entry.player != self.you]
        holders = self.game.info.holders[terms.players]
        return [held[0].lower() for place, held in enumerate(holders) if place not in wished]

    @property
    def wishes(self) -> bool:
        """Whether the reader has already requested a seat."""
        return any(each.you and each.seat for each in self.sitting)

    @property
    def options(self) -> list[Agreed]:
        """The options of the game as offered."""
        return agreed(self.game, self.offer.terms.options)

    @property
    def due(self) -> DueTime:
        """When it expires."""
        return due(self.offer.expires_at, self.time_zone, self.now)

    def _seat(self, entry: OfferEntry) -> str:
        if entry.place is None or self.offer.terms.begins is Begins.SET:
            return ""
        held = self.game.info.holders[self.offer.terms.players][entry.place]
        return " + ".join(map(self._title_of, held))

    def _title_of(self, seat: Seat) -> str:
        return self.words.text(self.game.info.seat_titles.get(seat, seat))


class InvitationView(NamedTuple):
    """An invitation as the member sees it who sent it, whoever has the address."""

    address: str
    game: GameInfo
    due: DueTime


class Agreeable(NamedTuple):
    """An option that players can agree on for a match."""

    key: str
    default: str
    values: str
    help: str


@dataclass(frozen=True)
class GameView:
    """The data of a game in a list."""

    info: GameInfo
    words: Words = ENGLISH

    @property
    def counts(self) -> Sequence[int]:
        """Possible numbers of players."""
        return sorted(self.info.holders)

    def seats(self, count: int) -> str:
        """Return who gets which seats, in the order of players."""
        return "; ".join(map(self._joined, self.info.holders[count]))

    def partners(self, count: int) -> str:
        """Return the seats of different players that win together, empty if none do."""
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
        """Options of the game itself."""
        return [
            Agreeable(
                option.key,
                option.format(option.default),
                "on or off" if option.switch else "a whole number",
                self.words.text(option.help),
            )
            for option in self.info.options
        ]
