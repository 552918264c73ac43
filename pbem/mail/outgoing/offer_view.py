"""An offer as somebody sees it: the data of the templates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from pbem.games.api import AnyGame, Seat
from pbem.games.phrases import Words
from pbem.mail.outgoing.due import Due, due
from pbem.mail.outgoing.match_view import Agreed, agreed
from pbem.matches.match import PlayerId
from pbem.matches.offer import Entry, Offer
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
    def due(self) -> Due:
        """Until when it stands."""
        return due(self.offer.expires_at, self.time_zone, self.now)

    def _seat(self, entry: Entry) -> str:
        if entry.place is None or self.offer.terms.begins is Begins.SET:
            return ""
        held = self.game.info.holders[self.offer.terms.players][entry.place]
        return " + ".join(map(self._title_of, held))

    def _title_of(self, seat: Seat) -> str:
        return self.words.text(self.game.info.seat_titles.get(seat, seat))
