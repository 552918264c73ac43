"""What is due in the turns being played."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, bindparam
from sqlmodel import Session, col, delete, select, update

from pbem.adapters.db.session import locked, refused_as
from pbem.adapters.db.tables import DeadlineRow
from pbem.matches.time_control import DeadlineKind, Due
from pbem.service.ports import Deadline


class SqlDeadlines:
    """The port Deadlines."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def put(self, match_id: int, turn: int, dues: Iterable[Due]) -> None:
        """Replaces everything due in a match; raises StorageError if that is not there."""
        of_match = col(DeadlineRow.match_id) == match_id
        self._lock(of_match)
        with refused_as(self._session, f"there is no match {match_id}, or a kind is due twice"):
            self._session.exec(delete(DeadlineRow).where(of_match))
            self._session.add_all(
                DeadlineRow(match_id=match_id, turn=turn, kind=due.kind, due_at=due.due_at)
                for due in dues
            )

    def due(self, until: datetime) -> list[Deadline]:
        """What is due at or before a moment, oldest first."""
        query = select(DeadlineRow).where(col(DeadlineRow.due_at) <= until)
        oldest = query.order_by(col(DeadlineRow.due_at), col(DeadlineRow.id))
        return [_deadline(row) for row in self._session.exec(oldest)]

    def done(self, deadline_id: int) -> bool:
        """Takes one off; False if somebody else has done so already."""
        gone = delete(DeadlineRow).where(col(DeadlineRow.id) == deadline_id)
        return self._session.exec(gone).rowcount == 1

    def flag_at(self, match_id: int) -> datetime | None:
        """When the flag of the turn being played falls; None without a clock or past it."""
        flag = select(DeadlineRow.due_at).where(
            col(DeadlineRow.match_id) == match_id, col(DeadlineRow.kind) == DeadlineKind.FLAG
        )
        return self._session.exec(flag).one_or_none()

    def postpone(self, by: timedelta, after: datetime) -> int:
        """Moves everything due after a moment; returns how many."""
        later = self._lock(col(DeadlineRow.due_at) > after)
        if later:
            moved = [{"its_id": number, "then": due_at + by} for number, due_at in later]
            self._session.connection().execute(MOVE, moved)
        return len(later)

    def _lock(self, condition: ColumnElement[bool]) -> Sequence[tuple[int | None, datetime]]:
        """Keeps rows from being changed; always in one order, lest two wait for each other."""
        query = select(DeadlineRow.id, DeadlineRow.due_at).where(condition)
        return self._session.exec(locked(self._session, query.order_by(col(DeadlineRow.id)))).all()


MOVE = (
    update(DeadlineRow)
    .where(col(DeadlineRow.id) == bindparam("its_id"))
    .values(due_at=bindparam("then"))
)


def _deadline(row: DeadlineRow) -> Deadline:
    assert row.id is not None
    return Deadline(row.id, row.match_id, row.turn, DeadlineKind(row.kind), row.due_at)
