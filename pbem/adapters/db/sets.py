"""Three-person sets."""

from __future__ import annotations

from dataclasses import replace

from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from pbem.adapters.db.match_mapping import options_data, options_of
from pbem.adapters.db.session import by_id, gathered, locked, refused_as
from pbem.adapters.db.tables import SetPlayerRow, SetRow
from pbem.matches.match import PlayerId
from pbem.matches.sets import MatchSet
from pbem.service.ports import StorageError


class SqlSets:
    """The port Sets."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, match_set: MatchSet) -> MatchSet:
        """Stores a new set and gives it its id; raises StorageError."""
        row = SetRow(
            game_key=match_set.game_key,
            options=options_data(match_set.options),
            created_at=match_set.created_at,
            concurrent=match_set.concurrent,
        )
        with refused_as(self._session, "a player is not stored"):
            self._session.add(row)
            self._session.flush()
            assert row.id is not None
            self._session.add_all(
                SetPlayerRow(set_id=row.id, place=place, player_id=player)
                for place, player in enumerate(match_set.players)
            )
        return replace(match_set, id=row.id)

    def get(self, set_id: int) -> MatchSet:
        """Raises StorageError if there is none."""
        return self._one(set_id, select(SetRow))

    def lock(self, set_id: int) -> MatchSet:
        """Like get; nobody else can lock it until this unit of work ends."""
        return self._one(set_id, locked(self._session, select(SetRow)))

    def all(self) -> list[MatchSet]:
        """Every set, oldest first."""
        query = select(SetRow, SetPlayerRow.player_id).join(SetPlayerRow)
        rows = self._session.exec(query.order_by(col(SetRow.id), col(SetPlayerRow.place)))
        return [_set_of(row, players) for row, players in gathered(rows)]

    def _one(self, set_id: int, query: SelectOfScalar[SetRow]) -> MatchSet:
        row = by_id(self._session, query, col(SetRow.id), set_id)
        if row is None:
            raise StorageError(f"there is no set {set_id}")
        players = select(SetPlayerRow.player_id).where(col(SetPlayerRow.set_id) == set_id)
        return _set_of(row, list(self._session.exec(players.order_by(col(SetPlayerRow.place)))))


def _set_of(row: SetRow, players: list[PlayerId]) -> MatchSet:
    assert row.id is not None
    a, b, c = players
    options = options_of(row.options)
    return MatchSet(row.id, row.game_key, (a, b, c), options, row.created_at, row.concurrent)
