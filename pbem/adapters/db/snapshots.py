"""Snapshots of positions."""

from __future__ import annotations

from dataclasses import asdict

from sqlalchemy import bindparam, select
from sqlmodel import Session, col

from pbem.adapters.db.session import insert_into, run
from pbem.adapters.db.tables import SnapshotRow
from pbem.service.ports import Snapshot


class SqlSnapshots:
    """The port Snapshots."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def put(self, match_id: int, snapshot: Snapshot) -> None:
        """Keeps a snapshot, in the place of any other of the match."""
        values = asdict(snapshot)
        row = insert_into(self._session, SnapshotRow).values(match_id=match_id, **values)
        run(self._session, row.on_conflict_do_update(index_elements=["match_id"], set_=values))

    def of(self, match_id: int) -> Snapshot | None:
        """That of a match; None if there is none."""
        row = run(self._session, SNAPSHOT, {"its_match_id": match_id}).one_or_none()
        return None if row is None else Snapshot(**row._mapping)


SNAPSHOT = select(
    col(SnapshotRow.actions),
    col(SnapshotRow.head),
    col(SnapshotRow.rules_version),
    col(SnapshotRow.text),
).where(col(SnapshotRow.match_id) == bindparam("its_match_id"))
