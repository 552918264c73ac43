"""In-memory players, their leaves and their absence notices."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from pbem.matches.leave import Leave
from pbem.matches.match import Player, PlayerId
from pbem.matches.names.skeleton import skeleton_of, small_skeleton_of
from pbem.ports.people import AbsenceNotice, Address
from pbem.ports.process import StorageError
from tests.fakes.storage_data import Repository, storable, utc


class FakePlayers(Repository):
    """The port Players."""

    def add(
        self,
        name: str,
        addresses: Sequence[str],
        time_zone: str = "UTC",
        joined_at: datetime | None = None,
    ) -> Player:
        data = self._changing()
        if not addresses:
            raise ValueError(f"{name} has no address")
        self._require_own(name, 0)
        self._require_free(addresses, 0)
        chosen = {} if time_zone == "UTC" else {"zone": time_zone}
        joined = joined_at and utc(joined_at)
        number = data.next_id("players")
        player = Player(number, name, tuple(addresses), chosen, joined_at=joined)
        data.players[player.id] = player
        data.addresses[player.id] = tuple(map(Address, addresses))
        return player

    def add_bot(self, kind: str, name: str, address: str) -> Player:
        bot = replace(self.add(name, [address]), bot=kind)
        self._data.players[bot.id] = bot
        return bot

    def bots(self) -> list[Player]:
        return sorted((each for each in self.all() if each.bot), key=lambda bot: bot.id)

    def get(self, player: PlayerId) -> Player:
        self._data.require(players=(player,))
        return self._data.players[player]

    def get_all(self, players: Collection[PlayerId]) -> list[Player]:
        return [self.get(player) for player in players]

    def lock(self, player: PlayerId) -> Player:
        self._changing()
        return self.get(player)

    def named(self, name: str) -> Player | None:
        return next((each for each in self.all() if each.name.casefold() == name.casefold()), None)

    def like(self, name: str) -> Player | None:
        wanted = {skeleton_of(name), small_skeleton_of(name)}
        return next((each for each in self.all() if skeleton_of(each.name) in wanted), None)

    def rename(self, player: PlayerId, name: str) -> Player:
        data, renamed = self._changing(), replace(self.get(player), name=name)
        self._require_own(name, player)
        data.players[player] = renamed
        return renamed

    def at(self, address: str) -> Player | None:
        wanted = address.lower()
        return next((p for p in self.all() if wanted in map(str.lower, p.addresses)), None)

    def at_each(self, addresses: Collection[str]) -> Mapping[str, Player]:
        found = {each: self.at(each) for each in addresses}
        return {each: player for each, player in found.items() if player is not None}

    def all(self) -> list[Player]:
        members = (each for each in self._data.players.values() if not each.former)
        return sorted(members, key=lambda player: player.name.casefold())

    def addresses(self, player: PlayerId) -> list[Address]:
        return list(self._data.addresses.get(player, ()))

    def set_addresses(
        self, player: PlayerId, addresses: Sequence[str], added_at: datetime | None = None
    ) -> Player:
        self._changing()
        self.get(player)
        if not addresses:
            raise ValueError(f"player {player} would have no address")
        self._require_free(addresses, player)
        known = {each.address.casefold(): each for each in self.addresses(player)}
        new = Address("", added_at=added_at and utc(added_at))
        kept = [known.get(each.casefold(), new) for each in addresses]
        self._put(player, [replace(k, address=a) for k, a in zip(kept, addresses, strict=True)])
        return self.get(player)

    def choose(self, player: PlayerId, key: str, value: str) -> None:
        data, chosen = self._changing(), self.get(player).settings
        data.players[player] = replace(
            data.players[player], settings={**chosen, key: storable(value)}
        )

    def unban(self, player: PlayerId, at: datetime) -> None:
        data = self._changing()
        self.get(player)
        data.players[player] = replace(data.players[player], unbanned_at=utc(at))

    def address_failed(self, address: str, at: datetime, why: str) -> None:
        self._set(address, failed_at=utc(at), failure=storable(why))

    def address_works(self, address: str, at: datetime) -> None:
        self._set(address, failed_at=None, failure="", works_since=utc(at))

    def unreached_since(self, moment: datetime) -> list[PlayerId]:
        return sorted(
            player
            for player, addresses in self._data.addresses.items()
            if any(each.failed_at and each.failed_at <= utc(moment) for each in addresses)
        )

    def _require_own(self, name: str, player: PlayerId) -> None:
        others = [each.name for each in self.all() if each.id != player]
        same = name.casefold() in map(str.casefold, others)
        if same or skeleton_of(name) in map(skeleton_of, others):
            raise StorageError(f"the name {name} is taken")

    def _require_free(self, addresses: Sequence[str], player: PlayerId) -> None:
        distinct = {address.casefold() for address in addresses}
        holders = {holder.id for address in addresses if (holder := self.at(address))}
        if len(distinct) < len(addresses) or holders - {player}:
            raise StorageError(f"an address is taken: {', '.join(addresses)}")

    def _set(self, address: str, **values: Any) -> None:
        self._changing()
        player = self.at(address)
        if player is None:
            raise StorageError(f"nobody has the address {address}")
        same = address.casefold()
        known = self.addresses(player.id)
        new = [replace(e, **values) if e.address.casefold() == same else e for e in known]
        self._put(player.id, new)

    def _put(self, player: PlayerId, addresses: Sequence[Address]) -> None:
        data = self._changing()
        data.addresses[player] = tuple(addresses)
        data.players[player] = replace(
            data.players[player],
            addresses=tuple(each.address for each in addresses),
            failed=frozenset(each.address for each in addresses if each.failed_at is not None),
            added={each.address: each.added_at for each in addresses if each.added_at},
        )


class FakeAbsences(Repository):
    """The port Absences."""

    def add(self, notice: AbsenceNotice) -> None:
        data = self._changing()
        data.require(players=(notice.player,), match=notice.match_id)
        kept = replace(
            notice,
            at=utc(notice.at),
            subject=storable(notice.subject),
            text=storable(notice.text),
        )
        data.absences[data.next_id("absences")] = kept

    def of(self, player: PlayerId, limit: int) -> list[AbsenceNotice]:
        kept = reversed(self._data.absences.values())
        his = [each for each in kept if each.player == player]
        return sorted(his, key=lambda each: each.at, reverse=True)[:limit]


class FakeLeaves(Repository):
    """The port Leaves."""

    def of(self, player: PlayerId, since: datetime) -> list[Leave]:
        return [each for each in self._data.leaves.get(player, ()) if each.end > utc(since)]

    def put(self, player: PlayerId, leaves: Iterable[Leave], since: datetime) -> None:
        data = self._changing()
        data.require(players=(player,))
        over = [each for each in data.leaves.get(player, ()) if each.end <= utc(since)]
        new = [replace(each, start=utc(each.start), end=utc(each.end)) for each in leaves]
        data.leaves[player] = tuple(sorted([*over, *new], key=lambda each: each.start))
