"""Offers: challenges and open tables; and who wants to hear nothing of whom."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Protocol

from pbem.matches.match import PlayerId
from pbem.matches.offer import Offer


class Offers(Protocol):
    """Challenges and open tables, numbered together."""

    def add(self, offer: Offer) -> Offer:
        """Stores a new offer and gives it its number; raises StorageError for unknown players."""

    def get(self, number: int) -> Offer:
        """An offer, also one that stands no more; raises StorageError if there is none."""

    def lock(self, number: int) -> Offer:
        """Like get; nobody else can lock it until this unit of work ends."""

    def save(self, offer: Offer) -> None:
        """Stores what changed of an offer."""

    def standing(self) -> list[Offer]:
        """Those that can be answered, oldest first."""

    def of_player(self, player: PlayerId) -> list[Offer]:
        """Those of them that somebody is in, or is asked by; oldest first."""

    def expired(self, now: datetime) -> list[int]:
        """Numbers of those that stand though their time is over, oldest first."""

    def postpone(self, by: timedelta, after: datetime) -> None:
        """What stands until later than a moment stands so much longer."""


class Blocks(Protocol):
    """Who wants neither to be challenged nor to be joined by whom."""

    def add(self, player: PlayerId, blocked: PlayerId) -> None:
        """A player blocks another; nothing happens if they do already."""

    def remove(self, player: PlayerId, blocked: PlayerId) -> None:
        """They do so no more."""

    def of(self, player: PlayerId) -> list[PlayerId]:
        """Whom a player blocks, in the order in which they did."""

    def around(self, player: PlayerId) -> frozenset[PlayerId]:
        """Everybody whom a player blocks, or who blocks them."""
