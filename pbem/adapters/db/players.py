"""People and their addresses."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, select

from pbem.adapters.db.session import gathered, possible, refused_as
from pbem.adapters.db.tables import AddressRow, PlayerRow
from pbem.adapters.db.types import key_of
from pbem.matches.match import Player, PlayerId
from pbem.service.ports import StorageError


class SqlPlayers:
    """The port Players."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, name: str, addresses: Sequence[str], time_zone: str = "UTC") -> Player:
        """A new player; raises StorageError if the name or an address is taken."""
        if not addresses:
            raise ValueError(f"{name} has no address")
        row = PlayerRow(name=name, name_key=key_of(name), time_zone=time_zone)
        with refused_as(self._session, f"the name {name} is taken"):
            self._session.add(row)
            self._session.flush()
            assert row.id is not None
            self._add_addresses(row.id, addresses)
        return self.get(row.id)

    def _add_addresses(self, player: PlayerId, addresses: Sequence[str]) -> None:
        with refused_as(self._session, f"an address is taken: {', '.join(addresses)}"):
            self._session.add_all(
                AddressRow(player_id=player, place=i, address=address, address_key=key_of(address))
                for i, address in enumerate(addresses)
            )

    def get(self, player: PlayerId) -> Player:
        """Raises StorageError if there is none."""
        found = self._one(col(PlayerRow.id) == player) if possible(player) else None
        if found is None:
            raise StorageError(f"there is no player {player}")
        return found

    def named(self, name: str) -> Player | None:
        """Player with a name, case-folded."""
        return self._one(col(PlayerRow.name_key) == key_of(name))

    def at(self, address: str) -> Player | None:
        """Player with an address, case-folded."""
        holder = select(AddressRow.player_id).where(col(AddressRow.address_key) == key_of(address))
        return self._one(col(PlayerRow.id) == holder.scalar_subquery())

    def all(self) -> list[Player]:
        """Everybody, by name."""
        # sorted here: databases differ in how they order letters
        return sorted(self._read(), key=lambda player: player.name.casefold())

    def _one(self, condition: ColumnElement[bool]) -> Player | None:
        return next(iter(self._read(condition)), None)

    def _read(self, *conditions: ColumnElement[bool]) -> list[Player]:
        query = select(PlayerRow, AddressRow).join(AddressRow).where(*conditions)
        rows = self._session.exec(query.order_by(col(PlayerRow.id), col(AddressRow.place)))
        return [_player(row, addresses) for row, addresses in gathered(rows)]


def _player(row: PlayerRow, addresses: Sequence[AddressRow]) -> Player:
    assert row.id is not None
    return Player(row.id, row.name, tuple(each.address for each in addresses), row.time_zone)
