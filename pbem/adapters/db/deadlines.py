"""What is due in the turns being played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, bindparam, insert
from sqlmodel import Session, col, delete, select, update

from pbem.adapters.db.session import locked, locking, refused_as, require_writing, run
from pbem.adapters.db.tables import DeadlineRow
from pbem.matches.time_control import DeadlineKind, Due
from pbem.service.ports import Deadline


class SqlDeadlines:
    """The port Deadlines."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def put(
        self, match_id: int, turn: int, dues: Iterable[Due], *, stopped_at: datetime | None = None
    ) -> None:
        """Replaces everything due in a match; raises StorageError if that is not there."""
        require_writing(self._session)
        rows = [
            {
                "match_id": match_id,
                "turn": turn,
                "kind": due.kind,
                "due_at": due.due_at,
                "stopped_at": stopped_at,
            }
            for due in dues
        ]
        with refused_as(self._session, f"there is no match {match_id}, or a kind is due twice"):
            run(self._session, CLEAR, {"its_match_id": match_id})
            if rows:
                run(self._session, NEW, rows)

    def due(self, until: datetime) -> list[Deadline]:
        """What is due at or before a moment, oldest first, where the clock runs."""
        query = select(DeadlineRow).where(col(DeadlineRow.due_at) <= until, _running())
        oldest = query.order_by(col(DeadlineRow.due_at), col(DeadlineRow.id))
        return [_deadline(row) for row in self._session.exec(oldest)]

    def done(self, deadline_id: int) -> bool:
        """Takes one off; False if somebody else has done so already."""
        gone = delete(DeadlineRow).where(col(DeadlineRow.id) == deadline_id)
        return self._session.exec(gone).rowcount == 1

    def flag_at(self, match_id: int) -> datetime | None:
        """When the flag of the turn being played falls; None if no clock runs, or past it."""
        return run(self._session, FLAG, {"its_match_id": match_id}).scalar_one_or_none()

    def postpone(self, by: timedelta, after: datetime) -> int:
        """Moves everything due after a moment where the clock runs; returns how many."""
        later = self._lock(col(DeadlineRow.due_at) > after, _running())
        self._move({row.id: row.due_at + by for row in later})
        return len(later)

    def stop(self, match_ids: Sequence[int], at: datetime) -> None:
        """Stops clocks that run; what is past due stays so."""
        later = self._lock(_of(match_ids), col(DeadlineRow.due_at) > at, _running())
        for row in later:
            row.stopped_at = at
        self._session.flush()

    def go_on(self, match_ids: Sequence[int], at: datetime) -> None:
        """Lets clocks go on: what was due is due later by the time they were paused."""
        stopped = self._lock(_of(match_ids), col(DeadlineRow.stopped_at).is_not(None))
        self._move({row.id: row.due_at + (at - _stop_of(row)) for row in stopped})

    def _move(self, moments: Mapping[int | None, datetime]) -> None:
        if moments:
            moved = [{"its_id": number, "then": due_at} for number, due_at in moments.items()]
            self._session.connection().execute(MOVE, moved)

    def _lock(self, *conditions: ColumnElement[bool]) -> Sequence[DeadlineRow]:
        """Keeps rows from being changed; always in one order, lest two wait for each other."""
        query = select(DeadlineRow).where(*conditions)
        return self._session.exec(locked(self._session, query.order_by(col(DeadlineRow.id)))).all()


def _running() -> ColumnElement[bool]:
    return col(DeadlineRow.stopped_at).is_(None)


_OF_MATCH = col(DeadlineRow.match_id) == bindparam("its_match_id")

NEW = insert(DeadlineRow)
ITS_IDS = select(DeadlineRow.id).where(_OF_MATCH).order_by(col(DeadlineRow.id))
CLEAR = delete(DeadlineRow).where(col(DeadlineRow.id).in_(locking(ITS_IDS)))
FLAG = select(DeadlineRow.due_at).where(
    _OF_MATCH, col(DeadlineRow.kind) == DeadlineKind.FLAG, _running()
)
MOVE = (
    update(DeadlineRow)
    .where(col(DeadlineRow.id) == bindparam("its_id"))
    .values(due_at=bindparam("then"), stopped_at=None)
)


def _of(match_ids: Sequence[int]) -> ColumnElement[bool]:
    return col(DeadlineRow.match_id).in_(match_ids)


def _stop_of(row: DeadlineRow) -> datetime:
    assert row.stopped_at is not None, "the clock is stopped"
    return row.stopped_at


def _deadline(row: DeadlineRow) -> Deadline:
    assert row.id is not None
    return Deadline(row.id, row.match_id, row.turn, DeadlineKind(row.kind), row.due_at)
