"""Matches and their recorded actions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from sqlalchemy import BindParameter, ColumnElement, Update, bindparam, or_, select as columns_only
from sqlmodel import Session, col, insert, select, update
from sqlmodel.sql.expression import SelectOfScalar

from pbem.adapters.db.match_mapping import (
    action_columns,
    action_of,
    columns_of,
    match_of,
    seat_columns,
)
from pbem.adapters.db.session import by_id, change, gathered, locked, refused_as
from pbem.adapters.db.tables import ActionRow, MatchRow, SeatRow
from pbem.matches.match import Match, PlayerId, RecordedAction
from pbem.service.ports import StorageError


class SqlMatches:
    """The port Matches."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, match: Match) -> Match:
        """Stores a new match and gives it its id; raises StorageError."""
        row = MatchRow(**columns_of(match))
        with refused_as(self._session, "its place is taken, or a player not stored"):
            self._session.add(row)
            self._session.flush()
            assert row.id is not None
            self._session.exec(insert(SeatRow), params=seat_columns(row.id, match))
        return replace(match, id=row.id)

    def get(self, match_id: int) -> Match:
        """Raises StorageError if there is none."""
        return self._one(match_id, select(MatchRow))

    def lock(self, match_id: int) -> Match:
        """Like get; nobody else can lock it until this unit of work ends."""
        return self._one(match_id, locked(self._session, select(MatchRow)))

    def save(self, match: Match) -> None:
        """Stores what changed of a match; raises StorageError if it is not there."""
        this = col(MatchRow.id) == match.id
        statement = update(MatchRow).where(this).values(**columns_of(match))
        change(self._session, statement, _missing(match.id))
        seats = [
            {f"its_{key}": seat[key] for key in seat} for seat in seat_columns(match.id, match)
        ]
        self._session.connection().execute(FOLLOW_SEATS, seats)

    def append(self, match_id: int, actions: Iterable[RecordedAction]) -> None:
        """Records actions; raises StorageError if a number is taken."""
        rows = [action_columns(match_id, action) for action in actions]
        if not rows:
            return
        with refused_as(self._session, f"match {match_id} has these actions, or is not stored"):
            self._session.exec(insert(ActionRow), params=rows)

    def recorded(self, match_id: int, from_turn: int = 0) -> list[RecordedAction]:
        """Actions of a match in order, those of earlier turns left out."""
        wanted = ACTIONS.where(col(ActionRow.match_id) == match_id)
        if from_turn > 0:
            wanted = wanted.where(col(ActionRow.turn) >= from_turn)
        rows = self._session.connection().execute(wanted.order_by(col(ActionRow.number)))
        return [action_of(row) for row in rows]

    def of_player(self, player: PlayerId, *, playing: bool = True) -> list[Match]:
        """Matches a player is in, oldest first; only those being played unless told otherwise."""
        held = select(SeatRow.match_id).where(col(SeatRow.player_id) == player)
        if playing:
            held = held.where(col(SeatRow.playing).is_(True))
        return self._many(col(MatchRow.id).in_(held))

    def of_set(self, set_id: int) -> list[Match]:
        """Matches of a set that have been started, in order."""
        return sorted(
            self._many(col(MatchRow.set_id) == set_id), key=lambda each: each.set_index or 0
        )

    def of_event(self, event_id: int) -> list[Match]:
        """Matches of a series or tournament that have been started, in order."""
        return sorted(
            self._many(col(MatchRow.event_id) == event_id), key=lambda each: each.event_index or 0
        )

    def all(self) -> list[Match]:
        """Every match, oldest first."""
        return self._many()

    def unarchived(self) -> list[int]:
        """Ids of ended matches whose record has not been written."""
        ended = select(MatchRow.id).where(col(MatchRow.ended_at).is_not(None))
        waiting = ended.where(col(MatchRow.archived_at).is_(None)).order_by(col(MatchRow.id))
        return [each for each in self._session.exec(waiting) if each is not None]

    def mark_archived(self, match_id: int, at: datetime) -> None:
        """The record has been written; raises StorageError if the match is not there."""
        statement = update(MatchRow).where(col(MatchRow.id) == match_id).values(archived_at=at)
        change(self._session, statement, _missing(match_id))

    def _one(self, match_id: int, query: SelectOfScalar[MatchRow]) -> Match:
        row = by_id(self._session, query, col(MatchRow.id), match_id)
        if row is None:
            raise StorageError(_missing(match_id))
        seats = select(SeatRow).where(col(SeatRow.match_id) == match_id)
        return match_of(row, self._session.exec(seats.order_by(col(SeatRow.place))))

    def _many(self, *conditions: ColumnElement[bool]) -> list[Match]:
        query = select(MatchRow, SeatRow).join(SeatRow).where(*conditions)
        rows = self._session.exec(query.order_by(col(MatchRow.id), col(SeatRow.place)))
        return [match_of(row, seats) for row, seats in gathered(rows)]


def _follow_seats() -> Update:
    player: BindParameter[int] = bindparam("its_player_id")
    playing: BindParameter[bool] = bindparam("its_playing")
    differs = or_(col(SeatRow.player_id) != player, col(SeatRow.playing) != playing)
    this = update(SeatRow).where(
        col(SeatRow.match_id) == bindparam("its_match_id"),
        col(SeatRow.place) == bindparam("its_place"),
    )
    return this.where(differs).values(player_id=player, playing=playing)


ACTIONS = columns_only(*(col(getattr(ActionRow, field)) for field in RecordedAction._fields))
"""Plain columns: a match of 2,000 actions is read four times faster than as objects."""

FOLLOW_SEATS = _follow_seats()
"""Follows a change of holder and the end of play, and leaves alone what stays the same."""


def _missing(match_id: int) -> str:
    return f"there is no match {match_id}"
