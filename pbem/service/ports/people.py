"""People, their addresses, their leave, and what is known of their absence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pbem.matches.leave import Leave
from pbem.matches.match import Player, PlayerId


@dataclass(frozen=True)
class Address:
    """An address of a player, and whether it accepts mail."""

    address: str
    failed_at: datetime | None = None
    """Since when it accepts no mail; None: it does."""
    failure: str = ""
    """Why not, mostly in the words of a server."""
    works_since: datetime | None = None
    """When that was last over; None: it never failed."""
    added_at: datetime | None = None
    """When it was confirmed, if the member added it by email; None for any other."""


@dataclass(frozen=True)
class AbsenceNotice:
    """What an automatic answer to a mail of ours said."""

    player: PlayerId
    match_id: int | None
    at: datetime
    subject: str
    text: str


class Players(Protocol):
    """People."""

    def add(self, name: str, addresses: Sequence[str], time_zone: str = "UTC") -> Player:
        """A new player; raises StorageError if an address or a name like theirs is taken."""

    def get(self, player: PlayerId) -> Player:
        """Raises StorageError if there is none."""

    def lock(self, player: PlayerId) -> Player:
        """Like get; nobody else can lock them until this unit of work ends."""

    def named(self, name: str) -> Player | None:
        """Player with a name, case-folded."""

    def like(self, name: str) -> Player | None:
        """Player whose name can be taken for a text: with the same skeleton (UTS #39)."""

    def rename(self, player: PlayerId, name: str) -> Player:
        """Gives a player another name; raises StorageError if one like it is another's."""

    def at(self, address: str) -> Player | None:
        """Player with an address, whatever the case of its letters; ß is not ss here."""

    def all(self) -> list[Player]:
        """Every member, by name; nobody who has left."""

    def addresses(self, player: PlayerId) -> list[Address]:
        """All that is known of a player's addresses, in their order."""

    def set_addresses(
        self, player: PlayerId, addresses: Sequence[str], added_at: datetime | None = None
    ) -> Player:
        """Replaces their addresses; of those that stay, what is known stays too.

        `added_at` is when the member added the new ones by email; None if they did not.
        Raises StorageError if one is taken (case-folded), ValueError if there is none.
        """

    def add_bot(self, kind: str, name: str, address: str) -> Player:
        """A new computer opponent; raises StorageError if the name or the address is taken."""

    def bots(self) -> list[Player]:
        """Every computer opponent, in the order in which they were made."""

    def choose(self, player: PlayerId, key: str, value: str) -> None:
        """Sets something for a player, by the key of the setting; raises StorageError."""

    def address_failed(self, address: str, at: datetime, why: str) -> None:
        """An address (case-folded) accepts no mail; raises StorageError if nobody has it."""

    def unreached_since(self, moment: datetime) -> list[PlayerId]:
        """Who has an address that has accepted no mail since that moment, or longer."""

    def address_works(self, address: str, at: datetime) -> None:
        """It accepts mail again."""


class Absences(Protocol):
    """What automatic answers of players said."""

    def add(self, notice: AbsenceNotice) -> None:
        """Keeps a notice."""

    def of(self, player: PlayerId, limit: int) -> list[AbsenceNotice]:
        """A player's notices, newest first."""


class Leaves(Protocol):
    """When players are on leave."""

    def of(self, player: PlayerId, since: datetime) -> list[Leave]:
        """Those of a player that end after a moment, in order."""

    def put(self, player: PlayerId, leaves: Iterable[Leave], since: datetime) -> None:
        """Has some in place of all that end after a moment; raises StorageError."""
