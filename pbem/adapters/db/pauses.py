"""Pauses of competitions and of the club, and snapshots of positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from sqlalchemy import bindparam, select
from sqlmodel import Session, col

from pbem.adapters.db.session import insert_into, run
from pbem.adapters.db.tables import PauseRow, SnapshotRow
from pbem.ports.play import CLUB, Pause, Snapshot


class SqlPauses:
    """The port Pauses."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: dict[int, Sequence[Pause]] = {}
        """Those read in this transaction: the same are asked for several times for each turn."""

    def put(self, pause: Pause) -> None:
        moments = {"start": pause.start, "end": pause.end}
        row = insert_into(self._session, PauseRow).values(competition=pause.competition, **moments)
        self._session.exec(row.on_conflict_do_update(index_elements=["competition"], set_=moments))
        self._known.clear()

    def of(self, competition: int) -> Sequence[Pause]:
        """Of a competition and of the club, of the club alone where that is asked for."""
        if competition not in self._known:
            self._known[competition] = self._read(competition)
        return self._known[competition]

    def _read(self, competition: int) -> Sequence[Pause]:
        rows = run(self._session, PAUSES, {"its_competition": competition})
        return [Pause(row.competition, row.start, row.end) for row in rows]


PAUSES = (
    select(col(PauseRow.competition), col(PauseRow.start), col(PauseRow.end))
    .where(col(PauseRow.competition).in_((bindparam("its_competition"), CLUB)))
    .order_by(col(PauseRow.competition))
)


class SqlSnapshots:
    """The port Snapshots."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def put(self, match_id: int, snapshot: Snapshot) -> None:
        values = asdict(snapshot)
        row = insert_into(self._session, SnapshotRow).values(match_id=match_id, **values)
        run(self._session, row.on_conflict_do_update(index_elements=["match_id"], set_=values))

    def of(self, match_id: int) -> Snapshot | None:
        row = run(self._session, SNAPSHOT, {"its_match_id": match_id}).one_or_none()
        return None if row is None else Snapshot(**row._mapping)


SNAPSHOT = select(
    col(SnapshotRow.actions),
    col(SnapshotRow.head),
    col(SnapshotRow.rules_version),
    col(SnapshotRow.text),
).where(col(SnapshotRow.match_id) == bindparam("its_match_id"))
