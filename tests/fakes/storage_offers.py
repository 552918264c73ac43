"""In-memory offers and blocks."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, timedelta

from pbem.matches.match import PlayerId
from pbem.matches.offer import Offer
from pbem.ports.people import Mute, Wait
from pbem.ports.process import StorageError
from tests.fakes.storage_data import Repository, utc


class FakeOffers(Repository):
    """The port Offers."""

    def add(self, offer: Offer) -> Offer:
        self._require(offer)
        stored = replace(offer, number=self._changing().next_id("offers"))
        self._data.offers[stored.number] = _in_utc(stored)
        return stored

    def get(self, number: int) -> Offer:
        if number not in self._data.offers:
            raise StorageError(f"there is no offer {number}")
        return self._data.offers[number]

    def lock(self, number: int) -> Offer:
        self._changing()
        return self.get(number)

    def save(self, offer: Offer) -> None:
        known = self.get(offer.number)
        self._require(offer)
        stored = _in_utc(replace(offer, created_at=known.created_at))
        self._changing().offers[offer.number] = stored

    def standing(self) -> list[Offer]:
        return [offer for offer in self._data.offers.values() if offer.stands]

    def of_player(self, player: PlayerId) -> list[Offer]:
        return [offer for offer in self.standing() if player in offer.players]

    def expired(self, now: datetime) -> list[int]:
        now = utc(now)
        return [offer.number for offer in self.standing() if offer.expires_at <= now]

    def waits(self) -> list[Wait]:
        begun = (offer for offer in reversed(self._data.offers.values()) if offer.search)
        return [
            Wait(offer.terms.game_key, offer.search.waited)
            for offer in begun
            if offer.search is not None and offer.search.waited is not None
        ]

    def postpone(self, by: timedelta, after: datetime) -> None:
        after = utc(after)
        for offer in self.standing():
            if offer.expires_at > after:
                later = replace(offer, expires_at=offer.expires_at + by)
                self._changing().offers[offer.number] = later

    def _require(self, offer: Offer) -> None:
        self._data.require(players=offer.players)
        if len(set(offer.players)) < len(offer.players):
            raise StorageError("a player is named twice")


class FakeBlocks(Repository):
    """The port Blocks."""

    def add(self, player: PlayerId, blocked: PlayerId) -> None:
        self._data.require(players=(player, blocked))
        self._changing().blocks.setdefault((player, blocked))

    def remove(self, player: PlayerId, blocked: PlayerId) -> None:
        self._changing().blocks.pop((player, blocked), None)

    def of(self, player: PlayerId) -> list[PlayerId]:
        return [blocked for by, blocked in self._data.blocks if by == player]

    def around(self, player: PlayerId) -> frozenset[PlayerId]:
        pairs = (pair for pair in self._data.blocks if player in pair)
        return frozenset(one for pair in pairs for one in pair if one != player)

    def among(self, players: Collection[PlayerId]) -> frozenset[frozenset[PlayerId]]:
        return frozenset(frozenset(pair) for pair in self._data.blocks if {*pair} <= {*players})


class FakeMutes(Repository):
    """The port Mutes."""

    def add(self, player: PlayerId, mute: Mute) -> None:
        self._data.require(players=(player, mute.muted), match=mute.match_id)
        self._changing().mutes.setdefault((player, mute))

    def remove(self, player: PlayerId, mute: Mute) -> None:
        self._changing().mutes.pop((player, mute), None)

    def of(self, player: PlayerId) -> list[Mute]:
        return [mute for by, mute in self._data.mutes if by == player]


def _in_utc(offer: Offer) -> Offer:
    return replace(offer, created_at=utc(offer.created_at), expires_at=utc(offer.expires_at))
