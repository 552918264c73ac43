"""Series and tournaments: rows of one table, told apart by their kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from pbem.adapters.db.match_mapping import options_data, options_of
from pbem.adapters.db.session import by_id, gathered, locked, refused_as
from pbem.adapters.db.tables import EventPlayerRow, EventRow
from pbem.matches.events import Event, kind_of
from pbem.matches.match import PlayerId
from pbem.matches.series import Series
from pbem.matches.tournaments import Tournament
from pbem.service.ports import EventT, StorageError


class SqlEvents:
    """The port Events."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, event: EventT) -> EventT:
        """Stores a new event and gives it its id; raises StorageError."""
        row = _row_of(event)
        with refused_as(self._session, "a player is not stored"):
            self._session.add(row)
            self._session.flush()
            assert row.id is not None
            self._session.add_all(
                EventPlayerRow(event_id=row.id, place=place, player_id=player)
                for place, player in enumerate(event.players)
            )
        return replace(event, id=row.id)

    def get(self, event_id: int) -> Event:
        """Raises StorageError if there is none."""
        return self._one(event_id, select(EventRow))

    def lock(self, event_id: int) -> Event:
        """Like get; nobody else can lock it until this unit of work ends."""
        return self._one(event_id, locked(self._session, select(EventRow)))

    def all(self) -> list[Event]:
        """Every event, oldest first."""
        query = select(EventRow, EventPlayerRow.player_id).join(EventPlayerRow)
        rows = self._session.exec(query.order_by(col(EventRow.id), col(EventPlayerRow.place)))
        return [_event_of(row, players) for row, players in gathered(rows)]

    def _one(self, event_id: int, query: SelectOfScalar[EventRow]) -> Event:
        row = by_id(self._session, query, col(EventRow.id), event_id)
        if row is None:
            raise StorageError(f"there is no event {event_id}")
        players = select(EventPlayerRow.player_id).where(col(EventPlayerRow.event_id) == event_id)
        return _event_of(row, self._session.exec(players.order_by(col(EventPlayerRow.place))).all())


def _row_of(event: Event) -> EventRow:
    kind, terms = _terms_of(event)
    return EventRow(
        kind=kind,
        game_key=event.game_key,
        options=options_data(event.options),
        terms=terms,
        created_at=event.created_at,
    )


def _terms_of(event: Event) -> tuple[str, dict[str, Any]]:
    if isinstance(event, Series):
        return kind_of(event), {"games": event.games}
    return kind_of(event), {"double": event.double, "concurrent": event.concurrent}


def _event_of(row: EventRow, players: Sequence[PlayerId]) -> Event:
    assert row.id is not None
    options, terms = options_of(row.options), row.terms
    if row.kind == "series":
        a, b = players
        return Series(row.id, row.game_key, (a, b), options, terms["games"], row.created_at)
    return Tournament(
        row.id,
        row.game_key,
        tuple(players),
        options,
        row.created_at,
        terms["double"],
        terms["concurrent"],
    )
